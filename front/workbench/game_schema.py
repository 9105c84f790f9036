"""The JSON Schema of house rules for one game: its options, things, tables, steps and paths by their names, with what
they mean, for editors that know nothing else."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from ...interpreter.idiom import Idiom
from ...interpreter.keywords import BODIES
from ...interpreter.load import Map, Seq
from ...interpreter.paths import SECTIONS, SHAPE, Steps, parts, written
from ...interpreter.phrasing import Unphrased
from ...interpreter.schema import schema
from .index import TOLD_APART, Index
from .local_schema import local_schema
from .yaml_text import flow

__all__ = ["game_schema"]

BRIEF = 200  # characters of a value that are shown
DEEPEST = 8  # levels of a path that are listed


def game_schema(index: Index, words: Idiom | None) -> str:
    """With the keys of the language `words`, if that is another."""
    base = schema() if words is None else json.loads(local_schema(words))
    made = json.loads(json.dumps(base))
    _Refined(index, words, made).refine()
    return json.dumps(made, ensure_ascii=False, indent=1)


class _Refined:
    def __init__(self, index: Index, words: Idiom | None, made: dict[str, Any]):
        self.index, self.words, self.made = index, words, made
        self.whole, self.language = index.whole, index.language

    def refine(self) -> None:
        keys, game = self.made["properties"], self.index.file.stem
        keys[self.key("file", "extends")]["examples"] = [game]
        for section in SECTIONS:
            entries = self.whole.get(section)
            if isinstance(entries, Map):
                home = keys[self.key("file", section)]
                known = {self.head(section, name): self.entry(section, name, home) for name in entries}
                home["properties"] = home.get("properties", {}) | known
                if section == "options":  # only what is declared here can be new
                    home["additionalProperties"] = {"$ref": "#/$defs/option"}
        counts = self.whole.get("players")
        if isinstance(counts, Map):
            said = keys[self.key("file", "players")]
            said["properties"] = {str(count): said.get("additionalProperties", {}) for count in counts}
        paths = dict(self.paths())
        keys[self.key("file", "change")]["properties"] = paths
        gone = [*paths, *self.listed()]
        entries = {"anyOf": [{"enum": gone}, {"type": "string"}]} if gone else {"type": "string"}
        keys[self.key("file", "remove")]["items"] = entries

    # --- words --------------------------------------------------------------------------------------------------------
    def key(self, kind: str, key: str) -> str:
        return key if self.words is None else self.words.written(kind, key)

    def head(self, section: str, head: str) -> str:
        """A name as it is written in a file of this language."""
        if self.words is None or section in ("options", "things"):
            return head
        try:
            return self.words.phrasing.write(head, "head")
        except Unphrased:
            return head

    def told(self, value: Any) -> str:
        """What a part means; else what it is."""
        text = value.get("rule") or value.get("about") if isinstance(value, dict) else None
        if text:
            return self.language.text(text)
        shown = flow(value)
        return shown if len(shown) <= BRIEF else shown[: BRIEF - 1] + "…"

    # --- sections -----------------------------------------------------------------------------------------------------
    def entry(self, section: str, name: str, home: dict[str, Any]) -> dict[str, Any]:
        value, usual = self.whole[section][name], home.get("additionalProperties", {})
        found: dict[str, Any] = {"description": self.told(value)}
        if section == "options":
            values = _values(value, self.words)
            return found | {"anyOf": [{"enum": values} if values else {"type": "integer"}, {"$ref": "#/$defs/option"}]}
        inner: dict[str, Any] = {}
        if section == "things" and isinstance(value, Map):
            inner = self.members(value)
        elif section == "tables" and isinstance(value.get("rows"), Map):
            inner = {self.key("table", "rows"): {"properties": self.rows(value["rows"])}}
        elif section == "rules" and isinstance(value, Map):
            return found | {"allOf": [usual, {"properties": dict(self.steps(value))}]}
        return found | {"allOf": [usual, {"properties": inner}] if inner else [usual]}

    def members(self, spec: Map) -> dict[str, Any]:
        members, columns = spec.get("members"), spec.get("columns")
        if not isinstance(members, Map):
            return {}
        shown = {str(name).split(" ")[0]: {"description": str(columns[name])} for name in columns or ()}
        rows = {name: {"description": self.told(members[name]), "properties": shown} for name in members}
        return {self.key("things", "members"): {"properties": rows}}

    def rows(self, rows: Map) -> dict[str, Any]:
        return {
            key: {"properties": self.rows(value)} if isinstance(value, Map) else {"description": self.told(value)}
            for key, value in rows.items()
        }

    def steps(self, steps: Map) -> Iterator[tuple[str, dict[str, Any]]]:
        for name, step in steps.items():
            if not isinstance(step, Map):
                continue
            inner = {}
            for body in BODIES:
                if isinstance(step.get(body), Map):
                    inner[self.key("step", body)] = {"properties": dict(self.steps(step[body]))}
            if isinstance(step.get("between"), Map):
                offered = {each: {"description": self.told(step["between"][each])} for each in step["between"]}
                inner[self.key("step", "between")] = {"properties": offered}
            refined = [{"$ref": "#/$defs/step"}, *([{"properties": inner}] if inner else [])]
            yield name, {"description": self.told(step), "allOf": refined}

    # --- paths --------------------------------------------------------------------------------------------------------
    def paths(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """All parts by their paths, each as short as it can be without meaning another."""
        known = [(path, value) for path, value in parts(self.whole) if path[0] in SECTIONS and len(path) > 1]
        known = [(path, value) for path, value in known if len(path) <= DEEPEST and not set(path) & set(TOLD_APART)]
        briefly = Counter(_brief(path) for path, _ in known)
        for path, value in known:
            brief = _brief(path)
            name = brief if briefly[brief] == 1 and path[-1] not in SHAPE else written(path)
            yield name, {"description": self.told(value)}

    def listed(self) -> Iterator[str]:
        """Members that are listed by their names alone: they can be removed."""
        for name, spec in (self.whole.get("things") or {}).items():
            members = spec.get("members") if isinstance(spec, Map) else spec
            yield from (f"{name}/{entry}" for entry in (members if isinstance(members, Seq) else ()))


def _brief(path: Steps) -> str:
    return written(tuple(key for index, key in enumerate(path) if not (key in SHAPE or index == 0)))


def _values(option: Any, words: Idiom | None) -> list[Any]:
    if not isinstance(option, Map) or option.get("is") == "number":
        return []
    if isinstance(option.get("is"), Seq):
        return list(option["is"])
    return [True, False, *([words.values["true"], words.values["false"]] if words is not None else [])]
