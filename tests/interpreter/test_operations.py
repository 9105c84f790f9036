"""One table of operations, and readers that know all of it: an operation that one of them forgets cannot be added."""

from __future__ import annotations

import pytest
from loading import NAMES
from tabarro.front.workbench import why, worksheet
from tabarro.interpreter import doomed, flow, load_game, trees
from tabarro.interpreter.csteps import CSteps
from tabarro.interpreter.flat import VALUES
from tabarro.interpreter.model import Expr, Function, Var, walk
from tabarro.interpreter.operations import OPERATIONS
from tabarro.interpreter.plain import GONE, Plainer
from tabarro.interpreter.program import PythonWriter
from tabarro.interpreter.source import FORMS, LOOPS
from tabarro.mind import belief, goals
from tabarro.speech import conditions, reasons

ALL = set(OPERATIONS)
PLAIN = ALL - GONE | set(VALUES)  # what plain expressions are built of


def own(emitter) -> set[str]:
    return {name.removeprefix("_") for name in dir(emitter) if name.startswith("_")}


READERS = {
    "the compiler": [own(Plainer) & GONE, (own(PythonWriter) | set(FORMS) | set(LOOPS)) & ALL],
    "the compiler to C": [own(Plainer) & GONE, own(CSteps) & ALL],
    "the secrecy check": [flow.OWN_RULE, flow.ALL_PARTS],
    "the bound on cost": [{n for n, o in OPERATIONS.items() if o.cost == kind} for kind in ("one", "each", "body")],
    "what no choice can mend": [doomed.APART, doomed.WHOLE, doomed.LEFT],
    "walks over expressions": [trees.BINDING, trees.NAMING, trees.DEFINED, trees.PLAIN],
    "saying": [conditions.CLAUSES, conditions.VALUES],
    "the rulebook": [reasons.DECIDED, reasons.UNDECIDED],
    "belief": [belief.THREE_VALUED, belief.VALUED],
    "goals of bots": [goals.TAKEN_APART, goals.VALUED],
    "saying why in a position": [why.EXPLAINED, why.STATED],
    "worksheets": [worksheet.LOOKED_AT, worksheet.VALUED],
}


def forgotten(parts, known=frozenset(ALL)) -> set[str]:
    return set(known) ^ set().union(*parts)


@pytest.mark.parametrize("reader", READERS)
def test_every_reader_knows_every_operation_and_each_once(reader):
    parts = READERS[reader]
    assert forgotten(parts) == set()
    assert sum(map(len, parts)) == len(ALL)


@pytest.mark.parametrize("reader", READERS)
def test_an_operation_that_a_reader_does_not_know_is_noticed(reader):
    assert forgotten(READERS[reader], ALL | {"sum"}) == {"sum"}


@pytest.mark.parametrize("known", [own(PythonWriter) | set(FORMS) | set(LOOPS), own(CSteps)], ids=["Python", "C"])
def test_both_emitters_know_all_that_plain_expressions_are_built_of(known):
    assert PLAIN - known == set() and not GONE & known and not set(VALUES) & ALL


def expressions(game):
    """All expressions of a game: those of its words, tables and views, and those of its steps."""
    roots = []
    for functions in game.vocabulary.functions.values():
        for function in functions:
            roots += [function.body, *(b for b in function.values.values() if isinstance(b, Expr))]
            roots += [function.view] if isinstance(function.view, Expr) else []
    for rule in game.program.rules.values():
        for step in walk(rule.steps):
            roots += [e for e in step.at.values() if isinstance(e, Expr) and e.op in ALL]
            roots += [e for _, e in (*step.tells, *step.prompts, *step.must)]
            roots += [p.source for p in step.parts]
    stack = [e for e in roots if e is not None]
    while stack:
        expr = stack.pop()
        yield expr
        stack += expr.kids()


KINDS = {
    "truth": {"truth"},
    "number": {"number"},
    "amount": {"amount"},
    "thing": {"thing"},
    "set": {"set"},
    "list": {"list"},
    "pile": {"pile"},
    "many": {"set", "pile", "list"},
}


def fits(arg, kind: str) -> bool:
    if kind == "variable":
        return isinstance(arg, Var)
    if kind == "function":
        return isinstance(arg, Function)
    if kind == "expressions":
        return isinstance(arg, tuple) and all(isinstance(a, Expr) for a in arg)
    if kind == "value":
        return not isinstance(arg, (Expr, Var, Function))
    return isinstance(arg, Expr) and (kind == "any" or arg.type.kind in KINDS[kind])


@pytest.mark.parametrize("name", NAMES)
def test_all_expressions_of_the_games_are_built_as_the_table_says(name):
    seen = set()
    for expr in expressions(load_game(name)):
        operation = OPERATIONS[expr.op]
        seen.add(expr.op)
        assert len(expr.args) == len(operation.takes), expr.op
        for arg, kind in zip(expr.args, operation.takes):
            assert fits(arg, kind), (expr.op, kind, arg)
        assert operation.gives == "any" or expr.type.kind in KINDS[operation.gives], (expr.op, expr.type)
    assert seen <= ALL and len(seen) > 5
