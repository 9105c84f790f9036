"""Which sentences players at a real table can note, as the rules declare it: `screens: worksheet`.

Each is bound to a step of the rules, so that it means exactly what a line of the log of that step would mean.
"""

from __future__ import annotations

from collections.abc import Sequence

from .blocks import Event
from .check import Scope
from .declarations import Declarations
from .errors import RulesError, did_you_mean, problem
from .load import Map, text_in
from .model import Expr, Type, Var
from .presentation import SentenceForm, SentenceForms

ME = "me"


def read_sentences(words: Declarations, events: Sequence[Event]) -> SentenceForms:
    entries = (words.description.get("screens") or {}).get("worksheet") or Map(words.description.at)
    seats = frozenset(words.seats)
    homes = [s.type for s in words.sets.values() if seats <= s.type.atoms]
    me = Var(ME, min(homes, key=lambda t: len(t.atoms)) if homes else Type("thing", "seat", seats))
    try:
        return SentenceForms(tuple(_form(words, events, entries, name, me) for name in entries))
    except RulesError as error:
        return SentenceForms((), tuple(error.problems))


def _form(words: Declarations, events: Sequence[Event], entries: Map, name: str, me: Var) -> SentenceForm:
    spec = entries[name]
    for key in ("says", "step"):  # a variant may change only a part of an entry, so the schema asks for neither
        if key not in spec:
            raise RulesError(problem("key_missing", entries.key_at[name], len(name), key=key))
    event = _event(events, spec)
    context = {v.name: v for v in event.context}
    around = event.origin.visible if event.origin is not None else ()  # may be more than those who see it may know
    bound = {v.name: v for v in around}
    bound |= {n: context.get(n) or Var(n, t) for n, t in zip(event.names, event.types)} | context
    bound.pop("who", None)
    means, among = (_expressions(words, spec, key, bound, me) for key in ("means", "among"))
    return SentenceForm(name, text_in(spec, "says"), text_in(spec, "asks"), event, bound, means, among, me)


def _event(events: Sequence[Event], spec: Map) -> Event:
    fitting = [event for event in events if event.kind in ("ask", "show")]
    name, place = spec["step"], spec.value_at["step"]
    found = next((event for event in fitting if event.step == name), None)
    if found is None:
        meant = did_you_mean(name, [event.step for event in fitting]) or ""
        raise RulesError(problem("worksheet_step", place, len(name), name=name, meant=meant))
    return found


def _expressions(words: Declarations, spec: Map, key: str, bound: dict[str, Var], me: Var) -> dict[str, Expr]:
    part: Map = spec.get(key) or Map(spec.at)
    scope = Scope({**bound, ME: me})
    found = {}
    for name, text in part.items():
        place = part.value_at[name]
        if name not in bound:
            meant = did_you_mean(name, bound) or ""
            raise RulesError(
                problem("unknown_key", part.key_at[name], len(name), key=name, allowed=tuple(bound), meant=meant)
            )
        if text == ME:  # who may sit there or not: that shows in the sheet
            found[name] = Expr("var", (me,), me.type)
        elif key == "means":
            found[name] = words.checker.expression(text, place, scope, bound[name].type, maybe=True)
        else:
            found[name] = words.checker.expression(text, place, scope)
    return found
