"""What a series of games tells: shares with their intervals, scores and lengths. Two series: see comparison.py.

All in plain Python, by the textbook: Wilson's interval for shares, Student's for means, the exact sign test on pairs
(McNemar) for wins, the bootstrap on pairs for lengths, Holm's correction where several things are compared at once.

Games are independent of each other, but what happens in one game is not: partners win together. Where several cases of
a row may be of the same game, its interval is that of a sample of clusters. The variance of the share is estimated from
game to game (the ratio estimator). It tells how many cases are worth one independent case (Kish's design effect), and
Wilson's interval is made for so many fewer cases.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from math import comb, erfc, sqrt
from statistics import fmean, median, stdev
from typing import Any

__all__ = [
    "around_mean",
    "bootstrap",
    "design_effect",
    "holm",
    "mean",
    "report",
    "share",
    "share_of_games",
    "sign_test",
    "spread",
    "student",
    "wilson",
]

Z = 1.959963984540054  # two-sided, 95 %
# The same of Student's distribution, with one degree of freedom and more.
FEW = (12.706205, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624, 2.306004, 2.262157, 2.228139)
RESAMPLES = 2_000
MOST_DRAWS = 4_000_000  # of the bootstrap, so that long series do not take for ever


# --- statistics -------------------------------------------------------------------------------------------------------
def wilson(hits: float, cases: float) -> tuple[float, float]:
    """The interval that holds the true share with 95 % confidence."""
    if not cases:
        return 0.0, 1.0
    p, square = hits / cases, Z * Z
    middle = (p + square / (2 * cases)) / (1 + square / cases)
    half = Z / (1 + square / cases) * sqrt(p * (1 - p) / cases + square / (4 * cases * cases))
    return (0.0 if hits == 0 else middle - half), (1.0 if hits == cases else middle + half)


def share(hits: int, cases: int, effect: float = 1.0) -> dict[str, Any]:
    """How many of how many, with an interval that takes so many cases for one."""
    low, high = wilson(hits / effect, cases / effect)
    return {
        "cases": cases,
        "hits": hits,
        "share": round(hits / cases, 6) if cases else None,
        "low": round(low, 6),
        "high": round(high, 6),
    }


def share_of_games(games: Iterable[tuple[int, int]]) -> dict[str, Any]:
    """A share of what was counted in several games: the hits and cases of each game."""
    rows = [(hits, cases) for hits, cases in games if cases]
    return share(sum(hits for hits, _ in rows), sum(cases for _, cases in rows), design_effect(rows))


def design_effect(games: Sequence[tuple[float, float]]) -> float:
    """How many cases are worth one independent case: at least 1, at most all those of a game.

    Few games may agree by chance. So, as Agresti and Coull do it for shares, a game of nothing but hits is added, and
    one without any."""
    if all(cases == 1 for _, cases in games):
        return 1.0
    worst = sum(cases * cases for _, cases in games) / sum(cases for _, cases in games)
    usual = fmean(cases for _, cases in games)
    games = [*games, (usual, usual), (0, usual)]
    count, whole = len(games), sum(cases for _, cases in games)
    p = sum(hits for hits, _ in games) / whole
    variance = count / (count - 1) * sum((hits - p * cases) ** 2 for hits, cases in games) / whole**2
    return min(max(1.0, variance * whole / (p * (1 - p))), worst)


def student(freedom: int) -> float:
    """How many standard errors reach to the ends of the interval of a mean: more than Z, the fewer games there are."""
    if freedom <= len(FEW):
        return FEW[freedom - 1]
    return Z + (Z**3 + Z) / (4 * freedom) + (5 * Z**5 + 16 * Z**3 + 3 * Z) / (96 * freedom**2)


def spread(games: Iterable[Sequence[float]]) -> dict[str, Any]:
    """Mean, its interval, and the values below which a tenth, half and nine tenths lie: of the values of each game.

    The values are counts, so none of them is below 0. One game alone tells nothing of the others: no interval."""
    groups = [values for values in games if values]
    if not groups:
        return {}
    row = sorted(value for values in groups for value in values)
    count, mean, low, high = len(row), fmean(row), None, None
    if len(groups) > 1:
        square = sum((sum(values) - mean * len(values)) ** 2 for values in groups)
        half = student(len(groups) - 1) * sqrt(len(groups) / (len(groups) - 1) * square) / count
        low, high = round(max(0.0, mean - half), 4), round(mean + half, 4)
    return {
        "cases": count,
        "mean": round(mean, 4),
        "low": low,
        "high": high,
        "least": row[0],
        "tenth": row[count // 10],
        "median": median(row),
        "ninetieth": row[(9 * count) // 10 - (count % 10 == 0)],
        "most": row[-1],
    }


def sign_test(ups: int, downs: int) -> float:
    """How likely it is that so uneven a split, or a worse one, comes by chance alone: exact, two-sided."""
    count, fewer = ups + downs, min(ups, downs)
    if count == 0:
        return 1.0
    if count > 5_000:  # the normal curve is exact enough, and does not need numbers of a thousand digits
        return min(1.0, erfc(max(0.0, abs(ups - downs) - 1) / sqrt(2 * count)))
    return min(1.0, 2 * sum(comb(count, k) for k in range(fewer + 1)) / 2**count)


def bootstrap(differences: Sequence[float], seed: int = 1) -> tuple[float | None, float | None]:
    """The 95 % interval of a mean difference: the middle of the means of many samples drawn with replacement.

    One difference alone tells nothing of the others, so there is no interval."""
    if len(differences) < 2:
        return None, None
    rng, count = random.Random(seed), len(differences)
    times = max(200, min(RESAMPLES, MOST_DRAWS // count))
    means = sorted(fmean(rng.choices(differences, k=count)) for _ in range(times))
    return means[int(0.025 * times)], means[min(times - 1, int(0.975 * times))]


def holm(chances: Sequence[float]) -> list[float]:
    """What is left of several results when one takes into account that several were looked for."""
    order = sorted(range(len(chances)), key=chances.__getitem__)
    found, worst = [1.0] * len(chances), 0.0
    for rank, index in enumerate(order):
        worst = max(worst, min(1.0, (len(chances) - rank) * chances[index]))
        found[index] = worst
    return found


# --- one series -------------------------------------------------------------------------------------------------------
def report(records: Iterable[dict]) -> dict[str, Any]:
    """Everything that a series tells, as data; the order in which the games were played does not matter."""
    rows = sorted(records, key=lambda r: r["number"])
    over = [r for r in rows if r["over"]]
    found: dict[str, Any] = {
        "games": len(rows),
        "finished": len(over),
        "cut_off": len(rows) - len(over),
        "drawn": share(sum(not r["winners"] for r in over), len(over)),
        "tied": share(sum(len(r["bots"]) > 1 and set(r["winners"]) >= set(r["bots"]) for r in over), len(over)),
        "scores": _scores(over),
    }
    found["wins"] = {
        key: {name: share_of_games(games) for name, games in table.items()}
        for key, table in _wins(over).items()
        if table
    }
    found["lengths"] = {
        name: spread([r["lengths"].get(name, 0)] for r in over) for name in _keys(r["lengths"] for r in over)
    }
    cells: dict[tuple, list[int]] = {}
    for row in over:
        for cell in row["cells"]:
            entry = cells.setdefault(tuple(map(str, cell["keys"])), [0, 0])
            entry[0] += cell["won"]
            entry[1] += 1
    found["table"] = [{"keys": list(keys), **share(*cells[keys])} for keys in sorted(cells)]
    found["declarations"] = _claims(rows)
    if any("known" in r for r in rows):
        found["knowledge"] = _knowledge(over)
    return found


def _scores(rows: list[dict]) -> dict[str, Any]:
    """What each seat gains on average, where the rules count more than who wins."""
    scored = [r["scores"] for r in rows if r.get("scores")]
    return {seat: mean([scores[seat] for scores in scored]) for seat in _keys(scored)}


def mean(values: Sequence[float]) -> dict[str, Any]:
    """A mean with Student's interval; one value alone tells nothing of the others."""
    low, high = around_mean(values)
    return {
        "cases": len(values),
        "mean": round(fmean(values), 6),
        "low": None if low is None else round(low, 6),
        "high": None if high is None else round(high, 6),
    }


