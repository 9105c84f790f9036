"""Trees, logs and choices as sentences of a language, and back. It knows no game, and draws nothing.

| module | what others use of it |
|---|---|
| `language` | `Language`, `N_`, `fill`, `LANGUAGES`: catalogues, plurals, lists, numbers |
| `narrator` | `Narrator`, `question_name`: what happens, values and things, in words |
| `conditions` | `Speaker`: conditions in words |
| `tongue`, `lexicon`, `grammar` | a language as data, the words of a game in it, the rules made of both |
| `rules`, `noun_rules`, `value_rules`, `clause_rules` | the parts of `grammar`, each built on the one before |
| `planning`, `reading`, `building` | expressions to trees, sentences to trees, trees to expressions, for `conditions` |
| `simplifying`, `rewriting`, `restating`, `phrasing` | for `planning`: the simplest form, its steps, words, things |
| `understanding` | `reader_of`: sentences in rule files; the interpreter finds it through its doors |
| `checking` | `defects`: what a translation of a game lacks, or has wrong |
| `goals` | `Goals`: the table of goals, as a player is told it |
| `reasons` | `explain`, `told`, `truth`: the rule behind a choice, and where it comes from |
| `lines` | choices and lines of logs as people write them in scenarios |
| `catalogue`, `catalogue_files`, `formats` | catalogues, numbers and lists, for `language` |
| `extract` | the texts of rule files, for `pybabel extract` |
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..interpreter import doors

if TYPE_CHECKING:
    from ..interpreter.doors import Reader


def _reader_of(game: Any) -> Reader:
    from .understanding import reader_of

    return reader_of(game)


def _called(code: str, kind: str, name: str) -> list[str]:
    from .understanding import called

    return called(code, kind, name)


def _sources() -> list[Path]:
    from .language import grammar_folders

    files = ("*/LC_MESSAGES/*.po", "*/grammar.yaml")
    return [path for folder in grammar_folders() for pattern in files for path in sorted(folder.glob(pattern))]


doors.readers.append(_reader_of)
doors.callers.append(_called)
doors.sources.append(_sources)
