"""Names and types: a syntax tree becomes a typed expression, or a problem that says what is wrong and where.

The typed form knows the operations of operations.py; everything an author can write is said with them. Later stages,
the flow check and the compiler, see nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .errors import Place, RulesError, problem
from .forms import UNBOUNDED, Typing
from .keywords import TRUTH_WORDS
from .load import Sentence, Seq, TextPlace
from .model import AMOUNT, EMPTY, NUMBER, TRUTH, Expr, Param, Type, Value, Var, const, fits, list_of, pile_of, set_of
from .parse import Syntax, parse

if TYPE_CHECKING:
    from .vocabulary import Vocabulary


class Scope:
    """The names visible at one place, innermost last; `it` is a name like the others but for how it is written."""

    def __init__(self, names: dict[str, Var] | None = None, it: Var | None = None):
        self.names, self.it = names or {}, it

    def with_name(self, var: Var) -> Scope:
        return Scope({**self.names, var.name: var}, self.it)

    def with_it(self, var: Var) -> Scope:
        return Scope(self.names, var)


class Checker:
    """Types expressions against a vocabulary (see vocabulary.py)."""

    def __init__(self, vocabulary: Vocabulary):
        self.words = vocabulary

    # --- ways in ----------------------------------------------------------------------------------------------------
    def expression(
        self,
        text: Any,
        place: Place,
        scope: Scope,
        wanted: Type | None = None,
        *,
        maybe: bool = False,
        readings: Sequence[tuple[Syntax, Syntax]] = (),
    ) -> Expr:
        """Type one expression; `wanted` helps to find names and is demanded, `maybe` allows nothing in its place."""
        if isinstance(text, bool):
            tree_expr = const(text, TRUTH)
        elif isinstance(text, int):
            tree_expr = const(text, NUMBER)
        elif isinstance(text, Sentence) and text.mistake is not None:
            tree_expr = self._sentence(text, place, scope, wanted)
        elif isinstance(text, str):
            if wanted is TRUTH and text in TRUTH_WORDS and text not in scope.names and text not in self.words.options:
                raise RulesError(problem("word_not_truth", place, len(text), word=text, instead=TRUTH_WORDS[text]))
            place = TextPlace(place, text)
            syntax = self._parsed(text, "expression", place, scope)
            for pattern, reading in readings:
                syntax = reread(syntax, pattern, reading, self.words)
            tree_expr = Typing(self, place, scope).type(syntax, wanted)
        else:
            raise RulesError(problem("expression_wanted", place))
        if self.words.bounds is not None:
            self.words.bounds.check(tree_expr, place, len(str(text)))
        return self.demand(tree_expr, wanted, place, maybe=maybe, length=len(str(text)))

    def _parsed(self, text: str, how: str, place: Place, scope: Scope) -> Syntax:
        """A text in its parts; in a file of another language things may be called as its players call them."""
        syntax = parse(text, how, place)
        code = place.source.language
        return self._with_names(syntax, code, scope) if code else syntax

    def _with_names(self, node: Syntax, code: str, scope: Scope) -> Syntax:
        words = self.words
        if node.kind == "name":
            name = node.kids[0]
            known = name in scope.names or name in words.options or name in words.by_name or name in words.plurals
            if known or name in words.functions or name in words.sets:
                return node
            meant = words.called(name, code)
            return node if meant is None else Syntax(node.kind, (meant,), node.start, node.end)
        kids = tuple(self._with_names(kid, code, scope) if isinstance(kid, Syntax) else kid for kid in node.kids)
        return Syntax(node.kind, kids, node.start, node.end)

    def _sentence(self, text: Sentence, place: Place, scope: Scope, wanted: Type | None) -> Expr:
        """A condition that is said in a language of people. To understand it one has to know all words of the game: in
        a first round, in which nobody does, it is taken to hold."""
        if wanted is not TRUTH and text.mistake is not None:  # sentences are conditions
            raise RulesError(text.mistake)
        if self.words.reader is None:
            self.words.unread |= {text.code}
            return const(True, TRUTH)
        found: Expr = self.words.reader(self.words, text, place, scope.names)
        return found

    def case(self, text: Any, place: Place, scope: Scope, value: Type) -> Expr:
        """One of the values that something may have, or some of them: its type helps to find names there."""
        if isinstance(text, int):
            return const(text, NUMBER)
        at = TextPlace(place, text)
        expr = Typing(self, at, scope).type(self._parsed(text, "expression", at, scope), value)
        if self.words.bounds is not None:
            self.words.bounds.check(expr, place, len(text))
        return expr

    def typed(self, node: Syntax, place: Place, scope: Scope, wanted: Type) -> Expr:
        """Type a part of a text that has been parsed already."""
        return Typing(self, place, scope).wanting(node, wanted)

    def demand(
        self, expr: Expr, wanted: Type | None, place: Place, *, maybe: bool = False, offset: int = 0, length: int = 1
    ) -> Expr:
        """The expression as one of type `wanted`; where it cannot be, a problem that many characters into the text."""
        if wanted is None:
            return expr
        if wanted.kind in ("set", "pile") and expr.type.kind == "thing" and expr.type.name != "nothing":
            expr = Expr("gather", ((expr,),), set_of(expr.type))
        if wanted.kind == "pile" and expr.type.kind == "list" and expr.type.of is not None:
            expr = Expr("heap", (expr, const((), EMPTY)), pile_of(expr.type.of))
        if wanted.kind == "amount" and expr.type.kind == "number":
            expr = Expr("amount", (expr, expr), AMOUNT)
        if not fits(expr.type, wanted):
            raise RulesError(
                problem("type_mismatch", place.shifted(offset), length, wanted=str(wanted), found=str(expr.type))
            )
        if expr.type.maybe and not (maybe or wanted.maybe) and (expr.op == "const" or expr.type.name == "nothing"):
            raise RulesError(problem("nothing_here", place.shifted(offset), length, wanted=str(wanted)))
        return expr

    def binding(self, text: str, place: Place, scope: Scope) -> tuple[str, Expr]:
        place = TextPlace(place, text)
        syntax = self._parsed(text, "binding", place, scope)
        name, source = syntax.kids
        expr = Typing(self, place, scope).type(source, None)
        if not expr.type.many:
            raise RulesError(
                problem("set_wanted", place.shifted(source.start), source.end - source.start, found=str(expr.type))
            )
        return name, expr

    def amount(self, text: Any, place: Place, scope: Scope) -> Expr:
        if isinstance(text, int) and not isinstance(text, bool):
            exactly = const(text, NUMBER)
            return Expr("amount", (exactly, exactly), AMOUNT)
        if not isinstance(text, str):
            raise RulesError(problem("expression_wanted", place))
        place = TextPlace(place, text)
        syntax = self._parsed(text, "amount", place, scope)
        if syntax.kind == "any_amount":
            return Expr("amount", (const(0, NUMBER), const(UNBOUNDED, NUMBER)), AMOUNT)
        typing = Typing(self, place, scope)
        if syntax.kind == "exact_amount":
            expr = typing.type(syntax.kids[0], None)
            return self.demand(expr, AMOUNT, place, length=len(text))
        how, value = syntax.kids
        number = typing.wanting(value, NUMBER)
        return Expr("amount", typing.bounds(how, number), AMOUNT)

    def literal(self, value: Any, kind: Type, at: Place) -> Value:
        """A plain value in a table: a name, a number, a list of names."""
        if isinstance(value, Seq):
            if kind.of is None:
                raise RulesError(problem("type_mismatch", at, wanted=str(kind), found="list"))
            items = [self.literal(v, kind.of, value.value_at[i]) for i, v in enumerate(value)]
            return tuple(items) if kind.kind == "list" else tuple(sorted(items if kind.kind == "pile" else set(items)))
        if kind.kind == "thing" and isinstance(value, (str, int)) and self.words.member(str(value), kind) is not None:
            return self.words.member(str(value), kind)  # whatever its name is: a number, a word of the language
        if kind.kind == "amount":
            return self.words.fixed(self.amount(value, at, Scope()), at, len(str(value)))
        return self.words.fixed(self.expression(value, at, Scope(), kind), at, len(str(value)))

    # --- tables and links ---------------------------------------------------------------------------------------------

    # --- heads and types ---------------------------------------------------------------------------------------------
    def head(self, text: str, place: Place) -> tuple[str, list[Param]]:
        """`place of piece` -> its shape "place of _" and its parameters."""
        place = TextPlace(place, text)
        syntax = parse(text, "head", place)
        params: list[Param] = []

        def param(node: Syntax) -> str:
            noun, called = node.kids
            kind = self.words.noun_type(noun)
            if kind is None:
                raise RulesError(
                    problem(
                        "unknown_noun",
                        place.shifted(node.start),
                        len(noun),
                        name=noun,
                        meant=self.words.suggest_noun(noun),
                    )
                )
            name = called or noun
            if any(p.name == name for p in params):
                raise RulesError(problem("parameter_twice", place.shifted(node.start), len(noun), name=name))
            params.append(Param(name, kind))
            return "_"

        def related(nodes: tuple[Any, ...]) -> str:
            return "".join(f" {r.kids[0]} {param(r.kids[1])}" for r in nodes)

        kids = syntax.kids
        if syntax.kind == "head_plain":
            shape = kids[0]
        elif syntax.kind == "head_of":
            shape = f"{kids[0]} of {param(kids[1])}{related(kids[2:])}"
        elif syntax.kind == "head_related":
            shape = f"{kids[0]}{related(kids[1:])}"
        elif syntax.kind == "head_is":
            shape = f"{param(kids[0])} is {kids[1]}{related(kids[2:])}"
        else:
            shape = f"{param(kids[0])} is{related(kids[1:])}"
        return shape, params

    def type(self, text: Any, place: Place) -> Type:
        if not isinstance(text, str):
            raise RulesError(problem("type_wanted", place))
        if text == "yes or no":
            return TRUTH
        place = TextPlace(place, text)
        syntax = parse(text, "type", place)
        maybe = syntax.kind == "type_or_nothing"
        node = syntax.kids[0] if syntax.kind in ("type", "type_or_nothing") else syntax
        return self._type(node, place).or_nothing(maybe)

    def _type(self, node: Syntax, place: Place) -> Type:
        if node.kind == "type_set":
            return set_of(self._type(node.kids[0], place))
        if node.kind == "type_list":
            return list_of(self._type(node.kids[0], place))
        if node.kind == "type_pile":
            return pile_of(self._type(node.kids[0], place))
        name = node.kids[0]
        if name == "number":
            return NUMBER
        if name == "amount":
            return AMOUNT
        kind = self.words.noun_type(name)
        if kind is None:
            raise RulesError(
                problem(
                    "unknown_noun", place.shifted(node.start), len(name), name=name, meant=self.words.suggest_noun(name)
                )
            )
        return kind


def reread(node: Syntax, pattern: Syntax, reading: Syntax, words: Vocabulary) -> Syntax:
    """The tree with every part that has the form of `pattern` put as `reading` says.

    In both, the word for a kind of thing stands for any expression; all else must be the same."""
    found: dict[str, Syntax] = {}

    def same(a: Any, b: Any) -> bool:
        if (
            isinstance(b, Syntax)
            and b.kind == "name"
            and words.noun_type(b.kids[0]) is not None
            and isinstance(a, Syntax)
        ):
            return found.setdefault(b.kids[0], a) is a
        if not isinstance(a, Syntax) or not isinstance(b, Syntax):
            return bool(a == b)
        return a.kind == b.kind and len(a.kids) == len(b.kids) and all(map(same, a.kids, b.kids))

    def filled(b: Syntax) -> Syntax:
        if b.kind == "name" and b.kids[0] in found:
            return found[b.kids[0]]
        kids = tuple(filled(k) if isinstance(k, Syntax) else k for k in b.kids)
        return Syntax(b.kind, kids, node.start, node.end)

    if same(node, pattern):
        return filled(reading)
    kids = tuple(reread(k, pattern, reading, words) if isinstance(k, Syntax) else k for k in node.kids)
    return Syntax(node.kind, kids, node.start, node.end)