def around_mean(values: Sequence[float]) -> tuple[float | None, float | None]:
    """Student's interval of a mean."""
    if len(values) < 2:
        return None, None
    half = student(len(values) - 1) * stdev(values) / sqrt(len(values))
    return fmean(values) - half, fmean(values) + half


def _keys(maps: Iterable[dict]) -> list[str]:
    return list(dict.fromkeys(key for one in maps for key in one))


def _wins(rows: list[dict]) -> dict[str, dict[str, list[tuple[int, int]]]]:
    """Wins by seat, by whether one began, by secret value, by bot, and by side: the hits and cases of each game."""
    counts: dict[str, dict[str, Tally]] = {"seat": {}, "start": {}, "bot": {}}

    def add(key: str, name: Any, number: int, won: bool) -> None:
        counts.setdefault(key, {}).setdefault(str(name), Tally()).add(number, won)

    for row in rows:
        for seat, bot in row["bots"].items():
            number, won = row["number"], seat in row["winners"]
            add("seat", seat, number, won)
            add("bot", bot, number, won)
            if row["start"] is not None:
                add("start", "first" if seat == row["start"] else "later", number, won)
            for secret, values in row["secrets"].items():
                if seat in values and not isinstance(values[seat], list):
                    add(secret, values[seat], number, won)
    if len(counts["bot"]) < 2:
        del counts["bot"]
    found = {key: {name: table[name].games() for name in sorted(table)} for key, table in counts.items()}
    sides = _sides(rows)
    if sides:
        found["side"] = {name: [(1, 1)] * hits + [(0, 1)] * (len(rows) - hits) for name, hits in sorted(sides.items())}
    return found


