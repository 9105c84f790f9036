"""The rules as one seat may come to know them: what is carried out, in which branch, how often; what is noticed of it.

`pc` are the secrets on which it hangs that a step is reached at all. What the verbs themselves do stands in flow.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import product
from typing import NamedTuple

from .audience import Audience
from .errors import Phrase, RulesError, problem
from .keyboard import SHOWN, UNSURE, Move, Moves, Owed, Tags, goes_with, outside, same, until_shown
from .looks import Looks
from .messages import SECRETS
from .model import Assumption, Expr, Function, Part, Rule, Step, Var
from .steps import Rules
from .stock import Stock, term
from .twins import BOUNDS, LOW, NOTHING, Env, High, Row, Split, Stopped, Twin, few, is_small, joined, merged, through

MAX_WORK = 20_000  # steps that are carried out for one observer
MAX_CASES = 24  # environments that are followed beside each other
MAX_ROUNDS = 12  # until nothing new flows

Effects = dict[tuple[object, ...], object]  # what was found: problems, secrets, state that may differ


class Done(NamedTuple):
    """After a step: what is known then (None: it does not go on), who was passed the keyboard, and on which secrets it
    hangs whether the rule was left."""

    env: Env | None
    moves: Moves = ()
    left: High = LOW


class Frame:
    """A rule that is being carried out."""

    def __init__(self, rule: Rule, args: list[Expr], twins: list[Twin], pc: High):
        self.rule, self.args, self.twins, self.pc = rule, args, twins, pc
        self.returned: list[tuple[Twin, Env]] = []


class Called(NamedTuple):
    result: Twin | None
    moves: Moves
    keyboard: Tags
    owed: Owed | None
    beat: bool
    spoilt: bool
    effects: Effects


class Onlooker(Audience):
    """Carries out the rules for one seat."""

    def __init__(self, rules: Rules, seat: int, stock: Stock, looks: Looks):
        words = rules.words
        super().__init__(seat, words, stock, looks)
        self.rules, self.words = rules, words
        self.chance = frozenset(words.chance_seats)
        self.states = [f for fs in words.functions.values() for f in fs if f.kind == "state"]
        self.writes: dict[object, frozenset[Function]] = {}
        self.reads: dict[str, frozenset[Function]] = {}
        self.begin()

    def begin(self) -> None:
        self.effects: Effects = {}
        self.memo: dict[tuple[object, ...], Called] = {}
        self.known.clear()
        self.local: set[int] = set()  # expressions that can be split only where they stand
        self.frame = Frame(self.rules.start, [], [], LOW)
        self.base = LOW  # the secrets on which the innermost round or rule hangs
        self.planning = False
        self.planner: Tags | None = None  # who makes the plan that is being made
        self.pc: High = LOW
        self.careful = False
        self.work = 0

    def suppose(self, other: Onlooker) -> None:
        """What differs for somebody else mostly differs for this one too: it is not wrong to begin with that."""
        self.hot, self.uneven = set(other.hot), other.uneven
        self.picked, self.lacking = other.picked, other.lacking

    def suppose_all(self) -> None:
        """At first, all that is hidden may differ, unless it is only ever set to what stands in the rules."""
        self.hot = {f for f, steps in self.stock.writers.items() if f.view != "all" and not _is_told(f, steps)}
        self.uneven = self.picked = frozenset(f for f in self.hot if f.result.kind in ("set", "list"))

    def run(self, told: Effects) -> Effects:
        """What is found. If that is a problem, and not told already, it is looked at once more, and more closely."""
        found = self.look()
        if any(key[0] == "problem" and key not in told for key in found):
            self.sharp = True
            self.hot, self.uneven, self.picked, self.lacking = set(), frozenset(), frozenset(), frozenset()
            found = self.look()
        return found

    def look(self) -> Effects:
        for step in self.rules.steps:
            if step.verb == "deal" and step.targets[0][0].view != "all":
                self.hot.add(step.targets[0][0])
        while True:
            self.begin()
            start = Env({}, {f: self.opening(f) for f in self.states if is_small(f)})
            called = self.call(self.rules.start, [], [], start, LOW, None)
            if called.owed is not None:
                self.refuse("tells_asked", called.owed.step, called.owed.high)
            hot, uneven, picked, lacking = (self.found(kind) for kind in ("hot", "uneven", "picked", "lacking"))
            new = (uneven - self.uneven | picked - self.picked) & self.measured
            if not new and lacking <= self.lacking and not (hot - self.hot) & self.read:
                return self.effects
            self.hot |= hot
            self.uneven |= uneven
            self.picked |= picked
            self.lacking |= lacking

    def found(self, kind: str) -> frozenset[Function]:
        return frozenset(key[1] for key in self.effects if key[0] == kind and isinstance(key[1], Function))

    def opening(self, function: Function) -> Row:
        """What is in the state as long as nothing was set: the same in every world."""
        start = self.lift(function.start)
        self.met(function.start)
        rows = product(*(sorted(p.type.atoms) for p in function.params))
        return tuple(sorted(((row, start) for row in rows), key=lambda row: str(row[0])))

    # --- what is found -----------------------------------------------------------------------------------------------
    def refuse(self, code: str, step: Step, high: High) -> None:
        key = ("problem", code, step.name)
        if high and key not in self.effects:
            secret = max(high, key=lambda s: (s.by != "", s.name))
            self.effects[key] = problem(
                code,
                step.place,
                len(last_name(step.name)),
                who=self.names[self.observer],
                secret=Phrase(SECRETS[secret.kind], name=secret.name, step=secret.at) if secret.kind else secret.name,
                step=last_name(step.name),
                by=last_name(secret.by or step.name),
            )

    def assume(self, reason: str, step: Step, high: High) -> None:
        """What cannot be proved here, and is listed."""
        if high:
            secret = min(high)
            self.effects.setdefault(
                ("assumed", step.name, reason), Assumption(step.name, step.place, reason, secret.name)
            )

    def value(self, step: Step, expr: Expr, env: Env, how: Callable[[Expr, Env], Twin] | None = None) -> Twin:
        twin = (how if how is not None and not self.careful else self.ev)(expr, env)
        if self.sharp and twin.high and not twin.one:
            twin = self.sharpened(expr, env, twin)
        for stop in twin.stops:  # what stops in all worlds that come here stops in some only, if a secret leads here
            secret = frozenset({stop}) if stop.name else self.pc
            self.assume("bounds" if stop.by == BOUNDS else "unset", step, secret)
        return twin

    def needed(self, step: Step, expr: Expr, env: Env, sure: bool = True) -> Twin:
        """A value without which the game cannot go on; not `sure`: it may be that it is not asked for."""
        twin = self.value(step, expr, env)
        if twin.lacks and not expr.type.many:
            self.assume("unset", step, twin.amount or self.pc)
            if sure and twin.dom == NOTHING:
                raise Stopped
        return twin

    def bind(self, env: Env, var: Var, twin: Twin) -> None:
        if twin.one and not var.type.many:  # there is only one way it can be
            twin = twin._replace(high=LOW, size=None)
        if twin.high:
            self.effects[("secret", var)] = True
            twin = twin._replace(high=few(twin.high))
        env.vars[var] = twin._replace(stops=LOW)

    def notice(self, step: Step, env: Env, pc: High, code: str = "tells_by_happening", surely: bool = True) -> None:
        """The observer notices this step: not only that something is in the log, but when."""
        self.refuse(code, step, pc)
        if surely:
            env.beat, env.spoilt = True, False
        self.settle(env)

    def settle(self, env: Env) -> None:
        """Something is noticed while somebody else may have been passed the keyboard, or not."""
        if env.owed is not None:
            self.refuse("tells_asked", env.owed.step, env.owed.high)
            env.owed = None

    def tells(
        self, step: Step, env: Env, tells: list[tuple[str, Expr]], own: Iterable[Var] = (), but: Expr | None = None
    ) -> None:
        """The values in a row of the log, but those that the step itself makes known."""
        own = set(own)
        for _, expr in tells:
            if expr is not but and not (expr.op == "var" and expr.args[0].origin in own):
                self.refuse("tells_in_text", step, self.value(step, expr, env, self.secrets).high)

    def around(self, step: Step, env: Env, variables: Iterable[Var], depends: High, sees: bool) -> None:
        """A choice or a reveal that hangs on secrets: what those who see it may not know of the variables around it."""
        if depends:
            self.effects[("depends", step)] = True
        if sees:
            for var in variables:
                twin = env.vars.get(var)
                if twin is None or twin.high:
                    self.effects[("hidden", step, var)] = True

    # --- sequences ---------------------------------------------------------------------------------------------------
    def sequence(self, steps: list[Step], env: Env, pc: High) -> tuple[list[Env], Moves, High]:
        envs, left = [env], LOW
        moves: Moves = ()
        for step in steps:
            out: dict[tuple[object, ...], Env] = {}
            ways: list[Moves] = []
            before = left
            for env in envs:
                for done in self.cases(step, env, self.base if env.shown else few(pc | before)):
                    left |= done.left
                    ways.append(done.moves)
                    if done.env is not None:
                        out.setdefault(done.env.key(), done.env)
            envs = list(out.values())
            if len(envs) > MAX_CASES:
                envs = [merged(envs)]
            if before and any(until_shown(way) for way in ways):
                self.refuse("tells_asked", step, before)
            moves += () if not ways else ways[0] if all(way == ways[0] for way in ways) else (UNSURE,)
        return envs, moves, left

    def cases(self, step: Step, env: Env, pc: High) -> list[Done]:
        """Carry out a step; where it makes a difference for the observer, for each case on its own."""
        self.work += 1
        if self.work > MAX_WORK:
            raise RulesError(problem("too_large", step.place))
        outer, self.effects = self.effects, {}
        kept, self.pc, self.careful = self.pc, pc, bool(pc)
        try:
            done = [self.carry(step, env.copy(), pc)]
        except Split as split:
            self.effects = outer
            return self.divided(step, env, pc, split)
        except Stopped:
            done = [Done(None)]
        finally:
            found, self.effects = self.effects, outer
            self.pc, self.careful = kept, bool(kept)
        outer.update((key, value) for key, value in found.items() if key not in outer)
        return done

    def carry(self, step: Step, env: Env, pc: High) -> Done:
        verb: Callable[[Step, Env, High], Done] = getattr(self, "_" + step.verb.replace(" ", "_"))
        return verb(step, env, pc)

    def divided(self, step: Step, env: Env, pc: High, split: Split) -> list[Done]:
        origin = id(split.origin)
        if pc and origin not in self.local:  # both ways of a secret branch are to be divided alike
            raise split
        found = self.groups(split.expr, env)
        if found is None:
            if origin not in self.local:
                self.local.add(origin)
                return self.cases(step, env, pc)
            kept, self.hopeless = self.hopeless, self.hopeless | {origin}
            try:
                return self.cases(step, env, pc)
            finally:
                self.hopeless = kept
        leaf, groups = found
        if leaf.op == "var" and origin not in self.local and self._is_given(leaf.args[0].origin, env):
            raise split
        return [done for group in groups for done in self.cases(step, self.supposing(leaf, Twin(group), env), pc)]

    def _is_given(self, var: Var, env: Env) -> bool:
        """Is it an argument of the rule, as it came?"""
        params = self.frame.rule.params
        return var in params and env.vars[var].dom == self.frame.twins[params.index(var)].dom

    def branch(self, step: Step, pc: High, high: High, ways: list[tuple[list[Step], Env]], env: Env) -> Done:
        """One of these ways is taken; on which secrets it hangs which one."""
        inside = few(pc | through(high, step))
        ends: list[Env] = []
        moves: list[Moves] = []
        left = LOW
        for body, start in ways:
            envs, its, leaving = self.sequence(body, start, inside)
            ends += [merged(envs)] if envs else []
            moves.append(its)
            left |= leaving
        path = self.agree(step, inside if high else LOW, moves, ends)
        if not ends:
            return Done(None, path, left)
        end = merged(ends)
        if high and any(SHOWN in way for way in moves):
            end.beat, end.spoilt = False, True
        after = env.copy()
        after.facts, after.keyboard, after.owed = end.facts, end.keyboard, end.owed
        after.shown, after.beat, after.spoilt = env.shown or end.shown, end.beat, end.spoilt
        return Done(after, path, left)

    def agree(self, step: Step, high: High, moves: list[Moves], ends: list[Env]) -> Moves:
        """The keyboard must go the same way in all branches between which a secret decides, up to where the observer is
        shown something. If one of them only passes it to somebody, he must be the next to be asked in any case."""
        if not high:
            return moves[0] if all(way == moves[0] for way in moves) else (UNSURE,)
        paths = [until_shown(way) for way in moves]
        longest = max(paths, key=len)
        first = longest[0] if longest else UNSURE
        if not any(UNSURE in path for path in paths):
            if all(goes_with(one, other) for i, one in enumerate(moves) for other in moves[:i]):
                return longest
            if len(longest) == 1 and isinstance(first, Move) and all(not path or same(path, longest) for path in paths):
                for end in ends:
                    end.owed = Owed(first.to, high, first.step)
                return longest
        self.refuse("tells_asked", first.step if isinstance(first, Move) else step, high)
        return longest

    def loop(
        self, step: Step, body: list[Step], env: Env, inner: Env, pc: High, high: High, until: Expr | None
    ) -> Done:
        """Rounds. What decides whether there is another one decides whether anything in it happens; what is shown in a
        round does not tell which round it is, unless the observer has noticed something in the same round before."""
        inner.keyboard, inner.shown, inner.beat, inner.spoilt = frozenset(), False, False, False
        outer = self.base
        left: High = LOW
        for _ in range(MAX_ROUNDS):
            self.base = inside = few(pc | high)
            try:
                envs, moves, left = self.sequence(body, inner.copy(), inside)
                again = LOW
                for end in envs:
                    if until is not None:
                        again |= self.value(step, until, end, self.secrets).high
                if self.planning:
                    self.refuse("tells_chooser", step, again)
            finally:
                self.base = outer
            again = through(again, step) | left
            owed = next((e.owed for e in envs if e.owed is not None), None)
            if owed is not None:
                lasting = frozenset(
                    t for t in owed.to if isinstance(t, int) or isinstance(t, tuple) and t[0] == "argument"
                )
                owed = owed._replace(to=lasting)  # the names of this round mean others in the next
            if (high or not again) and (owed is None or inner.owed is not None):
                break
            high, inner.owed = few(high | again), inner.owed or owed
        passed = tuple(m for m in moves if m != SHOWN)
        if high - pc:
            if passed:
                self.refuse("tells_asked", step, high)
            if step.verb == "repeat":
                self.assume("ends", step, high)
        elif pc and step.verb == "repeat" and not passed:  # nobody is asked in it
            self.assume("ends", step, pc)
        after = env.copy()
        after.forget(self.written(step))
        after.keyboard, after.owed = (frozenset(), owed or env.owed) if passed or owed else (env.keyboard, env.owed)
        after.spoilt = env.spoilt or any(e.spoilt for e in envs)
        after.beat = env.beat and not after.spoilt
        return Done(after, (UNSURE,) if passed else (), left)

    # --- the keyboard ------------------------------------------------------------------------------------------------
    def tags(self, expr: Expr, env: Env) -> Tags:
        """Who that is, by all that is known to be the same."""
        found: set[object] = set()
        twin = self.ev(expr, env)
        if twin.one and twin.dom is not None and not twin.high:
            found |= twin.dom
        if expr.op == "var":
            found |= env.tags.get(expr.args[0].origin, frozenset({expr.args[0].origin}))
        elif expr.op == "table":
            inner = [self.tags(kid, env) for kid in expr.args[1]]
            found |= {(expr.args[0], *row) for row in product(*inner)}
        return frozenset(found)

    def passes(self, step: Step, env: Env) -> Moves:
        """Somebody else is asked: all notice that the keyboard is passed to him, unless he sits at it already."""
        who = self.tags(step.at["ask"], env)
        if env.owed is not None:
            if env.owed.to & who:
                env.owed = None
            self.settle(env)
        moved = not env.keyboard & who
        env.keyboard = who
        return (Move(who, step) if who else UNSURE,) if moved else ()

    def aliases(self, args: list[Expr], env: Env) -> list[Tags]:
        """Which arguments are the same seat: each gets the names of the first such parameter."""
        tags = [self.tags(a, env) if a.type.kind == "thing" else frozenset[object]() for a in args]
        found: list[Tags] = []
        for i, tag in enumerate(tags):
            first = next((j for j in range(i) if tags[j] & tag), i)
            found.append(frozenset({("argument", first)}))
        return found

    def names_for(self, rule: Rule, args: list[Expr], env: Env) -> dict[object, Tags]:
        """What the arguments of a rule are called where it is called."""
        found: dict[object, Tags] = {}
        for i, arg in enumerate(args):
            if arg.type.kind == "thing":
                found[("argument", i)] = self.tags(arg, env)
        return found

    def named_inside(self, tags: Tags, rule: Rule, args: list[Expr], env: Env) -> Tags:
        names = self.names_for(rule, args, env)
        return frozenset(t for t in tags if isinstance(t, int)) | {
            name for name, outside in names.items() if outside & tags
        }

    # --- rules -------------------------------------------------------------------------------------------------------
    def call(self, rule: Rule, args: list[Expr], twins: list[Twin], env: Env, pc: High, step: Step | None) -> Called:
        """Carry out a rule, once for each way in which it is called."""
        inner = Env({}, {f: row for f, row in env.facts.items() if f in self.read_by(rule)})
        inner.beat, inner.spoilt = env.beat, env.spoilt
        inside = self.aliases(args, env)
        inner.tags = dict(zip(rule.params, inside))
        inner.keyboard = self.named_inside(env.keyboard, rule, args, env)
        if env.owed is not None:
            inner.owed = env.owed._replace(to=self.named_inside(env.owed.to, rule, args, env))
        resets = [f for f in self.states if f.lasts == rule.shape.split(" ")[0]]
        if any(f.view != "nobody" for f in resets):
            self.notice(step or rule.steps[0], inner, pc)
        for function in resets:
            if pc:
                self.effects[("hot", function)] = self.effects[("uneven", function)] = True
            inner.empty(function)
            if not pc and is_small(function):
                inner.facts[function] = self.opening(function)
        outer = self.planner
        if outer is not None:
            self.planner = self.named_inside(outer, rule, args, env)
        key = (rule.shape, tuple(twins), tuple(inside), pc, self.planning, self.planner, self.hopeless, inner.key())
        try:
            if key not in self.memo:
                self.memo[key] = self.carry_out(rule, args, twins, inner, pc)
        finally:
            self.planner = outer
        called = self.memo[key]
        self.effects.update((key, value) for key, value in called.effects.items() if key not in self.effects)
        names = self.names_for(rule, args, env)
        owed = None if called.owed is None else called.owed._replace(to=outside(called.owed.to, names))
        return called._replace(keyboard=outside(called.keyboard, names), owed=owed)

    def carry_out(self, rule: Rule, args: list[Expr], twins: list[Twin], inner: Env, pc: High) -> Called:
        kept = self.effects, self.frame, self.base
        try:
            while True:
                self.effects, self.frame, self.base = {}, Frame(rule, args, twins, pc), pc
                start = inner.copy()
                for param, twin in zip(rule.params, twins):
                    self.bind(start, param, twin)
                try:
                    envs, moves, _ = self.sequence(rule.steps, start, pc)
                    break
                except Split as split:
                    beyond = rule is not self.rules.start and id(split.origin) not in self.local
                    if beyond and set(self.info(split.expr).vars) <= set(rule.params):
                        raise Split(self.looks.replaced(split.expr, rule.params, args), split.origin) from None
                    self.local.add(id(split.origin))
            result = None
            for twin, _ in self.frame.returned:
                result = twin if result is None else joined(result, twin)
            ends = envs + [env for _, env in self.frame.returned]
            end = merged(ends) if ends else Env({}, {})
            plain = tuple(m for m in moves if m != SHOWN)  # the same rule may be called from another branch
            return Called(result, plain, end.keyboard, end.owed, end.beat, end.spoilt, self.effects)
        finally:
            self.effects, self.frame, self.base = kept

    def back(self, called: Called, args: list[Expr], env: Env) -> Env:
        after = env.copy()
        after.keyboard, after.owed, after.beat, after.spoilt = called.keyboard, called.owed, called.beat, called.spoilt
        return after

    def written(self, step: Step) -> frozenset[Function]:
        if step not in self.writes:
            found = {f for f, args, value in step.targets if not is_itself(f, args, value)} | (
                {step.pile[0]} if step.pile is not None else set()
            )
            for inner in (
                *(s for b in step.bodies.values() for s in b),
                *(s for a in step.alternatives for s in a.then),
            ):
                found |= self.written(inner)
            if step.callee is not None:
                found |= self.written_by(step.callee)
            self.writes[step] = frozenset(found)
        return self.writes[step]

    def written_by(self, rule: Rule) -> frozenset[Function]:
        if rule.shape not in self.writes:
            found = {f for f in self.states if f.lasts == rule.shape.split(" ")[0]}
            for step in rule.steps:
                found |= self.written(step)
            self.writes[rule.shape] = frozenset(found)
        return self.writes[rule.shape]

    def read_by(self, rule: Rule) -> frozenset[Function]:
        """State that a rule looks at, itself or in the rules it calls."""
        if rule.shape not in self.reads:
            found: set[Function] = set()
            for step in _inside(rule.steps):
                for expr in _expressions(step):
                    if expr.op not in ("loop", "hand", "args"):
                        found |= self.info(expr).states
                    else:
                        for kid in expr.kids():
                            found |= self.info(kid).states
                for function, _, _ in step.targets:
                    found.add(function)
                    for view in (function.view, *function.aspects.values()):
                        if isinstance(view, Expr):
                            found |= self.info(view).states
                if step.callee is not None:
                    found |= self.read_by(step.callee)
            self.reads[rule.shape] = frozenset(found)
        return self.reads[rule.shape]


def _is_told(function: Function, steps: list[Step]) -> bool:
    return all(step.verb == "set" for step in steps) and all(
        value.op == "const" for step in steps for other, _, value in step.targets if other is function
    )


def is_itself(function: Function, args: list[Expr], value: Expr) -> bool:
    """Is it set to what it is?"""
    if value.op != "state" or value.args[0] is not function:
        return False
    return [term(a) for a in args] == [term(a) for a in value.args[1]]


def last_name(name: str) -> str:
    """A step as its author calls it: what stands inside cases has no name of its own."""
    own = [part for part in name.split("/") if part not in ("else", "if none")]
    return own[-1]


def all_parts(step: Step) -> list[Part]:
    return [*step.parts, *(p for a in step.alternatives for p in a.parts)]


def _inside(steps: list[Step]) -> Iterable[Step]:
    for step in steps:
        yield step
        for body in step.bodies.values():
            yield from _inside(body)
        for alternative in step.alternatives:
            yield from _inside(alternative.then)


def offer_of(step: Step) -> list[Expr]:
    """All that decides what is offered."""
    found = [step.at.get("where"), *(e for a in step.alternatives for e in (a.given, a.where))]
    for part in all_parts(step):
        found += [part.source, part.amount, part.onto, *(x for _, *pair in part.which for x in pair)]
    return [expr for expr in found if expr is not None]


def _expressions(step: Step) -> Iterable[Expr]:
    yield from step.at.values()
    yield from offer_of(step)
    for _, expr in (*step.tells, *step.prompts, *step.must, *(t for a in step.alternatives for t in a.tells)):
        yield expr
    for _, args, value in step.targets:
        yield from args
        yield value
    if isinstance(step.audience, Expr):
        yield step.audience


def variables_of(exprs: Iterable[Expr]) -> dict[Var, None]:
    found: dict[Var, None] = {}
    stack = list(exprs)[::-1]
    while stack:
        expr = stack.pop()
        if expr.op in ("var", "matched"):
            found[expr.args[0].origin] = None
        stack += reversed(list(expr.kids()))
    return found


def named_around(step: Step) -> dict[Var, None]:
    """The variables of a reveal, and those around it that have a name."""
    around = [Expr("var", (v,), v.type) for v in step.visible if v.name.isidentifier()]
    return variables_of([step.at["show"], *around])
