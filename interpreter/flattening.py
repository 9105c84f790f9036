"""Typed steps -> a flat program (flat.py): blocks that hand over to each other by number.

A block goes on until the next decision or chance, at which the program rests in a *node*; nodes say whose it is, what
may be chosen and where it goes on. Steps without a decision in them stand straight in their block. Rules never call
themselves, so each rule's variables and its place of return have slots of their own: the stack is a fixed part of the
state.
"""

from __future__ import annotations

from collections.abc import Mapping

from . import flat as do
from .blocks import is_plain, planned_rules
from .cells import cells_of
from .deciding import Deciding
from .flat import Flat, join_blocks
from .flatwriting import (
    MATCH,
    NONE,
    PLANNER,
    TRIED,
    WON,
    ZERO,
    count_of,
    known,
    not_,
    plus_one,
    slot_of,
    truth,
    var_of,
    with_values,
)
from .liveness import Liveness
from .model import (
    NUMBER,
    TRUTH,
    Expr,
    Rule,
    Step,
    Var,
    const,
    list_of,
    walk,
)
from .slots import HEADER
from .vocabulary import Vocabulary

__all__ = ["flatten"]


def flatten(rules: Mapping[str, Rule], words: Vocabulary, start: Rule, local_slots: int) -> Flat:
    """The rules of a game, joined to as few blocks as can be; local_slots: those of the state and of all variables."""
    flat = _Flattening(rules, words, start, local_slots).flat()
    join_blocks(flat)
    return flat


