"""What mind does with each operation of the rules language: declared, complete, and as the code does it."""

import ast
import inspect
import textwrap

import pytest
from tabarro.interpreter import load_game, trees
from tabarro.interpreter.model import Expr, walk
from tabarro.interpreter.operations import OPERATIONS as OPS
from tabarro.mind import belief, claims, goals


def ops_in(function):
    """The operations that a function names in its code."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    return {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and node.value in OPS}


READERS = [
    (belief.THREE_VALUED, belief.VALUED, [belief.judge]),
    (goals.TAKEN_APART, goals.VALUED, [goals._TreeMaker._tree]),
    (
        claims.SOLVED,
        (belief.THREE_VALUED | belief.VALUED) - claims.SOLVED,
        [claims.Claims._asked, claims.Claims._value],
    ),
    (goals.FOLLOWED, (goals.TAKEN_APART | goals.VALUED) - goals.FOLLOWED, [goals._TreeMaker.term]),
]


@pytest.mark.parametrize(("understood", "valued", "functions"), READERS, ids=["judge", "tree", "claims", "term"])
def test_a_reader_says_of_every_operation_what_it_does_with_it(understood, valued, functions):
    assert understood | valued == set(OPS) and not understood & valued
    assert set().union(*map(ops_in, functions)) <= understood


@pytest.mark.parametrize("understood,functions", [(r[0], r[2]) for r in READERS[:3]], ids=["judge", "tree", "claims"])
def test_what_a_reader_says_that_it_understands_stands_in_its_code(understood, functions):
    assert understood <= set().union(*map(ops_in, functions))


def test_walks_over_expressions_know_every_operation_once():
    kinds = (trees.BINDING, trees.NAMING, trees.DEFINED, trees.PLAIN)
    assert set().union(*kinds) == set(OPS) and sum(map(len, kinds)) == len(OPS)


@pytest.mark.parametrize(("edition", "players"), [("venice-2013", 4), ("cards-phone", 3), ("little-mystery", 3)])
def test_operations_are_built_as_the_walks_take_them_to_be(edition, players):
    game, seen = load_game(edition, players), set()
    steps = [step for rule in game.program.rules.values() for step in walk(rule.steps)]
    exprs = [e for step in steps for e in step.at.values() if isinstance(e, Expr)]
    for expr in trees.walk_expressions(exprs, defined=True):
        seen.add(expr.op)
        kinds = [type(arg).__name__ for arg in expr.args]
        if expr.op in trees.BINDING:
            assert kinds == ["Var", "Expr", "Expr"]
        elif expr.op in trees.NAMING:
            assert kinds[0] == "Var"
        elif expr.op in trees.DEFINED:
            assert trees.definitions(expr)
        elif expr.op in trees.PLAIN:
            assert "Var" not in kinds
    assert len(seen & set(OPS)) > 10


def test_the_free_names_of_an_expression_are_those_that_nothing_in_it_binds():
    from tabarro.interpreter.model import TRUTH, Type, Var, const, set_of

    thing = Type("thing", "thing", frozenset({0, 1}))
    here, there, it = Var("here", thing), Var("there", thing), Var("it", thing)

    def name(var):
        return Expr("var", (var,), var.type)

    domain = Expr("gather", ((name(there), name(here)),), set_of(thing))
    inside = Expr("and", (Expr("eq", (name(it), name(here)), TRUTH), const(True, TRUTH)), TRUTH)
    assert trees.free_variables(Expr("exists", (it, domain, inside), TRUTH)) == [there, here]
    assert trees.free_variables(inside) == [it, here]
    assert trees.free_variables(inside, frozenset({here})) == [it]
