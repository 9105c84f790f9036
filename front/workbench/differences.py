"""What one description changes of another, section by section, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from ...interpreter import RulesError, load_game
from ...interpreter.keywords import BODIES
from ...interpreter.load import Map
from ...interpreter.resolve import Library
from ...speech.conditions import Speaker
from ...speech.language import N_, Language, spoken
from ..common.folders import folders
from .described import condition_cells, place_key
from .texts import files_of

SECTIONS = {  # in the order of the file; what is not named here comes last, under its own name
    "name": N_("What it is called"),
    "about": N_("What it is called"),
    "players": N_("Numbers of players"),
    "seats": N_("Numbers of players"),
    "played by chance": N_("Numbers of players"),
    "options": N_("Options"),
    "things": N_("Things"),
    "tables": N_("Tables"),
    "links": N_("Links"),
    "state": N_("State"),
    "words": N_("Words"),
    "start": N_("Rules"),
    "rules": N_("Rules"),
    "screens": N_("On the screen"),
    "phrases": N_("Texts"),
    "rulebook": N_("Texts"),
}
MOST = 200  # characters of a value that are shown
TOLD_AS_A_WHOLE = ("rule", "prompt", "text", "say", "about", "name", "decision", "source")


class Differences:
    def __init__(self, language: Language, cells: dict[Any, str] | None = None):
        self.language, self.cells = language, cells or {}

    def sections(self, old, new) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        order = [*SECTIONS, *(k for k in (*old, *new) if k not in SECTIONS)]
        for section in dict.fromkeys(order):
            if section in ("abstract", "extends"):
                continue
            lines = list(self.section(section, old.get(section), new.get(section), old, new))
            if lines:
                heading = next((s for s in found if SECTIONS.get(s) == SECTIONS.get(section, section)), section)
                found.setdefault(heading, []).extend(lines)
        return found

    def section(self, section: str, old, new, old_home, new_home) -> Iterator[str]:
        if self.same(old, new):
            return
        tell: Callable | None = {
            "options": self.options,
            "things": self.things,
            "tables": self.tables,
            "links": self.links,
            "words": self.words,
            "state": self.words,
            "rules": self.rules,
            "players": self.players,
        }.get(section)
        if tell is not None and (old is None or isinstance(old, dict)) and (new is None or isinstance(new, dict)):
            yield from tell(old or {}, new or {})
        else:
            yield from self.anything(section, old, new)

    # --- values -------------------------------------------------------------------------------------------------------
    def same(self, old, new) -> bool:
        """Equal, and in the same order."""
        if isinstance(old, dict) and isinstance(new, dict):
            return list(old) == list(new) and all(self.same(old[k], new[k]) for k in old)
        if isinstance(old, list) and isinstance(new, list):
            return len(old) == len(new) and all(map(self.same, old, new))
        return type(old) is type(new) and old == new

    def shown(self, value) -> str:
        if isinstance(value, dict):
            if value and all(isinstance(v, str) for v in value.values()) and set(value) <= set(spoken()):
                return self.language.text(value)
            text = ", ".join(f"{k}: {self.shown(v)}" for k, v in value.items())
        elif isinstance(value, list):
            text = ", ".join(map(self.shown, value)) or "none"
        elif isinstance(value, bool):
            text = str(value).lower()
        else:
            text = self.language.translate(" ".join(str(value).split())) if value is not None else "–"
        return text if len(text) <= MOST else text[: MOST - 1] + "…"

    def anything(self, name: str, old, new) -> Iterator[str]:
        """Any two values: what is new, what is gone, what is otherwise."""
        say = self.language.say
        if self.same(old, new):
            return
        if isinstance(old, dict) and isinstance(new, dict) and "en" not in {**old, **new}:
            for key in dict.fromkeys([*old, *new]):
                yield from self.anything(f"{name}, {key}", old.get(key), new.get(key))
            if list(old) != list(new) and set(old) == set(new):
                yield say(N_("{name} is in another order: {new}."), name=name, new=", ".join(new))
        elif old is None:
            yield say(N_("{name} is new: {new}"), name=name, new=self.shown(new))
        elif new is None:
            yield say(N_("{name} is gone; it was: {old}"), name=name, old=self.shown(old))
        else:
            yield say(N_("{name} is now “{new}”, not “{old}”."), name=name, new=self.shown(new), old=self.shown(old))

    # --- sections -----------------------------------------------------------------------------------------------------
    def options(self, old, new) -> Iterator[str]:
        say = self.language.say
        for name in dict.fromkeys([*old, *new]):
            a, b = old.get(name), new.get(name)
            if a is None:
                about = self.language.text(b.get("about")) if isinstance(b, dict) else self.shown(b)
                yield say(N_("The option {name} is new: {about}"), name=name, about=about)
            elif b is None:
                yield say(N_("The option {name} is gone."), name=name)
            elif isinstance(a, dict) and isinstance(b, dict):
                if not self.same(a.get("default"), b.get("default")):
                    yield say(
                        N_("The option {name} is now {new}, not {old}."),
                        name=name,
                        new=self.shown(b["default"]),
                        old=self.shown(a["default"]),
                    )
                for key in dict.fromkeys([*a, *b]):
                    if key != "default":
                        yield from self.anything(f"{name}, {key}", a.get(key), b.get(key))
            else:
                yield from self.anything(name, a, b)

    def things(self, old, new) -> Iterator[str]:
        say = self.language.say
        for name in dict.fromkeys([*old, *new]):
            a, b = old.get(name), new.get(name)
            if a is None:
                yield say(
                    N_("The set of things {name} is new: {members}"), name=name, members=self.shown(_members(b) or b)
                )
                continue
            if b is None:
                yield say(N_("The set of things {name} is gone."), name=name)
                continue
            yield from self.members(name, _members(a), _members(b))
            for key in dict.fromkeys([*_settings(a), *_settings(b)]):
                yield from self.anything(f"{name}, {key}", _settings(a).get(key), _settings(b).get(key))

    def members(self, name: str, old, new) -> Iterator[str]:
        say = self.language.say
        gone, fresh = [m for m in old if m not in new], [m for m in new if m not in old]
        if gone:
            yield say(N_("{name} no longer has these members: {members}."), name=name, members=self.shown(gone))
        if fresh:
            rows = [f"{m} ({self.shown(new[m])})" if isinstance(new, dict) and new[m] else str(m) for m in fresh]
            yield say(N_("{name} has new members: {members}."), name=name, members=self.shown(rows))
        if isinstance(old, dict) and isinstance(new, dict):
            for member in old:
                if member in new:
                    yield from self.anything(f"{name} {member}", old[member] or {}, new[member] or {})
        if not gone and not fresh and list(old) != list(new):
            yield say(N_("{name} is in another order: {new}."), name=name, new=", ".join(map(str, new)))

    def tables(self, old, new) -> Iterator[str]:
        say = self.language.say
        for head in dict.fromkeys([*old, *new]):
            a, b, short = old.get(head), new.get(head), head.split(" ")[0]
            if b is None:
                yield say(N_("The table {name} is gone."), name=head)
                continue
            if a is None:
                yield say(N_("The table {name} is new."), name=head)
            yield from self.rows(short, (a or {}).get("rows"), b.get("rows"))
            for key in dict.fromkeys([*(a or b), *b]):
                if key != "rows" and a is not None:
                    yield from self.anything(f"{short}, {key}", a.get(key), b.get(key))

    def rows(self, name: str, old, new) -> Iterator[str]:
        old, new = old or {}, new or {}
        for key in dict.fromkeys([*old, *new]):
            a, b = old.get(key), new.get(key)
            if isinstance(a, dict) or isinstance(b, dict):
                yield from self.rows(
                    f"{name}, {key}", a if isinstance(a, dict) else {}, b if isinstance(b, dict) else {}
                )
            elif not self.same(a, b):
                yield from self.anything(f"{name}, {key}", self.cell(old, key), self.cell(new, key))

    def cell(self, rows, key: str) -> str | None:
        """A cell in words, if it is a condition."""
        if key not in rows:
            return None
        return (
            self.cells.get(place_key(rows.value_at[key]), self.shown(rows[key]))
            if hasattr(rows, "value_at")
            else rows[key]
        )

    def links(self, old, new) -> Iterator[str]:
        say = self.language.say
        for head in dict.fromkeys([*old, *new]):
            a, b = _pairs(old.get(head)), _pairs(new.get(head))
            for kind in dict.fromkeys([*a, *b]):
                where = f"{head.split(' ')[0]}{', ' + kind if kind else ''}"
                gone, fresh = (
                    a.get(kind, {}).keys() - b.get(kind, {}).keys(),
                    b.get(kind, {}).keys() - a.get(kind, {}).keys(),
                )
                if gone:
                    yield say(N_("{name}: these links are gone: {pairs}."), name=where, pairs=_joined(a[kind], gone))
                if fresh:
                    yield say(N_("{name}: these links are new: {pairs}."), name=where, pairs=_joined(b[kind], fresh))

    def words(self, old, new) -> Iterator[str]:
        for head in dict.fromkeys([*old, *new]):
            a, b = old.get(head), new.get(head)
            if isinstance(a, dict) and isinstance(b, dict):
                yield from self.anything(head, a, b)
            else:
                yield from self.anything(head, _meaning(a), _meaning(b))

    def rules(self, old, new) -> Iterator[str]:
        say = self.language.say
        for head in dict.fromkeys([*old, *new]):
            a, b, short = old.get(head), new.get(head), head.split(" ")[0]
            if a is None:
                yield say(N_("The rule {name} is new."), name=head)
                for name, step in (b or {}).items():
                    yield "  " + say(N_("{name}: {what}"), name=name, what=self.step(step))
            elif b is None:
                yield say(N_("The rule {name} is gone."), name=head)
            else:
                yield from self.steps(short, a, b)

    def steps(self, path: str, old, new) -> Iterator[str]:
        say = self.language.say
        for name in old:
            if name not in new:
                yield say(
                    N_("{rule}: the step {name} is gone; it was: {what}"),
                    rule=path,
                    name=name,
                    what=self.step(old[name]),
                )
        before = ""
        for name in new:
            if name not in old:
                if before:
                    yield say(
                        N_("{rule}: after {other} comes a new step {name}: {what}"),
                        rule=path,
                        other=before,
                        name=name,
                        what=self.step(new[name]),
                    )
                else:
                    yield say(
                        N_("{rule}: a new step {name} comes first: {what}"),
                        rule=path,
                        name=name,
                        what=self.step(new[name]),
                    )
            else:
                yield from self.changed(f"{path}, {name}", old[name], new[name])
            before = name
        if [n for n in old if n in new] != [n for n in new if n in old]:
            yield say(N_("{name} is in another order: {new}."), name=path, new=", ".join(new))

    def changed(self, path: str, old, new) -> Iterator[str]:
        old, new = old or {}, new or {}
        for key in dict.fromkeys([*old, *new]):
            a, b = old.get(key), new.get(key)
            if key in BODIES and (isinstance(a, dict) or isinstance(b, dict)):
                yield from self.steps(path, a if isinstance(a, dict) else {}, b if isinstance(b, dict) else {})
            elif key in ("between", "cases") and isinstance(a, dict) and isinstance(b, dict):
                yield from self.steps(path, a, b)
            elif key in TOLD_AS_A_WHOLE and not self.same(a, b):
                yield from self.anything(
                    f"{path}, {key}", None if a is None else self.shown(a), None if b is None else self.shown(b)
                )
            else:
                yield from self.anything(f"{path}, {key}", a, b)

    def step(self, step) -> str:
        """What a step does: by its sentence in the rulebook, else as it is written."""
        if isinstance(step, dict) and step.get("rule"):
            return self.language.text(step["rule"])
        content = {k: v for k, v in (step or {}).items() if k not in ("before", "after")}
        return self.shown(content) or "–"

    def players(self, old, new) -> Iterator[str]:
        say = self.language.say
        for number in dict.fromkeys([*old, *new]):
            if number not in old:
                yield say(N_("It can also be played with {number} players."), number=number)
            if number not in new:
                yield say(N_("It can no longer be played with {number} players."), number=number)
                continue
            for lines in self.sections(old.get(number) or {}, new[number] or {}).values():
                for line in lines:
                    yield say(N_("With {number} players: {change}"), number=number, change=line)


# --- what is compared -------------------------------------------------------------------------------------------------
def inherited(library: Library, path: Path) -> tuple[Map | None, str | None]:
    """All that a file extends, put together, None if there is nothing; and its name, if it is one file."""
    *parts, _ = files_of(path)
    if not parts:
        return None, None
    parents = library.load(path).get("extends")
    return library.below(path), parents if isinstance(parents, str) else parents[0] if len(parents) == 1 else None


def conditions_in_words(paths: Iterable[Path | None], language: Language) -> dict[Any, str]:
    """The cells of tables of conditions in these files, by their places."""
    found = {}
    for path in filter(None, paths):
        try:
            game = load_game(path, folders=folders())
        except RulesError:
            continue
        speaker = Speaker(game, language)
        for function, keys, place in condition_cells(game):
            found[place_key(place)] = speaker.cell(function, keys)
    return found


# --- parts of descriptions --------------------------------------------------------------------------------------------
def _members(spec):
    found = spec.get("members") if isinstance(spec, dict) else spec
    return found or []


def _settings(spec) -> dict:
    return {k: v for k, v in spec.items() if k != "members"} if isinstance(spec, dict) else {}


def _meaning(word):
    return word.get("means", word) if isinstance(word, dict) else word


def _pairs(links) -> dict[str, dict]:
    """Links by kind; each pair by its two ends, in whichever order they are written. On a grid, each step."""
    groups = links if isinstance(links, dict) and "steps" not in links else {"": links or []}
    return {kind: _ends(entry) for kind, entry in groups.items()}


def _ends(entry) -> dict:
    if isinstance(entry, dict):
        return {tuple(step): step for step in entry.get("steps") or []}
    return {frozenset(map(str, pair)): pair for pair in entry or []}


def _joined(pairs: dict, wanted) -> str:
    text = ", ".join("–".join(map(str, pair)) for key, pair in pairs.items() if key in wanted)
    return text if len(text) <= MOST else text[: MOST - 1] + "…"
