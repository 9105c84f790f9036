"""Why something is so: the sentences of the rules beside it, where they stand, and what options settle beforehand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ..interpreter.evaluate import settled_value
from ..interpreter.model import Expr, Step, Told, Var, walk
from .language import Language
from .telling import Telling

if TYPE_CHECKING:
    from ..interpreter.game import Game

__all__ = [
    "DECIDED",
    "UNDECIDED",
    "before",
    "endings",
    "explain",
    "explained",
    "outcomes",
    "source_title",
    "truth",
]

# Operations that options and tables may settle before a game begins, a variable inside what binds it…
DECIDED = frozenset(
    """const var table word cond and or not eq less member within exists every tally filter image images highest
    lowest stride reach distinct only count first last reversed rotated after often gather join append extend
    heap without remove add sub mul div rem range total largest smallest amount""".split()
)
UNDECIDED = frozenset({"state", "formula", "matched"})  # … and those that are never settled

UNEXPLAINED = ("else", "if none")  # what is asked in these bodies of steps is not explained


def truth(expr: Expr) -> bool | None:
    """What a condition comes to whatever happens in the game, as far as options and tables settle it; else None."""
    if expr.op == "not":
        inner = truth(expr.args[0])
        return None if inner is None else not inner
    if expr.op in ("and", "or"):
        sides = [truth(side) for side in expr.args]
        decisive = expr.op == "or"
        if decisive in sides:
            return decisive
        return None if None in sides else not decisive
    known = settled_value(expr)
    return None if known is None else bool(known[0])


def source_title(game: Game, language: Language, source: str) -> str:
    """What a text is called that rules refer to."""
    return language.text(game.rulebook.sources.get(source)).strip() or source


def sources_said(game: Game, language: Language, sources: Sequence[str]) -> str:
    """Which texts a rule comes from."""
    titles = language.apart(source_title(game, language, source) for source in sources)
    return language.ngettext("Source: {sources}.", "Sources: {sources}.", len(sources), sources=titles)


def explain(game: Game, step: Step, language: Language, alternative: str = "") -> list[str]:
    """The rule that a choice follows from, where it comes from and why it is so: sentences of the rule file.

    Of the alternatives only those count that the options of this game leave open."""
    way = next((way for rule in game.program.rules.values() if (way := _way(rule.steps, step))), None)
    if way is None:
        return []
    entries = [next((entry for entry in reversed(way) if entry.rule), Told())]
    open_to_him = {a.name for a in step.alternatives if a.given is None or truth(a.given) is not False}
    wanted = {alternative} if alternative else open_to_him
    entries += [a.told for a in step.alternatives if a.name in wanted]
    return [text for entry in entries if entry.rule for text in explained(game, language, entry)]


def before(game: Game, step: Step, language: Language) -> list[str]:
    """What is told of the step before a choice, where nothing is told of the choice or of what it stands in: one
    sentence may speak of both."""
    for rule in game.program.rules.values():
        if (found := _told_before(rule.steps, step)) is not None:
            return explained(game, language, found) if found.rule else []
    return []


def outcomes(game: Game, step: Step, language: Language) -> dict[int, str]:
    """Of things that can be chosen here, what the rules say where they ask whether it was this one."""
    chosen = {part.var.origin for part in (*step.parts, *(part for way in step.alternatives for part in way.parts))}
    telling, found = Telling(game, language), dict[int, str]()
    for rule in game.program.rules.values():
        for asked in (one for one in walk(rule.steps) if one.verb == "if"):
            things = _things(asked.at["if"], chosen)
            said = telling.text(asked.told.rule) or _first_told(asked.bodies.get("then", []), telling) if things else ""
            for thing in things if said else ():
                found.setdefault(thing, said)
    return found


def _things(condition: Expr, chosen: set[Var]) -> list[int]:
    """The things that a condition asks for, if it asks only whether one of them was chosen."""
    if condition.op == "or":
        sides = [_things(side, chosen) for side in condition.args]
        return [thing for side in sides for thing in side] if all(sides) else []
    if condition.op not in ("eq", "member"):
        return []
    variable = next((e for e in condition.args if e.op == "var" and e.args[0].origin in chosen), None)
    constant = next((e.args[0] for e in condition.args if e.op == "const"), None)
    if variable is None or constant is None or variable.type.kind != "thing":
        return []
    return [thing for thing in (constant if isinstance(constant, tuple) else (constant,)) if type(thing) is int]


def _first_told(steps: Sequence[Step], telling: Telling, inside: frozenset[str] = frozenset()) -> str:
    for step in steps:
        bodies = [*step.bodies.values()]
        within = inside
        if step.callee is not None and step.callee.shape not in inside:
            bodies, within = [step.callee.steps, *bodies], inside | {step.callee.shape}
        deeper = (_first_told(body, telling, within) for body in bodies)
        if said := telling.text(step.told.rule) or next(filter(None, deeper), ""):
            return said
    return ""


def _told_before(steps: Sequence[Step], wanted: Step) -> Told | None:
    """What is told of the last step with a text before this one, in the same list; None, if it is not here."""
    last = Told()
    for step in steps:
        if step is wanted:
            return last
        for body in (*step.bodies.values(), *(way.then for way in step.alternatives)):
            if (deeper := _told_before(body, wanted)) is not None:
                return deeper
        last = step.told if step.told.rule else last
    return None


def explained(game: Game, language: Language, entry: Told) -> list[str]:
    """What is told of a part of the rules, why it is so, and which texts it comes from."""
    said = [text for text in Telling(game, language).told(entry) if text]
    if entry.sources:
        said.append(sources_said(game, language, entry.sources))
    return said


def endings(game: Game, language: Language) -> list[str]:
    """How a game is decided: what the rules say beside each step that ends it, after the question that leads there; at
    last, how it ends without a winner."""
    telling, won, drawn = Telling(game, language), dict[str, None](), dict[str, None]()
    seen: set[str] = set()

    def visit(steps: Iterable[Step], sentence: str, question: str = "") -> None:
        for step in steps:
            here = telling.text(step.told.rule) or sentence
            if step.verb == "end" and here:
                found = drawn if step.at["end"].op == "const" and not step.at["end"].args[0] else won
                found.update(dict.fromkeys(filter(None, (question, here))))
            elif step.callee is not None and _is_the_end(step.callee.steps):
                own = [text for last in step.callee.steps if (text := telling.text(last.told.rule))]
                won.update(dict.fromkeys(own or filter(None, (question, here))))
            if step.callee is not None and step.callee.shape not in seen:
                seen.add(step.callee.shape)
                visit(step.callee.steps, here if step.told.rule else "")
            holds = truth(step.at["if"]) if step.verb == "if" else None
            for key, body in step.bodies.items():
                if holds is None or holds == (key != "else"):
                    visit(body, here, question)
            for way in step.alternatives:
                if way.given is None or truth(way.given) is not False:
                    visit(way.then, telling.text(way.told.rule) or here, telling.text(step.told.rule))

    visit(game.program.rules[game.rulebook.start].steps, "")
    return [*(won | drawn)]


def _is_the_end(steps: Iterable[Step]) -> bool:
    """Does nothing follow these but that the game is over: what is revealed then, say? Who carries them out decides it,
    and not what is told of them."""
    last = None
    for step in steps:
        if step.verb not in ("show", "say", "let", "set", "end"):
            return False
        last = step
    return last is not None and last.verb == "end"


def _way(steps: Iterable[Step], wanted: Step) -> list[Told]:
    """What is told of the steps and choices on the way to a step, outermost first; nothing, if it is not here."""
    for step in steps:
        if step is wanted:
            return [step.told]
        for key, body in step.bodies.items():
            if key not in UNEXPLAINED and (deeper := _way(body, wanted)):
                return [step.told, *deeper]
        for alternative in step.alternatives:
            if deeper := _way(alternative.then, wanted):
                return [step.told, alternative.told, *deeper]
    return []
