"""The table at which a game is played: people at one keyboard and bots, one decision after the other.

Each person has a place of his own, with his language, his log and his notes; what his screen shows comes from there.
Every decision is on the disk before the next one is asked for.
"""

from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from ..interpreter import Reader
from ..interpreter.observe import Entry, read
from . import seats as seating
from .bots import BOTS, Place
from .language import N_, Language, spoken
from .map import board_of, draw
from .narrate import Narrator
from .notebook import Notebook, explain
from .prompt import STOP, Walk, meant, question, several
from .screen import EndOfInput, Screen, clean, columns, width_of, wrapped
from .seats import Seat
from .terminal import Terminal

__all__ = ["Quit", "Table", "View"]


def pgettext(context: str, text: str) -> str:
    """Mark a word for extraction in a context; it is translated where it is shown."""
    return text


# What can be typed at every prompt, in English and in the language of the person.
COMMANDS = {
    "?": ("?",),
    "map": (pgettext("command", "map"),),
    "notes": (pgettext("command", "notes"),),
    "mission": (pgettext("command", "mission"),),
    "rules": (pgettext("command", "rules"),),
    "log": (pgettext("command", "log"),),
    "undo": (pgettext("command", "undo"),),
    "save": (pgettext("command", "save"),),
    "quit": (pgettext("command", "quit"),),
}
LONG_NEWS = 40  # lines in a pipe, and what a screen has room for on a screen; what is older can be read with `log`
SMALL_MAP = 12  # lines: such a board is always shown


class Quit(Exception):
    """Somebody has had enough for now."""


@dataclass(slots=True)
class View:
    """One person's place: how he reads, and what he has read."""

    seat: Seat
    language: Language
    narrator: Narrator
    reader: Reader
    notebook: Notebook
    history: list[str] = field(default_factory=list)  # all that was told to him
    hinted: bool = False
    looked: bool = False
    known: dict = field(default_factory=dict)  # the state as far as his log tells it, at this place in the log
    known_at: tuple | None = None

    def called(self, seat: Seat) -> str:
        """A seat with the name of the person in it."""
        name = self.narrator.seat(seat.seat)("list")
        return f"{seat.name} ({name})" if seat.name else name[:1].upper() + name[1:]


@dataclass(slots=True)
class _Step:
    """A decision that can perhaps be taken back: whose, and everything as it was before."""

    seat: str
    state: Any
    last: tuple | None
    history: int