class _Flattening(Deciding):
    def flat(self) -> Flat:
        for shape in self.rules:
            self.entries[shape] = self.label()
            self.return_slot[shape] = self.new_slot(NUMBER)
        in_plan = planned_rules([step for rule in self.rules.values() for step in walk(rule.steps)])
        self._find_types()
        for shape, rule in self.rules.items():
            self.rule, self.live = rule, Liveness(rule)
            self.planned = shape in in_plan
            self.open(self.entries[shape])
            self.reset(rule)
            self.sequence(rule.steps)
            self.leave(rule)
        return Flat(
            self.blocks,
            self.nodes,
            self.events,
            self.questions,
            self.choices,
            self.entries,
            self.final,
            self.backs,
            self.returns,
            self.return_slot,
            self.types,
            self.counted,
            HEADER + self.slots,
        )

    def _find_types(self) -> None:
        """Of all slots; those of steps that chance decides are said where they are used."""
        self.types |= {PLANNER: NUMBER, MATCH: NUMBER, WON: self.winners, TRIED: TRUTH}
        for same in self.words.functions.values():
            for function in same:
                if function.kind == "state":
                    for i in range(len(cells_of(function))):
                        self.types[HEADER + function.base + i] = function.result
        for rule in self.rules.values():
            found = [*rule.params, *rule.variables, *([rule.result] if rule.result is not None else [])]
            for step in walk(rule.steps):
                found += [*step.visible, *step.vars.values(), *(part.var for part in step.parts)]
                found += [part.var for alternative in step.alternatives for part in alternative.parts]
                for key in ("loop", "hand", "dealing", "sealed"):
                    found += step.at[key].args if key in step.at else ()
            for var in found:
                if var.slot >= 0:
                    self.types.setdefault(HEADER + var.slot, var.origin.type)

    def reset(self, rule: Rule) -> None:
        self.step = None
        name = rule.shape.split(" ")[0]
        mine = [f for fs in self.words.functions.values() for f in fs if f.kind == "state" and f.lasts == name]
        for function in mine:
            self.add(do.Fill(function))
        seen = tuple(f for f in mine if f.view != "nobody" or f.aspects)
        if seen:
            self.log(self.event("reset", None, "", [], functions=seen), const(self.everyone, NUMBER), [])

    def leave(self, rule: Rule) -> None:
        self.step = None
        if rule.result is not None:  # nothing is returned here, nor what was the last time
            self.clear(rule.result)
        self.add(do.Back(self.return_slot[rule.shape]))
        if rule is self.start:
            self.final = self.label()
            self.open(self.final)
            self.finish(None, NONE)

    # --- verbs, in the order of steps.VERBS ---------------------------------------------------------------------------
    def _if(self, step: Step) -> None:
        test, yes, no = step.at["if"], step.bodies["then"], step.bodies["else"]
        settled = known(test)
        if settled is not None:  # by an option
            self.sequence(yes if settled[0] else no)
            return
        if is_plain(yes) and is_plain(no):
            with self.inside() as then:
                self.sequence(yes)
            with self.inside() as otherwise:
                self.sequence(no)
            self.step = step
            self.add(do.If(test, then, otherwise))
            return
        other = self.label() if no else -1
        after = self.label()
        self.when(not_(test), do.Jump(other if no else after))
        self.sequence(yes)
        self.add(do.Jump(after))
        if no:
            self.open(other)
            self.sequence(no)
            self.add(do.Jump(after))
        self.open(after)

    def _for_each(self, step: Step) -> None:
        var, row, place = step.at["loop"].args
        source, body = step.at["for each"], step.bodies["do"]
        if is_plain(body):
            element = Var("", var.type)
            with self.inside() as rounds:
                self.put(var, var_of(element))
                self.sequence(body)
            self.step = step
            self.add(do.Each(element, source, rounds))
            return
        loop, after = self.label(), self.label()
        fixed = known(source)
        if fixed is None or fixed[0] is None:
            self.put(row, source)
            source = var_of(row)
        self.put(place, ZERO)
        self.add(do.Jump(loop))
        self.open(loop)
        index, those = self.named(var_of(place)), self.named(source)
        self.when(not_(truth("less", index, count_of(those))), do.Jump(after))
        self.put(var, Expr("nth", (those, index), var.type))
        self.put(place, plus_one(index))
        self.sequence(body)
        self.add(do.Jump(loop))
        self.open(after)

    def _repeat(self, step: Step) -> None:
        loop, after = self.label(), self.label()
        self.add(do.Jump(loop))
        self.open(loop)
        if step.at.get("while") is not None:
            self.when(not_(step.at["while"]), do.Jump(after))
        self.sequence(step.bodies["repeat"])
        self.step = step
        if step.at.get("until") is not None:
            self.when(step.at["until"], do.Jump(after))
        self.add(do.Jump(loop))
        self.open(after)

    def enter(self, step: Step, after: int) -> None:
        rule, args = step.called, step.at["args"].args
        if len(args) > 1:  # all are looked up before the first of them changes
            args = tuple(self.named(arg, param.type) for arg, param in zip(args, rule.params))
        for param, arg in zip(rule.params, args):
            self.put(param, arg)
        self.add(do.Put(self.return_slot[rule.shape], const(after, NUMBER)))
        self.returns[after] = (self.rule, self.alive(step))
        self.add(do.Jump(self.entries[rule.shape]))

    def _call(self, step: Step) -> None:
        after = self.label()
        self.enter(step, after)
        self.open(after)
        if step.called.result is not None:
            for var in step.vars.values():
                self.put(var, var_of(step.called.result))

    def _return(self, step: Step) -> None:
        assert self.rule.result is not None  # what is returned has a place
        self.put(self.rule.result, step.at["return"])
        self.add(do.Back(self.return_slot[self.rule.shape]))

    def _play(self, step: Step) -> None:
        """A game inside: `end` in it comes back here with the winners."""
        back, kept = self.label(), self.new_slot(NUMBER)
        self.backs.add(back)
        self.add(do.Put(kept, slot_of(MATCH, NUMBER)))
        self.add(do.Put(MATCH, const(back, NUMBER)))
        self.add(do.Put(WON, NONE))
        self.enter(step, back)
        self.open(back)
        self.add(do.Put(MATCH, slot_of(kept, NUMBER)))
        for var in step.vars.values():
            self.put(var, slot_of(WON, self.winners))

    def _end(self, step: Step) -> None:
        self.finish(step, step.at["end"])

    def finish(self, step: Step | None, winners: Expr) -> None:
        everyone = const(self.everyone, NUMBER)
        if step is not None:
            self.tell("end", step, everyone)
        else:
            self.log(self.event("end", None, "", []), everyone, [])
        won = self.named(winners, self.winners)
        self.when(truth("less", const(-1, NUMBER), slot_of(MATCH, NUMBER)), do.Put(WON, won), do.Back(MATCH))
        scores = None
        if step is not None and step.at.get("scores") is not None:
            (seat,) = step.at["score seat"].args
            each = [with_values(step.at["scores"], (seat,), (const(s, seat.type),)) for s in self.words.seats]
            scores = [self.named(Expr("needed", (score,), NUMBER)) for score in each]
        self.add(do.Finish(won, scores))

    def _let(self, step: Step) -> None:
        for name, var in step.vars.items():
            self.put(var, step.at[name])

    def _set(self, step: Step) -> None:
        taken = [  # everything is looked up before the first value is changed
            (function, [self.named(a) for a in args], self.named(value, function.result))
            for function, args, value in step.targets
        ]
        for function, args, value in taken:
            self.assign(step, function, args, value)

    def _move(self, step: Step) -> None:
        what = step.at["move"]
        moved = self.named(what)
        (given, given_args, _), (taken, taken_args, _) = step.targets
        home, goal = ([self.named(a) for a in args] for args in (given_args, taken_args))
        row = moved if what.type.many else self.named(Expr("alone", (moved,), list_of(what.type)))
        below = what.op == "last" and given.result.kind == "list"
        rest = self.named(Expr("taken", (self.cell(given, home), row, below), given.result))
        self.assign(step, given, home, rest)
        here = self.cell(taken, goal)
        if taken.result.kind == "list":
            more = Expr("extend", (row, here) if "to" in step.at else (here, row), taken.result)
        else:
            more = Expr("heap", (here, row), taken.result)
        self.assign(step, taken, goal, self.named(more))

    def _show(self, step: Step) -> None:
        for var in step.vars.values():
            self.put(var, step.at["show"])
        self.tell("show", step, self.mask(step.audience))

    def _say(self, step: Step) -> None:
        self.tell("say", step, self.mask(step.audience))
