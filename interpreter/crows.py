"""Plain expressions -> C: what goes over sets and lists, and numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from .cmasks import CMasks
from .cwriting import WIDEST, C, Code, Env, K, NotNative
from .model import EMPTY, TRUTH, Expr, Type

__all__ = ["CSource"]


def all_of(tests: list[Expr], op: str = "and") -> Expr:
    return tests[0] if len(tests) == 1 else Expr(op, tuple(tests), TRUTH)


class CSource(CMasks):
    # --- quantifiers --------------------------------------------------------------------------------------------------
    @contextmanager
    def over(self, expr: Expr, env: Env, some: C | None = None) -> Iterator[tuple[C, Env]]:
        """A loop over the elements that a variable stands for, or over some of them."""
        var, source, _ = expr.args
        with self.each(some or self.of(source, env), source.type) as element:
            yield element, {**env, var: element}

    def _exists(self, expr: Expr, env: Env) -> Code:
        stop, sifted = expr.op == "exists", self.sifted(expr, env)
        some, tests = sifted or (None, [expr.args[2]])
        if some is not None and not tests:
            return self.let(f"{some.text} {'!=' if stop else '=='} 0", expr.type, "i", True)
        body = all_of(tests, "and" if stop else "or")
        name = self.fresh("x")
        self.put(f"i64 {name} = {int(not stop)};")
        with self.over(expr, env, some) as (_, inner):
            test = self.test(body, inner)
            self.put(f"if ({'' if stop else '!'}{test}) {{ {name} = {int(stop)}; break; }}")
        return C(name, expr.type, "i", True)

    _every = _exists

    def _tally(self, expr: Expr, env: Env) -> Code:
        some, tests = self.sifted(expr, env) or (None, [expr.args[2]])
        if some is not None and not tests:
            return self.let(f"COUNT_OF({some.text})", expr.type, "i", True)
        name = self.fresh("x")
        self.put(f"i64 {name} = 0;")
        with self.over(expr, env, some) as (_, inner):
            self.put(f"{name} += {self.test(all_of(tests), inner)};")
        return C(name, expr.type, "i", True)

    @contextmanager
    def gathered(self, kind: Type, how: str = "closed") -> Iterator[tuple[Callable[[Code, Type], None], list[C]]]:
        """A new row of this type: what is given to the function that this yields is put into it."""
        result: list[C] = []
        rep, name = self.rep(kind), self.fresh("x")
        if rep == "m":
            self.put(f"i64 {name} = 0;")

            def add(code: Code, of: Type) -> None:
                self.put(f"{name} |= {self.bits(code, of)};")

            yield add, result
        else:
            mark = self.fresh("k")
            self.put(f"const size_t {mark} = m->top;")

            def add(code: Code, of: Type) -> None:
                self.put(f"push(m, {self.text(code, of, self.inner(of))});")

            yield add, result
            self.put(f"const i64 {name} = {how}(m, {mark});")
        result.append(C(name, kind, rep, True))

    def _filter(self, expr: Expr, env: Env) -> Code:
        if self.rep(expr.type) == "m":
            some, tests = self.sifted(expr, env) or (None, [expr.args[2]])
            if some is not None and not tests:
                return some
            name = self.fresh("x")
            self.put(f"i64 {name} = 0;")
            with self.over(expr, env, some) as (element, inner):
                test = self.test(all_of(tests), inner)
                self.put(f"{name} |= (i64){test} * {self.bit(element, element.type)};")
            return C(name, expr.type, "m", True)
        with self.gathered(expr.type) as (add, result):
            with self.over(expr, env) as (element, inner):
                with self.inside(f"if {self.test(expr.args[2], inner)}"):
                    add(element, expr.args[1].type.of or EMPTY)
        return result[0]

    def values_of(self, expr: Expr, env: Env, add: Callable[[Code, Type], None]) -> None:
        """What there is for all elements, one after the other; of several for one element, each."""
        body = expr.args[2]
        with self.over(expr, env) as (_, inner):
            self.add_all(self.of(body, inner), body.type, add, expr.type)

    def add_all(self, code: Code, kind: Type, add: Callable[[Code, Type], None], to: Type) -> None:
        """Of several, each; at once, where they are a mask, and it goes into one."""
        element = kind.of or EMPTY
        at_once = kind.many and self.rep(to) == self.rep(kind) == "m" and self.universe(to.of) == self.universe(kind.of)
        if isinstance(code, K):
            if code.value is not None and at_once:
                add(code, kind)
            elif code.value is not None:
                for value in code.value if kind.many else (code.value,):
                    if value is not None:
                        add(K(value), element if kind.many else kind)
            return
        sure = code.there()
        with self.there(code):
            if at_once and code.rep == "m" or not kind.many:
                add(sure, kind)
            else:
                with self.each(sure, kind) as one:
                    with self.there(one):
                        add(one.there(), element)

    @contextmanager
    def there(self, code: C) -> Iterator[None]:
        """What is done if it is not nothing."""
        if code.sure:
            yield
        else:
            with self.inside(f"if ({code.text} != NOTHING)"):
                yield

    def _image(self, expr: Expr, env: Env) -> Code:
        with self.gathered(expr.type, "closed_set") as (add, result):
            self.values_of(expr, env, add)
        return result[0]

    def _images(self, expr: Expr, env: Env) -> Code:
        with self.gathered(expr.type) as (add, result):
            self.values_of(expr, env, add)
        return result[0]

    def _stride(self, expr: Expr, env: Env) -> Code:
        source = expr.args[1]
        with self.gathered(expr.type, "closed_set") as (add, result):
            self.add_all(self.of(source, env), source.type, add, expr.type)
            self.values_of(expr, env, add)
        return result[0]

    def _reach(self, expr: Expr, env: Env) -> Code:
        var, source, body = expr.args
        start = self.of(source, env)
        if self.rep(expr.type) == "m":
            name, done, rest = self.fresh("x"), self.fresh("m"), self.fresh("m")
            self.put(f"i64 {name} = {self.needed(start, self.text(start, source.type, 'm'))}, {done} = 0;")
            with self.inside(f"for (i64 {rest}; ({rest} = {name} & ~{done}) != 0;)"):
                lowest = self.let(
                    f"{self.atoms_of(self.universe(expr.type.of))}[LOWEST({rest})]", expr.type.of or EMPTY, "i", True
                )
                self.put(f"{done} |= {rest} & -{rest};")
                self.add_all(
                    self.of(body, {**env, var: lowest}),
                    body.type,
                    lambda code, of: self.put(f"{name} |= {self.bits(code, of)};"),
                    expr.type,
                )
            return C(name, expr.type, "m", True)
        mark, index, new = self.fresh("k"), self.fresh("k"), self.fresh("n")

        def add(code: Code, of: Type) -> None:
            inner = self.text(code, of, "r" if of.many else "i")
            with self.inside(""):
                self.put(f"const i64 {new} = {inner};")
                self.put(f"size_t k = {mark};")
                self.put(f"while (k < m->top && m->stack[k] != {new}) k++;")
                self.put(f"if (k == m->top) push(m, {new});")

        self.put(f"const size_t {mark} = m->top;")
        self.add_all(start, source.type, add, expr.type)
        with self.inside(f"for (size_t {index} = {mark}; {index} < m->top; {index}++)"):
            element = source.type.of or EMPTY
            here = self.let(f"m->stack[{index}]", element, "r" if element.many else "i", True)
            self.add_all(self.of(body, {**env, var: here}), body.type, add, expr.type)
        return self.let(f"closed_set(m, {mark})", expr.type, "r", True)

    def _highest(self, expr: Expr, env: Env) -> Code:
        return self.best(expr, env, 1)

    def _lowest(self, expr: Expr, env: Env) -> Code:
        return self.best(expr, env, -1)

    def best(self, expr: Expr, env: Env, sign: int) -> Code:
        mark = self.fresh("k")
        self.put(f"const size_t {mark} = m->top;")
        with self.over(expr, env) as (element, inner):
            number = self.value(expr.args[2], inner)
            self.put(f"push(m, {element.text});")
            self.put(f"push(m, {number});")
        self.put(f"best_of(m, {mark}, {sign});")
        row = self.let(f"closed(m, {mark})", expr.type, "r", True)
        return row if self.rep(expr.type) == "r" else self.let(self.text(row, expr.type, "m"), expr.type, "m", True)

    def _distinct(self, expr: Expr, env: Env) -> Code:
        body = expr.args[2]
        if body.type.kind == "thing" and len(self.universes[self.universe(body.type)]) <= WIDEST:
            return self._distinct_things(expr, env)
        mark = self.fresh("k")
        self.put(f"const size_t {mark} = m->top;")
        with self.over(expr, env) as (_, inner):
            self.put(f"push(m, {self.value(body, inner)});")
        return self.let(f"all_different(m, {mark})", expr.type, "i", True)

    def _distinct_things(self, expr: Expr, env: Env) -> Code:
        """Each as a bit: of those that are there a second time; nothing is a thing like others here."""
        seen, name = self.fresh("m"), self.fresh("x")
        self.put(f"i64 {seen} = 0, {name} = 1;")
        with self.over(expr, env) as (_, inner):
            code = self.of(expr.args[2], inner)
            if isinstance(code, C) and not code.sure:
                sure = code.there()
                bit = f"{code.text} == NOTHING ? NOTHING : {self.bit(sure, expr.args[2].type)}"
            else:
                bit = "NOTHING" if isinstance(code, K) and code.value is None else self.bit(code, expr.args[2].type)
            one = self.let(bit, expr.args[2].type, "m", True).text
            self.put(f"{name} &= !({seen} & {one});")
            self.put(f"{seen} |= {one};")
        return C(name, expr.type, "i", True)

    def _often(self, expr: Expr, env: Env) -> Code:
        with self.gathered(expr.type) as (add, result):
            with self.over(expr, env) as (element, inner):
                times, left = self.value(expr.args[2], inner), self.fresh("n")
                with self.inside(f"for (i64 {left} = {times}; {left} > 0; {left}--)"):
                    add(element, expr.args[1].type.of or EMPTY)
        return result[0]

    # --- sets and lists -----------------------------------------------------------------------------------------------
    def one_of(self, expr: Expr, env: Env, of_mask: str, of_row: str) -> Code:
        (source,) = expr.args
        code = self.of(source, env)
        rep = code.rep if isinstance(code, C) else self.rep(source.type)
        if rep == "m" and not (isinstance(code, K) and code.value is None):
            mask = self.let(self.needed(code, self.text(code, source.type, "m")), source.type, "m", True).text
            atoms = self.atoms_of(self.universe(source.type.of))
            return self.let(of_mask.format(x=mask, atoms=atoms), expr.type, "i")
        kind = source.type.of or EMPTY
        found = self.let(
            f"{of_row}(m, {self.text(code, source.type, 'r')})",
            expr.type,
            self.inner(kind),
        )
        wanted = self.rep(expr.type)
        return found if found.rep == wanted else self.let(self.text(found, expr.type, wanted), expr.type, wanted)

    def _only(self, expr: Expr, env: Env) -> Code:
        return self.one_of(expr, env, "({x} && !({x} & ({x} - 1))) ? lowest_of({x}, {atoms}) : NOTHING", "only")

    def _first(self, expr: Expr, env: Env) -> Code:
        return self.one_of(expr, env, "lowest_of({x}, {atoms})", "first")

    def _last(self, expr: Expr, env: Env) -> Code:
        return self.one_of(expr, env, "highest_of({x}, {atoms})", "last")

    def _count(self, expr: Expr, env: Env) -> Code:
        (source,) = expr.args
        return self.let(self.size(self.of(source, env), source.type), expr.type, "i", True)

    def size(self, code: Code, kind: Type) -> str:
        rep = code.rep if isinstance(code, C) else self.rep(kind)
        text = self.text(code, kind, rep)
        return f"COUNT_OF({self.needed(code, text)})" if rep == "m" else f"length(m, {text})"

    def nth(self, code: C, element: Type, index: str) -> C:
        """The element of a row at a place where there is one."""
        if code.rep == "m":
            atoms = self.atoms_of(self.universe(code.type.of))
            return self.let(f"{atoms}[nth_of((u64){code.text}, {index})]", element, "i", True)
        return self.let(f"at(m, {code.text}, {index})", element, self.inner(element))

    def rows_of(self, expr: Expr, env: Env, form: str) -> Code:
        """An operation on rows, whatever its arguments are kept as."""
        texts = [self.text(self.of(x, env), x.type, "r" if x.type.many else "i") for x in expr.args]
        return self.as_wanted(self.let(form.format(*texts), expr.type, "r", True), expr.type)

    def as_wanted(self, row: C, kind: Type) -> Code:
        return row if self.rep(kind) == "r" else self.let(self.text(row, kind, "m"), kind, "m", True)

    def masks_of(self, expr: Expr, env: Env, form: str) -> Code | None:
        """The same on masks, where both sides and what comes of them are."""
        if self.rep(expr.type) != "m" or not self.both_masks(expr.args):
            return None
        codes = [self.of(x, env) for x in expr.args]
        texts = [self.needed(c, self.text(c, x.type, "m")) for c, x in zip(codes, expr.args)]
        return self.let(form.format(*texts), expr.type, "m", True)

    def _reversed(self, expr: Expr, env: Env) -> Code:
        return self.rows_of(expr, env, "backwards(m, {})")

    def _rotated(self, expr: Expr, env: Env) -> Code:
        return self.turned(expr, env, 0)

    def _after(self, expr: Expr, env: Env) -> Code:
        return self.turned(expr, env, 1)

    def turned(self, expr: Expr, env: Env, by: int) -> Code:
        if self.rep(expr.type) != "r":
            raise NotNative("a set that begins somewhere")
        row, element = expr.args
        texts = [self.value(row, env, "r"), self.value(element, env, "r" if element.type.many else "i")]
        return self.let(f"turned(m, {', '.join(texts)}, {by})", expr.type, "r", True)

    def _gather(self, expr: Expr, env: Env) -> Code:
        with self.gathered(expr.type, "closed_set") as (add, result):
            for arg in expr.args[0]:
                code = self.of(arg, env)
                if isinstance(code, C):
                    with self.there(code):
                        add(code.there(), arg.type)
                elif code.value is not None:
                    add(code, arg.type)
        return result[0]

    def _join(self, expr: Expr, env: Env) -> Code:
        return self.masks_of(expr, env, "{} | {}") or self.rows_of(expr, env, "joined(m, {}, {})")

    def _heap(self, expr: Expr, env: Env) -> Code:
        return self.with_one(expr, env, "added") or self.rows_of(expr, env, "heaped(m, {}, {})")

    def _append(self, expr: Expr, env: Env) -> Code:
        row, element = expr.args
        texts = [self.value(row, env, "r"), self.value(element, env, self.inner(element.type))]
        if element.type.maybe:
            return self.let(
                f"{texts[1]} == NOTHING ? need(m, {texts[0]}) : appended(m, {texts[0]}, {texts[1]})",
                expr.type,
                "r",
                True,
            )
        return self.let(f"appended(m, {texts[0]}, {texts[1]})", expr.type, "r", True)

    def _extend(self, expr: Expr, env: Env) -> Code:
        return self.rows_of(expr, env, "extended(m, {}, {})")

    def _without(self, expr: Expr, env: Env) -> Code:
        return self.masks_of(expr, env, "{} & ~{}") or self.rows_of(expr, env, "without(m, {}, {})")

    def _remove(self, expr: Expr, env: Env) -> Code:
        return self.with_one(expr, env, "lacking") or self.rows_of(expr, env, "removed(m, {}, {})")

    def with_one(self, expr: Expr, env: Env, how: str) -> Code | None:
        """A row and one thing, where there is no more in the other."""
        row, other = expr.args
        if other.op != "gather" or len(other.args[0]) != 1 or other.args[0][0].type.maybe:
            return None
        (one,) = other.args[0]
        texts = [self.value(row, env, "r"), self.value(one, env, self.inner(one.type))]
        return self.as_wanted(self.let(f"{how}(m, {', '.join(texts)})", expr.type, "r", True), expr.type)

    # --- numbers ------------------------------------------------------------------------------------------------------
    def arithmetic(self, expr: Expr, env: Env, function: str) -> Code:
        texts = [self.value(x, env) for x in expr.args]
        return self.let(f"{function}(m, {', '.join(texts)})", expr.type, "i", True)

    def _add(self, expr: Expr, env: Env) -> Code:
        return self.arithmetic(expr, env, "plus")

    def _sub(self, expr: Expr, env: Env) -> Code:
        return self.arithmetic(expr, env, "minus")

    def _mul(self, expr: Expr, env: Env) -> Code:
        return self.arithmetic(expr, env, "product")

    def _div(self, expr: Expr, env: Env) -> Code:
        return self.arithmetic(expr, env, "quotient")

    def _rem(self, expr: Expr, env: Env) -> Code:
        return self.arithmetic(expr, env, "left_over")

    def _range(self, expr: Expr, env: Env) -> Code:
        texts = [self.value(x, env) for x in expr.args]
        return self.let(f"numbers(m, {', '.join(texts)})", expr.type, "r", True)

    def _total(self, expr: Expr, env: Env) -> Code:
        return self.let(f"total(m, {self.value(expr.args[0], env, 'r')})", expr.type, "i", True)

    def _largest(self, expr: Expr, env: Env) -> Code:
        return self.let(f"extreme(m, {self.value(expr.args[0], env, 'r')}, 1)", expr.type, "i")

    def _smallest(self, expr: Expr, env: Env) -> Code:
        return self.let(f"extreme(m, {self.value(expr.args[0], env, 'r')}, -1)", expr.type, "i")

    def _amount(self, expr: Expr, env: Env) -> Code:
        texts = [self.value(x, env) for x in expr.args]
        return self.let(f"(Amount){{{', '.join(texts)}}}", expr.type, "a", True)
