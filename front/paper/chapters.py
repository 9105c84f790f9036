"""The sentences beside the steps of the rules, in the order in which the steps are carried out, by chapter."""

from __future__ import annotations

from collections.abc import Callable

from ...interpreter import Game
from ...interpreter.model import Expr, Rule, Step, Told, walk
from ...speech.reasons import truth
from ...speech.stating import NOTICED, Stating
from .pages import BookLine

__all__ = ["Chapters"]

Covers = frozenset[int]  # the authors whose sentences speak for what is told


class Chapters:
    """Goes through the rules as they are carried out, each once; what options switch off is left out. A step for which
    no sentence speaks, or one from before it was changed, is said from the step itself."""

    def __init__(self, game: Game, line: Callable[[Told], BookLine | None], stating: Stating | None = None):
        self.game, self.line, self.stating = game, line, stating
        self.shown, self.authors = game.rulebook.chapters, game.rulebook.authors
        self.found: dict[str, list[BookLine]] = {}
        self.seen: set[str] = set()
        self.texts: set[str] = set()
        self.untold: list[str] = []  # steps and alternatives that players notice and for which no sentence speaks
        self.later: list[tuple[Rule, Covers]] = []  # what only a choice leads to: told after the rule that calls it
        self.chosen = 0  # inside how many choices we are
        self.conditions: list[tuple[Expr, bool]] = []  # under which a step is carried out that is said from itself

    def all(self) -> dict[str, list[BookLine]]:
        start = self.game.program.rules[self.game.rulebook.start]
        self._rule(start, start.name.split(" ")[0], frozenset())
        order = [name for name in self.shown if name in self.found] + [n for n in self.found if n not in self.shown]
        return {name: self.found[name] for name in order}

    def _rule(self, rule: Rule, chapter: str, covers: Covers) -> None:
        name = rule.name.split(" ")[0]
        if rule.name in self.seen:
            return
        self.seen.add(rule.name)
        chapter = name if name in self.shown else chapter
        self.found.setdefault(chapter, [])
        before, self.later, depth, self.chosen = self.later, [], self.chosen, 0
        outside, self.conditions = self.conditions, []
        self._steps(rule.steps, chapter, covers | self._authors(rule.steps))
        waiting, self.later, self.chosen, self.conditions = self.later, before, depth, outside
        for callee, inherited in waiting:
            self._rule(callee, chapter, inherited)

    def _authors(self, steps: list[Step]) -> Covers:
        """Those who wrote sentences about these steps."""
        names = [
            name for step in walk(steps) for name in (step.name, *(f"{step.name}/{a.name}" for a in step.alternatives))
        ]
        wrote = self.authors.sentences
        return frozenset(wrote[name] for name in names if name in wrote and name not in self.authors.outdated)

    def _steps(self, steps: list[Step], chapter: str, covers: Covers) -> None:
        outdated = False  # the last sentence, which spoke for what follows too
        for step in steps:
            if step.told.rule:
                outdated = step.name in self.authors.outdated
            self._step(step, chapter, self._authors([step]) if outdated else covers)

    def _step(self, step: Step, chapter: str, covers: Covers) -> None:
        holds = truth(step.at["if"]) if step.verb == "if" else None
        idle = step.verb == "if" and holds is False and not step.bodies.get("else") or _idle(step)
        outdated = step.name in self.authors.outdated
        if not idle:
            if outdated or not step.told.rule and not self._covered(step.name, covers):
                self.untold += [step.name] if step.verb in NOTICED and not outdated else []
                self._in_own_words(self._own_words(step), chapter)
            if not outdated:
                self._tell(step.told, chapter)
        if step.callee is not None and self.chosen:
            self.later.append((step.callee, covers))
        elif step.callee is not None:
            self._rule(step.callee, chapter, covers)
        for key, body in step.bodies.items():
            if step.verb == "if" and holds is not None and holds != (key == "then"):
                continue
            under = [(step.at["if"], key == "then")] if step.verb == "if" and holds is None else []
            self.conditions += under
            self._steps(body, chapter, covers)
            del self.conditions[len(self.conditions) - len(under) :]
        for alternative in step.alternatives:
            if alternative.given is not None and truth(alternative.given) is False:
                continue
            name = f"{step.name}/{alternative.name}"
            if alternative.told.rule and name not in self.authors.outdated:
                self._tell(alternative.told, chapter)
            elif not self._covered(name, covers) and self._covered(
                step.name, covers
            ):  # if not, it is said with the step
                self.untold.append(name)
                if self.stating is not None:
                    self._in_own_words(self.stating.alternative(step, alternative), chapter)
            self.chosen += 1
            self._steps(alternative.then, chapter, covers)
            self.chosen -= 1

    def _covered(self, name: str, covers: Covers) -> bool:
        """Has somebody who wrote sentences here known the step as it is?"""
        return any(name not in self.authors.changed[author] for author in covers)

    def _own_words(self, step: Step) -> str:
        if self.stating is None:
            return ""
        if step.verb in ("for each", "repeat"):
            inside = [inner for body in step.bodies.values() for inner in walk(body)]
            return self.stating.loop(step) if any(s.verb in NOTICED for s in inside) else ""
        return self.stating.step(step)

    def _in_own_words(self, sentence: str, chapter: str) -> None:
        for condition, holds in reversed(self.conditions) if sentence and self.stating is not None else ():
            sentence = (self.stating.condition if holds else self.stating.otherwise)(condition, sentence)
        self._add(BookLine(sentence), chapter)

    def _tell(self, entry: Told, chapter: str) -> None:
        line = self.line(entry)
        if line is not None:
            self._add(line, chapter)

    def _add(self, line: BookLine, chapter: str) -> None:
        if line.text and line.text not in self.texts:
            self.texts.add(line.text)
            self.found[chapter].append(line)


def _idle(step: Step) -> bool:
    """A name for a value that the options leave no choice about."""
    return (
        step.verb == "let"
        and bool(step.vars)
        and all(step.at[name].op == "cond" and truth(step.at[name].args[0]) is False for name in step.vars)
    )
