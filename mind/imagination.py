"""What may follow from a choice, as far as the one who chooses can know.

A player imagines: he takes what he has seen, one of the worlds he holds possible, and the question he is asked, and
puts a position together from them. What nobody tells him is a guess. From there he can go on playing by the rules, and
see where a choice leads. Nothing here looks at the real state.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ..interpreter.cells import cells_of
from ..interpreter.errors import RulesError
from ..interpreter.model import Expr, Function, Step, Var, walk
from ..interpreter.trees import walk_expressions
from .claims import Claims

if TYPE_CHECKING:
    from ..interpreter.game import Game
    from ..interpreter.position import Position
    from ..interpreter.question import Question
    from ..interpreter.state import Choice
    from .belief import Belief, World

__all__ = ["Imagination", "Insight", "insight", "looks_at"]

MISTAKES = (TypeError, IndexError, KeyError, ValueError, RulesError)  # a guess that the rules cannot go on with
LONG = 40  # decisions after which one stops to imagine
MANY = 20  # choices of which it is worth while to remember which win
WON = 50_000  # deals of which that is remembered
TRIED = 24  # answers of somebody else that are looked at, to see which wins for him


class Insight:
    """What can be told from the rules alone, once for each game."""

    def __init__(self, game: Game):
        self.game = game
        self.memory: dict[Any, Any] = {}  # for bots: what they have worked out about the game, whoever plays it
        steps = [step for rule in game.program.rules.values() for step in walk(rule.steps)]
        self.lists = [
            [(place, kind.name) for place, kind in enumerate(event.types, 1) if kind.many]
            for event in game.program.events
        ]  # of each event: where in its rows several things are told
        self.ends = frozenset(event.number for event in game.program.events if event.kind == "end")
        changing = {id(function) for step in steps for function in step.changes}
        self.unchanging: list[int] = []  # cells that keep all game long what they were dealt or began with
        self.owned: dict[int, Function] = {}  # cells of secrets that stay as they were dealt, and whose they are
        for functions in game.vocabulary.functions.values():
            for function in functions:
                if function.kind != "state":
                    continue
                cells = cells_of(function)
                if id(function) not in changing:
                    self.unchanging += cells
                if function.view != "all" and id(function) not in changing:
                    self.owned.update(dict.fromkeys(cells, function))
        self.dealt = tuple(self.owned)
        # dealt out of a set of things that there are only once: what one holds, no other does
        self.unique = {
            id(step.targets[0][0]) for step in steps if step.verb == "deal" and step.targets[0][2].type.kind == "set"
        }
        # By the number of a question:
        self.final: dict[int, set[int]] = {}  # alternatives that can end the game
        self.plain: dict[int, list[int]] = {}  # alternatives in which nothing has to be named
        self.grave: dict[int, set[int]] = {}  # alternatives that random players are told to take rarely
        self.timeless: dict[int, set[int]] = {}  # those that end it, by what was dealt and by nothing that changes
        self.settled: dict[int, set[int]] = {}  # those that end it, with nothing changed before
        self.near: set[int] = set()  # questions after which the game may end at once, whatever is chosen
        ending = {id(step) for rule in game.program.rules.values() for step in _before_an_end(rule.steps, False)}
        self.tells: dict[int, bool] = {}  # does what is offered hang on the chooser's own secrets?
        for node in game.program.nodes:
            if node.kind == "ask" and node.step is not None:
                self.final[node.number] = {a.atom for a in node.step.alternatives if _ends(a.then)}
                self.timeless[node.number] = {
                    a.atom for a in node.step.alternatives if _surely_ends(a.then) and not self.reads(a.then, changing)
                }
                self.settled[node.number] = {
                    a.atom for a in node.step.alternatives if _only_judged(a.then) and _comes_to_an_end(a.then)
                }
                self.plain[node.number] = [a.atom for a in node.step.alternatives if not a.parts]
                self.grave[node.number] = {a.atom for a in node.step.alternatives if a.rarely > 1}
                self.tells[node.number] = self.reads_secrets(node.step)
                if id(node.step) in ending:
                    self.near.add(node.number)

    def reads_secrets(self, step: Step) -> bool:
        parts = [*step.parts, *(p for a in step.alternatives for p in a.parts)]
        exprs = [e for p in parts for e in (p.source, p.amount, p.onto, *(x for _, *pair in p.which for x in pair))]
        exprs += [step.at.get("where"), *(e for a in step.alternatives for e in (a.given, a.where))]
        return looks_at(exprs, lambda f: self.owned.get(f.base) is f)

    @staticmethod
    def reads(steps: list[Step], changing: set[int]) -> bool:
        """May something that changes in the course of a game decide where these steps lead? What is only written does
        not: it is nowhere looked at."""
        exprs = [e for step in walk(steps) if step.verb != "set" for e in step.at.values()]
        return looks_at(exprs, lambda f: id(f) in changing)


def looks_at(exprs: Iterable[Expr | None], wanted: Callable[[Function], bool]) -> bool:
    """Does any of these expressions look at such a function of the state, itself or through words and tables?"""
    found = walk_expressions((e for e in exprs if isinstance(e, Expr)), defined=True)
    return any(e.op == "state" and wanted(e.args[0]) for e in found)


_INSIGHTS: dict[int, Insight] = {}


def insight(game: Game) -> Insight:
    found = _INSIGHTS.get(id(game))
    if found is None:
        while len(_INSIGHTS) >= 16:
            del _INSIGHTS[next(iter(_INSIGHTS))]
        found = _INSIGHTS[id(game)] = Insight(game)  # it holds the game, so the number stays the game's
    return found


def _ends(steps: list[Step], under_way: frozenset[str] = frozenset()) -> bool:
    """May the game end by these steps? Not if somebody has still to choose that it does."""
    for step in steps:
        if step.verb == "end":
            return True
        if step.callee is not None and step.callee.shape not in under_way:
            if _ends(step.callee.steps, under_way | {step.callee.shape}):
                return True
        if any(_ends(body, under_way) for body in step.bodies.values()):
            return True
        if step.alternatives and all(_ends(a.then, under_way) for a in step.alternatives):
            return True
    return False


def _only_judged(steps: list[Step]) -> bool:
    """Does nothing change by these steps, though somebody may still be asked something?"""
    verbs = ("ask", "show", "say", "let", "if", "end")
    return all(
        step.verb in verbs
        and not step.changes
        and not step.targets
        and (step.verb != "ask" or not step.bodies and not any(a.then for a in step.alternatives))
        for step in walk(steps)
    )


def _comes_to_an_end(steps: list[Step]) -> bool:
    return any(
        step.verb == "end"
        or step.verb == "if"
        and all(_comes_to_an_end(step.bodies.get(key) or []) for key in ("then", "else"))
        for step in steps
    )


def _surely_ends(steps: list[Step]) -> bool:
    """Does the game end by these steps, with nothing asked, drawn or called before?"""
    for step in steps:
        if (
            step.verb == "end"
            or step.verb == "if"
            and all(_surely_ends(step.bodies.get(b, [])) for b in ("then", "else"))
        ):
            return True
        if step.verb not in ("show", "say", "set", "let", "if"):
            return False
    return False


def _before_an_end(steps: list[Step], end_follows: bool) -> Iterator[Step]:
    """The questions after which, in the same rule, an end may follow."""
    for index, step in enumerate(steps):
        follows = end_follows or any(s.verb == "end" for s in walk(steps[index + 1 :]))
        if step.verb == "ask" and follows:
            yield step
        for body in (*step.bodies.values(), *(a.then for a in step.alternatives)):
            yield from _before_an_end(body, follows)


class Imagination:
    """The question put to a player, in any of his worlds."""

    def __init__(self, belief: Belief, question: Question, last_seen: dict[str, Any] | None = None):
        self.belief, self.question = belief, question
        self.game, self.me = belief.game, belief.me
        self.insight = insight(self.game)
        seen = last_seen or {}
        guesses = {var: seen.get(var.type.name, _guess(var)) for var in question.unknown}  # what was shown last
        self._around = (tuple(question.told.values()), tuple(guesses.values()))
        self._start = self.game.position(question, belief.known, guesses)
        self._places = tuple(belief.place)

    def state(self, world: World) -> Position:
        """The position as it would be in this world."""
        known = self.belief.imagined(world)
        return known if known is not None else self._start.placed(self._places, world)

    def moved_to(self, position: Position, world: World) -> Position:
        """The same position in another world."""
        return position.placed(self._places, world)

    # --- endings ------------------------------------------------------------------------------------------------------
    def winning(self, world: World, choices: list[Choice]) -> list[Choice]:
        """Those choices that win in this world. Where many can be said, and what was dealt decides which is right, it
        is remembered for the next time."""
        position, insight, number = self.state(world), self.insight, self.question.number
        if self.belief.imagined(world) is not None or len(choices) <= MANY:
            return self.won_by(position, choices, self.me)
        said, won = insight.memory.get((Imagination, number), ((), {}))
        if said != choices or len(won) >= WON:
            if any(c[0] not in insight.timeless[number] for c in choices):
                return self.won_by(position, choices, self.me)
            insight.memory[Imagination, number] = said, won = choices, {}
        cells = position.cells()
        key = (self.me, tuple([cells[cell] for cell in insight.unchanging]), self._around)
        if key not in won:
            won[key] = self.won_by(position, choices, self.me)
        found: list[Choice] = won[key]
        return found

    def won_by(self, position: Position, choices: list[Choice], who: int) -> list[Choice]:
        """Those choices that win for the one who makes them."""
        settled = self.insight.settled[position.number] | self.insight.timeless[position.number]
        if {c[0] for c in choices} <= settled:
            claims: Claims | None = self.insight.memory.get(Claims)
            if claims is None:
                claims = self.insight.memory[Claims] = Claims(self.game)
            choices = claims.worth_trying(position, choices, who)
        return [c for c in choices if self.wins(position, c, who)]

    @staticmethod
    def after(position: Position, choice: Choice) -> Position | None:
        position = position.clone()
        try:
            position.apply(choice, trusted=True)
        except MISTAKES:
            return None
        return position

    def wins(self, position: Position, choice: Choice, who: int | None = None) -> bool | None:
        """Does this choice win for the one who makes it? The others do what wins for them. None: it ends nothing."""
        who = self.me if who is None else who
        after = self.after(position, choice)
        for _ in range(4):
            if after is None:
                return None
            if after.over:
                return who in after.winners
            actor = after.asked
            if actor is None or actor == who:
                return None
            after = self._best_for(actor, after)
        return None

    def _best_for(self, actor: int, position: Position) -> Position | None:
        other = None
        try:
            choices = position.offers()[:TRIED]
        except MISTAKES:
            return None
        for choice in choices:
            after = self.after(position, choice)
            if after is not None and after.over and actor in after.winners:
                return after
            other = other or after
        return other

    def ends(self, choice: Choice) -> bool:
        """May this choice end the game at once?"""
        return any(
            after is not None and after.over
            for after in (self.after(self.state(world), choice) for world in self.belief.worlds[:3])
        )

    def ends_well(self, position: Position, choice: Choice, rng: random.Random) -> bool:
        """For what decides nothing yet: does it win when all go on without thinking, and soon declare?"""
        after = self.after(position, choice)
        for _ in range(LONG):
            if after is None:
                return False
            if after.is_over:
                return after.over and self.me in after.winners
            try:
                if after.is_chance:
                    choices: list[Choice] = [(x,) for x in after.pool()]
                else:
                    choices, final = after.offers(), self.insight.final[after.number]
                    if final and after.asked != self.me:
                        choices = [c for c in choices if c[0] in final] or choices
                after.apply(choices[int(rng.random() * len(choices))], trusted=True)
            except MISTAKES:
                return False
        return False

    # --- plans --------------------------------------------------------------------------------------------------------
    def trial(self) -> Position:
        """Inside a plan: a position in which it is only tried, and that stops where the plan ends."""
        return self.state(self.belief.worlds[0]).tried()


def _guess(var: Var) -> Any:
    """What somebody takes a variable to be of which he has heard nothing."""
    return () if var.type.many else min(var.type.atoms, default=None)
