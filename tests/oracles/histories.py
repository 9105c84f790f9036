"""What a seat can know, by going through all histories: nothing is merged, nothing is left out, and only what any client
of a game may call is called (`new`, `legal`, `chances`, `apply`, `log`, `actor`).

A history agrees with a seat if the seat's log is the same and it is the seat's turn, with the same choices; for a seat
that is not asked (`choices` is None), as soon as its log is the same. Its weight is how likely it is if everybody but the
seat chooses evenly among what is offered.
"""

from __future__ import annotations

from collections import Counter

CHANCE = "chance"


class TooMany(Exception):
    """More histories than anybody wants to go through."""


def histories(game, seat, log, choices, most=200_000, model=None):
    """All states that this seat may be in, as (state, weight); weights are not normalised. `model(state, offered)` says
    how likely others choose what, if not evenly."""
    found, tried = [], 0
    stack = [(game.new(), 1.0)]
    while stack:
        state, weight = stack.pop()
        tried += 1
        if tried > most:
            raise TooMany
        seen = state.log(seat)
        if seen != log[: len(seen)]:
            continue
        if choices is None and len(seen) == len(log):
            found.append((state, weight))
            continue
        if state.over:
            continue
        actor = state.actor
        if len(seen) == len(log) and actor == seat:
            if sorted(state.legal()) == sorted(choices):
                found.append((state, weight))
            continue
        if actor == CHANCE:
            further = Counter()
            for choice, likely in state.chances():
                further[choice] += float(likely)
        else:
            offered = state.legal()
            further = Counter(offered)
            for choice in further:
                further[choice] = 1.0 if actor == seat else further[choice] / len(offered)
            if model is not None and actor != seat:
                further = model(state, offered)
        for choice, likely in further.items():
            after = state.clone()
            after.apply(choice)
            stack.append((after, weight * likely))
    return found
