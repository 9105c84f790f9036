"""What may be written where the cursor is: keys, names, paths, values, and what may follow in an expression."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from ...interpreter.check import Checker, Scope
from ...interpreter.errors import Place, RulesError, Source
from ...interpreter.keywords import STEP_VERBS
from ...interpreter.load import Map, Seq
from ...interpreter.model import Option, Var
from ...interpreter.paths import SECTIONS, SHAPE, find
from ...interpreter.phrasing import Unphrased
from ...interpreter.resolve import settle
from ...interpreter.schema import schema
from ...interpreter.shapes import SHAPES, Each, Shape
from ...speech.language import Language, spoken
from ..workbench.yaml_text import flow, scalar
from .analysis import Analysis, keys_of
from .following import followers
from .outline import Node, Spot
from .spots import Reading, Stand, spot_at

__all__ = ["Item", "complete", "describe", "options_of", "scope_at"]

EXPRESSIONS = {"expression": "expression", "asked": "expression", "cell": "amount", "rows": "amount",
               "word": "expression", "part": "expression", "binding": "binding", "amount": "amount"}  # fmt: skip
BRIEF = 60
PATHS = ("change", "remove")


@dataclass(frozen=True, slots=True)
class Item:
    label: str
    kind: str  # key, name, keyword, value, path, file
    start: int  # what it takes the place of, up to the cursor
    insert: str
    detail: str = ""
    about: str = ""
    rank: int = 1


def complete(known: Analysis, good: Analysis | None, offset: int, language: Language) -> list[Item]:
    """What may stand there; `good` is the last state of the text that was understood."""
    found: dict[str, Item] = {}
    for item in _Completion(known, good or known, offset, language).items():
        found.setdefault(item.label, item)
    return list(found.values())


class _Completion:
    def __init__(self, known: Analysis, good: Analysis, offset: int, language: Language):
        self.known, self.good, self.offset, self.language = known, good, offset, language
        self.reading: Reading = known.reading
        self.spot: Spot = spot_at(known.root, known.text, offset)

    def items(self) -> Iterator[Item]:
        spot = self.spot
        if spot.kind == "value" and spot.node is not None and self.is_key_below(spot.node):
            typed = spot.before.rpartition("\n")[2].lstrip()  # a key is begun on the line below its map
            spot = self.spot = Spot(spot.node, None, "key", self.offset - len(typed), typed)
        if spot.kind == "key":
            yield from self.keys()
        elif spot.node is not None:
            yield from self.values(self.reading.stand(spot.node), spot.node)
        else:  # a further entry of a list
            new = Node(spot.home, -1)
            yield from self.values(self.reading.entered(self.reading.stand(spot.home), new), new)

    def is_key_below(self, node: Node) -> bool:
        shape = self.reading.stand(node).shape
        is_map = isinstance(shape, Each) or shape in (*SHAPES, "steps", "members", "rows")
        return is_map and node.style == "" and node.start > 0 and "\n" in self.known.text[node.colon : node.start]

    def item(self, label: str, kind: str, insert: str | None = None, **more: Any) -> Item:
        start = more.pop("start", self.spot.start)
        return Item(label, kind, start, label if insert is None else insert, **more)

    # --- keys ---------------------------------------------------------------------------------------------------------
    def keys(self) -> Iterator[Item]:
        home = self.spot.home
        others = [kid for kid in home.kids if kid is not self.spot.node]
        bare = Node(home.parent, home.column, home.key, kids=others, style=home.style)
        stand = self.reading.stand(home) if home.parent is not None else Stand("file", ())
        shape = self.reading.inside(stand.shape, bare)
        there = {kid.key for kid in others}
        if stand.path[-1:] == ("change",):
            yield from self.paths(f"{{}}{self.colon()}")
            return
        for key, about in self.of_the_language(shape, others):
            written = self.reading.written(self.kind(shape), key)
            if written not in there:
                yield self.item(written, "key", written + self.colon(), about=about, rank=0)
        for name, value in self.of_the_author(stand, shape):
            if name not in there:
                yield self.item(name, "name", scalar(name) + self.colon(), **self.told(value))

    def colon(self) -> str:
        node = self.spot.node
        return ": " if node is None or node.colon < 0 else ""

    def kind(self, shape: Shape) -> str:
        return "file" if shape == "row" else str(shape)

    def of_the_language(self, shape: Shape, others: list[Node]) -> Iterator[tuple[str, str]]:
        if isinstance(shape, Each) or shape not in (*SHAPES, "row"):
            return
        if shape == "row":
            yield "name", ""
            return
        allowed: Iterable[str] = SHAPES[shape]
        if shape == "step":
            allowed = _keys_of_step([self.reading.meaning("step", kid.key or "") or "" for kid in others])
        for key in allowed:
            yield key, describe(shape, key, self.language)

    def of_the_author(self, stand: Stand, shape: Shape) -> Iterator[tuple[str, Any]]:
        """Names that are there in what is extended, and others that belong here."""
        if shape == "text":
            yield from ((code, None) for code in spoken())
            return
        path = stand.path[1:] if stand.path[:1] == ("add",) else stand.path
        if path[:1] == ("players",) and len(path) > 1:
            path = path[2:]
        how = shape.key if isinstance(shape, Each) else "name"
        try:
            below = self.good.below
            for key in path:
                below = below[key]
        except (KeyError, TypeError, IndexError):
            below = None
        if isinstance(below, Map) and (isinstance(shape, Each) or shape == "row"):
            for key in below:
                yield self.said(how, key), below[key]
        elif isinstance(below, Seq) and shape == _members():
            yield from ((str(entry), None) for entry in below)
        words = self.good.words
        if words is not None and path[:1] == ("tables",) and "rows" in path:
            depth = len(path) - path.index("rows") - 1
            for functions in words.functions.values():
                for function in functions:
                    if function.kind in ("table", "formula") and _is_head(function, path[1], self.good):
                        if depth < len(function.params):
                            kind = function.params[depth].type
                            yield from ((words.atoms[atom].name, None) for atom in sorted(kind.atoms))
        if words is not None and shape == "row" and len(path) > 2 and self.good.resolved is not None:
            spec = (self.good.resolved.description.get("things") or {}).get(path[1])
            columns = spec.get("columns") if isinstance(spec, Map) else None
            yield from ((str(name).split(" ")[0], columns[name]) for name in columns or ())

    def said(self, how: str, key: str) -> str:
        """What is there, as it is written in the language of this file."""
        words = self.reading.words
        if words is None or how not in ("head", "expression"):
            return key
        try:
            return words.phrasing.write(key, how)
        except Unphrased:
            return key

    def told(self, value: Any) -> dict[str, str]:
        if value is None:
            return {}
        text = value.get("rule") or value.get("about") if isinstance(value, dict) else None
        shown = flow(value)
        return {
            "detail": shown if len(shown) <= BRIEF else shown[: BRIEF - 1] + "…",
            "about": self.language.text(text) if text else "",
        }

    # --- paths --------------------------------------------------------------------------------------------------------
    def paths(self, form: str) -> Iterator[Item]:
        """What a path can name, or how it goes on."""
        typed = self.spot.before.lstrip("\"'")
        home, slash, _ = typed.rpartition("/")
        below = self.good.below
        found = [_at(below, path) for path in find(below, home)] if slash else [below]
        start = self.spot.start + len(self.spot.before) - len(typed) + len(home) + len(slash)
        seen = set()
        for value in found:
            for name, inner in _names_in(value, top=not slash):
                if name not in seen:
                    seen.add(name)
                    yield self.item(name, "path", form.format(name), start=start, **self.told(inner))

    # --- values -------------------------------------------------------------------------------------------------------
    def values(self, stand: Stand, node: Node) -> Iterator[Item]:
        shape, path = stand.shape, stand.path
        if path[-1:] == ("extends",):
            yield from self.files()
        elif path[-1:] == ("remove",) and len(path) == 1:
            yield from self.paths("{}")
        elif path[-1:] in (("before",), ("after",)):
            yield from self.steps_beside(node, path)
        elif shape == "truth":
            yield from (self.item(self.truth(word), "value") for word in ("true", "false"))
        elif shape in ("option", "setting", "settings") and path[:1] == ("options",):
            yield from self.settings(path)
        elif shape in ("type", "option type"):
            yield from self.types(shape)
        elif shape == "text":
            yield from self.placeholders(node)
        elif shape == "name":
            yield from self.names(path)
        elif shape == "head":
            heads = self.heads()
            yield from (self.item(head, "name") for head in heads)
        elif isinstance(shape, str) and shape in EXPRESSIONS:
            yield from self.expression(EXPRESSIONS[shape], stand, node)

    def truth(self, word: str) -> str:
        return word if self.reading.words is None else self.reading.words.values[word]

    def files(self) -> Iterator[Item]:
        own = self.known.path.stem
        open_ones = [path.stem for path in self.known.desk.open]
        for name in dict.fromkeys([*self.known.library.names(), *open_ones]):
            if name != own:
                yield self.item(name, "file")

    def steps_beside(self, node: Node, path: tuple[str, ...]) -> Iterator[Item]:
        home = node.parent.parent if node.parent is not None else None
        names = [kid.key for kid in home.kids if kid is not node.parent] if home is not None else []
        try:
            names += list(_at(self.good.below, path[:-2]))
        except (KeyError, TypeError):
            pass
        yield from (self.item(name, "name") for name in dict.fromkeys(filter(None, names)))

    def settings(self, path: tuple[str, ...]) -> Iterator[Item]:
        option = options_of(self.good).get(path[1])
        if option is None:
            return
        values = {"yes or no": [self.truth("true"), self.truth("false")]}.get(
            option.kind, list(map(str, option.values))
        )
        about = self.language.text(option.about) if option.about else ""
        for value in values:
            yield self.item(value, "value", about=about)

    def types(self, shape: Shape) -> Iterator[Item]:
        words = self.reading.words
        for word in ("number", "yes or no"):
            said = word if words is None else (words.values | words.names).get(word, word)
            yield self.item(said, "keyword")
        if shape == "option type" or self.good.words is None:
            return
        for phrase in ("set of", "list of", "pile of"):
            said = phrase if words is None else words.phrasing.words[phrase][0]
            yield self.item(said, "keyword", said + " ", start=self.word_start())
        for name in self.good.words.sets:
            yield self.item(name, "name", start=self.word_start())

    def word_start(self) -> int:
        before = self.spot.before
        return self.spot.start + len(before) - len(before.split(" ")[-1])

    def placeholders(self, node: Node) -> Iterator[Item]:
        before = self.spot.before
        if before.count("{") <= before.count("}"):
            return
        start = self.spot.start + before.rindex("{") + 1
        for name in self.scope(node).names:
            if name.isidentifier():
                yield self.item(name, "name", name + "}", start=start)

    def names(self, path: tuple[str, ...]) -> Iterator[Item]:
        words = self.good.words
        if words is None:
            return
        if path[-1:] in (("start",), ("lasts",)):
            yield from (self.item(head.split(" ")[0], "name") for head in self.rules())
            return
        yield from (self.item(name, "name", rank=0) for name in words.sets)
        if path[-1:] not in (("each",), ("any of",)):
            yield from (self.item(name, "name") for name in words.by_name)

    def heads(self) -> list[str]:
        description = self.good.resolved.description if self.good.resolved is not None else {}
        found = [head for section in ("state", "tables", "links", "words") for head in description.get(section) or ()]
        return [self.said("head", head) for head in found]

    def rules(self) -> list[str]:
        description = self.good.resolved.description if self.good.resolved is not None else {}
        return [self.said("head", head) for head in description.get("rules") or ()]

    # --- expressions --------------------------------------------------------------------------------------------------
    def scope(self, node: Node) -> Scope:
        return scope_at(self.known, self.good, node)

    def expression(self, start: str, stand: Stand, node: Node) -> Iterator[Item]:
        before = self.spot.before
        if self.known.text[self.spot.start : self.spot.start + 1] in ("'", '"'):
            before = before[1:]
        if stand.path[-1:] in (("call",), ("play",)):
            for head in self.rules():
                yield self.item(head, "name", rank=0)
            if not before.strip():
                return
        if before.rstrip() in ("|", ">", ">-", "|-"):
            return
        text = before.split("\n", 1)[1] if before[:1] in "|>" and "\n" in before else before
        size, found = followers(text, start, self.good.words, self.scope(node), self.reading.words, [])
        for word, kind, rank in found:
            yield self.item(
                word, "keyword" if kind == "keyword" else "name", word, start=self.offset - size, detail=kind, rank=rank
            )


def options_of(good: Analysis) -> dict[str, Option]:
    try:
        return settle(good.resolved.description, {}) if good.resolved is not None else {}
    except RulesError:
        return {}


def scope_at(known: Analysis, good: Analysis, node: Node) -> Scope:
    """The names that can be used at a node: as they were there when it was last understood, or before it."""
    by_path, path = {**good.by_path, **known.by_path}, keys_of(node)
    if path in by_path:
        return by_path[path].scope
    home = node.parent
    while home is not None and home.parent is not None:
        for kid in reversed(home.kids[: _index(home, node) + 1]):
            inside = [by_path[keys_of(one)] for one in kid.walk() if keys_of(one) in by_path]
            if inside:
                return inside[-1].scope
        node, home = home, home.parent
    return _scope_of_head(known, good, path)


def _scope_of_head(known: Analysis, good: Analysis, path: tuple[str, ...]) -> Scope:
    """All that a rule of the game ever names; what the head of a word or a table names."""
    words, rules, reading = good.words, good.rules, known.reading
    section = reading.meaning("file", path[0]) if len(path) > 1 else None
    head = reading.plain("head", path[1]) if len(path) > 1 else ""
    if section == "rules" and rules is not None:
        found = next((rule for rule in rules.rules.values() if rule.name == head), None)
        if found is not None:
            return Scope({var.name: var for var in found.variables})
    if section in ("words", "tables", "state", "rules") and words is not None:
        try:
            _, params = Checker(words).head(head, Place(Source("", head), 1, 1))
            return Scope({param.name: Var(param.name, param.type) for param in params})
        except RulesError:
            pass
    return Scope()


def _index(home: Node, node: Node) -> int:
    return next((index for index, kid in enumerate(home.kids) if kid is node), len(home.kids) - 1)


def _members() -> Shape:
    return Each("name", "row")


def _at(value: Any, path: tuple[str, ...]) -> Any:
    for key in path:
        value = value[key]
    return value


def _names_in(value: Any, top: bool = False) -> Iterator[tuple[str, Any]]:
    """What can follow in a path: what only gives a file its shape is not said."""
    if isinstance(value, Seq):
        yield from ((str(entry), None) for entry in value if isinstance(entry, str | int))
    elif isinstance(value, Map):
        for key in value:
            if key in SHAPE or (top and key in SECTIONS):
                yield from _names_in(value[key])
            elif not top:
                yield key, value[key]


def _keys_of_step(verbs: list[str]) -> list[str]:
    """The keys that go with the verb of a step; all, where it has none yet."""
    for case in schema()["$defs"]["step"]["allOf"]:
        if case["if"]["required"][0] in verbs:
            return list(case["then"]["propertyNames"]["enum"])
    return [*STEP_VERBS, "rule", "before", "after", "remove", "replace"]


def describe(kind: str, key: str, language: Language) -> str:
    """What the schema says of a key, in the reader's language."""
    where = schema() if kind == "file" else schema()["$defs"].get(kind, {})
    found = where.get("properties", {}).get(key, {})
    said = str(found.get("description", ""))
    return language.translate(said) if said else ""


def _is_head(function: Any, head: str, known: Analysis) -> bool:
    entries = known.resolved.description.get("tables") if known.resolved is not None else None
    return isinstance(entries, Map) and head in entries and function.place == entries.key_at[head]
