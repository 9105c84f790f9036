"""Sentences that nobody says: a rule of a grammar inside itself, again and again."""

from __future__ import annotations

import heapq
from collections import defaultdict
from random import Random

from tabarro.speech.grammar import Grammar

Way = tuple[str, str, str]  # what stands before a symbol, the symbol, what stands after it


def hostile(grammar: Grammar, rng: Random, count: int, sizes: tuple[int, ...] = (250, 700, 1900)) -> list[str]:
    """So many of them, each with another rule that leads back to itself, as short as it can be said."""
    short = _shortest(grammar)
    ways = _ways(grammar, short)
    symbols = [symbol for symbol in ways if _path(ways, ("", "W", ""), symbol) is not None]
    texts: list[str] = []
    while len(texts) < count:
        symbol = rng.choice(symbols)
        begin, loop = _path(ways, ("", "W", ""), symbol), _path(ways, rng.choice(ways[symbol]), symbol)
        if begin is None or loop is None or not "".join(loop).strip():
            continue
        times = max(2, rng.choice(sizes) // len("".join(loop)))
        texts.append(begin[0] + loop[0] * times + short[symbol] + loop[1] * times + begin[1])
    return texts


def _shortest(grammar: Grammar) -> dict[str, str]:
    """Each symbol in as few letters as possible."""
    found = {symbol: min((f for f in forms if f), key=lambda f: (len(f), f)) for symbol, forms in grammar.words.items()}
    found["DIGITS"] = "2"
    changed = True
    while changed:
        changed = False
        for symbol, rules in grammar.rules.items():
            for _, side, _ in rules:
                if all(isinstance(part, str) or part[1] in found for part in side):
                    text = "".join(part if isinstance(part, str) else found[part[1]] for part in side)
                    if symbol not in found or len(text) < len(found[symbol]):
                        found[symbol], changed = text, True
    return found


def _ways(grammar: Grammar, short: dict[str, str]) -> dict[str, list[Way]]:
    ways: dict[str, list[Way]] = defaultdict(list)
    for symbol, rules in grammar.rules.items():
        for _, side, _ in rules:
            said = [part if isinstance(part, str) else short.get(part[1]) for part in side]
            if None not in said:
                for at, part in enumerate(side):
                    if not isinstance(part, str):
                        ways[symbol].append(("".join(said[:at]), part[1], "".join(said[at + 1 :])))
    return ways


def _path(ways: dict[str, list[Way]], begin: Way, goal: str) -> tuple[str, str] | None:
    """What stands before and after a symbol, on the shortest way to it."""
    queue, seen, number = [(0, 0, *begin)], set(), 0
    while queue:
        size, _, before, symbol, after = heapq.heappop(queue)
        if symbol == goal:
            return before, after
        if symbol not in seen:
            seen.add(symbol)
            for left, inner, right in ways.get(symbol, ()):
                number += 1
                heapq.heappush(queue, (size + len(left + right), number, before + left, inner, right + after))
    return None
