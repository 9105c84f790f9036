"""Remedies that an editor can carry out: for a mistake, ways to change the text.

A remedy is offered only if the mistake is gone with it: the text is changed, and looked at again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from ...speech.language import N_, Language
from .analysis import Analysis, Mistake, analyse, mistakes
from .desk import Desk
from .outline import Node

__all__ = ["Edit", "Remedy", "changed", "mended", "remedies"]

MOST = 10  # of the values that are possible


@dataclass(frozen=True, slots=True)
class Edit:
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Remedy:
    title: str  # to be translated
    values: dict[str, str]
    edits: tuple[Edit, ...]


WRITE = N_("Write “{text}”")
DELETE = N_("Delete “{text}”")
QUOTE = N_("Put the text in quotes")
ADD_KEY = N_("Add the key “{key}”")
MOVE_TO_ADD = N_("Put “{name}” under “{add}”")
SPACES = N_("Indent with spaces")
CLOSE = N_("Close it with {text}")

Maker = Callable[[Mistake, Analysis], Iterator[Remedy]]
_MAKERS: dict[str, Maker] = {}


def remedies(mistake: Mistake, known: Analysis) -> Iterator[Remedy]:
    """What can be done about a mistake, the likeliest first; not yet tried."""
    meant = mistake.words.get("meant", ("",))[0]
    if meant:
        yield from _instead(mistake, known, meant)
    elif mistake.code in _MAKERS:
        yield from _MAKERS[mistake.code](mistake, known)


def _for(*codes: str) -> Callable[[Maker], Maker]:
    def note(maker: Maker) -> Maker:
        _MAKERS.update(dict.fromkeys(codes, maker))
        return maker

    return note


def mended(one: Mistake, known: Analysis, desk: Desk, language: Language) -> Iterator[tuple[Remedy, str]]:
    """The remedies with which a mistake is gone, and the text as it is then; of names that were meant the first."""
    seen = set()
    for remedy in remedies(one, known):
        new = changed(known.text, remedy.edits)
        if new in seen or new == known.text:
            continue
        seen.add(new)
        desk.open = {**desk.open, known.path: new}
        after = analyse(desk, known.path)
        told = mistakes(after.problems, known.path, new, after.library, language)
        if not any(_remains(other, one, remedy) for other in told):
            yield remedy, new
            if one.words.get("meant", ("",))[0]:
                return


def _remains(other: Mistake, one: Mistake, remedy: Remedy) -> bool:
    """Is it the same mistake, or another one in what was written instead?"""
    if other.code == one.code and other.message == one.message:
        return True
    first = min(remedy.edits, key=lambda edit: edit.start)
    there = other.start < first.start + max(1, len(first.text)) and other.end > first.start
    return there and len(remedy.edits) == 1 and remedy.title != ADD_KEY


def changed(text: str, edits: tuple[Edit, ...]) -> str:
    for edit in sorted(edits, key=lambda edit: edit.start, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def _write(start: int, end: int, text: str) -> Remedy:
    return Remedy(WRITE, {"text": text}, (Edit(start, end, text),))


def _said(mistake: Mistake, name: str) -> str:
    return next(iter(mistake.words.get(name, ())), "")


# --- other words ------------------------------------------------------------------------------------------------------
def _instead(mistake: Mistake, known: Analysis, meant: str) -> Iterator[Remedy]:
    """The name that was meant: instead of all that is marked, or of that part of it which is most like it."""
    marked = known.text[mistake.start : mistake.end]
    if "…" in meant:
        yield from _form_instead(mistake, known, meant)
        return
    said = next((_said(mistake, name) for name in ("name", "key", "word", "value") if name in mistake.words), marked)
    if said and said in marked and said != marked:
        at = mistake.start + marked.index(said)
        yield _write(at, at + len(said), meant)
    if "/" in marked or " " in marked:
        parts = [found for found in re.finditer(r"[^\s/]+", marked)]
        for part in sorted(parts, key=lambda part: -_alike(part[0], meant)):
            yield _write(mistake.start + part.start(), mistake.start + part.end(), meant)
        pieces = [found for found in re.finditer(r"[^/]+", marked)]
        for piece in sorted(pieces, key=lambda piece: -_alike(piece[0], meant)):
            yield _write(mistake.start + piece.start(), mistake.start + piece.end(), meant)
    yield _write(mistake.start, mistake.end, meant)


def _form_instead(mistake: Mistake, known: Analysis, meant: str) -> Iterator[Remedy]:
    """The words of a form that was meant, figures of …; a set, or one of it."""
    sets = known.words.sets.values() if known.words is not None else ()
    one_of = {each.plural: each.name for each in sets}
    for word in re.findall(r"\w+", meant):
        for found in re.finditer(r"\w+", known.text[mistake.start : mistake.end]):
            if found[0] != word and _alike(found[0], word) > 0.7:
                start, end = mistake.start + found.start(), mistake.start + found.end()
                if word in one_of:
                    yield _write(start, end, one_of[word])
                yield _write(start, end, word)


def _alike(one: str, other: str) -> float:
    return SequenceMatcher(None, one.casefold(), other.casefold()).ratio()


@_for("word_not_truth")
def _truth(mistake: Mistake, known: Analysis) -> Iterator[Remedy]:
    yield _write(mistake.start, mistake.end, _said(mistake, "instead"))


@_for("sign_not_word")
def _sign(mistake: Mistake, known: Analysis) -> Iterator[Remedy]:
    word, text = _said(mistake, "word"), known.text
    before = "" if text[mistake.start - 1 : mistake.start].isspace() or word in "()" else " "
    after = "" if text[mistake.end : mistake.end + 1].isspace() or word in "()" else " "
    yield Remedy(WRITE, {"text": word}, (Edit(mistake.start, mistake.end, before + word + after),))


@_for("say_every")
def _every(mistake: Mistake, known: Analysis) -> Iterator[Remedy]:
    words = known.reading.words
    yield _write(mistake.start, mistake.end, "every" if words is None else words.phrasing.cited("every"))


@_for("noun_not_value")
def _plural(mistake: Mistake, known: Analysis) -> Iterator[Remedy]:
    yield _write(mistake.start, mistake.end, _said(mistake, "plural"))


@_for("alias_unknown_guess")
def _alias(mistake: Mistake, known: Analysis) -> Iterator[Remedy]:
    yield _write(mistake.start, mistake.end, "*" + _said(mistake, "guess"))


@_for("wrong_value", "option_value", "language_unknown", "path_unclear", "unknown_option")
def _possible(mistake: Mistake, known: Analysis) -> Iterator[Remedy]:
    for name in ("allowed", "languages", "several", "options"):
        values = mistake.words.get(name, ())
        values = tuple(values[0].split(", ")) if len(values) == 1 and isinstance(values, tuple) else values
        for value in values[:MOST]:
            if value and "…" not in value:
                yield _write(mistake.start, mistake.end, value)


@_for("near_name")
def _near(mistake: Mistake, known: Analysis) -> Iterator[Remedy]:
    yield _write(mistake.start, mistake.end, _said(mistake, "near"))
    yield from _under_add(mistake, known)


# --- quotes and brackets ----------------------------------------------------------------------------------------------
def _line(text: str, at: int) -> tuple[int, int]:
    start = max(text.rfind(sign, 0, at) for sign in "\n\r") + 1
    ends = [end for sign in "\n\r" if (end := text.find(sign, at)) >= 0]
    return start, min(ends, default=len(text))


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


@_for("colon_in_text", "bad_start", "after_bracket", "after_quote", "anchor_name", "tag", "dash_misplaced",
      "alias_unknown", "key_misplaced")  # fmt: skip
def _in_quotes(mistake: Mistake, known: Analysis) -> Iterator[Remedy]:
    text = known.text
    start, end = _line(text, mistake.start)
    comment = re.search(r"\s#", text[start:end])
    end = start + comment.start() if comment else end
    for found in re.finditer(r"(?<=:)\s+(?=\S)|(?:\A|(?<=\s))-\s+(?=\S)", text[start:end]):
        at = start + found.end()
        if at <= mistake.start:
            yield Remedy(QUOTE, {}, (Edit(at, end, _quoted(text[at:end].rstrip())),))
    stop = re.compile(r"[,\]}\n\r]").search(text, mistake.start)
    if stop is not None and stop.start() > mistake.start:
        yield Remedy(QUOTE, {}, (Edit(mistake.start, stop.start(), _quoted(text[mistake.start : stop.start()])),))


@_for("key_needs_quotes", "number_too_long")
def _key_in_quotes(mistake: Mistake, known: Analysis) -> Iterator[Remedy]:
    marked = known.text[mistake.start : mistake.end]
    yield Remedy(QUOTE, {}, (Edit(mistake.start, mistake.end, _quoted(marked)),))


@_for("quote_open")
def _close_quote(mistake: Mistake, known: Analysis) -> Iterator[Remedy]:
    quote = known.text[mistake.start : mistake.start + 1]
    _, end = _line(known.text, mistake.start)
    yield from _closing(quote, mistake.start, end, known.text)


@_for("bracket_open")
def _close_bracket(mistake: Mistake, known: Analysis) -> Iterator[Remedy]:
    _, end = _line(known.text, mistake.start)
    yield from _closing(_said(mistake, "close"), mistake.start, end, known.text)


@_for("bracket_not_closed")
def _close_part(mistake: Mistake, known: Analysis) -> Iterator[Remedy]:
    for node in known.root.walk():
        if node.start <= mistake.start < node.end and not node.kids:
            end = node.end - (node.style in ("'", '"') and known.text[node.end - 1] == node.style)
            yield Remedy(CLOSE, {"text": "“)”"}, (Edit(end, end, ")"),))


def _closing(close: str, start: int, end: int, text: str) -> Iterator[Remedy]:
    """At the end of the line, before what closes something around it."""
    stop = start + len(text[start:end].rstrip())
    while stop > start:
        yield Remedy(CLOSE, {"text": f"“{close}”"}, (Edit(stop, stop, close),))
        if text[stop - 1] not in "]} ":
            return
        stop -= 1


@_for("bracket_not_opened", "character_forbidden", "second_document")
def _delete(mistake: Mistake, known: Analysis) -> Iterator[Remedy]:
    marked = known.text[mistake.start : mistake.end]
    shown = marked if marked.isprintable() else _said(mistake, "character")
    yield Remedy(DELETE, {"text": shown}, (Edit(mistake.start, mistake.end, ""),))


@_for("value_missing")
def _comma_too_many(mistake: Mistake, known: Analysis) -> Iterator[Remedy]:
    before = known.text.rfind(",", 0, mistake.end)
    if before >= 0:
        yield Remedy(DELETE, {"text": ","}, (Edit(before, before + 1, ""),))


@_for("comma_missing")
def _comma(mistake: Mistake, known: Analysis) -> Iterator[Remedy]:
    at = mistake.start
    while at > 0 and known.text[at - 1].isspace():
        at -= 1
    yield Remedy(WRITE, {"text": ","}, (Edit(at, at, ","),))


@_for("colon_missing")
def _colon(mistake: Mistake, known: Analysis) -> Iterator[Remedy]:
    start, end = _line(known.text, mistake.start)
    stop = start + len(known.text[start:end].rstrip())
    yield Remedy(WRITE, {"text": ":"}, (Edit(stop, stop, ":"),))


@_for("tab_indent")
def _spaces(mistake: Mistake, known: Analysis) -> Iterator[Remedy]:
    edits = [
        Edit(found.start(), found.end(), found[0].replace("\t", "  "))
        for found in re.finditer(r"^[ \t]*\t[ \t]*", known.text, re.MULTILINE)
    ]
    yield Remedy(SPACES, {}, tuple(edits))


# --- keys -------------------------------------------------------------------------------------------------------------
@_for("key_missing")
def _missing_key(mistake: Mistake, known: Analysis) -> Iterator[Remedy]:
    """The key, for its value to be written behind it."""
    key, text = _said(mistake, "key"), known.text
    for node in known.root.walk():
        if node.key_start == mistake.start or node.start == mistake.start:
            yield from (Remedy(ADD_KEY, {"key": key}, (edit,)) for edit in _new_entry(node, f"{key}: ", text))
    if mistake.start == 0 or not known.root.kids:
        end = len(text)
        line = "" if text[-1:] in ("\n", "") else "\n"
        yield Remedy(ADD_KEY, {"key": key}, (Edit(end, end, f"{line}{key}: \n"),))


def _new_entry(node: Node, entry: str, text: str) -> Iterator[Edit]:
    if node.style == "{":
        at = node.end - 1 if text[node.end - 1 : node.end] == "}" else node.end
        before = ", " if node.kids else ""
        yield Edit(at, at, before + entry.rstrip() + " ")
    elif node.kids and node.style == "":
        first = node.kids[0]
        line = text.rfind("\n", 0, first.key_start) + 1
        yield Edit(line, line, text[line : first.key_start] + entry.rstrip() + " \n")


def _under_add(mistake: Mistake, known: Analysis) -> Iterator[Remedy]:
    """The same at the end of the file, under `add`, with all keys that lead to it."""
    text, reading = known.text, known.reading
    node = next((each for each in known.root.walk() if each.key_start == mistake.start and each.key), None)
    if node is None or any(each.column < 0 for each in node.path()):
        return
    add = reading.written("file", "add")
    if known.root.get(add) is not None:
        return
    start, _ = _line(text, node.key_start)
    _, end = _line(text, max(node.end, node.key_end))
    lonely = [each for each in node.path()[:-1] if len(each.kids) == 1]
    if lonely and node.path()[0] in lonely:  # nothing is left above it
        start, _ = _line(text, node.path()[0].key_start)
    shift = " " * 2
    lines = [f"{add}:"]
    for each in node.path()[:-1]:
        lines.append(shift + " " * each.column + text[each.key_start : each.key_end] + ":")
    block = text[_line(text, node.key_start)[0] : end]
    lines += [shift + line if line.strip() else line for line in re.split("\r\n|[\n\r]", block)]
    close = "" if text.endswith("\n") else "\n"
    edits = (Edit(start, min(end + 1, len(text)), ""), Edit(len(text), len(text), close + "\n".join(lines) + "\n"))
    if edits[0].end <= edits[1].start:
        yield Remedy(MOVE_TO_ADD, {"name": node.key or "", "add": add}, edits)