class Tally:
    """Hits and cases, game by game."""

    def __init__(self) -> None:
        self._of: dict[int, tuple[int, int]] = {}

    def add(self, number: int, hit: bool) -> None:
        hits, cases = self._of.get(number, (0, 0))
        self._of[number] = hits + hit, cases + 1

    def games(self) -> list[tuple[int, int]]:
        return list(self._of.values())


def _sides(rows: list[dict]) -> dict[str, int]:
    """Which players win together, by the first secret, if it tells all of them apart."""
    found: dict[str, int] = {}
    for row in rows:
        secret = next(iter(row["secrets"].values()), {})
        values = [secret.get(seat, seat) for seat in row["winners"]]
        if any(isinstance(v, list) for v in values):
            return {}
        if values:
            name = " + ".join(sorted(map(str, values)))
            found[name] = found.get(name, 0) + 1
    return found


def _claims(rows: list[dict]) -> dict[str, Any]:
    """Declarations: how many were wrong, and how many were right but refused by somebody who had to agree."""
    wrong, refused, by = Tally(), Tally(), {}
    for row in rows:
        for claim in row["claims"]:
            if claim["right"] is not None:
                number, bot = row["number"], row["bots"].get(claim["seat"], claim["seat"])
                refused.add(number, claim["refused"])
                for tally in (wrong, by.setdefault(bot, Tally())):
                    tally.add(number, not claim["right"] and not claim["refused"])
    whole = share_of_games(wrong.games())
    return {
        "made": whole["cases"],
        "wrong": whole,
        "refused": share_of_games(refused.games()),
        "wrong_by_bot": {name: share_of_games(by[name].games()) for name in sorted(by)},
    }


def _knowledge(rows: list[dict]) -> dict[str, Any]:
    """For each thing that can be known: how often it was, before the end, and after how many decisions."""
    names = _keys(of_seat for r in rows for of_seat in r.get("known", {}).values())
    found = {}
    for name in names:
        moments = [[of_seat[name] for of_seat in r.get("known", {}).values() if name in of_seat] for r in rows]
        known = [[m for m in of_game if m is not None] for of_game in moments]
        found[name] = {
            "known": share_of_games((len(some), len(of_game)) for some, of_game in zip(known, moments)),
            "after": spread(known),
        }
    return found
