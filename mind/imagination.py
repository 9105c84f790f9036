"""What may follow from a choice, as far as the one who chooses can know.

A player imagines: he takes what he has seen, one of the worlds he holds possible, and the question he is asked, and
puts
a state together from them. What nobody tells him is a guess. In that state he can go on playing by the rules, and see
where a choice leads. Nothing here looks at the real state.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ..interpreter.blocks import FAILS, FITS, OVER
from ..interpreter.errors import RulesError
from ..interpreter.model import Expr, Function, Step, Var, walk
from ..interpreter.slots import HEADER
from ..interpreter.state import State

__all__ = ["Imagination", "Insight", "Question", "insight", "question_of"]

MISTAKES = (TypeError, IndexError, KeyError, ValueError, RulesError)  # a guess that the rules cannot go on with
LONG = 40  # decisions after which one stops to imagine
MANY = 20  # choices of which it is worth while to remember which win
WON = 50_000  # deals of which that is remembered
TRIED = 24  # answers of somebody else that are looked at, to see which wins for him


@dataclass(slots=True)
class Question:
    """A question as it is put to a player: which one, and what he may know of the variables it stands among."""

    node: int
    alive: dict[int, Any]  # by slot
    unknown: tuple[int, ...] = ()  # slots of variables that are alive, but that not all may know
    back: dict[int, int] = field(default_factory=dict)  # where the rules that are under way will go on
    planning: int | None = None


def question_of(state, game) -> Question:
    """What may be told to the one who is asked. Whether he is asked at all hangs only on what he may know, so where in
    the rules the question stands is no secret to him."""
    program, v = game.program, state.v
    node = program.nodes[v[0]]
    slots, back, rule = list(node.slots), {}, node.rule
    while rule is not None:
        place = program.return_slot[rule.shape]
        back[place] = v[place]
        rule, alive = program.returns.get(v[place], (None, ()))
        slots += alive
    secret = insight(game).secret_variables
    told = {slot: v[slot] for slot in slots if slot not in secret}
    return Question(v[0], told, tuple(s for s in slots if s in secret), back, v[4])


class Insight:
    """What can be told from the rules alone, once for each game."""

    def __init__(self, game):
        self.game = game
        self.memory: dict[Any, Any] = {}  # for bots: what they have worked out about the game, whoever plays it
        steps = [(rule, step) for rule in game.program.rules.values() for step in walk(rule.steps)]
        self.variables: dict[int, Var] = {}
        self.secret_variables: set[int] = set()
        for rule, step in steps:
            loop = step.at["loop"].args if step.at.get("loop") is not None else ()
            for var in (*step.visible, *step.vars.values(), *rule.params, *rule.variables, *loop):
                if var is not None and var.slot >= 0:
                    self.variables.setdefault(HEADER + var.slot, var.origin)
                    if var.secret or var.origin.secret:
                        self.secret_variables.add(HEADER + var.slot)
        self.lists = [
            [(place, kind.name) for place, kind in enumerate(event.types, 1) if kind.many]
            for event in game.program.events
        ]  # of each event: where in its rows several things are told
        changing = {id(f) for _, step in steps if step.verb == "set" for f, _, _ in step.targets}
        self.dealt: list[int] = []  # slots of secrets that stay as they were dealt
        self.unchanging: list[int] = []  # slots that keep all game long what they were dealt or began with
        self.volatile: set[int] = set()  # slots that all see and that change
        self.owned: dict[int, Function] = {}
        for functions in game.vocabulary.functions.values():
            for function in functions:
                if function.kind != "state":
                    continue
                size = 1
                for param in function.params:
                    size *= len(param.type.atoms)
                slots = range(function.base, function.base + size)
                if id(function) not in changing:
                    self.unchanging += slots
                if function.view == "all" and id(function) in changing:
                    self.volatile.update(slots)
                elif function.view != "all" and id(function) not in changing:
                    self.dealt += slots
                    self.owned.update(dict.fromkeys(slots, function))
        # dealt out of a set of things that there are only once: what one holds, no other does
        self.unique = {
            id(step.targets[0][0]) for _, step in steps if step.verb == "deal" and step.targets[0][2].type.kind == "set"
        }
        self.final = {}  # node -> alternatives that can end the game
        self.grave = {}  # node -> alternatives that random players are told to take rarely
        self.timeless = {}  # node -> alternatives that end the game, by what was dealt and by nothing that changes
        self.near = set()  # nodes after which the game may end at once, whatever is chosen
        ending = {id(step) for rule in game.program.rules.values() for step in _before_an_end(rule.steps, False)}
        self.tells = {}  # node -> does what is offered hang on the chooser's own secrets?
        for node in game.program.nodes:
            if node.kind == "ask":
                self.final[node.number] = {a.atom for a in node.step.alternatives if _ends(a.then)}
                self.timeless[node.number] = {
                    a.atom for a in node.step.alternatives if _surely_ends(a.then) and not self.reads(a.then, changing)
                }
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


def looks_at(exprs: list, wanted: Callable[[Function], bool]) -> bool:
    """Does any of these expressions look at such a function of the state, itself or through words and tables?"""
    found: set[int] = set()

    def look(expr) -> bool:
        if not isinstance(expr, Expr):
            return False
        if expr.op in ("state", "word", "formula"):
            function = expr.args[0]
            if expr.op == "state" and wanted(function):
                return True
            if id(function) not in found:
                found.add(id(function))
                bodies = (
                    [function.body] if expr.op == "word" else function.values.values() if expr.op == "formula" else ()
                )
                if any(look(body) for body in bodies):
                    return True
        return any(look(kid) for kid in expr.kids())

    return any(look(e) for e in exprs)


_INSIGHTS: dict[int, Insight] = {}


def insight(game) -> Insight:
    found = _INSIGHTS.get(id(game))
    if found is None:
        while len(_INSIGHTS) >= 16:
            del _INSIGHTS[next(iter(_INSIGHTS))]
        found = _INSIGHTS[id(game)] = Insight(game)  # it holds the game, so the number stays the game's
    return found


def _ends(steps: list[Step], under_way: frozenset = frozenset()) -> bool:
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


def _before_an_end(steps: list[Step], end_follows: bool):
    """The questions after which, in the same rule, an end may follow."""
    for index, step in enumerate(steps):
        follows = end_follows or any(s.verb == "end" for s in walk(steps[index + 1 :]))
        if step.verb == "ask" and follows:
            yield step
        for body in (*step.bodies.values(), *(a.then for a in step.alternatives)):
            yield from _before_an_end(body, follows)


class Imagination:
    """The question put to a player, in any of his worlds."""

    def __init__(self, belief, question: Question, last_seen: dict[str, Any] | None = None):
        self.belief, self.question = belief, question
        self.game, self.me = belief.game, belief.me
        self.insight = insight(self.game)
        program = self.game.program
        v = program.start.copy()
        v[0], v[4] = question.node, question.planning
        v[1] = v[2] = v[3] = None
        v[5], v[6], v[7], v[8] = (), -1, (), False  # a game inside a match is imagined until its own end, no further
        v[HEADER : HEADER + program.state_slots] = belief.known
        for slot, value in question.alive.items():
            v[slot] = value
        for slot, value in question.back.items():
            v[slot] = value
        for slot in question.unknown:  # most likely it is what was shown last
            var = self.insight.variables.get(slot)
            if var is not None:
                guess = () if var.type.many else min(var.type.atoms, default=None)
                v[slot] = (last_seen or {}).get(var.type.name, guess)
        self.template = v
        self._placed = [(HEADER + slot, index) for slot, index in belief.place.items()]

    def state(self, world: tuple) -> State:
        v = self.template.copy()
        for slot, index in self._placed:
            v[slot] = world[index]
        return State(self.game, v)

    def moved_to(self, state: State, world: tuple) -> State:
        """The same position in another world."""
        v = state.v.copy()
        for slot, index in self._placed:
            v[slot] = world[index]
        return State(self.game, v)

    # --- endings ------------------------------------------------------------------------------------------------------
    def winning(self, world: tuple, choices: list[tuple]) -> list[tuple]:
        """Those choices that win in this world. Where many can be said, and what was dealt decides which is right, it
        is remembered for the next time."""
        state, insight, node = self.state(world), self.insight, self.question.node
        if len(choices) <= MANY or any(c[0] not in insight.timeless[node] for c in choices):
            return [c for c in choices if self.wins(state, c)]
        said, won = insight.memory.get((Imagination, node), ((), {}))
        if said != choices or len(won) >= WON:
            insight.memory[Imagination, node] = said, won = choices, {}
        v, question = state.v, self.question
        key = (
            self.me,
            *(v[HEADER + slot] for slot in insight.unchanging),
            *(v[s] for s in (*question.alive, *question.unknown)),
        )
        if key not in won:
            won[key] = {c for c in choices if self.wins(state, c)}
        return [c for c in choices if c in won[key]]

    @staticmethod
    def after(state: State, choice: tuple) -> State | None:
        state = state.clone()
        try:
            state.apply(choice, trusted=True)
        except MISTAKES:
            return None
        return state

    def wins(self, state: State, choice: tuple, who: int | None = None) -> bool | None:
        """Does this choice win for the one who makes it? The others do what wins for them. None: it ends nothing."""
        who = self.me if who is None else who
        state = self.after(state, choice)
        for _ in range(4):
            if state is None:
                return None
            v = state.v
            if v[0] == OVER:
                return who in v[3][0]
            node = self.game.program.nodes[v[0]]
            if node.kind != "ask":
                return None
            actor = node.actor(v)
            if actor == who:
                return None
            state = self._best_for(actor, state, node)
        return None

    def _best_for(self, actor: int, state: State, node) -> State | None:
        other = None
        try:
            choices = node.legal(state.v)[:TRIED]
        except MISTAKES:
            return None
        for choice in choices:
            after = self.after(state, choice)
            if after is not None and after.v[0] == OVER and actor in after.v[3][0]:
                return after
            other = other or after
        return other

    def ends(self, choice: tuple) -> bool:
        """May this choice end the game at once?"""
        return any(
            after is not None and after.v[0] == OVER
            for after in (self.after(self.state(world), choice) for world in self.belief.worlds[:3])
        )

    def ends_well(self, state: State, choice: tuple, rng: random.Random) -> bool:
        """For what decides nothing yet: does it win when all go on without thinking, and soon declare?"""
        state = self.after(state, choice)
        for _ in range(LONG):
            if state is None:
                return False
            v = state.v
            node = self.game.program.nodes[v[0]]
            if v[0] == OVER:
                return self.me in v[3][0]
            if node.kind == "over":
                return False
            try:
                choices = [(x,) for x in v[node.pool]] if node.kind == "chance" else node.legal(v)
                if node.kind == "ask" and node.actor(v) != self.me and self.insight.final[node.number]:
                    choices = [c for c in choices if c[0] in self.insight.final[node.number]] or choices
                state.apply(choices[int(rng.random() * len(choices))], trusted=True)
            except MISTAKES:
                return False
        return False

    # --- plans --------------------------------------------------------------------------------------------------------
    def trial(self) -> State:
        """Inside a plan: a state in which it is only tried, and that stops where the plan ends."""
        state = self.state(self.belief.worlds[0])
        state.v[8] = True
        return state

    @staticmethod
    def fits(state: State) -> bool | None:
        """Of a tried plan: has it ended well (or not)? None while it goes on."""
        return True if state.v[0] == FITS else False if state.v[0] == FAILS else None
