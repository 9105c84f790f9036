"""Somebody who plays for the lock-step: at random, but so that what is rare and doubtful comes up often.

He sees all cards, as an umpire does: half of what is declared is right, cards are shown again, agents walk to their goals.
"""

import random
from collections import deque
from collections.abc import Callable
from typing import Any

from oracles.second.answers import is_grey
from oracles.second.cards import CardTable
from oracles.second.city import EMBASSY, NUMBERED, by_either
from oracles.second.missions import ESCAPES, MISSIONS
from oracles.second.table import IDENTITIES, Choice, Question, Table, partner
from oracles.second.venice import AMBASSADOR, Venice

Chooser = Callable[[random.Random, Table, Question], Choice]


def sly(rng: random.Random) -> Chooser:
    """A way to play one game: hasty or patient; but no game goes on for ever."""
    pace = rng.choice((0.0, 0.002, 0.03))
    eager = rng.choice((0.0, 0.2, 0.8))  # how often he goes for his mission
    asked_so_far = 0

    def choose(rng: random.Random, table: Table, asked: Question) -> Choice:
        nonlocal asked_so_far
        asked_so_far += 1
        haste = pace if asked_so_far < 500 else 0.1
        choices = sorted(asked.choices, key=in_order)
        wanted: list[Choice] = []
        about = asked.about.partition(":")[0]
        if isinstance(table, Venice):
            wanted = on_the_board(rng, table, asked, choices, about, haste, eager)
        elif isinstance(table, CardTable):
            wanted = with_cards(rng, table, asked, choices, about, haste)
        return rng.choice(wanted or choices)

    return choose


def in_order(choice: Choice) -> str:
    """The same order on every machine, for sets too."""
    return str([sorted(part) if isinstance(part, frozenset) else part for part in choice])


def on_the_board(
    rng: random.Random, table: Venice, asked: Question, choices: list[Choice], about: str, haste: float, eager: float
) -> list[Choice]:
    me, city, luck = asked.seat, table.city, rng.random()
    if about == "claim":
        right = [c for c in choices if is_right(table, me, c)]
        if right and luck < max(eager, 0.02):
            return right
        return choices if luck > 1 - haste else [("go_on",)]
    if about == "hand":
        return [("take",)] if luck < 0.8 else [("refuse",)]
    if about == "sheet":
        truth = ("i_know_who_you_are", *(tuple(of[spy] for spy in table.spies) for of in (city.identity, city.build)))
        return [truth] if luck < haste * 3 else choices if luck > 1 - haste * 3 else [("wait",)]
    if about == "move":
        moves = [c for c in choices if c[0] == "move"]
        if luck < eager:
            return nearest(table, me, moves)
        if luck < eager + (1 - eager) * 0.6:
            return [c for c in moves if c[3] in city.place.values()] + [c for c in choices if c == ("meet",)]
        return moves if luck < 0.95 else choices
    if about == "walk" and luck < 0.5:
        return [c for c in choices if c[-1] in city.place.values()]
    if about in ("meeting", "audience", "curiosity") and luck < 0.7:
        return [c for c in choices if c[0] == "question"]
    if about == "cards" and luck < 0.4:
        return [c for c in choices if not any(map(is_grey, c[0]))][:2]  # the same cards, again and again
    if about == "cards" and luck < 0.7:
        shown = [cards for (giver, _), sets in table.shown.items() if giver == me for cards in sets]
        return [c for c in choices if any(c[0] <= cards or cards < c[0] for cards in shown)]
    if about == "objection":
        return [("object",)] if luck < 0.8 else [("accept",)]
    return choices


def is_right(table: Venice, me: str, choice: Choice) -> bool:
    """Whether a declaration would be right, if the hand is taken."""
    city = table.city
    if choice[0] == "escaped":
        return table.team(me) == {me} and city.escaped(table.edition, me)
    if choice[0] == "accomplished":
        return partner(city.identity[me]) == city.identity[choice[1]] and city.accomplished(me, choice[1])
    return False


def nearest(table: Venice, me: str, moves: list[Choice]) -> list[Choice]:
    """Moves that bring the mission nearer, as one who sees all cards knows it."""
    city, goals = table.city, []
    team = next(team for team in MISSIONS if city.identity[me] in team)
    if table.team(me) == {me}:
        goals = [(f"{me}_{city.build[me]}", NUMBERED[number]) for number in ESCAPES[table.edition][city.identity[me]]]
    else:
        bearers = [city.bearer(name) for name in team]
        real = [f"{spy}_{city.build[spy]}" for spy in bearers]
        match MISSIONS[team][city.letter[bearers[0]] + city.letter[bearers[1]]]:
            case ("figure at", who):
                space = city.place[AMBASSADOR] if who == AMBASSADOR else city.agent(who)
                goals = [(figure, space) for figure in table.figures[me]]
            case ("agent on", who, number):
                goals = [(real[team.index(who)], NUMBERED[number])]
            case ("agent at ambassador", who):
                goals = [(real[team.index(who)], city.place[AMBASSADOR])]
            case ("agents together",):
                goals = [(real[0], city.place[real[1]]), (real[1], city.place[real[0]])]
            case ("ambassador on", number):
                space = NUMBERED[number] if number else EMBASSY
                goals = [(piece, space) for piece in (real if table.five else [AMBASSADOR])]
    near = {
        move: distance(move[3], space)
        for move in moves
        for piece, space in goals
        if move[2] == piece and distance(move[3], space) < distance(city.place[piece], space)
    }
    return [move for move in near if near[move] == min(near.values())]


_DISTANCES: dict[str, dict[str, int]] = {}


def distance(one: str, other: str) -> int:
    """How many steps by any route."""
    if one not in _DISTANCES:
        far, queue = {one: 0}, deque([one])
        while queue:
            space = queue.popleft()
            for near in sorted(by_either(space)):
                if near not in far:
                    far[near] = far[space] + 1
                    queue.append(near)
        _DISTANCES[one] = far
    return _DISTANCES[one][other]


def with_cards(
    rng: random.Random, table: CardTable, asked: Question, choices: list[Choice], about: str, haste: float
) -> list[Choice]:
    luck = rng.random()
    if about == "speak":
        bearers = tuple(next(who for who in table.agents if table.identity[who] == name) for name in IDENTITIES)
        code: Any = tuple(table.code[who] for who in bearers)
        if luck < haste * 0.4:
            return [c for c in choices if c[-1] == code and (c[0] != "declare" or c[1] == bearers)]
        if luck < haste * 0.7:  # the numbers are right, but not everybody's name
            return [c for c in choices if c[-1] == code]
        return choices if luck < haste else [("not_yet",)]
    if about == "name" and luck < 0.8:
        return [c for c in choices if c[0] == "name"]
    if about == "tile" and luck < 0.5:  # where somebody may be met
        laid = set(choices[:2])
        return [c for c in choices if c in laid]
    return choices
