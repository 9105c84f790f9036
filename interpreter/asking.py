"""Source for what a player may choose: one piece lists all choices, one tells whether there is any, one checks a single
one.

They all go through the same parts in the same order; `is_legal` and `legal` must always agree.
"""

from __future__ import annotations

from .flat import Way
from .model import Expr, Part, Var
from .source import Env, SourceBuilder


def rare_ways(ways: list[Way]) -> list[Way]:
    """Those that players who choose at random mostly leave out: then they need not be listed."""
    return [way for way in ways if way.alternative is not None and way.alternative.rarely > 1]


class Asking:
    def __init__(self, source: SourceBuilder):
        self.source = source

    def code(self, expr: Expr, env: Env | None = None) -> str:
        return self.source.of(expr, env or {})

    def enumerate(self, ways: list[Way], stop: bool = False) -> list[str]:
        """Source that lists the choices of all ways; with `stop`, that tells whether there is any."""
        if len(ways) == 1 and not stop and len(ways[0].parts) == 1 and ways[0].parts[0].shape == "one":
            way, part = ways[0], ways[0].parts[0]
            plain = part.source.type.kind == "set" and not part.counts
            if way.alternative is None and not way.where and plain:
                name = self.source.fresh("x")
                if part.source.op == "filter":
                    var, source, body = part.source.args
                    return [f"return [({name},) for {name} in {self.code(source)} if {self.code(body, {var: name})}]"]
                return [f"return [({name},) for {name} in {self.code(part.source)}]"]
        if not stop and all(way.alternative and not way.parts and way.given is None and not way.where for way in ways):
            atoms = [way.alternative.atom for way in ways if way.alternative]
            offered = f"[{', '.join(f'({atom},)' for atom in atoms)}]"
            less = [f"if skip: return [c for c in {offered} if c[0] not in skip]"] if rare_ways(ways) else []
            return [*less, f"return {offered}"]
        lines = [] if stop else ["r = []"]
        for way in ways:
            nested = self.nest(way, "return True" if stop else "r.append({choice})")
            if way in rare_ways(ways) and not stop and nested:
                assert way.alternative is not None
                nested = [f"if {way.alternative.atom} not in skip:", *("    " + line for line in nested)]
            lines += nested
        return [*lines, "return False" if stop else "return r"]

    def nest(self, way: Way, found: str) -> list[str]:
        lines: list[str] = []
        env: dict[Var, str] = {}
        depth, names = 0, []

        def put(line: str) -> None:
            lines.append("    " * depth + line)

        if way.given is not None:
            if way.given.op == "const" and not way.given.args[0]:
                return []
            put(f"if {self.code(way.given, env)}:")
            depth += 1
        for part in way.parts:
            name = self.source.fresh("x")
            if part.shape == "one" and part.source.op == "filter" and part.source.type.kind == "set":
                var, source, body = part.source.args
                put(f"for {name} in {self.code(source, env)}:")
                depth += 1
                put(f"if {self.code(body, {**env, var: name})}:")
            else:
                put(f"for {name} in {self.candidates(part, env)}:")
            depth += 1
            names.append(f"Number({name})" if part.counts and part.shape == "one" else name)
            env = {**env, part.var: name}
        if way.where:
            put("if " + " and ".join(self.code(w, env) for w in way.where) + ":")
            depth += 1
        label = [str(way.alternative.atom)] if way.alternative is not None else []
        put(found.format(choice="(" + "".join(f"{x}, " for x in [*label, *names]) + ")"))
        return lines

    def candidates(self, part: Part, env: Env) -> str:
        source = self.code(part.source, env)
        if part.shape == "one":  # equal cards are one choice
            return source if part.source.type.kind == "set" else f"dict.fromkeys({source})"
        if part.shape == "match":
            assert part.onto is not None
            return f"permutations({self.code(part.onto, env)}, {len(part.source.args[0])})"
        assert part.amount is not None
        source = f"map(Number, {source})" if part.counts else source
        return f"subsets({source}, {self.code(part.amount, env)}, [{self.counts(part, env)}])"

    def counts(self, part: Part, env: Env) -> str:
        pieces = []
        for var, test, amount in part.which:
            name = self.source.fresh("x")
            source = self.code(part.source, env)
            pieces.append(
                f"({{{name} for {name} in {source} if {self.code(test, {**env, var: name})}}}, "
                f"{self.code(amount, env)})"
            )
        return ", ".join(pieces)

    def recognise(self, ways: list[Way]) -> list[str]:
        """Source that checks one choice without listing all."""
        lines = ["if type(c) is not tuple or not c:", "    return False"]
        for way in ways:
            first = 0 if way.alternative is None else 1
            size = first + len(way.parts)
            head = f"if len(c) == {size}" + (f" and c[0] == {way.alternative.atom}" if way.alternative else "")
            tests: list[str] = []
            env: dict[Var, str] = {}
            if way.given is not None:
                tests.append(self.code(way.given, env))
            names = [self.source.fresh("x") for _ in way.parts]  # plain names: helpers get them as arguments
            for part, name in zip(way.parts, names):
                tests.append(self.accepts(part, name, env))
                env = {**env, part.var: name}
            tests += [self.code(w, env) for w in way.where]
            lines += [
                head + ":",
                *(f"    {name} = c[{i}]" for i, name in enumerate(names, first)),
                "    return bool(" + (" and ".join(tests) or "True") + ")",
            ]
        return [*lines, "return False"]

    def accepts(self, part: Part, name: str, env: Env) -> str:
        if part.shape == "one" and part.source.op == "filter":
            var, source, body = part.source.args
            return f"{name} in {self.code(source, env)} and {self.code(body, {**env, var: name})}"
        source = self.code(part.source, env)
        if part.shape == "one":
            return f"{name} in {source}"
        if part.shape == "match":
            assert part.onto is not None
            return (
                f"type({name}) is tuple and len({name}) == {len(part.source.args[0])} == len(set({name}))"
                f" and within({name}, {self.code(part.onto, env)})"
            )
        assert part.amount is not None
        return f"is_subset({name}, {source}, {self.code(part.amount, env)}, [{self.counts(part, env)}])"
