"""Who may know what: a check of the rules, before anybody plays. The theorem and its rules are told in docs/secrecy.md.

The rules are carried out once for each observer, with values that stand for two worlds at a time (see twins.py). `pc`
are the secrets on which it hangs that a step is reached at all. Whatever the observer notices must be the same in both
worlds: that it happens, what it tells, to whom, how often, and who is passed the keyboard. `show` and `end` are the
only steps that make a secret known, and they say so.

A new verb needs a method here, `_verb(step, env, pc)`. It asks itself, for this observer:

- What of it is noticed: a row of the log (`notice`), a question, a passing of the keyboard (`passes`)? Then `pc`, the
  audience and every value in it must be low (`refuse`), unless the step is a declared reveal of that value.
- What does it set (`put`)? What the observer does not see becomes state that may differ.
- What does it bind? A name is low if the observer surely saw its value, or if it was low before.
- Where may the game stop? If that hangs on a secret it is proved not to, or listed (`assume`).
- Which steps does it carry out, and on which secrets does it hang which of them (`branch`, `loop`)?

A new operation needs a rule in valuing.py, or a place in `ALL_PARTS` there. Seats that are treated alike by everything
that was looked up for one of them are not looked at again.
"""

from __future__ import annotations

from typing import NamedTuple

from .errors import Problem, RulesError
from .keyboard import SHOWN, UNSURE, Moves, renamed
from .looks import Looks
from .model import Alternative, Assumption, Expr, Function, Part, Step, Var
from .onlooker import Done, Effects, Onlooker, all_parts, is_itself, last_name, named_around, offer_of, variables_of
from .seats import alike
from .steps import Rules
from .stock import CHANGES, Stock, bare, least, term
from .twins import (
    ANYTHING,
    LOW,
    NO,
    NOTHING,
    YES,
    Domain,
    Env,
    High,
    Secret,
    Seen,
    Split,
    Stopped,
    Twin,
    both,
    cell,
    few,
    is_small,
    merged,
    through,
)
from .valuing import ALL_PARTS, OWN_RULE

__all__ = ["ALL_PARTS", "OWN_RULE", "check_flow"]


def check_flow(rules: Rules) -> tuple[Assumption, ...]:
    """Raises all problems; gives what could not be proved and is assumed."""
    stock, effects = Stock(rules.steps), Effects()
    done: list[Onlooker] = []
    words, looks = rules.words, Looks()
    for seat in words.seats:
        if seat in words.chance_seats or any(alike(words, before, seat) for before in done):
            continue
        onlooker = _Verbs(rules, seat, stock, looks)
        if done:
            onlooker.suppose(done[-1])
        else:
            onlooker.suppose_all()
        effects |= {key: value for key, value in onlooker.run(effects).items() if key not in effects}
        done.append(onlooker)
    _mark(rules, effects)
    problems = [found for key, found in effects.items() if key[0] == "problem" and isinstance(found, Problem)]
    if problems:
        raise RulesError(problems)
    return tuple(found for found in effects.values() if isinstance(found, Assumption))


def _mark(rules: Rules, effects: Effects) -> None:
    """Tell others what was found: which variables not all may know, and what goes into the log beside an answer."""
    for rule in rules.rules.values():
        for var in (*rule.variables, *rule.params):
            var.secret |= ("secret", var) in effects
    for step in rules.steps:
        loop = step.at.get("loop")
        for var in (*step.vars.values(), *(loop.args if loop is not None else ()), *(p.var for p in all_parts(step))):
            var.secret |= ("secret", var) in effects
        if ("depends", step) in effects:
            bound = {p.var for p in all_parts(step)}
            around = named_around(step) if step.verb == "show" else variables_of(offer_of(step))
            step.context = tuple(
                v for v in around if v.slot >= 0 and v not in bound and ("hidden", step, v) not in effects
            )


class _Asked(NamedTuple):
    """A question, as far as the observer notices it."""

    sizes: High  # on which secrets it hangs whether there is anything to choose
    sees: bool  # does he surely see which alternative is chosen?
    known: frozenset[Var]  # the parts of the answer that he surely sees
    whole: bool  # may he see all of the answer?
    told: set[Var]  # the parts that he may see
    only: bool  # is he the one who chooses?


class _Cell(NamedTuple):
    """State that is set: of what, and to what."""

    function: Function
    args: list[Expr]
    twins: list[Twin]  # the arguments
    twin: Twin  # the new value
    same: bool = False  # is it set to what it is?
    fair: bool = False  # was what is moved chosen or drawn?
    top: High | None = None  # the secrets of what is on top then, if they are fewer

    @property
    def asked(self) -> High:
        return both(self.twins)


