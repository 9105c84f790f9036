"""The sentences beside the steps of the rules, in the order in which the steps are carried out, by chapter."""

from __future__ import annotations

from collections.abc import Callable

from ...interpreter import Game
from ...interpreter.model import Rule, Step, Told
from ...speech.reasons import truth
from .pages import BookLine

__all__ = ["Chapters"]


class Chapters:
    """Goes through the rules as they are carried out, each once; what options switch off is left out."""

    def __init__(self, game: Game, line: Callable[[Told], BookLine | None]):
        self.game, self.line = game, line
        self.shown = game.rulebook.chapters
        self.found: dict[str, list[BookLine]] = {}
        self.seen: set[str] = set()
        self.texts: set[str] = set()
        self.later: list[Rule] = []  # rules that only a choice leads to: they are told after the rule that calls them
        self.chosen = 0  # inside how many choices we are

    def all(self) -> dict[str, list[BookLine]]:
        start = self.game.program.rules[self.game.rulebook.start]
        self._rule(start, start.name.split(" ")[0])
        order = [name for name in self.shown if name in self.found] + [n for n in self.found if n not in self.shown]
        return {name: self.found[name] for name in order}

    def _rule(self, rule: Rule, chapter: str) -> None:
        name = rule.name.split(" ")[0]
        if rule.name in self.seen:
            return
        self.seen.add(rule.name)
        chapter = name if name in self.shown else chapter
        self.found.setdefault(chapter, [])
        before, self.later, depth, self.chosen = self.later, [], self.chosen, 0
        self._steps(rule.steps, chapter)
        waiting, self.later, self.chosen = self.later, before, depth
        for callee in waiting:
            self._rule(callee, chapter)

    def _steps(self, steps: list[Step], chapter: str) -> None:
        for step in steps:
            self._step(step, chapter)

    def _step(self, step: Step, chapter: str) -> None:
        holds = truth(step.at["if"]) if step.verb == "if" else None
        if not (step.verb == "if" and holds is False and not step.bodies.get("else")) and not _idle(step):
            self._tell(step.told, chapter)
        if step.callee is not None and self.chosen:
            self.later.append(step.callee)
        elif step.callee is not None:
            self._rule(step.callee, chapter)
        for key, body in step.bodies.items():
            if step.verb == "if" and holds is not None and holds != (key == "then"):
                continue
            self._steps(body, chapter)
        for alternative in step.alternatives:
            if alternative.given is not None and truth(alternative.given) is False:
                continue
            self._tell(alternative.told, chapter)
            self.chosen += 1
            self._steps(alternative.then, chapter)
            self.chosen -= 1

    def _tell(self, entry: Told, chapter: str) -> None:
        line = self.line(entry)
        if line is not None and line.text not in self.texts:
            self.texts.add(line.text)
            self.found[chapter].append(line)


def _idle(step: Step) -> bool:
    """A name for a value that the options leave no choice about."""
    return (
        step.verb == "let"
        and bool(step.vars)
        and all(step.at[name].op == "cond" and truth(step.at[name].args[0]) is False for name in step.vars)
    )
