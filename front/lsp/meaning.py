"""What stands where the cursor is: what it means in words, and where its names come from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...interpreter.check import Checker, Scope
from ...interpreter.errors import Place, RulesError, Source
from ...interpreter.load import Map, Seq
from ...interpreter.model import TRUTH, Expr
from ...interpreter.parse import keywords
from ...interpreter.paths import find
from ...interpreter.phrasing import Ambiguous, TooHard, Unread
from ...interpreter.shapes import PARSED, SHAPES, Each
from ...interpreter.shelves import shown
from ...speech.language import N_, Language
from ..common.loading import possible_values
from ..workbench.yaml_text import flow
from .analysis import Analysis, keys_of
from .completion import describe, options_of, scope_at
from .outline import Node
from .spots import Stand, spot_at

__all__ = ["Found", "Hover", "hover", "origins", "word_at"]

WORD = re.compile(r"\w+")
SAID_IN = N_("This is said in {file}, line {line}.")
OF_TYPE = N_("“{name}” is of this type: {type}.")
VALUES = N_("These are possible: {allowed}.")
NOW = N_("It is now: {value}.")
BRIEF = 200
EXPRESSIONS = (*PARSED, "asked", "cell", "rows", "word", "part")


@dataclass(frozen=True, slots=True)
class Found:
    """Something that has a name, and where that is said."""

    name: str
    kind: str  # option, thing, set, function, rule, step, variable, file, path
    file: Path
    line: int
    column: int
    value: Any = None


@dataclass(frozen=True, slots=True)
class Hover:
    lines: list[str]
    start: int
    end: int


def word_at(text: str, offset: int) -> tuple[str, int, int] | None:
    """The word that the cursor is in, or behind."""
    start = max(text.rfind(sign, 0, offset) for sign in "\n\r") + 1
    for found in WORD.finditer(text, start):
        if found.start() > offset:
            break
        if found.end() >= offset:
            return found[0], found.start(), found.end()
    return None


# --- where names come from --------------------------------------------------------------------------------------------
def origins(known: Analysis, good: Analysis, offset: int) -> list[Found]:
    """Where what stands under the cursor is said, along all that the file extends."""
    spot, reading = spot_at(known.root, known.text, offset), known.reading
    node = spot.node
    if node is None:
        return []
    if spot.kind == "key":
        found = list(_of_key(known, good, node))
        if found:
            return found
        stand = (
            reading.stand(node.parent)
            if node.parent is not None and node.parent.parent is not None
            else Stand("file", ())
        )
        shape = reading.inside(stand.shape, node.parent) if node.parent is not None else "file"
        if not (isinstance(shape, Each) and shape.key in PARSED):
            return []
    else:
        stand = reading.stand(node)
        special = list(_of_value(known, good, node, stand))
        if special or (isinstance(stand.shape, str) and stand.shape not in (*EXPRESSIONS, "name", "type", "head")):
            return special
    word = word_at(known.text, offset)
    return list(_of_name(known, good, node, reading.plain("name", word[0]))) if word else []


def _found(name: str, kind: str, place: Place | None, *knowing: Analysis, value: Any = None) -> Iterator[Found]:
    for analysis in knowing:
        file = analysis.path_of(place.source) if place is not None else None
        if place is not None and file is not None:
            yield Found(name, kind, file, place.line, place.column, value)
            return


def _of_key(known: Analysis, good: Analysis, node: Node) -> Iterator[Found]:
    """A key that is there in what is extended."""
    path = known.reading.stand(node).path
    if len(path) > 1 and path[-2:-1] == ("change",):
        yield from _of_path(good, node.key or "", known)
        return
    if path[:1] == ("add",):
        path = path[1:]
    home: Any = good.below
    for key in path[:-1]:
        home = home.get(key) if isinstance(home, Map) else None
    if path and isinstance(home, Map) and path[-1] in home:
        kind = "step" if path[:1] == ("rules",) and len(path) > 2 else path[0]
        yield from _found(path[-1], kind, home.key_at[path[-1]], good, known, value=home[path[-1]])


def _of_path(good: Analysis, asked: str, known: Analysis) -> Iterator[Found]:
    below = good.below
    for path in find(below, asked):
        home: Any = below
        for key in path[:-1]:
            home = home[key]
        if isinstance(home, Map):
            yield from _found(asked, "path", home.key_at[path[-1]], good, known, value=home[path[-1]])


def _of_value(known: Analysis, good: Analysis, node: Node, stand: Stand) -> Iterator[Found]:
    text = known.text[node.start : node.end].strip("\"'") if node.start >= 0 else ""
    path = stand.path
    if path[-1:] == ("extends",) and text:
        try:
            yield Found(text, "file", known.library.find(text, known.path.parent), 1, 1)
        except RulesError:
            return
    elif path == ("remove",):
        yield from _of_path(good, text, known)
    elif path[-1:] in (("before",), ("after",)):
        home: Any = good.below
        for key in path[:-2]:
            home = home.get(key) if isinstance(home, Map) else None
        if isinstance(home, Map) and text in home:
            yield from _found(text, "step", home.key_at[text], good, known, value=home[text])
            return
        steps = node.parent.parent if node.parent is not None else None
        step = steps.get(text) if steps is not None else None
        if step is not None:
            yield _in_text(known, text, "step", step.key_start)


def _in_text(known: Analysis, name: str, kind: str, at: int) -> Found:
    before = known.text[:at]
    return Found(name, kind, known.path, before.count("\n") + 1, at - before.rfind("\n"))


def _of_name(known: Analysis, good: Analysis, node: Node, name: str) -> Iterator[Found]:
    words_taken = keywords() if known.reading.words is None else known.reading.words.phrasing.taken
    if name in words_taken:
        return
    local = _declaration(known, node, name)
    if local is not None:
        yield local
        return
    words, resolved = good.words, good.resolved
    if words is None or resolved is None:
        return
    description = resolved.description
    if name in words.options:
        yield from _found(name, "option", description["options"].key_at.get(name), good, known)
        return
    things: Any = description.get("things") or {}
    for singular in words.sets:
        if name in (singular, words.sets[singular].plural) and singular in things:
            yield from _found(name, "set", things.key_at[singular], good, known, value=things[singular])
            return
    for atom in words.by_name.get(name, ()):
        place = _member(things, words.atoms[atom].set, name)
        if place is not None:
            yield from _found(name, "thing", place, good, known, value=words.atoms[atom].set)
    for shape, functions in words.functions.items():
        if name in re.split(r"[^\w]+", shape.replace("_ is ", "")) and name in shape.split():
            for function in functions:
                yield from _found(shape, "function", function.place, good, known)
    for rule in good.rules.rules.values() if good.rules is not None else ():
        if rule.name.split(" ")[0] == name:
            yield from _found(rule.name, "rule", rule.place, good, known)


def _member(things: Any, home: str, name: str) -> Place | None:
    spec = things.get(home)
    members = spec.get("members") if isinstance(spec, Map) else spec
    if isinstance(members, Map) and name in members:
        return members.key_at[name]
    if isinstance(members, Seq) and name in map(str, members):
        return members.value_at[list(map(str, members)).index(name)]
    return things.key_at.get(home) if isinstance(things, Map) else None


def _declaration(known: Analysis, node: Node, name: str) -> Found | None:
    """Where a name of a rule, or of the head of a word, begins to mean something, in this file."""
    path, reading = node.path(), known.reading
    if len(path) < 2 or reading.meaning("file", path[0].key or "") not in ("rules", "words", "tables", "state"):
        return None
    home, best = path[1], None
    for each in home.walk():
        if each.key_start > node.key_start:
            break
        inner = reading.stand(each).path[2:]
        if each.key == name and inner[-2:-1] in (("for",), ("let",)):
            best = each.key_start
        elif inner[-1:] == ("as",) and known.text[each.start : each.end] == name:
            best = each.start
        elif inner[-1:] == ("for each",) or (inner[-1:] == ("ask",) and " " in known.text[each.start : each.end]):
            if known.text[each.start : each.end].split(" ")[0] == name:
                best = each.start
    if best is None and home.key is not None and node is not home:
        found = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", known.text[home.key_start : home.key_end])
        head = reading.plain("head", home.key)
        words = known.words
        if found and words is not None and name in {param for param in _parameters(words, head)}:
            best = home.key_start + found.start()
    return _in_text(known, name, "variable", best) if best is not None else None


def _parameters(words: Any, head: str) -> list[str]:
    try:
        return [param.name for param in Checker(words).head(head, Place(Source("", head), 1, 1))[1]]
    except RulesError:
        return []


# --- in words ---------------------------------------------------------------------------------------------------------
def hover(known: Analysis, good: Analysis, spoken: Analysis, offset: int, language: Language) -> Hover | None:
    """What an author may want to know of what stands there; `spoken` is the state whose conditions can be said."""
    spot = spot_at(known.root, known.text, offset)
    node = spot.node
    if node is None or node.parent is None:
        return None
    start, end = (node.key_start, node.key_end) if spot.kind == "key" else (node.start, node.end)
    lines: list[str] = []
    if spot.kind == "key":
        lines += _of_this_key(known, good, node, language)
    else:
        stand = known.reading.stand(node)
        lines += _of_this_value(known, good, spoken, node, stand, language)
    for found in origins(known, good, offset)[:3]:
        if found.kind == "option":
            lines += _of_option(good, found.name, language)
        if found.kind == "path":
            lines.append(language.say(NOW, value=_brief(found.value)))
        if found.file != known.path or found.kind == "variable":
            lines.append(language.say(SAID_IN, file=shown(found.file), line=found.line))
    lines = list(dict.fromkeys(line for line in lines if line))
    return Hover(lines, start, max(start, end)) if lines else None


def _brief(value: Any) -> str:
    text = flow(value)
    return text if len(text) <= BRIEF else text[: BRIEF - 1] + "…"


def _of_this_key(known: Analysis, good: Analysis, node: Node, language: Language) -> Iterator[str]:
    home = node.parent
    assert home is not None
    stand = known.reading.stand(home) if home.parent is not None else Stand("file", ())
    shape = known.reading.inside(stand.shape, home)
    path = known.reading.stand(node).path
    if isinstance(shape, str) and shape in SHAPES:
        key = known.reading.meaning(shape, node.key or "")
        if key is not None:
            yield describe(shape, key, language)
        return
    if path[:1] == ("options",) and len(path) == 2:
        yield from _of_option(good, path[1], language)
    value: Any = good.resolved.description if good.resolved is not None else {}
    for key in path:
        value = value.get(key) if isinstance(value, Map) else None
    if isinstance(value, Map):
        for key in ("rule", "about", "decision"):
            if key in value:
                yield language.text(value[key])


def _of_option(good: Analysis, name: str, language: Language) -> Iterator[str]:
    option = options_of(good).get(name)
    if option is not None:
        if option.about:
            yield language.text(option.about)
        yield language.say(VALUES, allowed=possible_values(option))


def _of_this_value(
    known: Analysis, good: Analysis, spoken: Analysis, node: Node, stand: Stand, language: Language
) -> Iterator[str]:
    shape = stand.shape
    if stand.path[:1] == ("options",) and len(stand.path) == 2:
        yield from _of_option(good, stand.path[1], language)
    if not isinstance(shape, str) or shape not in ("expression", "asked", "cell", "rows", "word", "part") or node.kids:
        return
    if stand.path[-1:] in (("call",), ("play",)):
        return
    expr = _typed(known, spoken, node)
    if expr is None or spoken.game is None:
        return
    try:
        speaker = spoken.speaker(language)
        if expr.type == TRUTH:
            yield speaker.sentence(expr)
        else:
            yield speaker.value(expr, {})("")
            yield language.say(OF_TYPE, name=_text(known, node), type=str(expr.type))
    except Exception:  # not everything can be said; what it means is a help, not a promise
        return


def _text(known: Analysis, node: Node) -> str:
    return " ".join(known.text[node.start : node.end].strip("\"'").split())


def _typed(known: Analysis, spoken: Analysis, node: Node) -> Expr | None:
    """The expression of a node, in the words of the state that can be said."""
    seen = spoken.by_path.get(keys_of(node))
    text, words = _text(known, node), spoken.words
    if words is None:
        return None
    if (
        seen is not None
        and seen.expr is not None
        and spoken.text[node.start : node.end] == known.text[node.start : node.end]
    ):
        return seen.expr
    text = text.removeprefix(">-").removeprefix(">").removeprefix("|").strip()
    if known.reading.words is not None:
        try:
            text = known.reading.words.phrasing.read(text, "expression")[0]
        except (Unread, Ambiguous, TooHard):
            return None
    scope: Scope = seen.scope if seen is not None else scope_at(known, spoken, node)
    try:
        return Checker(words).expression(text, Place(Source("", text), 1, 1), scope, seen.wanted if seen else None)
    except RulesError:
        return None
