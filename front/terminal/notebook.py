"""What a player can look up: his secrets, what lies open, his notes, the table of goals, the rule behind a choice.

Everything comes from his own log, and which of it to show from the section `screens` of the rules.
"""

from __future__ import annotations

import re
from typing import Any

from ...interpreter.evaluate import slot_of
from ...interpreter.keywords import BODIES
from ...interpreter.observe import known_state
from ...interpreter.screens import read_screens
from ...speech.goals import Goals
from ...speech.language import N_, Language
from ...speech.narrator import question_name
from ..common.layout import padded, width_of, wrapped
from ..paper.book import truth

__all__ = ["Notebook", "explain", "rule_texts"]


class Notebook:
    """One player's; or the umpire's, who has seen everything, if no seat is given."""

    def __init__(self, game, seat: str | None, narrator, language: Language):
        self.game, self.seat, self.narrator, self.language = game, seat, narrator, language
        self.words = game.vocabulary
        self.screens = read_screens(game.vocabulary)
        self.goals = Goals(game, narrator, language)

    def read(self, log) -> dict[str, dict[tuple, Any]]:
        return known_state(self.game, log)

    # --- state --------------------------------------------------------------------------------------------------------
    def secrets(self, known) -> list[tuple[str, str]]:
        """The player's own secret cards: what they are, and which."""
        found = []
        for function in self.screens.secrets:
            value = known.get(function.shape, {}).get((self.seat,))
            if value is not None:
                found.append((self.narrator.kind(function.result), self._said(value, function.result)))
        return found

    def all_secrets(self, slots) -> dict[int | None, list[tuple[str, str]]]:
        """Everybody's secret cards, by their owners, once the game is over; and those that were nobody's."""
        found: dict[int | None, list[tuple[str, str]]] = {}
        for function in self.screens.secrets:
            owners = sorted(function.params[0].type.atoms) if function.params else [None]
            for owner in owners if len(function.params) < 2 else ():
                value = slots[slot_of(function, [] if owner is None else [owner])]
                if value not in (None, ()):
                    said = self._said(self.narrator.names(value, function.result), function.result)
                    label = question_name(self.game, self.language, function.shape.split(" ")[0])
                    found.setdefault(owner, []).append((label, said))
        return found

    def public(self, known) -> list[tuple[str, str]]:
        """What lies open: what it is, and what it is now."""
        found = []
        for function in self.screens.public:
            values, label = known.get(function.shape, {}), self.narrator.kind(function.result)
            if not function.params:
                value = values.get((), self._start(function))
                if value not in (None, ()):
                    found.append((label, self._said(value, function.result)))
                continue
            atoms = sorted(function.params[0].type.atoms) if len(function.params) == 1 else []
            pairs = [(a, values.get((self.words.atoms[a].name,), self._start(function))) for a in atoms]
            said = [
                self.language.labelled(self.narrator.name(a)("list"), self._said(v, function.result))
                for a, v in pairs
                if v is not None
            ]
            if said:
                found.append((label, self.language.row(said)))
        return found

    def _start(self, function) -> Any:
        start = function.start
        if start is None or isinstance(start, bool) or function.result.kind == "number":
            return start
        if isinstance(start, tuple):
            return tuple(self.words.atoms[x].name for x in start)
        return self.words.atoms[start].name

    def _said(self, value: Any, kind) -> str:
        return self.narrator.said(value, kind)("list")

    # --- notes --------------------------------------------------------------------------------------------------------
    def notes(self, known, width: int) -> list[str]:
        """For each other player, which cards he has shown and which he was shown: one column each time."""
        notes = self.screens.notes
        if notes is None or self.seat is None:
            return []
        record, lines = known.get(notes.record.shape, {}), []
        for other in self.game.seats:
            seen = record.get((other, self.seat), ()) if other != self.seat else ()
            given = record.get((self.seat, other), ()) if other != self.seat else ()
            if seen or given:
                lines += [*([""] if lines else []), *self._page(other, seen, given, notes, width)]
        if lines:
            lines += [
                "",
                *wrapped(
                    self.language.say(
                        N_(
                            "{seen}: you were shown it; {given}: you have shown it. "
                            "What was shown together is in one column."
                        ),
                        seen=notes.seen,
                        given=notes.given,
                    ),
                    width,
                ),
            ]
        return lines

    def _page(self, other: str, seen, given, notes, width: int) -> list[str]:
        kind = notes.record.result.of.of
        rows: dict[str, list[str]] = {}
        order: dict[str, tuple[int, ...]] = {}
        shows = [(cards, notes.seen) for cards in seen] + [(cards, notes.given) for cards in given]
        for index, (cards, sign) in enumerate(shows):
            for card in cards:
                label, rank = self._card(card, kind)
                order[label] = rank
                rows.setdefault(label, [" " * width_of(sign)] * len(shows))[index] = sign
        room = max(8, width - 4 - 2 * len(shows))
        side = max(map(width_of, rows))
        lines = [self.language.labelled(self.narrator.seat(other)("list"), "").rstrip()]
        if side <= room:
            return lines + [
                f"  {padded(label, side)}  {' '.join(rows[label])}".rstrip() for label in sorted(rows, key=order.get)
            ]
        for cards, sign in shows:  # too narrow for a table
            said = self.language.row(self._card(card, kind)[0] for card in cards)
            lines += wrapped(f"{sign} {said}", width, "  ", "    ")
        return lines

    def _card(self, name: str, kind) -> tuple[str, tuple[int, ...]]:
        """A card without its owner, whose page this is; and its place among the cards of its owner."""
        atom = self.words.member(name, kind)
        thing = self.words.atoms[atom]
        others = [part for part in thing.parts if part not in self.words.seats]
        said = " ".join(self.narrator.name(part)("list") for part in others) or self.narrator.name(atom)("list")
        if len(others) == 1 and thing.set in self.words.sets and self._is_ambiguous(others[0], thing, kind):
            said = self.narrator.name(atom)("list")
        return said, (list(self.words.sets).index(thing.set), *(others or [atom]))

    def _is_ambiguous(self, part: int, thing, kind) -> bool:
        """Is there another card of the same owner with this on it, of another set?"""
        rest = [p for p in thing.parts if p != part]
        return any(
            part in other.parts and set(rest) <= set(other.parts) and other.set != thing.set
            for other in (self.words.atoms[a] for a in kind.atoms)
        )

    # --- the table of goals -------------------------------------------------------------------------------------------
    def slots(self, known) -> list[Any]:
        """The state as far as it is known, as expressions read it."""
        slots: list[Any] = [None] * self.game.program.state_slots
        for functions in self.words.functions.values():
            for function in functions:
                if function.kind != "state":
                    continue
                for args, value in known.get(function.shape, {}).items():
                    atoms = [self.words.member(a, p.type) for a, p in zip(args, function.params, strict=False)]
                    if len(atoms) == len(function.params) and None not in atoms:
                        slots[slot_of(function, atoms)] = self._atoms(value, function.result)
        return slots

    def _atoms(self, value: Any, kind) -> Any:
        if isinstance(value, tuple):
            return tuple(self._atoms(x, kind.of or kind) for x in value)
        return self.words.member(value, kind) if isinstance(value, str) else value

    def table(self, known, width: int) -> list[str]:
        """The rows of the table that may be this player's, said in words."""
        keys = self.goals.keys(self.slots(known), self.seat) if self.seat else None
        if keys is None:
            return []
        rows = [
            row
            for row in self.screens.table.function.values
            if all(k is None or k == r for k, r in zip(keys, row, strict=False))
        ]
        first = 0  # keys that are the same in all rows say nothing, but two of them belong together
        while first < len(keys) - 2 and len({row[first] for row in rows}) == 1:
            first += 1
        lines = []
        for row in rows:
            label = "–".join(self.narrator.name(key)("list") for key in row[first:])
            said = self.goals.row(row)
            lines += wrapped(self.language.labelled(label, said), width, "  ", "      ")
        if None in keys and self.screens.table.otherwise is not None:
            lines += wrapped(self.goals.otherwise(self.slots(known), self.seat), width, "  ", "      ")
        return lines


