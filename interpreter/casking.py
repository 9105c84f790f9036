"""What a player may choose, in C: one function lists all choices, one tells whether there is any, one takes one of them
at random where that needs no list. As asking.py does it in Python: the same parts in the same order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from .asking import rare_ways
from .crows import CSource, all_of
from .cwriting import C, Code, NotNative
from .flat import Question, Way
from .model import EMPTY, Part, Type, Var

__all__ = ["MAX_GROUPS", "CAsking"]

MAX_GROUPS = 16
OFFER = "static void {}(Machine *m, const i64 *v, Choices *to, u64 skip)"
NUMBER_OF = "static i64 {}(Machine *m, const i64 *v)"
WHETHER = "static int {}(Machine *m, const i64 *v)"


class CAsking(CSource):
    ways: list[tuple[int, int, list[int]]]  # node, alternative, shapes of the parts
    parts_most: int
    actors: dict[int, str]
    offers: dict[int, str]
    has: dict[int, str]
    rare: dict[int, list[tuple[int, int]]]  # alternatives that are taken only once in so many times
    masks: dict[int, tuple[str, str]]  # nodes at which one thing of a mask is chosen
    fixed: dict[int, list[int]]  # nodes with alternatives that are always offered, and nothing else

    def questions(self, questions: dict[int, Question]) -> None:
        self.ways, self.parts_most = [], 1
        self.actors, self.offers, self.has, self.rare, self.masks, self.fixed = {}, {}, {}, {}, {}, {}
        for node, question in questions.items():
            self._question(node, question)

    def function(self, prefix: str, head: str, lines: list[str]) -> str:
        name = self.fresh(prefix)
        whole = head.format(name)
        self.heads.append(whole + ";")
        self.functions.append([whole + " {", *lines, "}"])
        return name

    def _question(self, node: int, question: Question) -> None:
        """Who is asked, and what is offered."""
        step, ways = question.step, question.ways
        with self.apart() as lines:
            self.put(f"return {self.number(question.actor, {})};")
        self.actors[node] = self.function("u", NUMBER_OF, lines)
        rare = [way.alternative for way in rare_ways(ways) if way.alternative is not None]
        if rare:
            self.rare[node] = [(a.atom, a.rarely) for a in rare]
        with self.looking_once() as first, self.apart() as lines:
            self.put("const size_t k = m->top;")
            self.put("Choices all = *to;")
            for way in ways:
                if way.alternative in rare:
                    with self.inside(f"if (!(skip >> {rare.index(way.alternative)} & 1))"):
                        self.nest(way, self.listing(way))
                else:
                    self.nest(way, self.listing(way))
            self.put("*to = all;")
        self.offers[node] = self.function("l", OFFER, first + lines)
        if "if none" in step.bodies:
            with self.apart() as lines:
                self.put("const size_t k = m->top;")
                for way in ways:
                    self.nest(way, lambda names: self.put("m->top = k; return 1;"))
                self.put("return 0;")
            self.has[node] = self.function("h", WHETHER, lines)
        self._find_quick(node, ways)
        for way in ways:
            atom = way.alternative.atom if way.alternative is not None else -1
            shapes = [self.shape(part.var.type, counts=part.counts) for part in way.parts]
            self.ways.append((node, atom, shapes))
            self.parts_most = max(self.parts_most, len(shapes) + (way.alternative is not None))

    def _find_quick(self, node: int, ways: list[Way]) -> None:
        """Where one of the choices can be taken without listing all."""
        way = ways[0]
        if len(ways) == 1 and way.alternative is None and not way.where and len(way.parts) == 1:
            part = way.parts[0]
            if part.shape == "one" and part.source.type.kind == "set" and self.rep(part.source.type) == "m":
                with self.apart() as lines:
                    code = self.of(part.source, {})
                    self.put(f"return {self.needed(code, self.text(code, part.source.type, 'm'))};")
                name = self.function("s", NUMBER_OF, lines)
                self.masks[node] = name, self.atoms_of(self.universe(part.source.type.of))
        elif all(w.alternative is not None and not w.parts and w.given is None and not w.where for w in ways):
            self.fixed[node] = [w.alternative.atom for w in ways if w.alternative is not None]

    def listing(self, way: Way) -> Callable[[list[str]], None]:
        first = [str(way.alternative.atom)] if way.alternative is not None else []

        def put(names: list[str]) -> None:
            with self.inside(""):
                self.put("i64 *c = NEXT_CHOICE;")
                for index, name in enumerate([*first, *names]):
                    self.put(f"c[{index}] = {name};")
                self.put(f"for (int i = {len(first) + len(names)}; i < PARTS; i++) c[i] = 0;")
                self.put("if (all.count == all.most) { *to = all; m->top = k; return; }")

        return put

    def nest(self, way: Way, found: Callable[[list[str]], None]) -> None:
        def offered(index: int, env: dict[Var, Code], names: list[str]) -> None:
            if index == len(way.parts):
                tests(0, env, names)
                return
            part = way.parts[index]
            with self.candidates(part, env) as chosen:
                offered(index + 1, {**env, part.var: chosen}, [*names, chosen.text])

        def tests(index: int, env: dict[Var, Code], names: list[str]) -> None:
            if index == len(way.where):
                found(names)
                return
            with self.inside(f"if ({self.test(way.where[index], env)})"):
                tests(index + 1, env, names)

        if way.given is None:
            offered(0, {}, [])
            return
        if way.given.op == "const" and not way.given.args[0]:
            return
        with self.inside(f"if {self.test(way.given)}"):
            offered(0, {}, [])

    @contextmanager
    def candidates(self, part: Part, env: dict[Var, Code]) -> Iterator[C]:
        kind, rep = part.source.type, self.rep(part.var.type)
        if part.shape == "one" and part.source.op == "filter" and kind.kind == "set":
            some, tests = self.sifted(part.source, env) or (None, [part.source.args[2]])
            with self.over(part.source, env, some) as (element, inner):
                if not tests:
                    yield element
                    return
                with self.inside(f"if ({self.test(all_of(tests), inner)})"):
                    yield element
            return
        if part.shape == "one":
            code = self.of(part.source, env)
            if kind.kind == "set":
                with self.each(code, kind) as element:
                    yield element
                return
            with self._each_once(code, kind) as element:
                yield element
            return
        mark, begin, end, index = self.fresh("k"), self.fresh("k"), self.fresh("k"), self.fresh("k")
        self.put(f"const size_t {mark} = m->top;")
        if part.shape == "match":
            assert part.onto is not None
            onto = self.value(part.onto, env, "r")
            self.put(f"const size_t {begin} = permutations(m, {onto}, {len(part.source.args[0])});")
        else:
            self._subsets(part, env, mark, begin, rep)
        self.put(f"const size_t {end} = m->top;")
        with self.inside(f"for (size_t {index} = {begin}; {index} < {end}; {index}++)"):
            yield self.let(f"m->stack[{index}]", part.var.type, rep, True)
        self.put(f"m->top = {mark};")

    @contextmanager
    def _each_once(self, code: Code, kind: Type) -> Iterator[C]:
        """Equal cards are one choice."""
        row = self.let(self.text(code, kind, "r"), kind, "r")
        index, before, same = self.fresh("i"), self.fresh("i"), self.fresh("n")
        with self.inside(f"for (i64 {index} = 0; {index} < length(m, {row.text}); {index}++)"):
            element = self.nth(row, kind.of or EMPTY, index)
            self.put(f"i64 {same} = 0;")
            with self.inside(f"for (i64 {before} = 0; {before} < {index}; {before}++)"):
                self.put(f"{same} |= at(m, {row.text}, {before}) == {element.text};")
            self.put(f"if ({same}) continue;")
            yield element

    def _subsets(self, part: Part, env: dict[Var, Code], mark: str, begin: str, rep: str) -> None:
        """The pool on the stack, sorted, then for each of its elements in which of the counted groups it is."""
        assert part.amount is not None
        if len(part.which) > MAX_GROUPS:
            raise NotNative("too many groups")
        kind = part.source.type
        element = kind.of or EMPTY
        if element.many:
            raise NotNative("some of many rows")
        amount = self.let(self.value(part.amount, env), part.amount.type, "a")
        limits = [self.let(self.value(most, env), most.type, "a").text for _, _, most in part.which]
        pool = self.of(part.source, env)
        with self.each(pool, kind) as one:
            self.put(f"push(m, {one.text});")
        size, index, groups = self.fresh("n"), self.fresh("n"), self.fresh("x")
        self.put(f"sorted(m, {mark});")
        self.put(f"const i64 {size} = (i64)(m->top - {mark});")
        with self.inside(f"for (i64 {index} = 0; {index} < {size}; {index}++)"):
            here = self.let(f"m->stack[{mark} + (size_t){index}]", element, "i")
            self.put(f"i64 {groups} = 0;")
            for number, (var, test, _) in enumerate(part.which):
                self.put(f"{groups} |= (i64){self.test(test, {**env, var: here})} << {number};")
            self.put(f"push(m, {groups});")
        row = self.fresh("a")
        self.put(f"const Amount {row}[] = {{{', '.join(limits) or '{0, 0}'}}};")
        ranks, low, _ = self.ranks_of(self.universe(part.var.type.of) or self.universe(kind.of))
        if rep == "r":
            ranks, low = "NULL", 0
        self.put(f"const size_t {begin} = subsets(m, {mark}, {amount.text}, {row}, {len(limits)}, {ranks}, {low});")
