"""Positions of a game, one after the other: what a client who plays all seats, or a researcher, uses.

A state is one flat list of small values, so that cloning, comparing and pickling are cheap. Choices are tuples of
numbers: the alternative (where there are several) and what was chosen for each part. `Game.words` and `Game.choice`
turn them into names and back.
"""

from __future__ import annotations

import random
from collections import Counter, deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Self, TypeVar, TypeVarTuple

from .blocks import FAILS, FITS, OVER, Limits, Node, Slots
from .errors import RulesError, problem
from .many import MOST_DECISIONS, Sampler, Tally, count_ways, observation_key, play_many, scrambled, whole
from .model import ASPECTS, Choice, Step, Value
from .observe import Chain, Entry, Log, Row
from .operations import LONGEST, TooLong
from .player import Player, Umpire
from .runtime import GameOver, IllegalChoice, NotThere, Number, TooMany
from .slots import HEADER

if TYPE_CHECKING:
    from .game import Game

__all__ = ["CHANCE", "Choice", "GameOver", "IllegalChoice", "Result", "State"]

CHANCE = "chance"
PLANS = 20_000  # choices that are tried to see which ones lead to an end of a plan that is as it must be
SOON = 60  # of them, before it is looked whether there is a quicker way
PLANS_AHEAD = 10 * PLANS  # choices that are remembered meanwhile
BUDGET = 100_000  # blocks of the program between two decisions
STRAIGHT = 40  # choices by which a plan is ended straight on, before other ways are looked at
LIMITS = Limits(BUDGET, PLANS, PLANS_AHEAD, STRAIGHT)


@dataclass(frozen=True, slots=True)
class Result:
    """Who has won, and, where the rules count it, what everyone has gained."""

    winners: tuple[str, ...]
    scores: dict[str, int]


Situation = tuple[Value, ...]  # what `State.position` gives
Packed = tuple["Game", Slots, list[Row]]
_Args = TypeVarTuple("_Args")
_Found = TypeVar("_Found")


class _Search:
    """What one look ahead in a plan has in common for all choices that are looked at side by side."""

    __slots__ = ("alone", "dead", "left")

    def __init__(self, alone: bool = False) -> None:
        self.alone = alone  # without the help of compiled rules
        self.dead: set[Situation] = set()  # positions from which it cannot end as it must
        self.left = PLANS