def answer(step: Step) -> Secret:
    name = last_name(step.name)
    return Secret(name, at=name, kind="answer")


def chosen(var: Var, step: Step) -> Secret:
    return Secret(var.name, at=last_name(step.name), kind="chosen")


def drawn(var: Var, step: Step) -> Secret:
    return Secret(var.name, at=last_name(step.name), kind="drawn")


class _Verbs(Onlooker):
    """One method for each verb."""

    # --- control -----------------------------------------------------------------------------------------------------
    def _if(self, step: Step, env: Env, pc: High) -> Done:
        expr = step.at["if"]
        test = self.value(step, expr, env)
        if self.planning:
            self.refuse("tells_chooser", step, test.high)
        ways = [
            (step.bodies[key], self.narrow(expr, env, holds))
            for key, holds in (("then", True), ("else", False))
            if test.dom is None or holds in test.dom or not holds and None in test.dom
        ]
        return self.branch(step, pc, test.high if len(ways) > 1 else LOW, ways, env)

    def _for_each(self, step: Step, env: Env, pc: High) -> Done:
        group = self.value(step, step.at["for each"], env)
        if self.planning:
            self.refuse("tells_chooser", step, group.high)
        if group.dom is not None and not group.dom:
            return Done(env)
        inner = env.copy()
        inner.forget(self.written(step))
        element, row, place = step.at["loop"].args
        twin = Twin(group.dom, group.high) if group.dom is not None else self.top(element.type, group.high)
        self.bind(inner, element, twin)
        if group.high:
            self.effects[("secret", row)] = self.effects[("secret", place)] = True
        return self.loop(step, step.bodies["do"], env, inner, pc, through(group.amount, step), None)

    def _repeat(self, step: Step, env: Env, pc: High) -> Done:
        inner, high = env.copy(), LOW
        inner.forget(self.written(step))
        if "while" in step.at:
            test = self.value(step, step.at["while"], inner)
            high = test.high
            if self.planning:
                self.refuse("tells_chooser", step, high)
            first = self.value(step, step.at["while"], env)
            if first.one and False in (first.dom or ()):
                return Done(env)
            inner = self.narrow(step.at["while"], inner, True)
        endless = "while" not in step.at and "until" not in step.at
        done = self.loop(step, step.bodies["repeat"], env, inner, pc, through(high, step), step.at.get("until"))
        return done._replace(env=None) if endless else done

    def _call(self, step: Step, env: Env, pc: High) -> Done:
        args = list(step.at["args"].args)
        called = self.call(step.called, args, [self.value(step, a, env, self.roughly) for a in args], env, pc, step)
        after = self.back(called, args, env)
        after.forget(self.written_by(step.called))
        for var in step.vars.values():
            self.bind(after, var, called.result or self.top(var.type))
        return Done(after, renamed(called.moves, self.names_for(step.called, args, env)))

    def _return(self, step: Step, env: Env, pc: High) -> Done:
        twin = self.value(step, step.at["return"], env, self.roughly)
        under = pc - self.frame.pc
        result = twin._replace(high=few(twin.high | under), size=twin.amount | under if twin.size is not None else None)
        self.frame.returned.append((result._replace(exact=twin.exact and not under), env))
        return Done(None, (), through(under, step))

    def _play(self, step: Step, env: Env, pc: High) -> Done:
        args = list(step.at["args"].args)
        called = self.call(step.called, args, [self.value(step, a, env, self.roughly) for a in args], env, pc, step)
        after = self.back(called, args, env)
        after.facts, after.keyboard = {}, frozenset()
        for var in step.vars.values():
            self.bind(after, var, self.top(var.type))
        return Done(after, (UNSURE,))

    def _end(self, step: Step, env: Env, pc: High) -> Done:
        self.notice(step, env, pc)
        self.value(step, step.at["end"], env)
        if "scores" in step.at:
            for seat in sorted(self.seats):
                env.vars[step.at["score seat"].args[0]] = Twin(frozenset({seat}))
                self.needed(step, step.at["scores"], env)
        self.tells(step, env, step.tells, but=step.at["end"])
        return Done(None)

    # --- decisions ---------------------------------------------------------------------------------------------------
    def _ask(self, step: Step, env: Env, pc: High) -> Done:
        if "at once" in step.at:
            return self.ask_at_once(step, env, pc)
        asked = step.at["ask"]
        actor = self.needed(step, asked, env, sure="if none" not in step.bodies)  # nobody is asked for nothing
        self.refuse("tells_asked", step, actor.high)
        mine = actor.dom is None or self.observer in actor.dom
        if mine and not actor.one and not actor.high:
            self.demand(asked, env)
        if self.planner is not None and not self.planner & (self.tags(asked, env) | {term(asked)}):
            self.refuse("tells_asked", step, frozenset({answer(step)}))  # others see it when the plan is made
        only, before = mine and actor.one, env.copy()
        moves: Moves = ()
        if mine:
            self.notice(step, env, pc, "tells_asked", only)
            env.keyboard = self.tags(asked, env)
        elif actor.dom is None or not actor.dom <= self.chance:
            moves = self.passes(step, env)
        inner = env.copy()
        offered, sizes = self.offer(step, step.parts, inner)
        hopeless = False
        if "where" in step.at:
            test = self.value(step, step.at["where"], inner, self.secrets)
            offered |= test.high
            sizes, hopeless = offered, test.dom == NO
        ways = []
        for alternative in step.alternatives:
            given = None if alternative.given is None else self.value(step, alternative.given, env)
            if given is not None and given.one and False in (given.dom or ()):
                continue
            more = inner.copy()
            hidden, _ = self.offer(step, alternative.parts, more)
            if self.is_empty(alternative.parts, more):
                continue
            if alternative.where is not None:
                test = self.value(step, alternative.where, more, self.secrets)
                hidden |= test.high
                if test.dom == NO:
                    continue
            offered |= hidden | (given.high if given is not None else LOW)
            sizes = offered
            ways.append((alternative, more))
        if (
            hopeless or self.is_empty(step.parts, inner) or step.alternatives and not ways
        ):  # there never is anything to choose
            if "if none" not in step.bodies:
                self.assume("never", step, pc)
            envs, passed, left = self.sequence(step.bodies.get("if none", []), self.without(step, before), pc)
            return Done(merged(envs) if envs and "if none" in step.bodies else None, passed, left)
        if mine or self.planning:
            self.refuse("tells_chooser", step, offered)
        if mine:
            self.tells(step, env, step.prompts)
        seen = self.sees(step.audience, env)
        views = {p.var: self.sees(p.audience, env) if p.audience is not None else seen for p in all_parts(step)}
        rows = [self.row_of([*step.parts, *parts], seen, views) for parts in ([a.parts for a, _ in ways] or [[]])]
        surely = all(row.must for row in rows)
        for view in (seen, *views.values()) if not only else ():
            if view.may:
                self.refuse("tells_to_whom", step, view.high)
                self.notice(step, env, pc, "tells_asked", surely)
        if not only and not surely and any(row != rows[0] for row in rows):  # that there is a row tells which it was
            self.refuse("tells_to_whom", step, frozenset({answer(step)}))
        question = _Asked(
            few(sizes),
            surely or only,
            frozenset(views) if only else frozenset(var for var, view in views.items() if view.must),
            mine or seen.may,
            {var for var, view in views.items() if mine or view.may},
            only,
        )
        notices = mine or any(view.may for view in (seen, *views.values()))
        self.around(step, env, variables_of(offer_of(step)), offered, notices)
        return self.answered(step, env, before, inner, pc, moves, ways, question)

    @staticmethod
    def row_of(parts: list[Part], seen: Seen, views: dict[Var, Seen]) -> Seen:
        """Who is told of an answer: the audience of the step counts for those parts that have none of their own."""
        told = [views[p.var] for p in parts if p.audience is not None]
        if not parts or len(told) < len(parts):
            told.append(seen)
        return Seen(any(v.may for v in told), any(v.must for v in told), LOW.union(*(v.high for v in told)))

    def offer(self, step: Step, parts: list[Part], env: Env) -> tuple[High, High]:
        """The secrets on which it hangs what is offered, and whether anything is."""
        offered, sizes = LOW, LOW
        for part in parts:
            source = self.value(step, part.source, env, self.roughly)
            offered, sizes = offered | source.high, sizes | source.amount
            for expr in (part.amount, part.onto):
                if expr is not None:
                    high = self.value(step, expr, env, self.secrets).high
                    offered, sizes = offered | high, sizes | high
            for var, test, amount in part.which:
                high = self.value(step, amount, env, self.secrets).high
                group = source.dom if source.dom is not None else self.top(var.type).dom
                for x in group or ():
                    one = Env({**env.vars, var: Twin(frozenset({x}))}, env.facts)
                    high |= self.value(step, test, one, self.secrets).high
                offered, sizes = offered | high, sizes | high
            known = part.shape != "match" and source.dom is not None
            env.vars[part.var] = Twin(source.dom) if known else self.top(part.var.type)
        return offered, sizes

    def number_of(self, part: Part, env: Env) -> High | None:
        """The secrets on which it hangs how many are chosen; None if that is a matter of the choice."""
        amount = part.amount
        if amount is None or amount.op != "amount" or amount.args[0] is not amount.args[1]:
            return None
        return self.ev(amount, env).high

    def answered(
        self,
        step: Step,
        env: Env,
        before: Env,
        inner: Env,
        pc: High,
        moves: Moves,
        ways: list[tuple[Alternative, Env]],
        asked: _Asked,
    ) -> Done:
        """What follows from the answer."""
        after = env.copy()
        self.choose(step, step.parts, env, inner, after, asked)
        labels = set(step.vars.values()) - {p.var for p in step.parts}
        for var in labels:
            hidden = LOW if asked.sees else frozenset({chosen(var, step)})
            self.bind(after, var, self.top(var.type, hidden))
        if asked.whole and not step.alternatives:
            self.tells(step, after, step.tells, step.vars.values(), step.at["ask"])
        bodies = []
        for alternative, more in ways:
            start = after.copy()
            self.choose(step, alternative.parts, env, more, start, asked)
            for var in labels:
                start.vars[var] = Twin(frozenset({alternative.atom}))
            if asked.whole:
                own = {*step.vars.values(), *(p.var for p in alternative.parts)}
                for tells in (alternative.tells, step.tells if not alternative.text else []):
                    self.tells(step, start, tells, own, step.at["ask"])
            bodies.append((alternative.then, start))
        done = Done(after, moves)
        if bodies:
            label = frozenset({answer(step)})
            done = self.branch(step, pc, LOW if asked.sees or len(bodies) < 2 else label, bodies, after)
            done = done._replace(moves=moves + done.moves)
        none = step.bodies.get("if none")
        high = LOW if asked.only else asked.sizes
        sure = self.surely_offered(step, inner)
        if sure:
            none = None
        if none is None:
            if not sure:
                self.assume("never", step, high | pc)
            return done
        if (asked.whole or asked.told) and not asked.only:
            self.refuse("tells_asked", step, through(high, step))
        return self.or_none(step, before, after, done, pc, high, none)

    def choose(self, step: Step, parts: list[Part], env: Env, inner: Env, after: Env, asked: _Asked) -> None:
        """What was chosen gets its names; those who see only a part are told only of it."""
        for part in parts:
            hidden = LOW if part.var in asked.known else frozenset({chosen(part.var, step)})
            twin = inner.vars[part.var]._replace(high=hidden, size=self.number_of(part, env))
            self.bind(after, part.var, twin)
        for part in parts:
            if part.audience is not None and part.var in asked.told:
                self.tells(step, after, part.tells, [part.var], step.at["ask"])

    def surely_offered(self, step: Step, env: Env) -> bool:
        """Is there something to choose in any case?"""
        if "where" in step.at or any(p.shape == "some" or not self.has_any(p.source, env) for p in step.parts):
            return False
        sure = (not a.parts and a.given is None and a.where is None for a in step.alternatives)
        return not step.alternatives or any(sure)

    def has_any(self, source: Expr, env: Env) -> bool:
        if least(source):
            return True
        if source.op == "state" and env.is_filled(source.args[0]):
            return source.type.many and all(not self.ev(a, env).lacks for a in source.args[1])
        twin = self.ev(source, env)
        return twin.exact and bool(twin.dom) and not twin.lacks

    def or_none(self, step: Step, before: Env, after: Env, done: Done, pc: High, high: High, none: list[Step]) -> Done:
        """What is done if there is nothing to choose or to draw: another branch."""
        start = self.without(step, before)
        inside = few(pc | through(high, step))
        envs, moves, left = self.sequence(none, start, inside)
        ends = ([done.env] if done.env is not None else []) + envs
        path = self.agree(step, inside if high else LOW, [done.moves, moves], ends)
        left |= done.left
        if not ends:
            return Done(None, path, left)
        end = merged(ends)
        if high and (SHOWN in moves or SHOWN in done.moves):
            end.beat, end.spoilt = False, True
        found = before.copy()
        for var in step.vars.values():
            twin = after.vars[var] if done.env is not None else Twin(frozenset({None}))
            if envs and done.env is not None:
                dom = twin.dom if var.type.many or twin.dom is None else twin.dom | {None}
                twin = Twin(dom, twin.high | high, False, twin.amount | high)
            elif not envs:  # only where there was something it goes on
                twin = twin._replace(high=twin.high | (left & through(high, step)))
            self.bind(found, var, twin)
            found.tags.pop(var, None)
        found.facts, found.keyboard, found.owed = end.facts, end.keyboard, end.owed
        found.shown, found.beat, found.spoilt = end.shown, end.beat, end.spoilt
        return Done(found, path, left)

    def ask_at_once(self, step: Step, env: Env, pc: High) -> Done:
        """All notice who is asked. The answers are told together, to those who see where they are kept."""
        function, part = step.targets[0][0], step.parts[0]
        group = self.value(step, step.at["at once"], env)
        self.refuse("tells_asked", step, group.high)
        members = self.seats if group.dom is None else group.dom & self.seats
        self.settle(env)
        env.keyboard = frozenset()
        if self.observer in members:
            self.notice(step, env, pc, "tells_asked", group.exact)
        row, answers, _ = step.at["sealed"].args
        told: dict[int, Domain] = {}  # whose answer the observer surely knows
        for seat in sorted(members):
            inner, mine = env.copy(), seat == self.observer
            inner.vars[step.at["ask"].args[0]] = Twin(frozenset({seat}))
            offered, sizes = self.offer(step, step.parts, inner)
            if "where" in step.at:
                offered |= self.value(step, step.at["where"], inner, self.secrets).high
                sizes = offered
            if mine:
                self.refuse("tells_chooser", step, offered)
                self.tells(step, inner, step.prompts)
            if not mine and (not least(part.source) or "where" in step.at):
                self.assume("never", step, sizes | pc)
            if group.exact and inner.vars[part.var].dom == frozenset():
                raise Stopped
            one = Twin(frozenset({seat}))
            seen = self.sees(function.view, Env({function.variables[0]: one}, env.facts))
            self.around(step, inner, variables_of(offer_of(step)), offered, mine or seen.may)
            if seen.may and not mine:
                self.refuse("tells_to_whom", step, seen.high)
                self.notice(step, env, pc, surely=False)
            if seen.may or mine:
                self.tells(step, inner, step.tells, [part.var, step.at["ask"].args[0]])
            if seen.must or mine:
                told[seat] = inner.vars[part.var].dom
            if not seen.must:
                self.effects[("secret", part.var)] = True
                if not mine:
                    self.effects[("hot", function)] = True
        if any(
            self.sees(a, Env({function.variables[0]: self.top(function.params[0].type)}, {}), True).may
            for a in function.aspects.values()
        ):
            self.notice(step, env, pc, surely=False)
        if group.high:
            self.effects[("secret", row)] = True
        self.forget_those(env, function, members)
        if pc or group.high:
            self.effects[("uneven", function)] = self.effects[("hot", function)] = True
        elif is_small(function):
            for seat, dom in told.items():
                env.learn(function, (seat,), Twin(dom if group.exact or dom is None else dom | {None}))
        return Done(env, (UNSURE,))

    @staticmethod
    def is_empty(parts: list[Part], env: Env) -> bool:
        return any(part.shape == "one" and env.vars[part.var].dom == frozenset() for part in parts)

    @staticmethod
    def without(step: Step, env: Env) -> Env:
        """Where nothing was chosen or drawn."""
        found = env.copy()
        for var in step.vars.values():
            found.vars[var] = Twin(frozenset({None}))
        return found

    def _plan(self, step: Step, env: Env, pc: High) -> Done:
        actor = self.needed(step, step.at["plan"], env, sure=False)  # whoever is asked in it must be known there
        mine = actor.dom is None or self.observer in actor.dom
        if mine and not actor.one and not actor.high:
            self.demand(step.at["plan"], env)
        outer, self.planning = (self.planning, self.planner), self.planning or mine
        self.planner = self.tags(step.at["plan"], env) | {term(step.at["plan"])}
        try:
            envs, moves, left = self.sequence(step.bodies["do"], env, pc)
            hopeless = bool(envs)
            for end in envs:
                hopeless = hopeless and any(self.ev(test, end).dom == NO for _, test in step.must)
                for _, test in step.must:
                    twin = self.value(step, test, end, self.secrets)
                    if mine:
                        self.refuse("tells_chooser", step, twin.high)
                    if twin.dom != YES:
                        self.assume("plan", step, twin.high | pc)
            if hopeless:
                raise Stopped
        finally:
            self.planning, self.planner = outer
        return Done(merged(envs) if envs else None, moves, left)

    # --- chance ------------------------------------------------------------------------------------------------------
    def _draw(self, step: Step, env: Env, pc: High) -> Done:
        number, pool = self.value(step, step.at["draw"], env), self.value(step, step.at["from"], env, self.roughly)
        if pool.high:
            pool = self.unordered(step.at["from"], env)
        seen = self.sees(step.audience, env)
        rest = bool(pool.high) and self.is_rest(step.at["from"])
        if seen.may:
            self.refuse("tells_to_whom", step, seen.high)
            self.notice(step, env, pc, surely=seen.must)
            self.refuse("tells_by_drawing", step, number.high | (LOW if rest else pool.high))
        sizes = few(number.high | (LOW if rest else pool.amount))
        after = env.copy()
        for var in step.vars.values():
            dom = pool.dom if pool.dom is not None else self.top(var.type).dom
            hidden = few(sizes | {drawn(var, step)}) if not seen.must else LOW
            self.bind(after, var, Twin(dom, hidden, False, sizes))
        if seen.may:
            self.tells(step, after, step.tells, step.vars.values())
        self.taken(step, after, pc, number.high)
        none = step.bodies.get("if none")
        if (sizes or none is None) and self._enough(step, number, pool):
            return Done(after)
        if none is None:
            self.assume("never", step, sizes | pc)
            most = 0 if pool.dom == frozenset() else len(pool.dom or ()) if step.at["from"].type.kind == "set" else None
            if most is not None and number.dom and pool.dom is not None:
                if all(isinstance(x, int) and x > most for x in number.dom):
                    raise Stopped
            return Done(after)
        return self.or_none(step, env, after, Done(after), pc, sizes, none)

    def is_rest(self, pool: Expr) -> bool:
        self.measured |= self.stock.writers.keys()
        return self.stock.is_rest(pool, self.uneven, self.picked)

    @staticmethod
    def _enough(step: Step, number: Twin, pool: Twin) -> bool:
        sure = max(least(step.at["from"]), len(pool.dom) if pool.exact and pool.dom is not None else 0)
        return number.dom is not None and all(isinstance(x, int) and x <= sure for x in number.dom)

    def _deal(self, step: Step, env: Env, pc: High) -> Done:
        function = step.targets[0][0]
        pool, to = (self.value(step, step.at[key], env) for key in ("deal", "to"))
        if pool.high:
            pool = self.unordered(step.at["deal"], env)
        each = self.needed(step, step.at["each"], env)
        rest = bool(pool.high) and self.is_rest(step.at["deal"])
        size = to.high | each.high | (LOW if rest else pool.amount)
        high = size | (LOW if rest else pool.high)
        receivers = sorted(to.dom if to.dom is not None else function.params[0].type.atoms)
        held = LOW
        if self.may_merge(step, function, receivers, rest, env):
            held = frozenset({Secret(self.said(function, [self.top(function.params[0].type)]))})
        told: list[int] = []  # whose cards the observer surely sees
        for receiver in receivers:
            one = Twin(frozenset({receiver}))
            lay = env.fact(function, (receiver,))
            seen = self.sees(function.view, Env({function.variables[0]: one}, env.facts))
            if seen.may:
                self.refuse("tells_to_whom", step, seen.high)
                self.notice(step, env, pc, surely=False)
                self.refuse("tells_by_drawing", step, high)
                if seen.must:
                    told.append(receiver)
                if function.result.many and function in self.hot and (lay is None or lay.high):  # that is told again
                    before = self.sees(function.view, Env({function.variables[0]: one}, {}), True)
                    if not before.must:
                        self.refuse("tells_by_setting", step, frozenset({Secret(self.said(function, [one]))}))
            if not seen.must:
                self.effects[("hot", function)] = True
        self.forget_those(env, function, to.dom)
        sure = len(pool.dom) if pool.exact and pool.dom is not None else 0
        if not pc and self.stock.fills(function, step, sure):
            env.fill(function)
        if not pc and not high and is_small(function) and pool.dom is not None:
            for receiver in told:
                dom = pool.dom if function.result.many or env.is_filled(function) else pool.dom | {None}
                env.learn(function, (receiver,), Twin(dom))
        self.aspects(step, env, pc, function, size, high, held)
        if size or pc or held:
            self.effects[("uneven", function)] = True
        self.taken(step, env, pc, size)
        return Done(env)

    def may_merge(self, step: Step, function: Function, receivers: list[int], rest: bool, env: Env) -> bool:
        """Is it dealt into sets in which the same may lie already? Then their size tells something of what it is."""
        if function.result.kind != "set":
            return False
        if step.at["deal"].type.kind != "set":
            return True
        lay = [env.fact(function, (receiver,)) for receiver in receivers]
        return not rest and not all(twin is not None and twin.exact and not twin.dom for twin in lay)

    @staticmethod
    def forget_those(env: Env, function: Function, receivers: Domain) -> None:
        """Only of these was it set."""
        if receivers is None or not is_small(function):
            env.forget([function])
        else:
            for receiver in receivers:
                env.forget_cell(function, (receiver,))

    def aspects(self, step: Step, env: Env, pc: High, function: Function, size: High, high: High, held: High) -> None:
        """What those learn of a deal who see only a part of what was dealt to."""
        inner = Env({function.variables[0]: self.top(function.params[0].type)}, {})
        for aspect, audience in function.aspects.items():
            if self.sees(audience, inner, True).may:
                self.notice(step, env, pc, surely=False)
                self.refuse("tells_by_drawing", step, size if aspect == "count" else high)
                self.refuse("tells_by_setting", step, held if aspect == "count" else LOW)

    def taken(self, step: Step, env: Env, pc: High, number: High) -> None:
        """What is drawn from a pile is gone from it: whoever sees the pile, or a part of it, sees that."""
        if step.pile is None:
            return
        function, args = step.pile
        pile = _Cell(function, args, self.cell_of(step, args, env), ANYTHING)
        env.forget([function])
        self.effects[("hot", function)] = True
        if pc or pile.asked or number:
            self.effects[("uneven", function)] = True
        for audience in (function.view, *function.aspects.values()):
            self.rows(step, env, pc, pile, audience, pile.asked | number)

    def rows(self, step: Step, env: Env, pc: High, new: _Cell, audience: Expr | str, high: High) -> Seen:
        """State was set: those of an audience find a row of it in their log, which hangs on these secrets."""
        variables = new.function.variables
        try:
            seen = self.sees(audience, Env(dict(zip(variables, new.twins)), env.facts))
        except Split as split:
            raise Split(self.looks.replaced(split.expr, variables, new.args), split.origin) from None
        if seen.may:
            self.refuse("tells_to_whom", step, seen.high)
            self.notice(step, env, pc, surely=seen.must)
            self.refuse("tells_by_moving" if step.verb == "move" else "tells_by_setting", step, high)
        return seen

    def _shuffle(self, step: Step, env: Env, pc: High) -> Done:
        """Chance gives a row a new order: a draw from all that is in it."""
        function, args, row = step.targets[0]
        twin = self.value(step, row, env)
        mixed = _Cell(function, args, self.cell_of(step, args, env), twin)
        self.measured.add(function)
        open_pool = not twin.high or function not in self.uneven | self.picked
        at = cell(mixed.twins)
        lay = env.fact(function, at)
        env.forget([function])
        if at is not None and lay is not None and not pc:
            env.learn(function, at, lay._replace(high=frozenset({Secret(self.said(function, mixed.twins))}), size=LOW))
        for aspect, audience in (("", function.view), *function.aspects.items()):
            high = LOW if aspect in ("count", "contents") or open_pool else twin.high
            self.rows(step, env, pc, mixed, audience, mixed.asked | high)
        self.effects[("hot", function)] = True
        return Done(env)

    # --- names, state and what is told -------------------------------------------------------------------------------
    def _let(self, step: Step, env: Env, pc: High) -> Done:
        for name, var in step.vars.items():
            expr = step.at[name]
            self.bind(env, var, self.value(step, expr, env))
            if expr.type.kind == "thing":
                env.tags[var] = self.tags(expr, env) | {var}
        return Done(env)

    def _set(self, step: Step, env: Env, pc: High) -> Done:
        cells = [
            _Cell(
                function,
                args,
                self.cell_of(step, args, env),
                self.value(step, value, env, self.roughly),
                is_itself(function, args, value),
            )
            for function, args, value in step.targets
        ]
        for new, (_, _, value) in zip(cells, step.targets):
            if new.function in self.stock.piles and value.op in CHANGES:  # what is put on it or taken from it
                what = bare(value.args[1])
                if what.type.many and self.ev(what, env).amount:
                    self.effects[("uneven", new.function)] = True
            if new.twin.lacks and not new.function.result.maybe and not new.function.result.many:
                self.effects[("lacking", new.function)] = True
                env.empty(new.function)
            self.put(step, env, pc, new)  # one after the other: so are the views looked up
        return Done(env)

    def cell_of(self, step: Step, args: list[Expr], env: Env) -> list[Twin]:
        """There must be somebody, or something, of which state is set."""
        twins = [self.value(step, a, env, self.roughly) for a in args]
        for twin in twins:
            if twin.lacks:
                self.assume("unset", step, twin.amount or self.pc)
                if twin.dom == NOTHING:
                    raise Stopped
        return twins

    def put(self, step: Step, env: Env, pc: High, new: _Cell) -> None:
        """State gets a value."""
        function, twin, asked = new.function, new.twin, new.asked
        high, at = twin.high | asked, cell(new.twins)
        low, filled = not (pc or high), env.is_filled(function) or not function.params and not pc
        if not new.same:
            if at is None or not is_small(function):
                env.forget([function])
            else:
                env.forget_cell(function, at)
                if low and twin.dom is not None:
                    env.learn(function, at, twin._replace(size=None, stops=LOW))
        if filled and twin.dom is not None and None not in twin.dom and not function.result.many:
            env.fill(function)
        if function in self.stock.piles:
            self.refuse("tells_by_setting", step, pc)
            self.effects[("hot", function)] = True
            return
        now = env
        if at is not None and is_small(function) and env.fact(function, at) is None:
            now = env.copy()  # who sees it is looked up when it is set
            now.learn(function, at, twin._replace(size=None, stops=LOW))
        for aspect, audience in (("", function.view), *function.aspects.items()):
            told = {"count": twin.amount, "top": new.top}.get(aspect)
            self.rows(step, now, pc, new, audience, asked | (twin.high if told is None else told))
        env.beat, env.spoilt, env.owed = now.beat, now.spoilt, now.owed
        if new.same:
            return
        if pc or high:
            self.effects[("hot", function)] = True
        many = function.result.many
        if pc or asked or twin.amount and (many or twin.dom is None or None in twin.dom):
            self.effects[("uneven", function)] = True
        if many and high and not new.fair:
            self.effects[("picked", function)] = True

    def _move(self, step: Step, env: Env, pc: High) -> Done:
        """State is set in two places. No reveal: whoever sees where it lies then must know before what it is."""
        what, (home, to) = step.at["move"], step.targets
        moved = self.value(step, what, env)
        number = moved.amount if what.type.many else LOW
        where = Expr("state", (home[0], tuple(home[1])), home[0].result)
        self.looks.info(where)
        if self.is_known_to_lie(bare(what), where, env):
            pass
        elif not self.stock.is_there(what, where):
            lay = self.value(step, where, env)
            self.assume("there", step, moved.high | lay.high | pc)
            if not what.type.many and moved.dom is not None and lay.dom is not None and not moved.dom & lay.dom:
                raise Stopped
        elif moved.lacks:  # nothing is on top of what is empty
            self.assume("there", step, moved.amount | pc)
            if moved.dom == NOTHING:
                raise Stopped
        fair = not moved.high or self.stock.is_fair(what)
        cells = []
        for function, args, value in (home, to):
            twins = self.cell_of(step, args, env)
            before = self.value(step, Expr("state", (function, tuple(args)), function.result), env)
            twin = self.value(step, value, env)._replace(size=before.amount | number)
            cells.append(_Cell(function, args, twins, twin, fair=fair))
        if "top" in to[0].aspects and to[0] is not home[0] and to[0].result.of is not None:
            there = Expr("state", (to[0], tuple(to[1])), to[0].result)
            before = self.value(step, Expr("first", (there,), to[0].result.of.or_nothing()), env)
            cells[1] = cells[1]._replace(
                top=before.high | moved.high
            )  # on top is what was there, or what is laid there
        for new in cells:
            self.put(step, env, pc, new)
        return Done(env)

    def _show(self, step: Step, env: Env, pc: High) -> Done:
        """A reveal: of the value, and of the fact that it came to this, to those who see it."""
        expr = step.at["show"]
        seen = self.sees(step.audience, env)
        twin = self.value(step, expr, env)
        if seen.may:
            self.settle(env)
        self.around(step, env, named_around(step), twin.high, seen.may)
        for var in step.vars.values():
            self.bind(env, var, Twin(twin.dom, LOW, twin.exact) if seen.must else twin)
            home = expr.args[0] if expr.op in ("first", "last") else expr
            if home.op == "state" and home.type.many and not (twin.lacks and twin.amount):
                self.lies(Expr("var", (var,), var.type), home, env)  # so it can be moved from there
        if seen.may:
            self.tells(step, env, step.tells, step.vars.values(), expr)
        if seen.must:
            if expr.op == "state" and is_small(expr.args[0]):
                at = cell([self.ev(a, env) for a in expr.args[1]])
                fact = env.fact(expr.args[0], at)
                if at is not None and (fact is None or fact.high):  # it may be relied on until it is set
                    env.learn(expr.args[0], at, Twin(twin.dom, LOW, twin.exact))
            if not pc:
                env.beat, env.spoilt = True, False
            elif env.beat:
                env.shown, env.owed = True, None
                return Done(env, (SHOWN,))
        return Done(env)

    def _say(self, step: Step, env: Env, pc: High) -> Done:
        seen = self.sees(step.audience, env)
        if seen.may:
            self.refuse("tells_to_whom", step, seen.high)
            self.notice(step, env, pc, surely=seen.must)
            self.tells(step, env, step.tells)
        return Done(env)