class Table:
    def __init__(self, terminal: Terminal, screen: Screen, game, state, save, seats: dict[str, Seat], seed: int):
        self.terminal, self.screen, self.game, self.state, self.save = terminal, screen, game, state, save
        self.seats, self.seed = seats, seed
        self.people = [seat for seat in seats.values() if seat.is_person]
        self.secret = len(self.people) > 1 and not _is_open(game)
        self.views = {seat.seat: self._view(seat) for seat in self.people}
        self.bots = {seat.seat: BOTS[seat.bot](game, seat.seat) for seat in seats.values() if seat.bot}
        self.at: str | None = None  # whose private screen this is
        self.last_looked: tuple | None = None
        self.asked = False  # has the person at this screen been asked anything yet?
        self.resumed = bool(save.choices)
        self.board = board_of(game)
        self.done: list[_Step] = []

    def _view(self, seat: Seat) -> View:
        language = self.terminal.language if seat.language not in spoken() else Language(seat.language)
        narrator = Narrator(self.game, language)
        return View(seat, language, narrator, Reader(self.game, seat.seat),
                    Notebook(self.game, seat.seat, narrator, language))

    # --- the game -----------------------------------------------------------------------------------------------------
    def play(self) -> bool:
        """Until the game is over, or somebody quits: then it can be gone on with."""
        try:
            _quit_when_told()
            while not self.state.over:
                seat = self.state.actor
                if seat in self.bots:
                    place = Place(self.state, seat)
                    self._commit(self.bots[seat].choose(place, self._luck(seat)))
                else:
                    self._ask(self.views[seat])
        except (Quit, EndOfInput, KeyboardInterrupt):
            self.screen.leave()
            self.how_to_go_on()
            return False
        finally:
            self.screen.leave()
        seating.write(self.save.path, self.seats, finished=True)
        self._end()
        return True

    def _luck(self, seat: str) -> random.Random:
        """A bot's own luck, the same whether the game was interrupted or not."""
        return random.Random(f"{self.seed}/{seat}/{self.save.choices}")

    def _commit(self, choice: tuple) -> None:
        self.save.append(self.game.words(choice))
        self.state.apply(choice, trusted=True)

    def how_to_go_on(self) -> None:
        say = self.terminal.language.say
        self.screen.line()
        self.screen.text(say(N_("The game is saved. Go on with:")))
        self.screen.line(f"  tabarro resume {_argument(self.save.path)}")

    # --- one person's decision ----------------------------------------------------------------------------------------
    def _ask(self, view: View) -> None:
        self._sit_down(view)
        self._news(view)
        walk = Walk(self._step(), tuple(self.state.legal()))
        walks: list[Walk] = []
        while True:
            further, taken = walk.forced()
            if taken:
                self._say_forced(view, walk, taken)
            walk = further
            if walk.done:
                break
            answer = self._prompt(view, walk, bool(walks))
            self.asked = True
            if answer is None:  # one step back
                if walks:
                    walk = walks.pop()
                    continue
                if self._take_back(view):
                    self._news(view)
                    walk = Walk(self._step(), tuple(self.state.legal()))
                continue
            walks.append(walk)
            for value in answer:
                walk = walk.take(value)
        self.done.append(_Step(view.seat.seat, self.state.clone(), self.state.v[1], len(view.history)))
        self._commit(walk.settled)

    def _step(self):
        return self.game.program.nodes[self.state.v[0]].step

    def _sit_down(self, view: View) -> None:
        """Hand over the keyboard, if somebody else had it."""
        here, say = view.seat.seat, view.language.say
        if self.at == here:
            return
        screen, before = self.screen, self.at
        self.at = here
        if self.secret:
            self.done.clear()
            if before is not None and not self.asked:  # he has to read it, and others must not notice
                screen.pause(self.views[before].language.say(N_("Press Enter to go on.")) + " ")
            self.asked = False
            screen.hide()
            screen.line()
            screen.text(say(N_("Pass the keyboard to {name}. Everybody else looks away."), name=view.called(view.seat)),
                        style="bold")
            if screen.interactive and not screen.can_clear:
                screen.text(say(N_("This terminal cannot be cleared: what you see can be scrolled back to.")))
            screen.line()
            screen.pause(say(N_("{name}, press Enter."), name=view.called(view.seat)) + " ")
            screen.hide()
        elif before is not None or len(self.people) > 1:
            screen.line()
            screen.text(say(N_("It is for {name} to choose."), name=view.called(view.seat)), style="bold")

    def _news(self, view: View) -> None:
        """What this person sees when he looks at the screen."""
        screen, language, notebook = self.screen, view.language, view.notebook
        entries = view.reader.news(self.state)
        fresh, view.looked = not view.looked, True
        if fresh and self.resumed:  # the game is gone on with: only what is new since his last decision
            mine = max((i for i, e in enumerate(entries) if _is_own(e, view.seat.seat)), default=-1) + 1
            view.history += view.narrator.tell(entries[:mine])
            entries = entries[mine:]
        told = view.narrator.tell(entries)
        view.history += told
        self.last_looked = self.state.v[1]
        known = self._known(view)
        if self.secret or fresh:
            name = language.text(self.game.description.get("name", self.game.id))
            you = language.say(N_("You are {name}."), name=view.called(view.seat))
            screen.text(f"{name} · {you}", style="bold")
        if told:
            screen.line()
            lines = [part for line in told for part in wrapped(line, screen.width, "  ", "    ")]
            room = max(6, screen.size[1] - 12) if screen.interactive else LONG_NEWS
            screen.lines(lines if len(lines) <= room else ["  …", *lines[1 - room:]])
        picture = self._picture(view, known) if self.board is not None and self.board.grid else []
        small = bool(picture) and len(picture) <= SMALL_MAP
        if small:
            screen.line()
            screen.lines(picture)
        facts = [*notebook.secrets(known), *([] if small else notebook.public(known))]
        if facts:
            screen.line()
            screen.text(" · ".join(f"{label[:1].upper()}{label[1:]}: {value}" for label, value in facts), "  ",
                        hanging="    ")

    def _known(self, view: View) -> dict:
        """The state as far as this person's log tells it."""
        if view.known_at is not self.state.v[1]:
            view.known, view.known_at = view.notebook.read(self.state.log(view.seat.seat)), self.state.v[1]
        return view.known

    def _say_forced(self, view: View, walk: Walk, taken: list) -> None:
        said = ", ".join(self._label(view, value) for value in taken)
        self.screen.text(view.language.say(N_("Only one choice is possible: {choice}."), choice=said), "  ")

    # --- the prompt ---------------------------------------------------------------------------------------------------
    def _prompt(self, view: View, walk: Walk, inside: bool) -> list | None:
        """Values to take, in order; None to go one step back."""
        screen, language = self.screen, view.language
        offers = walk.offers()
        labels = [self._labels(view, value) for value in offers]
        shown = [of_one[0] + self._where(view, value) for of_one, value in zip(labels, offers, strict=True)]
        self._show_offers(view, walk, shown)
        while True:
            typed = screen.read("> ")
            if not typed:
                screen.text(language.say(N_("Type a number, or the beginning of a name.")), "  ")
                continue
            command = self._command(view, typed, labels)
            if command == "undo":
                if inside or self._can_take_back(view):
                    return None
                screen.text(language.say(N_("That cannot be taken back: somebody has seen it, or chance has spoken.")
                                         if self.done else N_("There is nothing to take back.")), "  ")
            elif command is not None:
                self._look_up(view, command, walk)
                if command != "save":
                    self._show_offers(view, walk, shown)
            else:
                found = self._read(view, typed, walk, offers, labels)
                if found is not None:
                    return found

    def _show_offers(self, view: View, walk: Walk, labels: list[str]) -> None:
        screen, language = self.screen, view.language
        screen.line()
        asked = question(self.state, walk, view.narrator, language)
        if asked:
            screen.text(asked, style="bold")
        screen.text(self._heading(view, walk), style="" if asked else "bold")
        digits = len(str(len(labels)))
        screen.lines(columns([f"{number:>{digits}} {label}" for number, label in enumerate(labels, 1)], screen.width))
        if not view.hinted:
            view.hinted = True
            screen.text(language.say(N_("Type a number or the beginning of a name. Also: {commands}."),
                                     commands=", ".join(self._known_commands(view))), style="dim")

    def _heading(self, view: View, walk: Walk) -> str:
        language, shape = view.language, walk.shape
        if shape == "alternative":
            return language.say(N_("What do you do?"))
        kind = view.notebook.kind(walk.part.var.type if shape != "match" else walk.part.var.type.of)
        if shape == "match":
            name = view.narrator.name(walk.receiver)("list")
            return language.say(N_("Choose, for {name}: {kind}"), kind=kind, name=name)
        if shape == "some":
            here = len(walk.settled)
            sizes = sorted({len(choice[here]) for choice in walk.left})
            if len(sizes) == 1:
                left = sizes[0] - len(walk.partial)
                if walk.partial:
                    return language.ngettext("Choose {number} more:",
                                             "Choose {number} more, or several numbers at once:", left)
                return language.ngettext("Choose {number}:",
                                         "Choose {number}, one after the other or several numbers at once:", left)
            return language.say(N_("Choose one after the other, or several numbers at once:"))
        return language.say(N_("Choose: {kind}"), kind=kind)

    def _labels(self, view: View, value: Any) -> list[str]:
        """What an offer is called: as it is shown, and as the rules call it."""
        label = self._label(view, value)
        if value is STOP:
            return [label, "done"]
        return [label, self.game.vocabulary.atoms[value].name]

    def _label(self, view: View, value: Any) -> str:
        if value is STOP:
            return view.language.say(N_("that is enough"))
        label = view.narrator.name(value)("list")
        return label[:1].upper() + label[1:] if value in self._choices else label

    def _where(self, view: View, value: Any) -> str:
        """Behind the name of a piece, where it stands."""
        if value is STOP or self.board is None or value not in self.board.movable:
            return ""
        known = self._known(view)
        space = known.get(self.board.pieces, {}).get((self.game.vocabulary.atoms[value].name,))
        atom = next((s.atom for s in self.board.spaces if s.id == space), None)
        return "" if atom is None else f" ({view.narrator.name(atom)('list')})"

    @property
    def _choices(self) -> set[int]:
        return {alternative.atom for alternative in self._step().alternatives}

    def _read(self, view: View, typed: str, walk: Walk, offers: list, labels: list[list[str]]) -> list | None:
        screen, say = self.screen, view.language.say
        if walk.shape == "some":
            numbers = several(typed, len(offers))
            if numbers is not None:
                picked = self._pick(walk, [offers[n] for n in numbers])
                if picked is None:
                    screen.text(say(N_("These cannot be chosen together. “?” tells the rule.")), "  ")
                return picked
        found = meant(typed, labels)
        if len(found) == 1:
            return [offers[found[0]]]
        shown = clean(typed, 30)
        if found:
            names = [labels[i][0] for i in found[:6]] + (["…"] if len(found) > 6 else [])
            screen.text(say(N_("“{text}” can mean: {names}. Type more of it, or a number."), text=shown,
                            names=", ".join(names)), "  ")
        else:
            screen.text(say(N_("“{text}” is not among the choices. Type a number from 1 to {most}, or the beginning of "
                               "a name."), text=shown, most=len(offers)), "  ")
        return None

    def _pick(self, walk: Walk, values: list) -> list | None:
        """Several things at once, if they can be chosen together."""
        part = len(walk.settled)
        for value in values:
            if len(walk.settled) != part or value not in walk.offers():
                return None
            walk = walk.take(value)
        return values

    # --- commands -----------------------------------------------------------------------------------------------------
    def _known_commands(self, view: View) -> list[str]:
        screens = view.notebook.screens
        hidden = {"mission"} if screens.table is None else set()
        hidden |= {"map"} if self.board is None else set()
        return [self._word(view, name) for name in COMMANDS if name not in hidden]

    def _word(self, view: View, name: str) -> str:
        return view.language.pgettext("command", name) or name

    def _command(self, view: View, typed: str, labels: list[list[str]]) -> str | None:
        entry = typed.casefold()
        if any(label.casefold() == entry for of_one in labels for label in of_one):
            return None  # a choice of that very name
        if entry in ("?", "？"):
            return "?"
        return next((name for name in COMMANDS if entry in (name, self._word(view, name).casefold())), None)

    def _look_up(self, view: View, command: str, walk: Walk) -> None:
        screen, language, notebook = self.screen, view.language, view.notebook
        known, width = self._known(view), screen.width
        if command == "quit":
            raise Quit
        if command == "save":
            screen.text(language.say(N_("Everything is saved already, after each decision: {file}"),
                                     file=str(self.save.path)), "  ")
            return
        lines: list[str] = []
        if command == "?":
            name = walk.alternative.name if walk.alternative else ""
            for text in explain(self.game, walk.step, language, name):
                lines += wrapped(text, width, "  ")
            lines = lines or wrapped(language.say(N_("No rule text stands beside this choice.")), width, "  ")
            lines += wrapped(language.say(N_("Type a number or the beginning of a name. Also: {commands}."),
                                          commands=", ".join(self._known_commands(view))), width, "  ")
        elif command == "map":
            lines = self._picture(view, known) or wrapped(language.say(N_("This game has no board.")), width, "  ")
        elif command == "notes":
            lines = notebook.notes(known, width) or wrapped(
                language.say(N_("Your notes are still empty.")), width, "  ")
        elif command == "mission":
            lines = notebook.table(known, width)
            heading = N_("As far as you know, it can be:") if lines else N_("There is nothing to look up.")
            lines = [language.say(heading), *lines]
        elif command == "rules":
            from .book import rulebook

            for text in rulebook(self.game, language, "text").splitlines():
                lines += [text] if width_of(text) <= width else wrapped(text, width)
        elif command == "log":
            for text in view.history:
                lines += wrapped(text, width, "  ", "    ")
        screen.line()
        screen.pages(lines, language.say(N_("Press Enter for more, or type anything to stop.")) + " ")

    def _picture(self, view: View, known) -> list[str]:
        if self.board is None:
            return []
        screen = self.screen
        plain = screen._encodable("─") != "─"
        return draw(self.game, known, screen.width, not plain, screen.has_style, view.language).splitlines()

    # --- taking back --------------------------------------------------------------------------------------------------
    def _can_take_back(self, view: View) -> bool:
        """Only while nobody has learnt anything, this person included, and no chance has fallen."""
        if not self.done or self.done[-1].seat != view.seat.seat:
            return False
        before, own = self.done[-1], 1 << self.game.seat(view.seat.seat)
        if self.state.v[2] != before.state.v[2]:
            return False
        chain = self.state.v[1]
        while chain is not None and chain is not before.last:
            number, mask = chain[1][:2]
            if mask & ~own or self.game.program.events[number].kind not in ("ask", "set", "reset"):
                return False
            chain = chain[0]
        return chain is before.last

    def _take_back(self, view: View) -> bool:
        before = self.done.pop()
        self.save.take_back()
        self.state = before.state
        del view.history[before.history:]
        view.reader = Reader(self.game, view.seat.seat)
        view.reader.news(self.state)
        self.screen.text(view.language.say(N_("Taken back.")), "  ")
        return True

    # --- the end ------------------------------------------------------------------------------------------------------
    def _end(self) -> None:
        from .watch import tell_result

        language, screen = self.terminal.language, self.screen
        narrator = Narrator(self.game, language)
        umpire = Notebook(self.game, None, narrator, language)
        everyone = sum(1 << i for i in range(len(self.game.seats)))
        screen.line()
        screen.rule()
        rows, chain = [], self.state.v[1]
        while chain is not None and chain is not self.last_looked:
            rows.append(chain[1])
            chain = chain[0]
        told = [line for row in reversed(rows) if row[1] & everyone == everyone
                for line in narrator.tell(read(self.game, (None, row), -1))]
        for line in told:
            screen.text(line, "  ", hanging="    ")
        screen.line()
        tell_result(self.state.result, narrator, self.terminal)
        self.reveal(umpire)

    def reveal(self, umpire: Notebook) -> None:
        """All secrets of all seats, and what they had to do."""
        reveal(self.game, self.state, umpire, self.screen, self.terminal.language, self.seats)


