"""What happens in a game, in whole sentences: the texts of its steps, with things called by their names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ..interpreter.blocks import Event
from ..interpreter.model import Expr, Type
from ..interpreter.observe import Entry
from ..interpreter.presentation import EVERYTHING
from ..interpreter.runtime import Number
from .language import N_, Language, Said, fill, forms

if TYPE_CHECKING:
    from ..interpreter.game import Game

__all__ = ["Narrator", "question_name"]


Key = tuple[Any, ...]  # a state and its arguments


class Narrator:
    """Tells the entries of a log to a reader. It knows no more than it is given."""

    def __init__(self, game: Game, language: Language, sees_all: bool = False):
        self.game, self.language, self.sees_all = game, language, sees_all  # the umpire's reader sees all of a log
        self._deals = {node.step.name for node in game.program.nodes if node.step and node.step.verb == "deal"}
        self._known: dict[Key, Any] = {}  # the state, as far as the entries told it
        self._dealt: tuple[Key, Any, Any, Event] | None = None  # a hand that is just being dealt: whose, before, now

    # --- entries -----------------------------------------------------------------------------------------------------
    def tell(self, entries: Iterable[Entry]) -> list[str]:
        """One sentence, or several, for each entry that has something to say."""
        return [line for line, _ in self.told(entries)]

    def told(self, entries: Iterable[Entry]) -> list[tuple[str, Entry | None]]:
        """The same, each with the entry that it tells; a hand that was dealt is told when it is complete."""
        told: list[tuple[str, Entry | None]] = []
        before: Entry | None = None
        for entry in entries:
            dealt, said = self._finished_deal(entry), self._told(entry)
            lines: list[tuple[str, Entry | None]] = [(dealt, None)] if dealt else []
            lines += [(said, entry)] if said else []
            # Who sees everything sees a choice, and then that it is shown to others: one sentence is enough for both.
            shown = before is not None and before.kind == "ask" and entry.kind == "show"
            asked = before.step + "/" if before is not None else ""
            again = [line for line, _ in lines] == [line for line, _ in told[-1:]]
            if self.sees_all and before is not None and told[-1:] and told[-1][1] is before:
                again |= {value for _, value in entry.told} <= {value for _, value in before.told}
            if not (shown and entry.step.startswith(asked) and again or self._is_known(before, entry)):
                told += lines
            before = entry
        if last := self._finished_deal(None):
            told.append((last, None))
        return told

    def _is_known(self, before: Entry | None, entry: Entry) -> bool:
        """Is this said to those who may not see all of the choice before it, so that they hear at least of it? Whoever
        sees everything has seen that."""
        if not self.sees_all or before is None or (before.kind, entry.kind) != ("ask", "say") or not entry.told:
            return False
        origins = [self.game.program.events[one.number].origin for one in (before, entry)]
        beside = before.step.rpartition("/")[0] == entry.step.rpartition("/")[0]
        private = all(origin is not None and isinstance(origin.audience, Expr) for origin in origins)
        return beside and private and {value for _, value in entry.told} <= {value for _, value in before.told}

    def hear(self, entries: Iterable[Entry]) -> None:
        """Take note of what happened before, without a word of it: nothing else is known then."""
        self._known, self._dealt = {}, None
        for entry in entries:
            if entry.kind == "set":
                *keys, value = (value for _, value in entry.told)
                self._known[(entry.step, *keys)] = value

    def _told(self, entry: Entry) -> str:
        event = self.game.program.events[entry.number]
        kinds = dict(zip(event.names, event.types))
        values = {name: self.said(value, kinds[name]) for name, value in entry.told}
        if event.text:
            return fill(self.language.text(event.text), values)
        if entry.kind == "set":
            self._note(entry, event)
        elif entry.kind == "ask":
            chosen = {name: said for name, said in values.items() if name != "who"}
            if event.alternative and not chosen:
                return ""  # the rules have no word for it because there is nothing to tell
            label = [self.choice_name(event.alternative)] if event.alternative else []
            return self._generic(N_("{who} chooses {what}."), [*label, *chosen.values()], who=values["who"])
        elif entry.kind == "draw":
            return self._generic(N_("This is drawn: {what}."), list(values.values()))
        elif entry.kind == "show" and not all(kind.kind == "truth" for kind in event.types):
            return self._generic(N_("This is revealed: {what}."), list(values.values()))
        return ""

    def _generic(self, text: str, what: list[Said], **values: Said) -> str:
        if not what:
            return ""
        return self.language.say(text, what=lambda form: self.language.list([said(form) for said in what]), **values)

    # --- dealing: one sentence a hand, however many cards ------------------------------------------------------------
    def _note(self, entry: Entry, event: Event) -> None:
        *keys, value = (value for _, value in entry.told)
        key = (entry.step, *keys)
        if event.step in self._deals and len(keys) == 1:
            before = self._dealt[1] if self._dealt else self._known.get(key)
            self._dealt = (key, before, value, event)
        self._known[key] = value

    def _finished_deal(self, entry: Entry | None) -> str:
        """The sentence on the hand that was dealt, if this entry is not about the same hand."""
        if self._dealt is None:
            return ""
        key, before, value, event = self._dealt
        if entry is not None and entry.kind == "set" and (entry.step, *(v for _, v in entry.told[:-1])) == key:
            return ""
        self._dealt = None
        receiver, kind = event.types
        if isinstance(value, tuple):
            value = tuple((Counter(value) - Counter(before or ())).elements())
        said = {"receiver": self.said(key[1], receiver), "what": self.said(value, kind)}
        if kind.kind == "thing":
            return self.language.say(N_("{receiver} is dealt {what} ({kind})."), kind=self.kind(kind), **said)
        return self.language.say(N_("{receiver} is dealt {what}."), **said)

    # --- values ------------------------------------------------------------------------------------------------------
    def said(self, value: Any, kind: Type) -> Said:
        """A value of the log in words, in the form that the sentence asks for."""
        if value is None:
            return self._plain(N_("nothing"))
        if isinstance(value, bool):
            return self._plain(N_("yes") if value else N_("no"))
        if kind.kind == "match":
            given = sorted(kind.atoms)
            pairs = [(self.name(atom), self.said(name, kind.of or kind)) for atom, name in zip(given, value)]
            return lambda form: self.language.list([f"{one(form)} – {other(form)}" for one, other in pairs])
        if isinstance(value, tuple):
            if not value:
                return self._plain(N_("nothing"))
            items = [self.said(item, kind.of or kind) for item in value]
            return lambda form: self.language.list([item(form) for item in items])
        if kind.kind == "number":
            text = self.language.number(value)
            return lambda form: text
        atom = self.game.vocabulary.member(value, kind)
        return self.name(atom) if atom is not None else forms(str(value).replace("_", " "))

    def _plain(self, word: str) -> Said:
        text = self.language.translate(word)
        return lambda form: text

    def kind(self, kind: Type) -> str:
        """What a value of this type is called: identity, card, space."""
        while kind.many and kind.of is not None:
            kind = kind.of
        if kind.kind == "number":
            return self.language.translate(N_("number"))
        return forms(self.language.pgettext("things", kind.name) or kind.name.replace("_", " "))("")

    def seat(self, name: str) -> Said:
        return self.name(self.game.vocabulary.seats[self.game.seat(name)])

    def name(self, atom: int) -> Said:
        """What a thing is called: as its rule file says, or by the catalogue, or by the word that stands for it."""
        thing = self.game.vocabulary.atoms[atom]
        if thing.set not in self.game.vocabulary.sets:
            return self.choice_name(thing.name)
        texts = self.game.texts.things[thing.set]
        own = texts.names.get(thing.name)
        if isinstance(own, dict):
            return forms(self.language.text(own))
        found = self.language.pgettext(thing.set, own or thing.name)
        if found is not None:
            return forms(found)
        if thing.parts and not own:
            if texts.called is not None:
                called, names = self.language.text(texts.called), dict(zip(texts.parts, map(self.name, thing.parts)))
                return lambda form: fill(text := forms(called)(form), names, whole=not text.startswith("{"))  # “Tall”
            parts = [self.name(part) for part in thing.parts]
            return lambda form: " ".join(part(form) for part in parts)
        return forms((own or thing.name).replace("_", " ").strip())

    def choice_name(self, name: str) -> Said:
        return forms(self.language.pgettext("choice", name) or name.replace("_", " ").strip())

    def choice(self, choice: tuple[Any, ...]) -> str:
        """A choice in words, as in a list of choices."""

        def part(value: Any) -> str:
            if isinstance(value, tuple):
                return " + ".join(map(part, value)) or "–"
            return self.language.number(value) if isinstance(value, Number) else self.name(value)("list")

        return self.language.row(map(part, choice))


def question_name(game: Game, language: Language, name: str) -> str:
    """What a question is called: one that the rules name, one about a kind of secret, or the one about everything."""
    if name == EVERYTHING:
        return language.translate(N_("everything"))
    if name in game.screens.questions:
        return language.text(game.screens.questions[name])
    by_shape = game.vocabulary.functions
    named = by_shape.get(f"{name} of _") or by_shape.get(name) or ()
    label = next((f.label for f in named if f.label), "")
    if label:
        return language.text(label)
    found = language.pgettext("things", name)
    if found is None and language.code != "en":  # the word of the rules is English: better what kind of thing it is
        kinds = [f.result for f in named]
        kind = next((k.of if k.many and k.of is not None else k for k in kinds), None)
        found = language.pgettext("things", kind.name) if kind is not None else None
    return found.split(" | ")[0] if found else name.replace("_", " ")
