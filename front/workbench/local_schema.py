"""The JSON Schema of rule files in another language, for editors: the same pieces, by the words of that language."""

from __future__ import annotations

import json
from typing import Any

from ...interpreter.idiom import HEADER, Idiom
from ...interpreter.schema import schema
from ...interpreter.shapes import SHAPES, Each
from ...speech.language import N_, Language

__all__ = ["local_schema"]


def local_schema(words: Idiom) -> str:
    made = _Local(words).node(schema(), "file")
    say = Language(words.code).translate
    header = {
        words.header[HEADER[0]]: {"const": words.code, "description": say(N_("The language of this file."))},
        words.header[HEADER[1]]: {
            "type": "string",
            "description": say(N_("The language of its texts, if that is another.")),
        },
    }
    made["properties"] = header | made["properties"]
    return json.dumps(made, ensure_ascii=False, indent=1)


class _Local:
    def __init__(self, words: Idiom):
        self.words = words
        self.values = words.values | words.names
        self.language = Language(words.code)

    def node(self, node: Any, kind: str | None) -> Any:
        """A part of the schema; `kind` is which map it is about, if its keys are words of the language."""
        if isinstance(node, list):
            return [self.node(part, kind) for part in node]
        if not isinstance(node, dict):
            return node
        if node.get("type") == "boolean" or node.get("const") is True:
            truths = [True] if "const" in node else [True, False]
            said = [self.words.values[str(truth).lower()] for truth in truths]
            return {key: value for key, value in node.items() if key not in ("type", "const")} | {"enum": truths + said}
        result = {}
        for key, value in node.items():
            if key == "properties" and kind is not None:
                result[key] = self._properties(value, kind)
            elif key == "$defs":
                result[key] = {name: self.node(part, name if name in SHAPES else None) for name, part in value.items()}
            elif key == "description" and isinstance(value, str):
                result[key] = self.language.translate(value)
            elif key == "required" or (key == "enum" and kind is not None):
                result[key] = [self._word(kind, word) for word in value]
            elif key in ("enum", "const"):
                result[key] = [self._value(word) for word in value] if key == "enum" else self._value(value)
            else:
                result[key] = self.node(value, kind)
        return result

    def _properties(self, properties: dict[str, Any], kind: str) -> dict[str, Any]:
        found = {}
        for key, part in properties.items():
            shape = SHAPES[kind].get(key)
            shape = shape.value if isinstance(shape, Each) else shape
            inner = self.node(part, shape if shape in SHAPES and "$ref" not in part else None)
            for word in self.words.keys(kind).get(key, [key]):
                found[word] = inner
        return found

    def _word(self, kind: str | None, word: Any) -> Any:
        known = self.words.keys(kind) if kind is not None else {}
        return known[word][0] if word in known else self._value(word)

    def _value(self, word: Any) -> Any:
        return self.values.get(word, word) if isinstance(word, str) else word
