"""What the rulebook would say wrongly, or not at all, because of a house rule: for the warnings of `tabarro check`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ...interpreter import Game
from ...interpreter.authors import entries, step_name
from ...interpreter.errors import Place
from ...interpreter.laying import put
from ...interpreter.load import Map
from ...interpreter.mentions import mentioned
from ...interpreter.model import Told
from ..paper.chapters import Chapters
from ..paper.pages import BookLine
from .described import described

__all__ = ["Suspect", "suspects"]

Suspect = tuple[str, Place, str]  # the code of a warning, where, and about what
MEANT = re.compile(r"\w+")


def suspects(game: Game, top: Place) -> Iterator[Suspect]:
    """What the file that begins there has changed without changing what the rulebook says."""
    description, authors, file = described(game), game.rulebook.authors, top.source.name
    ways = {step_name(way): (way, step) for way, step in entries(description)}
    for name in sorted(authors.outdated):
        way, step = ways[name]
        place = _own_place(step, file) or _own_place(_after(description, way), file)
        yield "outdated_sentence", place or top, name  # what was taken out has left no place
    for name in _untold(game):
        place = _key_place(description, ways[name][0]) if name in ways else None
        if place is not None and place.source.name == file:
            yield "no_sentence", place, name
    settled = {name: place for name, place in _options(description) if place.source.name == file}
    words = description.get("words") or {}
    meant = {head: words.value_at[head] for head in words if words.value_at[head].source.name == file}
    for name, (_, step) in ways.items():
        if not step.get("rule") or step.value_at["rule"].source.name == file or name in authors.outdated:
            continue
        said, does = _mentioned(step["rule"]), set(MEANT.findall(_own_text(step)))
        for option, place in settled.items():
            if option in does and option not in said and not _switched(step, option):
                yield "option_sentence", place, name
        for head, place in meant.items():
            if _uses(_own_text(step), head):
                yield "word_sentence", place, name


def _untold(game: Game) -> list[str]:
    """The steps that players notice and for which no sentence speaks."""

    def line(entry: Told) -> BookLine | None:
        return BookLine(str(entry.rule)) if entry.rule else None

    chapters = Chapters(game, line)
    chapters.all()
    return chapters.untold


def _own_place(step: Any, file: str) -> Place | None:
    """Where a file says something about a step."""
    for key in step if isinstance(step, Map) else ():
        inner = _own_place(step[key], file)
        if inner is not None:
            return inner
        for place in (step.key_at[key], step.value_at[key]):
            if place.source.name == file:
                return place
    return None


def _after(description: Map, way: tuple[str, ...]) -> Map:
    """The steps after one, up to the next that has a sentence."""
    home: Any = description["rules"]
    for key in way[:-1]:
        home = home[key]
    found, names = Map(home.at), list(home)
    for name in names[names.index(way[-1]) + 1 :]:
        if isinstance(home[name], Map) and home[name].get("rule"):
            break
        put(found, name, home[name], home.key_at[name], home.value_at[name])
    return found


def _key_place(description: Map, way: tuple[str, ...]) -> Place | None:
    home: Any = description["rules"]
    for key in way[:-1]:
        home = home[key]
    return home.key_at.get(way[-1])


def _options(description: Map) -> Iterator[tuple[str, Place]]:
    """Where each option got its value."""
    options = description.get("options") or {}
    for name, spec in options.items():
        if isinstance(spec, Map) and "default" in spec:
            yield name, spec.value_at["default"]


def _own_text(step: Map) -> str:
    """The expressions of a step, without those of the steps in it that have a sentence of their own."""
    found = []
    for key in step:
        if key in ("rule", "source", "decision", "text", "prompt"):
            continue
        value = step[key]
        if isinstance(value, Map):
            found += [key] + [_own_text(value)] * (not value.get("rule"))
        else:
            found += [key, str(value)]
    return " ".join(found)


def _mentioned(sentence: Any) -> set[str]:
    texts = sentence.values() if isinstance(sentence, Map) else [sentence]
    try:
        return {word for text in texts for name in mentioned(str(text)) for word in MEANT.findall(name)}
    except ValueError:
        return set()


def _switched(step: Map, option: str) -> bool:
    """Does the option only decide whether the step is carried out at all? Then the rulebook leaves it out."""
    return option in MEANT.findall(str(step.get("if", "")))


def _uses(text: str, head: str) -> bool:
    """Does an expression use the word of this head? Its own words in their order, with anything in between."""
    own = [word for word in re.split(r"\s+", re.sub(r"\b(called \w+)", "", head)) if word]
    first = (
        own[0]
        if len(own) > 1 and own[1] in ("of", "from", "at")
        else next((own[k + 1] for k in range(len(own) - 1) if own[k] in ("is", "are")), own[0])
    )
    return re.search(rf"\b{re.escape(first)}\b", text) is not None
