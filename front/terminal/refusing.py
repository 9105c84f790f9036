"""Why things cannot be chosen together: the count that is not kept, and what it counts."""

from __future__ import annotations

from ...speech.language import N_
from .prompt import STOP, Walk
from .view import View

__all__ = ["why_not"]


def why_not(view: View, walk: Walk, picked: tuple) -> list[str]:
    """Sentences; a hint at the rule beside the question, if none of its counts is to blame."""
    language, found = view.language, []
    for thing in dict.fromkeys(picked):
        most = max(choice[walk.place].count(thing) for choice in walk.left) - walk.partial.count(thing)
        if picked.count(thing) > max(1, most):
            return [language.say(N_("“{thing}” cannot be chosen so often."), thing=view.label(thing))]
    sizes = sorted({len(choice[walk.place]) for choice in walk.left})
    if len(picked) not in sizes:
        numbers = language.row(language.number(size) for size in sizes)
        return [language.say(N_("You can choose this many: {numbers}."), numbers=numbers)]
    pool = [value for value in walk.offers() if value is not STOP]
    for least, most, fitting in view.player.question().unmet(walk.part, picked, pool):
        few = sum(thing in fitting for thing in picked) < least
        found.append(
            language.say(
                N_("At least {number} must be among these: {things}.")
                if few
                else N_("At most {number} may be among these: {things}."),
                number=language.number(least if few else most),
                things=language.row(view.label(thing) for thing in fitting),
            )
        )
    return found or [language.say(N_("These cannot be chosen together. “?” tells the rule."))]
