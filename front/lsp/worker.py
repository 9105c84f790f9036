"""What takes long is done by a process of its own, so that nobody who types has to wait, and given up as soon as the
text has changed."""

from __future__ import annotations

import gc
import os
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from ...interpreter.errors import Problem, RulesError
from ...interpreter.resolve import Library
from ...speech import language as speech_language
from ...speech.language import Language
from ..workbench.doubts import Warnings
from ..workbench.sayings import unsaid_conditions
from ..workbench.witness import assumptions
from .analysis import GivenUp, Mistake, mistakes, thorough, warned
from .desk import COLLECT, Desk, OpenLibrary

__all__ = ["Answer", "Task", "work"]


@dataclass(frozen=True, slots=True)
class Task:
    """Look at one of the files that are open."""

    number: int
    path: Path
    texts: dict[Path, str]
    folders: tuple[Path, ...]
    catalogues: tuple[Path, ...]
    language: str
    doubts: bool = False  # what is no mistake but may not be meant; on the disk must be what is open


@dataclass(frozen=True, slots=True)
class Answer:
    number: int
    path: Path
    mistakes: list[Mistake]  # all that is known so far
    complete: bool  # nothing more comes
    doubts: bool = False


def work(pipe: Connection) -> None:
    """Answers one task after the other; of several that wait only the last."""
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)  # the editor listens there: nothing of this process must get into it
    gc.set_threshold(*COLLECT)
    desk = Desk()
    try:
        while True:
            task: Any = pipe.recv()
            while pipe.poll():
                task = pipe.recv()
            if task is None:
                return
            _answer(task, desk, pipe)
    except (EOFError, OSError, KeyboardInterrupt):
        return


def _answer(task: Task, desk: Desk, pipe: Connection) -> None:
    if desk.folders != task.folders:
        desk.__init__(task.folders)  # type: ignore[misc]
    desk.open = task.texts
    speech_language.use_catalogues(task.catalogues)
    language, text = Language(task.language), task.texts[task.path]
    found: list[Mistake] = []
    try:

        def tell(problems: list[Problem], library: OpenLibrary) -> None:
            found[:] = mistakes(problems, task.path, text, library, language)
            if found:
                pipe.send(Answer(task.number, task.path, list(found), False))

        if task.doubts:
            found = _doubts(task, text, language)
        else:
            thorough(desk, task.path, pipe.poll, tell)
        pipe.send(Answer(task.number, task.path, found, True, task.doubts))
    except GivenUp:
        pass
    except (EOFError, OSError):
        raise
    except Exception:  # ours, not the author's: he keeps what was found quickly
        pipe.send(Answer(task.number, task.path, found, True, task.doubts))


def _doubts(task: Task, text: str, language: Language) -> list[Mistake]:
    """The warnings of `check --quick`, and what it takes for granted."""
    try:
        library = Library(task.folders)
        if "extends" not in library.load(task.path) and "players" not in library.load(task.path):
            return []
        if library.load(task.path).get("abstract"):
            return []
        warnings = Warnings(task.path, task.folders)
        doubts = warnings.find(quick=True)
        problems = [*warnings.problems, *(p for game in warnings.games.values() for p in unsaid_conditions(game))]
        assumed = assumptions(warnings.games.values())
    except RulesError:
        return []
    return [
        *warned(RulesError(problems).problems, task.path, text, language, 1),
        *warned(doubts, task.path, text, language, 2),
        *warned(assumed, task.path, text, language, 3),
    ]
