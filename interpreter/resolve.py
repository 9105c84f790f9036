"""Files -> one description: `extends`, patches, the overlay for a number of players, options.

How one is laid over another stands in `laying.py` and `patching.py`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

from .complete import complete
from .digest import digest
from .errors import Keyword, Place, Problem, Problems, RulesError, Source, did_you_mean, problem
from .files import real
from .keywords import TRUTH_WORDS
from .laying import leave_out
from .load import Map, Seq
from .model import Option, OptionValue
from .patching import expanded, patched
from .paths import written
from .quarrels import quarrels
from .shelves import RULES, Shelves, shown

__all__ = ["Library", "RULES", "Resolved"]

MAX_EXTENDS = 32
MAX_TOGETHER = 2_000_000  # characters
MAX_WHOLE = 100  # games that come along, merged, for all libraries


@dataclass(slots=True)
class Resolved:
    id: str
    players: int
    description: Map
    options: dict[str, Option]
    digest: str


class _Read(NamedTuple):
    """What stands in a file that comes along."""

    data: Map
    whole: bool  # is all there that the schema asks for?
    also: frozenset[Path]


@lru_cache(maxsize=100)
def _ours(path: Path, name: str, *version: int) -> _Read:
    """A file that comes along, read once for all libraries: what is laid over it leaves it as it is."""
    from .retelling import load_rules
    from .schema import validate

    also: set[Path] = set()
    data = load_rules(path, name, (), also)
    return _Read(data, validate(data), frozenset(also))


_WHOLE: dict[tuple[int, ...], tuple[list[Map], Map]] = {}  # by the very data it is made of


class Library(Shelves):
    """Reads the files on the shelves, each once."""

    def __init__(self, folders: tuple[Path, ...] = ()):
        super().__init__(folders)
        self._loaded: dict[Path, Map] = {}
        self._whole: dict[Path, Map] = {}
        self._files: dict[Path, list[Path]] = {}  # of each, with all that it extends
        self._languages = any((folder / "locales").is_dir() for folder in self.folders[:-1])
        self._partial: set[Path] = set()  # files that leave out what those they extend may say
        self.also: set[Path] = set()  # what else was read for them

    def _refuse_shadow(self, path: Path) -> None:
        """A house rule that has the name of a game that comes along would take its place unnoticed."""
        inside = any(path.is_relative_to(real(folder)) for folder in self.folders[:-1])
        if inside and not path.is_relative_to(RULES) and self.inside(RULES, path.stem) is not None:
            raise RulesError(problem("name_of_ours", Place(Source(shown(path), ""), 1, 1), name=path.stem))

    def load(self, path: Path) -> Map:
        path = real(path)
        if path not in self._loaded:
            self._refuse_shadow(path)
            found = self._fresh(path)
            if not found.whole:
                self._partial.add(path)
            self._loaded[path] = found.data
        return self._loaded[path]

    def _fresh(self, path: Path) -> _Read:
        from .schema import validate

        if self.comes_along(path):
            with suppress(OSError):
                known = path.stat()
                found = _ours(path, shown(path), known.st_mtime_ns, known.st_size)
                self.also |= found.also
                return found
        data = self.read(path)
        return _Read(data, validate(data), frozenset())

    def comes_along(self, path: Path) -> bool:
        """Does everybody read the same in this file? In languages that were added it may mean something else."""
        return path.is_relative_to(RULES) and not self._languages

    def read(self, path: Path) -> Map:
        """What stands in a file, in the words of the rules language."""
        from .retelling import load_rules

        return load_rules(path, shown(path), self.folders[:-1], self.also)

    def with_other(self, path: Path, data: Map) -> Library:
        """The same shelves, with other words in one file."""
        other = self.empty()
        other._loaded = {**self._loaded, real(path): data}
        return other

    def empty(self) -> Library:
        """The same shelves, with nothing read yet."""
        return type(self)(self.folders[:-1])

    # --- extends ------------------------------------------------------------------------------------------------------
    def merged(self, path: Path) -> Map:
        """A file laid over all that it extends; what several of them extend is there once, below them all."""
        path = real(path)
        if path not in self._whole:
            files = self.files_of(path)
            parts = [self.load(part) for part in files]
            key = tuple(map(id, parts)) if all(map(self.comes_along, files)) else ()
            if key in _WHOLE:
                self._whole[path] = _WHOLE[key][1]
            else:
                self._merge(path, files)
                if key:
                    if len(_WHOLE) >= MAX_WHOLE:
                        _WHOLE.clear()
                    _WHOLE[key] = parts, self._whole[path]
        return self._whole[path]

    def _merge(self, path: Path, files: list[Path]) -> None:
        result = Map(self.load(path).at)
        for part in files:
            own = leave_out(self.load(part), "extends", *(["abstract"] if part != path else []))
            result = patched(result, own, strict="players" in result)
        self._whole[path] = result
        self._refuse_quarrels(path)
        if self._partial.intersection(files):
            self._refuse_gaps(result)

    def _refuse_quarrels(self, path: Path) -> None:
        """Two files that this one extends say different things of the same part, and it does not say which holds."""
        own = self.load(path)
        if not isinstance(own.get("extends"), Seq):
            return
        problems = Problems()
        parents = [(name, self.files_of(self.find(name, path.parent))) for name in own["extends"]]
        for (one, below), (other, beside) in combinations(parents, 2):
            first = [expanded(self.below(file), self.load(file)) for file in below if file not in beside]
            second = [expanded(self.below(file), self.load(file)) for file in beside if file not in below]
            for part, at, there in quarrels(first, second, expanded(self._whole[path], own)):
                places = {"one_at": str(at), "other_at": str(there)}
                at = own["extends"].value_at[list(own["extends"]).index(other)]
                problems.append(problem("quarrel", at, len(other), part=written(part), one=one, other=other, **places))
        if problems:
            raise RulesError(problems)

    def below(self, path: Path) -> Map:
        """All that a file extends."""
        result = Map(self.load(path).at)
        for part in self.files_of(path)[:-1]:
            result = patched(result, leave_out(self.load(part), "extends", "abstract"))
        return result

    def _refuse_gaps(self, whole: Map) -> None:
        from .schema import validate

        validate(leave_out(whole, "players"))

    def files_of(self, path: Path) -> list[Path]:
        """A rule file and all that it extends, what lies deepest first."""
        path = real(path)
        if path not in self._files:
            order: list[Path] = []
            self._collect(path, [], order)
            self._files[path] = order
        return list(self._files[path])

    def _collect(self, path: Path, chain: list[Path], order: list[Path]) -> None:
        data = self.load(path)
        parents = data.get("extends", [])
        at = data.value_at.get("extends", data.at)
        named = list(zip(parents, parents.value_at)) if isinstance(parents, Seq) else [(parents, at)] if parents else []
        if len(chain) >= MAX_EXTENDS or len(named) > MAX_EXTENDS or len(order) > MAX_EXTENDS:
            raise RulesError(problem("extends_too_deep", at, limit=MAX_EXTENDS))
        if sum(len(self.load(part).at.source.text) for part in [*chain, *order, path]) > MAX_TOGETHER:
            raise RulesError(problem("extends_too_large", at, limit=MAX_TOGETHER))
        for index, (name, place) in enumerate(named):
            if any(name == other for other, _ in named[:index]):
                raise RulesError(problem("extends_twice", place, len(name), name=name))
            parent = real(self.find(name, path.parent, place))
            if parent == path or parent in chain:
                circle = chain[chain.index(parent) :] if parent in chain else []
                names = " → ".join(p.stem for p in [*circle, path, parent])
                raise RulesError(problem("extends_in_circle", place, len(name), names=names))
            if parent not in order:
                self._collect(parent, [*chain, path], order)
        order.append(path)

    # --- a game -------------------------------------------------------------------------------------------------------
    def _made_of(self, part: Path) -> list[str]:
        """The games that a file is a part of; what changes another of them comes after all that do not."""
        found: dict[Path, list[Path]] = {}
        for name in self.names():
            with suppress(RulesError):
                path = real(self.find(name))
                if not self.load(path).get("abstract") and real(part) in self.files_of(path):
                    found[path] = self.files_of(path)[:-1]
        return [path.stem for path in sorted(found, key=lambda path: not found.keys().isdisjoint(found[path]))]

    def resolve(
        self, path: Path, players: int | None = None, chosen: Mapping[str, OptionValue] | None = None
    ) -> Resolved:
        if self.load(path).get("abstract"):
            games = tuple(map(Keyword, self._made_of(path))) or "…"
            raise RulesError(problem("only_a_part", None, name=path.stem, games=games))  # the rules are not wrong
        whole = self.merged(path)
        counts = player_counts(whole)
        if not counts:
            raise RulesError(problem("no_players", whole.at))
        if players is None:
            players = next((n for n in counts if not whole["players"][str(n)]), counts[0])
        if players not in counts:
            raise RulesError(
                problem(
                    "players_unknown",
                    None,
                    players=players,  # the rules are not wrong
                    counts=", ".join(map(str, counts)),
                )
            )
        overlay = whole["players"][str(players)]
        description = patched(whole, overlay) if overlay else whole
        options = settle(description, chosen or {})
        description = changed(description, options)
        complete(description)
        return Resolved(path.stem, players, description, options, digest(description, options, players))


def player_counts(description: Map) -> list[int]:
    entries = description.get("players")
    return sorted(int(n) for n in entries) if isinstance(entries, Map) else []


# --- options ----------------------------------------------------------------------------------------------------------
UNCHANGING = ("abstract", "extends", "players", "options")  # what the value of an option leaves as it is


def changed(description: Map, options: Mapping[str, Option]) -> Map:
    """The description with what the values of the options change in it, in the order of the options."""
    problems: list[Problem] = []
    for name, option in options.items():
        changes = description["options"][name].get("changes", {})
        for value in changes:
            at, allowed = changes.key_at[value], _allowed(option)
            if _option_value(option, value) is None:
                problems.append(problem("option_value", at, len(value), name=name, value=value, allowed=allowed))
            fixed = [key for key in UNCHANGING if key in changes[value]]
            problems += [
                problem(
                    "unknown_key", changes[value].key_at[key], len(key), key=key, meant="", allowed=("things", "rules")
                )
                for key in fixed
            ]
        over = next((changes[value] for value in changes if _option_value(option, value) == option.value), None)
        if over and not problems:
            description = patched(description, over)
    if problems:
        raise RulesError(problems)
    return description


def settle(description: Map, chosen: Mapping[str, OptionValue]) -> dict[str, Option]:
    """The options with their values: those chosen, else the defaults; checked against each other.

    What was chosen stands in no rule file, so a mistake in it has no place there."""
    problems = Problems()
    entries = description.get("options") or Map(description.at)
    options: dict[str, Option] = {}
    for name in chosen:
        if name not in entries:
            problems.append(
                problem(
                    "unknown_option",
                    None,
                    name=name,
                    meant=did_you_mean(name, entries) or "",
                    options=", ".join(entries),
                )
            )
    for name in entries:
        spec = entries[name]
        if not isinstance(spec, Map) or "is" not in spec or "default" not in spec:
            problems.append(problem("option_unknown_here", entries.key_at[name], len(name), name=name))
            continue
        kind = "one of" if isinstance(spec["is"], Seq) else str(spec["is"])
        option = Option(
            name,
            spec["default"],
            spec["default"],
            list(spec["is"]) if kind == "one of" else [],
            kind,
            plain_text(spec.get("about")),
            str(spec.get("source", "")),
            plain_text(spec.get("decision")),
            spec.get("from"),
            spec.get("to"),
            spec.get("with people"),
        )
        if kind == "number" and option.least is not None and option.most is not None and option.least > option.most:
            ends = {"least": option.least, "most": option.most}
            problems.append(problem("option_range", spec.value_at["to"], len(str(option.most)), **ends))
            continue
        twice = next((i for i, v in enumerate(option.values) if str(v) in map(str, option.values[:i])), None)
        if twice is not None:
            again = str(option.values[twice])
            problems.append(problem("member_twice", spec["is"].value_at[twice], len(again), name=name, member=again))
        given = [(spec[key], spec.value_at[key]) for key in ("with people", "default") if key in spec]
        for value, place in given + ([(chosen[name], None)] if name in chosen else []):
            found = _option_value(option, value)
            if found is None and kind == "yes or no" and value in TRUTH_WORDS:
                problems.append(problem("word_not_truth", place, len(value), word=value, instead=TRUTH_WORDS[value]))
            elif found is None:
                problems.append(
                    problem(
                        "option_value", place, len(str(value)), name=name, value=str(value), allowed=_allowed(option)
                    )
                )
            else:
                option.value = found
        options[name] = option
    for name, option in options.items():
        for key, clash in (("requires", False), ("excludes", True)):
            problems += _conflicts(entries[name], option, key, clash, options)
    if problems:
        raise RulesError(problems)
    return options


def _conflicts(spec: Map, option: Option, key: str, clash: bool, options: dict[str, Option]) -> list[Problem]:
    conditions = spec.get(key)
    at = spec.value_at.get(key)
    if conditions is None:
        return []
    if option.kind == "one of":
        at = conditions.value_at.get(str(option.value), at)
        conditions = conditions.get(str(option.value)) or Map(at)
    elif not option.value:
        return []
    if not isinstance(conditions, Map):
        return [problem("options_wanted", at)]
    found = []
    for other, value in conditions.items():
        at = conditions.key_at[other]
        if other not in options:
            found.append(
                problem(
                    "unknown_option",
                    at,
                    len(other),
                    name=other,
                    meant=did_you_mean(other, options) or "",
                    options=", ".join(options),
                )
            )
        elif (options[other].value == value) == clash:
            found.append(
                problem(
                    "options_exclude" if clash else "options_require",
                    at,
                    len(other),
                    name=option.name,
                    value=_shown(option.value),
                    other=other,
                    needed=_shown(value),
                )
            )
    return found


def _shown(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _allowed(option: Option) -> str:
    if option.kind == "one of":
        return ", ".join(map(str, option.values))
    if option.kind == "number":
        return f"{'' if option.least is None else option.least}…{'' if option.most is None else option.most}"
    return "true, false"


def _option_value(option: Option, value: Any) -> OptionValue | None:
    if option.kind == "yes or no":
        value = {"true": True, "false": False}.get(value, value) if isinstance(value, str) else value
        return value if isinstance(value, bool) else None
    if option.kind == "number":
        value = int(value) if isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,9}", value) else value
        fine = isinstance(value, int) and not isinstance(value, bool)
        fine = (
            fine and (option.least is None or value >= option.least) and (option.most is None or value <= option.most)
        )
        return value if fine else None
    return next((v for v in option.values if str(v) == str(value)), None)


def plain_text(value: Any) -> str:
    """A text in its first language; other languages are chosen at the edge."""
    if isinstance(value, Map):
        return str(value.get("en") or next(iter(value.values()), ""))
    return "" if value is None else str(value)