class State:
    __slots__ = ("game", "v")

    def __init__(self, game: Game, v: Slots):
        self.game, self.v = game, v

    # --- whose turn, what may be done ---------------------------------------------------------------------------------
    @property
    def _number(self) -> int:
        """Of the question that is asked now."""
        number: int = self.v[0]
        return number

    @property
    def _told(self) -> Chain:
        """All that was told to anybody."""
        told: Chain = self.v[1]
        return told

    @property
    def over(self) -> bool:
        over: bool = self.v[0] == OVER
        return over

    @property
    def actor(self) -> str | None:
        """The seat that decides now, CHANCE, or None when the game is over."""
        node = self.game._nodes[self.v[0]]
        if node.kind == "ask":
            atom = self._guarded(node.actor, self.v)
            if atom is None:
                raise _stuck("nothing_in_play", node.step)
            return CHANCE if atom in self.game._chance else self.game.vocabulary.atoms[atom].name
        return CHANCE if node.kind == "chance" else None

    @property
    def actors(self) -> tuple[str, ...]:
        """All seats that decide now: those who are asked at once and have not answered, or the one who is asked."""
        row = self._sealed()
        if not row:
            actor = self.actor
            return () if actor is None or actor == CHANCE else (actor,)
        return tuple(self.game.vocabulary.atoms[atom].name for atom in row if atom not in self.game._chance)

    def _sealed(self) -> tuple[int, ...]:
        """Of those who are asked at once, the ones who have not answered."""
        step = self.game._nodes[self.v[0]].step
        if step is None or "sealed" not in step.at:
            return ()
        row, answers, _ = (self.v[HEADER + var.slot] for var in step.at["sealed"].args)
        left: tuple[int, ...] = row[len(answers) :]
        return left

    def turned_to(self, seat: str) -> Self:
        """The same position as it looks to one of the `actors`: a copy in which this seat is the one who is asked.

        What it offers does not hang on what others have answered, so that they can all be asked at the same time."""
        if seat not in self.actors:
            raise IllegalChoice(f"{seat} is not asked now")
        copy = self.clone()
        if self._sealed():
            step = self.game._nodes[self.v[0]].step
            assert step is not None
            copy.v[HEADER + step.at["sealed"].args[2].slot] = self.game.vocabulary.seats[self.game.seat(seat)]
        return copy

    def apply_all(self, choices: Mapping[str, Choice]) -> None:
        """Make the choices of all `actors` at the same time. If one of them is not legal, none is made."""
        actors = self.actors
        if not actors or set(choices) != set(actors):
            raise GameOver if self.over else IllegalChoice(f"these must choose now: {', '.join(actors)}")
        for seat in actors:
            if not self.turned_to(seat).is_legal(choices[seat]):
                raise IllegalChoice(choices[seat])
        before = self.v.copy()
        try:
            for seat in actors:
                self._follow(choices[seat])
        except BaseException:
            self.v[:] = before
            raise

    def legal(self) -> list[Choice]:
        """All choices that the rules offer now, always in the same order."""
        v = self.v
        node = self.game._nodes[v[0]]
        if node.kind == "ask":
            if v[4] is not None and node.planned:
                return self._planned_in_library() or self._planned(node)
            try:
                choices = node.legal(v)
            except _MISTAKES as error:
                raise self._located(error) from None
            if not choices:
                raise _stuck("nothing_legal", node.step)
            return choices
        if node.kind == "chance":
            return [(x,) for x in dict.fromkeys(self._pool(node))]
        raise GameOver

    def _planned(self, node: Node, alone: bool = False) -> list[Choice]:
        """In a plan: those choices after which it can still end as it must."""
        search = _Search(alone)
        choices = [c for c in self._guarded(node.legal, self.v) if self._leads_on(node, c, search)]
        if not choices:
            raise _stuck("nothing_legal", node.step)
        return choices

    def _planned_in_library(self) -> list[Choice] | None:
        """The same by the rules compiled to C, if somebody has had that done."""
        library = self.game._ready_library
        if library is None:
            return None
        position = library.at(self.v)
        return None if position is None else position.legal()

    def _legal_in_python(self) -> list[Choice]:
        """What a library cannot list."""
        node = self.game._nodes[self.v[0]]
        return self._planned(node, alone=True) if self.v[4] is not None and node.planned else self.legal()

    def is_legal(self, choice: Choice) -> bool:
        """Is this one of the choices offered now? Checked without listing all of them."""
        if not _is_plain(choice):
            return False
        node = self.game._nodes[self.v[0]]
        if node.kind == "ask":
            try:
                allowed = node.allows(self.v, choice)
            except _MISTAKES as error:
                raise self._located(error) from None
            if not allowed or self.v[4] is None or not node.planned:
                return allowed
            return self._leads_on(node, choice, _Search())
        return node.kind == "chance" and choice in self.legal()

    def sample(self, rng: random.Random | Sampler, habits: bool = False) -> Choice:
        """One legal choice, each as likely as the others (at a chance node, as likely as chance makes it).

        With `habits`, alternatives that the rules call rare are taken only once in so many times."""
        node = self.game._nodes[self.v[0]]
        if node.kind == "chance":
            pool = self._pool(node)
            return (pool[int(rng.random() * len(pool))],)
        rare: set[int] = set()
        if habits and node.step is not None and node.step.alternatives:
            rare = {a.atom for a in node.step.alternatives if a.rarely > 1 and rng.random() * a.rarely >= 1}
        choices = self._guarded(node.legal, self.v, rare) if rare else []
        choices = choices or self._guarded(node.legal, self.v)
        if choices and (not node.planned or self.v[4] is None):
            return choices[int(rng.random() * len(choices))]
        search = _Search()
        while choices:
            index = int(rng.random() * len(choices))
            choices[index], choices[-1] = choices[-1], choices[index]
            choice = choices.pop()
            if self._leads_on(node, choice, search):
                return choice
        raise _stuck("nothing_legal", node.step)

    def chances(self) -> list[tuple[Choice, Fraction]]:
        """At a chance node: what may happen and how likely it is."""
        node = self.game._nodes[self.v[0]]
        if node.kind == "ask":
            actor = self.actor
            if actor != CHANCE:
                raise ValueError(f"chance does not decide here: {actor} is asked")
            choices = self.legal()
            return [(c, Fraction(1, len(choices))) for c in choices]
        if node.kind == "over":
            raise GameOver
        pool = self._pool(node)
        return [((x,), Fraction(n, len(pool))) for x, n in Counter(pool).items()]

    # --- going on -----------------------------------------------------------------------------------------------------
    def apply(self, choice: Choice, trusted: bool = False) -> None:
        """Make a choice and go on to the next decision. `trusted` skips the check, for choices that legal() gave. Where
        the rules have a mistake, it is told, and nothing has happened."""
        if not trusted and not self.is_legal(choice):
            raise GameOver if self.v[0] == OVER else IllegalChoice(choice)
        before = self.v.copy()
        try:
            self._follow(choice)
        except BaseException:
            self.v[:] = before
            raise

    def _follow(self, choice: Choice) -> None:
        """What follows from a legal choice, for whoever needs the position no more if the rules have a mistake."""
        v = self.v
        try:
            block = self.game._nodes[v[0]].apply(v, choice)
        except _MISTAKES as error:
            raise self._located(error) from None
        if block >= 0 or v[2] is not None:
            self._run(block)

    def _run(self, block: int) -> None:
        v, game = self.v, self.game
        blocks, nodes = game.program.blocks, game._nodes
        try:
            for _ in range(BUDGET):
                if block >= 0:
                    block = blocks[block](v)
                    continue
                state = v[2]
                if state is None:
                    return
                node = nodes[v[0]]
                if node.kind == "chance":
                    pool = v[node.pool] or self._pool(node)
                    # what _random does, written here because most of a short game is chance
                    state = v[2] = (state * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
                    block = node.apply(v, (pool[(((state >> 22) ^ state) >> 22 & 0xFFFFFFFF) * len(pool) >> 32],))
                elif game._chance and node.kind == "ask" and node.actor(v) in game._chance:
                    choices = self.legal()
                    block = node.apply(v, choices[self._random(len(choices))])
                else:
                    return
        except _MISTAKES as error:
            raise self._located(error) from None
        raise self._too_long(block)

    def _random(self, n: int) -> int:
        """The next number below n, from the state's own generator: the same on every machine and Python."""
        state = self.v[2] = (self.v[2] * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
        number: int = (((state >> 22) ^ state) >> 22 & 0xFFFFFFFF) * n >> 32
        return number

    def _leads_on(self, node: Node, choice: Choice, search: _Search) -> bool:
        """Inside a plan: can it still end as it must after this choice?"""
        trial = State(self.game, self.v.copy())
        trial.v[8] = True
        if trial.clone()._goes_straight(choice):
            return True
        queue = deque([(trial, choice)])  # near ends first: a plan can mostly be ended soon
        seen: set[Situation] = set()
        first = choice
        while queue:
            search.left -= 1
            # it takes longer: who has the rules compiled knows at once
            if search.left == PLANS - SOON and not search.alone:
                found = self._planned_in_library()
                if found is not None:
                    return first in found
            if search.left < 0 or len(queue) > PLANS_AHEAD:
                raise _stuck("plan_too_wide", node.step, limit=PLANS)
            state, choice = queue.popleft()
            state = state.clone()
            self._guarded(state._go, choice)
            at = state.v[0]
            if at == FITS:
                return True
            if at == FAILS:
                continue
            here = state.position()
            if here in seen or here in search.dead:
                continue
            seen.add(here)
            # what names nothing mostly ends something
            further = sorted(self._guarded(state.game._nodes[at].legal, state.v), key=len)
            queue += [(state, choice) for choice in further]
        search.dead |= seen
        return False

    def _goes_straight(self, choice: Choice) -> bool:
        """Does a plan end as it must by the first choice each time? Most do."""
        with suppress(RulesError):
            for _ in range(STRAIGHT):
                self._guarded(self._go, choice)
                at = self.v[0]
                if at in (FITS, FAILS):
                    return bool(at == FITS)
                offered = self._guarded(self.game._nodes[at].legal, self.v)
                if not offered:
                    return False
                choice = offered[0]
        return False

    def _go(self, choice: Choice) -> None:
        block = self.game._nodes[self.v[0]].apply(self.v, choice)
        blocks = self.game.program.blocks
        for _ in range(BUDGET):
            if block < 0:
                return
            block = blocks[block](self.v)
        raise self._too_long(block)

    # --- many games ---------------------------------------------------------------------------------------------------
    def reseeded(self, seed: int) -> Self:
        """The same position, in which chance now decides by itself, by this seed."""
        copy = self.clone()
        copy.v[2] = scrambled(whole(seed, "seed"))
        copy._run(-1)
        return copy

    def rollouts(
        self, games: int, seed: int = 0, habits: bool = False, most: int = MOST_DECISIONS, native: bool | None = None
    ) -> Tally:
        """From here on, so many games of players who choose at random: see `Game.playouts`."""
        return play_many(self.game, self, games, seed, habits, most, native)

    def ways(self, depth: int, most: int | None = None, native: bool | None = None) -> list[tuple[int, int]]:
        """For each depth, how many positions follow and how many of them are ends: see `Game.perft`."""
        return count_ways(self, depth, most, native)

    def observation_key(self, seat: str) -> bytes:
        """Equal exactly when the logs of this seat are."""
        return observation_key(Log(self.game, self.v[1], 1 << self.game.seat(seat)))

    # --- looking ------------------------------------------------------------------------------------------------------
    def log(self, seat: str) -> list[Entry]:
        """All that this seat has seen, in order: what its screen, its notes and its bot may know."""
        return Log(self.game, self.v[1], 1 << self.game.seat(seat)).entries()

    def player(self, seat: str) -> Player:
        """The game as it looks from this seat: what a screen, a bot, a hint or an export is given."""
        return Player(self, seat)

    def umpire(self) -> Umpire:
        """The game as it is, for those who may see all of it."""
        return Umpire(self)

    def unnoticed_since(self, before: State, seat: str, unread: bool = False) -> bool:
        """Since this seat decided there, and for all that it can know: has nobody else learnt anything, or decided, and
        has no chance fallen? Then it can be taken back. With `unread`, nobody else reads what he is told before he is
        asked himself, as at a table where one keyboard goes round: then it does not count that others were told."""
        from .noticing import could_be_noticed

        own, chain, last = 1 << self.game.seat(seat), self.v[1], before.v[1]
        rows: list[int] = []
        while chain is not None and chain is not last:
            if chain[1][1] & own:
                rows.append(chain[1][0])
            chain = chain[0]
        if chain is not last or self.over or before.actor != seat or self.actor != seat:
            return False
        if any(self.game.program.events[event].kind not in ("ask", "set", "reset", *ASPECTS) for event in rows):
            return False  # this seat itself has learnt something
        planning = before.v[4] is not None and before.v[4] == own
        return not could_be_noticed(self.game.program, own, before.v[0], rows[::-1], self.v[0], planning, unread)

    @property
    def result(self) -> Result | None:
        """Who has won, once the game is over."""
        if self.v[0] != OVER:
            return None
        winners, scores = self.v[3]
        names = self.game.seats
        atoms = self.game.vocabulary.seats
        if scores is None:
            scores = [int(a in winners) for a in atoms]
        return Result(tuple(n for n, a in zip(names, atoms) if a in winners), dict(zip(names, scores)))

    def position(self) -> Situation:
        """What decides how the game can go on, without how it came to this: equal positions play alike."""
        program, v = self.game.program, self.v
        node = program.nodes[v[0]]
        first = HEADER + program.state_slots
        if node.kind == "over":
            return (v[0], v[3], *v[HEADER:first])
        alive = [v[s] for s in node.slots]
        rule = node.rule
        while rule is not None:
            back = v[program.return_slot[rule.shape]]
            alive.append(back)
            rule, slots = program.returns.get(back, (None, ()))
            alive += [v[s] for s in slots]
        won = v[7] if v[6] >= 0 else None  # by a game inside the one that is played
        return (v[0], v[4], v[5], v[6], won, *v[HEADER:first], *alive)

    # --- a value ------------------------------------------------------------------------------------------------------
    def clone(self) -> Self:
        return type(self)(self.game, self.v.copy())

    def state(self) -> State:
        """A copy that is a State: what `Game.native` gives has this, whether by compiled rules or not."""
        return State(self.game, self.v.copy())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        if self.game.digest != other.game.digest or self.position() != other.position() or self.v[2] != other.v[2]:
            return False
        a, b = self.v[1], other.v[1]
        while a is not b:
            if a is None or b is None or a[1] != b[1]:
                return False
            a, b = a[0], b[0]
        return True

    def __hash__(self) -> int:
        return hash((self.game.digest, self.position()))

    def __getstate__(self) -> Packed:
        """The log is a chain as long as the game: packed as a row, or pickle would recurse on it."""
        rows, chain = [], self.v[1]
        while chain is not None:
            rows.append(chain[1])
            chain = chain[0]
        return self.game, [None if i == 1 else x for i, x in enumerate(self.v)], rows

    def __setstate__(self, packed: Packed) -> None:
        self.game, self.v, rows = packed
        for row in reversed(rows):
            self.v[1] = (self.v[1], row)

    def _pool(self, node: Node) -> tuple[int, ...]:
        pool: tuple[int, ...] = self.v[node.pool]
        if not pool:
            raise _stuck("nothing_legal", node.step)
        return pool

    # --- mistakes of rule authors that only show in play --------------------------------------------------------------
    def _guarded(self, function: Callable[[*_Args], _Found], *args: *_Args) -> _Found:
        try:
            return function(*args)
        except _MISTAKES as error:
            raise self._located(error) from None

    def _located(self, error: Exception) -> RulesError:
        trace, step = error.__traceback__, None
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == "<rules>":
                lines = self.game.program.lines
                step = lines[trace.tb_lineno] if trace.tb_lineno < len(lines) and lines[trace.tb_lineno] else step
            trace = trace.tb_next
        if step is None:
            step = self.game.program.nodes[self.v[0] or 0].step
        codes = {OverflowError: "number_in_play", TooMany: "too_many_choices", NotThere: "not_there"}
        if type(error) is TooLong:
            return _stuck("row_in_play", step, name=step.name if step else "?", limit=LONGEST)
        return _stuck(codes.get(type(error), "nothing_in_play"), step)

    def _too_long(self, block: int) -> RulesError:
        """Where the rules go round and round: the `repeat` round the block that would have come next."""
        lines, first = self.game.program.lines, self.game.program.blocks[block].__code__.co_firstlineno
        step = next(filter(None, lines[first:]), None)
        loops = [s for s in lines if s and step and s.verb == "repeat" and f"{step.name}/".startswith(f"{s.name}/")]
        step = max(loops, key=lambda s: len(s.name), default=step)
        return _stuck("budget", step, limit=BUDGET)


def _stuck(code: str, step: Step | None, **args: str | int) -> RulesError:
    """A mistake at this step; its name is told where there is nothing else to tell."""
    if step is None:
        return RulesError(problem(code, None, 1, **(args or {"name": "?"})))
    return RulesError(problem(code, step.place, len(step.name.rsplit("/", 1)[-1]), **(args or {"name": step.name})))


_NUMBERS = (int, Number)


def _is_plain(choice: Any) -> bool:
    """Numbers and tuples of numbers: what only equals a number, such as 1.0, would not be found in a table later."""
    if type(choice) is not tuple:
        return False
    for part in choice:
        if type(part) not in _NUMBERS and (type(part) is not tuple or any(type(x) not in _NUMBERS for x in part)):
            return False
    return True


_MISTAKES = (TypeError, IndexError, KeyError, OverflowError, TooMany, NotThere)
