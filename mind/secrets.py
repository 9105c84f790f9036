"""Whether all secrets of a game are dealt at its beginning and only shown later. Then a world is a deal, and to strike
out deals is much quicker than to follow all that may have happened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..interpreter.evaluate import evaluate
from ..interpreter.model import Expr, Function, Step, walk
from ..interpreter.trees import expression_at, walk_expressions

if TYPE_CHECKING:
    from ..interpreter.game import Game

__all__ = ["changing", "dealt_once", "deals_suffice"]

QUIET = frozenset("if repeat call play return end let set show say draw deal ask plan".split()) | {"for each"}
_FOUND: dict[int, tuple[Game, bool]] = {}


def dealt_once(game: Game) -> bool:
    """Do secrets stay as they were dealt, once somebody has decided something, and does chance then do nothing unseen?
    What players choose in secret may be written down, if nothing but their choice is."""
    found = _FOUND.get(id(game))
    if found is None:
        while len(_FOUND) >= 32:
            del _FOUND[next(iter(_FOUND))]
        found = _FOUND[id(game)] = (game, _Opening(game).closes())
    return found[1]


def changing(game: Game) -> set[Function]:
    """The state that may still change when somebody has decided something."""
    found = _Later(game)
    found.closes()
    return found.changed


def deals_suffice(game: Game) -> bool:
    """Is it enough to know which deals are possible? So it is taken to be where secrets are dealt once, and what
    players show one another is what the rules call their notes: what two others might tell from theirs is left open.
    That it comes to the same is tested for the games that come along."""
    return game.screens.notes is not None and dealt_once(game)


class _Opening:
    """Goes through the rules in the order in which they are carried out, and looks what is still hidden after the first
    decision."""

    quiet: frozenset[str] | None = QUIET  # the verbs that it understands; None: all

    def __init__(self, game: Game):
        self.game = game
        self.dealt: set[Function] = {f for f in game.screens.secrets if f.view != "all"}
        self.asks: dict[str, bool] = {}
        self.done: set[tuple[str, bool]] = set()

    def closes(self) -> bool:
        program = self.game.program
        start = next(r for r in program.rules.values() if program.start[program.return_slot[r.shape]] is not None)
        return self._row(start.steps, False) is not None

    def _row(self, steps: list[Step], decided: bool) -> bool | None:
        """Has anything been decided after these steps? None, if something hidden changes after that."""
        for step in steps:
            after = self._step(step, decided)
            if after is None:
                return None
            decided = after
        return decided

    def _step(self, step: Step, decided: bool) -> bool | None:
        if self.quiet is not None and step.verb not in self.quiet or decided and not self._is_open(step):
            return None
        if not decided:
            self.dealt |= {f for f, _, _ in step.targets if f.view != "all"}
        if step.verb == "if":
            settled = _settled(expression_at(step, "if"))
            found = [
                self._row(step.bodies.get(key) or [], decided)
                for key, wanted in (("then", True), ("else", False))
                if settled is None or settled == wanted
            ]
            return None if None in found else decided or any(found)
        decided = decided or step.verb == "ask" or self._asks_in(step)
        inner = False if step.verb == "play" else decided  # a game of a match is dealt anew
        rows = [*step.bodies.values(), *(a.then for a in step.alternatives)]
        if step.callee is not None and (step.callee.shape, inner) not in self.done:
            self.done.add((step.callee.shape, inner))
            rows.append(step.callee.steps)
        for row in rows:
            if self._row(row, inner) is None:
                return None
        return decided

    def _asks_in(self, step: Step) -> bool:
        """May something be decided inside a loop, before it is gone through again?"""
        if step.verb not in ("for each", "repeat", "plan", "call"):
            return False
        if step.verb == "call":
            return self._rule_asks(step)
        return any(s.verb == "ask" or s.callee is not None and self._rule_asks(s) for s in walk([step]))

    def _rule_asks(self, step: Step) -> bool:
        rule = step.called
        if rule.shape not in self.asks:
            self.asks[rule.shape] = False
            self.asks[rule.shape] = any(
                s.verb == "ask" or s.callee is not None and self._rule_asks(s) for s in walk(rule.steps)
            )
        return self.asks[rule.shape] and step.verb != "play"

    def _is_open(self, step: Step) -> bool:
        """Do all see what changes by this step, or is it but a note of what was chosen?"""
        if step.verb == "draw":
            return step.audience == "all"
        return all(f.view == "all" or step.verb == "set" and self._is_note(f, v) for f, _, v in step.targets)

    def _is_note(self, function: Function, value: Expr) -> bool:
        read = {e.args[0] for e in walk_expressions([value], defined=True) if e.op == "state"}
        return function not in self.dealt and all(f is function or f.view == "all" for f in read)


class _Later(_Opening):
    """Goes through all of them, and notes what changes."""

    quiet = None

    def __init__(self, game: Game):
        super().__init__(game)
        self.changed: set[Function] = set()

    def _is_open(self, step: Step) -> bool:
        self.changed |= {function for function, _, _ in step.targets} | set(step.changes)
        return True


def _settled(test: Expr) -> bool | None:
    """What a condition is that hangs on the options alone."""
    try:
        return bool(evaluate(test, (), {}))
    except (KeyError, IndexError, TypeError):
        return None
