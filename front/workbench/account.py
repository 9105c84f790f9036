"""What somebody noted at a real table, of a game that has no sentences of its own for it: the sentences are those in
which the log of the game is told, read back, in the order in which things happened (see docs/deduce.md).

A note may mean several lines of a log, such as two steps that say “It is {card}.”; which one it was, the rest tells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ...interpreter import CHANCE, Game, RulesError
from ...interpreter.blocks import Event
from ...interpreter.cells import cell_of
from ...interpreter.errors import Place, Problem, Whole, problem
from ...interpreter.model import ASPECTS, Function, Type, Var
from ...interpreter.sentences import ME
from ...mind.belief import is_seen_by
from ...mind.courses import Contradiction, Unaffordable
from ...mind.models import noted_of
from ...mind.noted import NotedNow, at_once
from ...mind.odds import Odds
from ...mind.stories import TURN, Fact, Meaning, Told, deciding
from ...speech.language import N_, Language, fill
from ...speech.narrator import Narrator, question_name
from .templates import PLACE, plain, splits
from .worksheet import Sentence, Worksheet

__all__ = ["Account", "Line"]

MY_TURN = N_("It is my turn.")
SHOWN = 8  # sentences that may come next
DEALT = "dealt"  # kinds of lines beside those of events
STATE = "state"


@dataclass(slots=True, eq=False)
class Line(Sentence):
    """One kind of note: how it is said in each language, and the events it may tell of."""

    kind: str = ""
    events: list[Event] = field(default_factory=list)
    game: Game | None = None

    def texts(self, language: Language) -> list[str]:
        return list(dict.fromkeys(self.template(Narrator(self.game, one)) for one in (language, Language("en"))))

    def template(self, narrator: Narrator) -> str:
        event, language = self.event, narrator.language
        if self.kind == DEALT:
            receiver, what = event.names
            kind = event.types[1]
            text = (
                N_("{receiver} is dealt {what} ({kind}).")
                if kind.kind == "thing"
                else N_("{receiver} is dealt {what}.")
            )
            values = {"receiver": f"{{{receiver}}}", "what": f"{{{what}}}", "kind": narrator.kind(kind)}
            return _put(language.translate(text), values)
        if self.kind == STATE:
            *args, value = event.names
            label = question_name(self.game, language, event.function.shape.split(" ")[0])
            return language.labelled(language.row([*(f"{{{name}}}" for name in args), label]), f"{{{value}}}")
        if event.text:
            return language.text(event.text)
        gaps = [f"{{{name}}}" for name in event.names if name != "who"]
        if event.kind == "ask":
            if event.alternative:
                gaps.insert(0, narrator.choice_name(event.alternative)("list"))
            return _put(language.translate(N_("{who} chooses {what}.")), {"what": language.list(gaps)})
        text = N_("This is drawn: {what}.") if event.kind == "draw" else N_("This is revealed: {what}.")
        return _put(language.translate(text), {"what": language.list(gaps)})

    def facts(self, values: dict[str, Any]) -> list[list[Meaning]]:
        """What it means, with these values in its gaps: one row each, or any of several."""
        if self.kind == DEALT and self.event.types[1].many:
            receiver, what = self.event.names
            return [
                [Meaning(event, {receiver: values[receiver], what: (card,)}, added=True) for event in self.events]
                for card in sorted(values[what])
            ]
        if self.kind not in (DEALT, STATE):
            return [[Meaning(self.event, values)]]
        row = [values[name] for name in self.event.names]
        found = [Meaning(event, dict(zip(event.names, row))) for event in self.events]
        if self.kind == STATE and self.event.types[-1].many:
            found += [Meaning(m.event, m.told, added=True) for m in found]
        return [found]


def _put(text: str, values: dict[str, str]) -> str:
    """Some of the gaps of a text filled; the others stay gaps."""
    return PLACE.sub(lambda found: values.get(found[1], found[0]), text)


def lines(game: Game) -> list[Line]:
    """All kinds of notes that can be made of a game."""
    deals = {node.step.name: node.step for node in game.program.nodes if node.step and node.step.verb == "deal"}
    me = Var(ME, Type("thing", "seat", frozenset(game.vocabulary.seats)))
    found: dict[Any, Line] = {}

    def add(kind: str, key: Any, event: Event) -> None:
        if key in found:
            found[key].events.append(event)
            return
        names = {n: Var(n, t) for n, t in zip(event.names, event.types)}
        line = Line(event.step, event.text, "", event, names, {}, {}, me, kind=kind, events=[event], game=game)
        gaps = set(PLACE.findall(line.template(Narrator(game, Language("en")))))
        line.vars = {n: names[n] for n, _ in gaps if n in names}
        if all(n in names for n, _ in gaps):
            found[key] = line

    for event in game.program.events:
        if event.kind == "set" and event.function is not None:
            step = deals.get(event.step)
            if step is not None and event.function is step.targets[0][0] and len(event.names) == 2:
                add(DEALT, (DEALT, event.function.shape, event.types), event)
            if event.function.view != "nobody" and event.types[-1].kind != "truth":
                add(STATE, (STATE, event.function.shape, event.types), event)
        elif event.kind in ASPECTS:
            add(STATE, (event.kind, event.function.shape, event.types), event)
        elif event.kind in ("ask", "draw", "show") and event.names or event.text:
            add("", event.number, event)
    return list(found.values())


@dataclass(slots=True)
class Entry:
    """One note: what it may mean. It is a row of facts: of several cards that one is dealt each is one."""

    readings: list[tuple[Line, dict[str, Any]]]
    place: Place
    text: str
    facts: list[Fact] = field(default_factory=list)


class Account(Worksheet):
    """Who I am and what I have seen, in order."""

    def __init__(self, game: Game, language: Language):
        super().__init__(game, language)
        self.belief: NotedNow | None = None
        self.taken: list[Entry] = []
        self.waits = False

    def _sentences(self) -> list[Line]:
        return lines(self.game)

    @property
    def own(self) -> list[Function]:
        """The secrets of this seat that it sees, and that are settled before the first decision."""
        held = [f for f in super().own if is_seen_by(self.me, f, cell_of(f, [self.me]))]
        state = self.game.new()
        while state.actor == CHANCE and not state.over:
            state.apply(state.chances()[0][0], trusted=True)
        return [f for f in held if state.umpire().value(f, self.me) not in (None, f.start, ())]

    def take_secrets(self, data: dict[str, Any]) -> None:
        if data.get("secrets"):
            super().take_secrets(data)

    # --- reading ------------------------------------------------------------------------------------------------------
    def read(self, text: str, place: Place) -> Entry:
        """What a note may mean: all readings of it."""
        said = text.strip().rstrip(".。")
        if plain(said) in {plain(self.language.translate(MY_TURN).rstrip(".。")), plain(MY_TURN.rstrip("."))}:
            return Entry([], place, text, [TURN])
        shift = len(text) - len(text.lstrip()) + self.quoted(place)
        readings: list[tuple[Line, dict[str, Any]]] = []
        best: tuple[tuple, list] | None = None
        for line in self.known:
            for template in line.texts(self.language):
                for parts in splits(template, said):
                    values, problems = self._filled(line, parts, place.shifted(shift))
                    if not problems:
                        readings.append((line, values))
                        break
                    rank = (len(values), len(PLACE.sub("", template)))
                    if best is None or rank > best[0]:
                        best = (rank, problems)
                else:
                    continue
                break
        if not readings:
            if best is not None:
                raise RulesError(best[1])
            raise RulesError(problem("worksheet_sentence", place, len(text), ways=Whole(self._ways())))
        return Entry(readings, place, text, _facts(readings))

    def _ways(self) -> str:
        needed = {event.number for event in deciding(self.game)}
        shown = [line.shown(self.narrator) for line in self.known if line.event.number in needed and line.kind != STATE]
        return self.language.row(map(self.language.quoted, dict.fromkeys(shown)))

    # --- what follows -------------------------------------------------------------------------------------------------
    def understood(self, entries: Sequence[Entry] | None = None) -> Odds:
        """The belief that follows from these notes; RulesError at the one that cannot be."""
        own = {cell_of(f, [self.me]): value for f in self.own if (value := self.secrets.get(f.shape)) is not None}
        readable = frozenset(event.number for line in self.known for event in line.events)
        noted = noted_of(self.game, self.seat, own, readable, self.model)
        self.belief = NotedNow(self.game, self.seat, noted)
        odds = Odds(self.game, self.seat, self.belief)
        try:
            noted.tell(())
        except Contradiction:
            raise RulesError(problem("worksheet_cards", None)) from None
        self.taken, self.waits = [], False
        for entry in self.entries if entries is None else entries:
            self.take_entry(entry)
        return odds

    def take_entry(self, entry: Entry) -> None:
        """One note more; RulesError, and nothing taken, if it cannot have happened after those before it. What several
        chose at the same time waits until one's own choice is noted too."""
        noted, together = self.belief.courses, at_once(entry.facts[0])
        try:
            noted.tell(_all_facts([*self.taken, entry]))
            self.waits = False
        except Unaffordable:
            raise RulesError(problem("worksheet_model", entry.place, len(entry.text), bot=self.model)) from None
        except Contradiction:
            settled = self.taken
            while together and settled and at_once(settled[-1].facts[0]) == together:
                settled = settled[:-1]
            noted.tell(_all_facts(settled))
            if not together:
                raise RulesError(self._not_next(entry)) from None
            self.waits = True
        self.taken.append(entry)

    def _not_next(self, entry: Entry) -> Problem:
        text = self.language.row(map(self.language.quoted, self.next_sentences())) or "–"
        return problem("worksheet_not_next", entry.place, len(entry.text), ways=Whole(text))

    @property
    def lacks_something(self) -> bool:
        """Must more have been seen than was noted?"""
        return self.waits or self.belief.courses.lacks_something

    def next_sentences(self) -> list[str]:
        """Of each kind of sentence that may come next one example, those first that have to be noted. What follows from
        other things is left out."""
        needed = {event.number for event in deciding(self.game)}
        rows = self.belief.courses.next_rows()
        found: dict[int, Told] = {}
        open_ones: set[int] = set()
        for told in rows:
            number = told.row[0]
            open_ones |= {number} if found.setdefault(number, told).row != told.row else set()
        texts = {}
        for number, told in sorted(found.items(), key=lambda item: item[0] not in needed):
            fitting = [line for line in self.known if number in [event.number for event in line.events]]
            line = min(fitting, key=lambda line: line.kind == STATE)
            if line.kind != STATE or number in needed or number in open_ones:
                texts[self.said(line, told)] = True
        return list(texts)[:SHOWN]

    def said(self, line: Line, told: Told) -> str:
        event = self.game.program.events[told.row[0]]
        row = dict(zip(line.event.names, told.row[1:]))
        if line.kind in (DEALT, STATE) and event.types[-1].many and told.added:
            row[line.event.names[-1]] = told.added
        values = {name: self._said_value(row[name], var.type) for name, var in line.vars.items()}
        return fill(line.template(self.narrator), values)

    def _said_value(self, value: Any, kind: Type) -> Any:
        if kind.kind == "thing" and value in self.own_names:
            return self._called(value)
        return self.narrator.said(self.game.named(value, kind), kind)


def _all_facts(entries: Sequence[Entry]) -> list[Fact]:
    return [fact for entry in entries for fact in entry.facts]


def _facts(readings: list[tuple[Line, dict[str, Any]]]) -> list[Fact]:
    """All that the readings mean: rows of facts of the same length are joined, fact by fact."""
    rows = [line.facts(values) for line, values in readings]
    length = max(map(len, rows))
    return [tuple(m for row in rows if len(row) == length for m in row[place]) for place in range(length)]
