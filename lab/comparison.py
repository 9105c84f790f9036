"""Two games, or two settings of one, played with the same seeds: what differs, by how much, and may it be chance?

One test for each question that is really asked. Who plays together is one side, not several players; and where only two
sides can win, one of them winning more is the other winning less: that is one question, too. Where several questions
are left, Holm's correction takes into account that several were asked.

Differences of shares are those of pairs (Bonett and Price's interval), tested by the exact sign test; differences of
means have Student's interval on pairs. How many games would be needed follows from how many pairs went differently: so
many that a true difference of that size would be found in four of five series. It does not look at the difference that
was found, so playing on until there are enough games does not make differences out of chance.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, sqrt
from statistics import NormalDist, fmean
from typing import Any

from .statistics import Z, around_mean, bootstrap, holm, share, sign_test

__all__ = ["POWER", "compare", "needed", "paired_interval"]

SURE = 0.05
POWER = 0.8  # how often a difference of that size is found
POINTS = 5  # per cent, if nobody asks for another difference


def compare(one: Iterable[dict], other: Iterable[dict], points: float = POINTS) -> dict[str, Any]:
    first = {r["number"]: r for r in one if r["over"]}
    second = {r["number"]: r for r in other if r["over"]}
    pairs = [(first[n], second[n]) for n in sorted(first.keys() & second.keys())]
    questions = _questions(pairs)
    different = _counted(questions)
    wins = [question.test() for question in questions]
    _correct(wins, different)
    return {
        "pairs": len(pairs),
        "questions": len(set(different)),
        "wins": wins,
        "scores": _means(pairs, "scores", around_mean),
        "lengths": _means(pairs, "lengths", bootstrap),
        "points": points,
        "needed": max((needed(points / 100, q.discordance, len(set(different))) for q in questions), default=None),
    }


# --- who wins ---------------------------------------------------------------------------------------------------------
@dataclass(slots=True)
class Question:
    """Whether this side wins: in each game of the one setting, and in each of the other."""

    what: str  # seat, the name of a secret, or drawn
    names: list[str]
    before: tuple[bool, ...]
    after: tuple[bool, ...]

    @property
    def ups(self) -> int:
        return sum(b and not a for a, b in zip(self.before, self.after))

    @property
    def downs(self) -> int:
        return sum(a and not b for a, b in zip(self.before, self.after))

    @property
    def discordance(self) -> float:
        """How many pairs go differently; a little more than were seen, because few may go alike by chance."""
        return (self.ups + self.downs + 1) / (len(self.before) + 2)

    def test(self) -> dict[str, Any]:
        count, ups, downs = len(self.before), self.ups, self.downs
        low, high = paired_interval(ups, downs, count)
        return {
            "what": self.what,
            "name": " + ".join(self.names),
            "one": share(sum(self.before), count),
            "other": share(sum(self.after), count),
            "ups": ups,
            "downs": downs,
            "difference": (ups - downs) / count if count else None,
            "low": low,
            "high": high,
            "chance": sign_test(ups, downs),
        }


def _questions(pairs: list[tuple[dict, dict]]) -> list[Question]:
    if not pairs:
        return []
    found = [Question("drawn", [""], *_columns(pairs, lambda row: not row["winners"]))]
    sides = _sides(pairs)
    teams = [q for q in sides if len(q.names) > 1]
    found += sides if teams else _alike(_seats(pairs))
    return [q for q in found if q.what != "drawn" or any(q.before) or any(q.after)]


def _columns(pairs: list[tuple[dict, dict]], won: Any) -> tuple[tuple[bool, ...], tuple[bool, ...]]:
    return tuple(bool(won(a)) for a, _ in pairs), tuple(bool(won(b)) for _, b in pairs)


def _seats(pairs: list[tuple[dict, dict]]) -> list[Question]:
    seats = dict.fromkeys(seat for pair in pairs for row in pair for seat in row["bots"])
    return [Question("seat", [s], *_columns(pairs, lambda row, s=s: s in row["winners"])) for s in seats]


def _sides(pairs: list[tuple[dict, dict]]) -> list[Question]:
    """By the first secret, if everybody has one that is a thing: those who always win together are one side."""
    secret = next((name for pair in pairs for row in pair for name in row["secrets"]), None)
    rows = [row["secrets"].get(secret, {}) for pair in pairs for row in pair]
    values = dict.fromkeys(v for row in rows for v in row.values() if v is not None and not isinstance(v, list))
    if secret is None or not values:
        return []

    def won(row: dict, value: str) -> bool:
        return any(row["secrets"].get(secret, {}).get(seat) == value for seat in row["winners"])

    return _alike([Question(secret, [str(v)], *_columns(pairs, lambda row, v=v: won(row, v))) for v in values])


def _alike(questions: list[Question]) -> list[Question]:
    """Those who win in the very same games are one."""
    found: dict[tuple[Any, ...], Question] = {}
    for question in questions:
        known = found.setdefault((question.before, question.after), question)
        if known is not question:
            known.names += question.names
    return list(found.values())


def _counted(questions: list[Question]) -> list[int]:
    """For each question the number of the first that asks the same: that something holds is that its opposite fails."""
    known: dict[tuple[Any, ...], int] = {}
    found = []
    for number, question in enumerate(questions):
        here = question.before, question.after
        opposite = tuple(not x for x in here[0]), tuple(not x for x in here[1])
        found.append(known.get(opposite, known.setdefault(here, number)))
    return found


def _correct(tests: list[dict], same: Sequence[int]) -> None:
    chances = {number: tests[number]["chance"] for number in same}
    corrected = dict(zip(chances, holm(list(chances.values()))))
    for test, number in zip(tests, same):
        test["question"], test["corrected"] = number, corrected[number]
        test["real"] = test["corrected"] < SURE


def paired_interval(ups: int, downs: int, count: int) -> tuple[float | None, float | None]:
    """The 95 % interval of the difference of two shares that were counted on pairs (Bonett and Price 2012)."""
    if not count:
        return None, None
    more, less = (ups + 1) / (count + 2), (downs + 1) / (count + 2)
    half = Z * sqrt((more + less - (more - less) ** 2) / (count + 2))
    return max(-1.0, more - less - half), min(1.0, more - less + half)


def needed(difference: float, discordance: float, questions: int = 1) -> int:
    """Pairs of games in which such a difference is found four times of five, if so many of them go differently."""
    normal = NormalDist()
    sure, often = normal.inv_cdf(1 - SURE / max(1, questions) / 2), normal.inv_cdf(POWER)
    going = max(discordance, difference)
    plain = (sure * sqrt(going) + often * sqrt(max(0.0, going - difference**2))) ** 2 / difference**2
    return ceil(plain + 2 / difference)  # the exact test counts whole games, which costs a few more


# --- how much, how long -----------------------------------------------------------------------------------------------
def _means(pairs: list[tuple[dict, dict]], key: str, interval: Any) -> list[dict]:
    found = []
    for name in dict.fromkeys(name for pair in pairs for row in pair for name in row.get(key) or ()):
        before = [(a.get(key) or {}).get(name, 0) for a, _ in pairs]
        after = [(b.get(key) or {}).get(name, 0) for _, b in pairs]
        low, high = interval([b - a for a, b in zip(before, after)])
        found.append(
            {
                "name": name,
                "one": fmean(before),
                "other": fmean(after),
                "difference": fmean(after) - fmean(before),
                "most": max(*before, *after),
                "low": low,
                "high": high,
                "real": low is not None and (low > 0 or high < 0),
            }
        )
    return found