def reveal(game, state, umpire: Notebook, screen: Screen, language: Language, seats: dict[str, Seat]) -> None:
    known = umpire.read(read(game, state.v[1], -1))
    secrets = {seat: umpire.secrets(known, seat) for seat in game.seats}
    if any(secrets.values()):
        screen.line()
        screen.text(language.say(N_("Everything is revealed now:")), style="bold")
        for seat, facts in secrets.items():
            if facts:
                name = umpire.narrator.seat(seat)("list")
                person = seats[seat].name if seat in seats else ""
                said = ", ".join(value for _, value in facts)
                name = name[:1].upper() + name[1:] + (f" ({person})" if person else "")
                screen.text(f"{name}: {said}", "  ", hanging="    ")
    goals: dict[tuple, list[str]] = {}
    for seat in game.seats:
        keys = umpire.keys(known, seat)
        if keys and keys in umpire.screens.table.function.values:
            goals.setdefault(keys, []).append(umpire.narrator.seat(seat)("list"))
    if goals:
        speaker = umpire.speaker()
        screen.line()
        for keys, names in goals.items():
            said = language.list(names)
            text = speaker.cell(umpire.screens.table.function, keys)
            screen.text(f"{said[:1].upper()}{said[1:]}: {text}", "  ", hanging="    ")


def _quit_when_told() -> None:
    """A terminal that is closed, or a polite kill, ends the game like `quit`: nothing stays on the screen."""
    import signal

    def quit(*_) -> None:
        raise Quit

    for name in ("SIGTERM", "SIGHUP"):
        with suppress(AttributeError, ValueError):  # there is no such signal, or this is not the main thread
            signal.signal(getattr(signal, name), quit)


def _is_own(entry: Entry, seat: str) -> bool:
    return entry.kind == "ask" and dict(entry.told).get("who") == seat


def _is_open(game) -> bool:
    """Does everybody see everything, so that nobody needs to look away?"""
    for functions in game.vocabulary.functions.values():
        if any(f.kind == "state" and f.view != "all" for f in functions):
            return False
    steps = {node.step for node in game.program.nodes if node.step is not None}
    return all(step.audience == "all" for step in steps if step.verb in ("ask", "draw", "deal"))


def _argument(path) -> str:
    import shlex

    return shlex.quote(str(path))
