"""Is everything said that must be? A file may be partial, since a variant says only what is different; the whole,
with all that it extends, may not.
"""

from __future__ import annotations

from .errors import Problem, Problems, RulesError, problem
from .keywords import BODIES, STEP_VERBS
from .load import Map
from .schema import two_verbs

# section -> what each of its entries must say; an entry that is no map is a short form and complete
ENTRIES = {"things": (), "tables": ("is", "rows"), "state": ("is", "seen by"), "words": ("means",)}
SCREENS = {"table": ("of", "for", "keys")}
# verb -> what must be said with it
STEPS = {
    "if": ("then",),
    "for each": ("do",),
    "plan": ("do", "must"),
    "draw": ("from", "as"),
    "deal": ("to", "as"),
    "move": ("from",),
}
PATCHES = ("before", "after", "remove", "replace")


def complete(description: Map) -> None:
    """Raises RulesError with everything that is missing in a resolved description."""
    problems = Problems()
    for section, keys in ENTRIES.items():
        entries = description.get(section) or Map(description.at)
        for name in entries:
            entry = entries[name]
            if isinstance(entry, Map) and "replace" in entry:
                problems.append(problem("patch_here", entry.key_at["replace"], len("replace"), key="replace"))
            elif isinstance(entry, Map):
                problems += _missing(entries[name], keys, entries, name)
    screens = description.get("screens") or Map(description.at)
    for name in SCREENS.keys() & screens.keys():
        problems += _missing(screens[name], SCREENS[name], screens, name)
    rules = description.get("rules") or Map(description.at)
    bodies = [rules[head] for head in rules]
    while bodies:
        steps = bodies.pop() or Map(description.at)
        for name in steps:
            problems += _step(steps, name)
            bodies += _bodies(steps[name])
    if problems:
        raise RulesError(problems)


def _step(steps: Map, name: str) -> list[Problem]:
    step = steps[name]
    left = [key for key in PATCHES if key in step]
    if left:
        return [problem("patch_here", step.key_at[key], len(key), key=key) for key in left]
    verbs = [key for key in step if key in STEP_VERBS]
    if not verbs:
        return [problem("no_verb", steps.key_at[name], len(name), name=name, verbs=STEP_VERBS)]
    if len(verbs) > 1:
        return [two_verbs(name, step, verbs)]
    return _missing(step, STEPS.get(verbs[0], ()), steps, name)


def _missing(entry: Map, keys: tuple[str, ...], home: Map, name: str) -> list[Problem]:
    return [problem("key_missing", home.key_at[name], len(name), key=key) for key in keys if key not in entry]


def _bodies(step: Map) -> list[Map]:
    alternatives = step.get("between") or {}
    bodies = [step.get(key) for key in BODIES] + [a.get("then") for a in alternatives.values() if a]
    bodies += (step.get("cases") or {}).values()
    return [body for body in bodies if isinstance(body, Map)]