# --- the rule behind a choice -----------------------------------------------------------------------------------------
def _entries(game, step_name: str) -> list:
    """The entries of the rule file on the way to a step, outermost first."""
    rules = game.description.get("rules") or {}
    first, *names = step_name.split("/")
    for head, body in rules.items():
        if first not in ("_", head.split(" ")[0]):
            continue
        found = _down(body, names)
        if found:
            return found
    return []


def _down(body: Any, names: list[str]) -> list:
    if not names or not isinstance(body, dict) or not isinstance(body.get(names[0]), dict):
        return []
    entry = body[names[0]]
    if len(names) == 1:
        return [entry]
    for key in BODIES:
        deeper = _down(entry.get(key), names[1:])
        if deeper:
            return [entry, *deeper]
    alternatives = entry.get("between")
    if isinstance(alternatives, dict) and isinstance(alternatives.get(names[1]), dict):
        deeper = _down(alternatives[names[1]].get("then"), names[2:])
        if deeper:
            return [entry, alternatives[names[1]], *deeper]
    return []


def explain(game, step, language: Language, alternative: str = "") -> list[str]:
    """The rule that a choice follows from, where it comes from and why it is so: sentences of the rule file.

    Of the alternatives only those count that the options of this game leave open."""
    way = _entries(game, step.name)
    open_to_him = {a.name for a in step.alternatives if a.given is None or truth(a.given) is not False}
    said: list[str] = []
    rule = next((entry for entry in reversed(way) if entry.get("rule")), None)
    for entry in [rule] if rule is not None else []:
        said += rule_texts(game, entry, language)
    between = way[-1].get("between") if way else None
    for name, entry in (between or {}).items():
        if isinstance(entry, dict) and entry.get("rule") and name in ({alternative} if alternative else open_to_him):
            said += rule_texts(game, entry, language)
    return said


def rule_texts(game, entry, language: Language) -> list[str]:
    said = [language.text(entry["rule"])]
    if entry.get("decision"):
        said.append(language.text(entry["decision"]))
    if entry.get("source"):
        titles = (game.description.get("rulebook") or {}).get("sources") or {}
        sources = [
            language.text(titles[name]) if name in titles else name for name in re.split(r",\s*", str(entry["source"]))
        ]
        said.append(language.say(N_("Source: {source}."), source="; ".join(sources)))
    return said
