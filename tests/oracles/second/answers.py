"""Which cards answer a question on the board, and which of them were shown before.

A card is named by the colour of its owner: `red_agent_x`, `red_tall`, and the grey ones `red_identity`, `red_build` and
`red_mission`.
"""

from collections.abc import Iterable
from itertools import product

from oracles.second.table import IDENTITIES

Cards = frozenset[str]

BUILDS = ("tall", "short", "fat", "thin")
VALUES = {"identity": IDENTITIES, "build": BUILDS}
OTHER = {"identity": "build", "build": "identity"}


def cards_of(owner: str, kind: str) -> list[str]:
    """The four coloured cards of a kind, and the grey one, which may stand for any of them (000-63, 002-36, 004-22).

    Decided: a grey card stands for a card of its own kind only, and may lie beside the coloured card of the same value.
    """
    return [f"{owner}_{value}" for value in VALUES[kind]] + [f"{owner}_{kind}"]


def is_grey(card: str) -> bool:
    return card.endswith(("_identity", "_build", "_mission"))


def filled(owner: str, kinds: Iterable[str]) -> set[Cards]:
    """All sets of different cards with one card for each of these kinds; `mission` is the grey mission card."""
    pools = [[f"{owner}_mission"] if kind == "mission" else cards_of(owner, kind) for kind in kinds]
    return {frozenset(cards) for cards in product(*pools) if len(set(cards)) == len(pools)}


def with_mission(kinds: tuple[str, ...]) -> set[tuple[str, ...]]:
    """The same kinds, or the mission card in the place of one of them (000-63, 000-67, 002-46, 004-22, 004-26)."""
    return {kinds} | {(*kinds[:i], *kinds[i + 1 :], "mission") for i in range(len(kinds))}


def answers(owner: str, truths: set[str], topic: str, form: str) -> set[Cards]:
    """All that may be shown in answer to a question.

    - `three`: two of the kind asked for and one of the other (000-45, 002-21, 004-9)
    - `two`: two of the kind asked for (000-50, 000-88, 002-24, 004-10)
    - `one fewer`: two cards after three were a repeat (000-54, 002-34, 004-19); decided: one at least of the kind asked for
    - `one`: one true card of the kind asked for (000-58, 002-35, 004-20)
    - `any one`: one true card (000-55, 002-34)

    At least one card is true, and the mission card is not that one (000-46, 000-64, 002-21, 002-37, 004-18, 004-22).
    """
    other = OTHER[topic]
    if form == "three":
        patterns = with_mission((topic, topic, other))
    elif form == "two":
        patterns = with_mission((topic, topic))
    elif form == "one fewer":
        patterns = {p for kinds in ((topic, topic), (topic, other)) for p in with_mission(kinds) if topic in p}
    elif form == "one":
        patterns = {(topic,)}
    else:
        patterns = {(topic,), (other,)}
    found = {cards for pattern in patterns for cards in filled(owner, pattern)}
    return {cards for cards in found if cards & truths}


def true_cards(owner: str, identity: str, build: str) -> set[str]:
    """The coloured cards with the owner's own values, and his grey cards of them."""
    return {f"{owner}_{identity}", f"{owner}_{build}", f"{owner}_identity", f"{owner}_build"}


def times_shown(edition: str, cards: Cards, earlier: Iterable[Cards]) -> int:
    """How many of the sets shown earlier make these cards a repeat.

    The same set again (000-53, 002-31, 004-19); a pair out of three shown before (000-57, 002-32, 004-20); in the first
    edition also three that hold a pair shown before (002-33). Decided: a set with a grey card is never a repeat.
    """
    if any(map(is_grey, cards)):
        return 0
    count = 0
    for before in earlier:
        same = cards == before
        part_of_three = len(cards) == 2 and len(before) == 3 and cards < before
        holds_a_pair = edition == "venice-classic" and len(cards) == 3 and len(before) == 2 and before < cards
        count += same or part_of_three or holds_a_pair
    return count
