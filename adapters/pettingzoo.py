"""Games as environments of PettingZoo: `env` for one agent after the other (AEC), `parallel_env` for rounds.

An agent is a seat at which somebody plays. It observes a row of numbers made from its log, and a mask of what it may
do; actions are pieces of choices (see `flat`), with the same numbers in every position. All rewards come at the end:
the scores of the game, or 1 for those who win.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.env_logger import EnvLogger

from ..interpreter import CHANCE, load_game
from .flat import Actions, Flat
from .seeing import Seeing

__all__ = ["env", "parallel_env"]

LONGEST = 10_000  # pieces of choices; a game that goes on beyond that is cut off
SET = {"agents", "num_agents", "agent_selection", "rewards", "terminations", "truncations", "infos"}  # by `reset`
PASS = 0  # in rounds: what those do who are not asked. In a question the same number means that a set is complete.


def env(game: str, players: int | None = None, options: dict[str, Any] | None = None, **more: Any) -> TableEnv:
    """A game by its name or the path of its file. `longest`: after how many pieces of choices it is cut off."""
    return TableEnv(game, players, options, **more)


def parallel_env(game: str, players: int | None = None, options: dict[str, Any] | None = None, **more: Any) -> RoundEnv:
    """The same for agents that act at the same time: all who are asked at once; those who are not asked pass."""
    return RoundEnv(game, players, options, **more)


class _Table:
    """What both kinds of environments share: a game, its agents, their spaces, and a state."""

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(
        self,
        game: str,
        players: int | None = None,
        options: dict[str, Any] | None = None,
        longest: int = LONGEST,
        render_mode: str | None = None,
    ):
        super().__init__()
        self.game = load_game(game, players, options)
        self.metadata = {**self.metadata, "name": f"{self.game.id}_v0"}
        self.render_mode, self.longest = render_mode, longest
        self.actions = Actions(self.game)
        self.seeing = Seeing(self.game, self.actions)
        self.possible_agents = [seat for seat in self.game.seats if seat not in self.game.chance_seats]
        box = spaces.Box(-np.inf, np.inf, (self.seeing.size,), np.float32)
        mask = spaces.Box(0, 1, (len(self.actions),), np.int8)
        self._seen = {a: spaces.Dict({"observation": box, "action_mask": mask}) for a in self.possible_agents}
        self._done = {a: spaces.Discrete(len(self.actions)) for a in self.possible_agents}
        self._rng = np.random.default_rng()
        self.flat: Flat

    @property
    def _is_set(self) -> bool:
        return "flat" in self.__dict__

    def __getattr__(self, name: str) -> Any:
        """What there is not: before `reset`, as PettingZoo's own wrapper says it."""
        if name in SET and not self._is_set:
            raise AttributeError(f"{name} cannot be accessed before reset")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self._seen[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self._done[agent]

    def _begin(self, seed: int | None) -> None:
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        self.flat = Flat(self.game.new(seed=int(self._rng.integers(2**31))), self.actions)
        self.agents = self.possible_agents[:]
        self.taken = 0

    def _seen_by(self, agent: str, flat: Flat) -> dict[str, Any]:
        """What an agent observes of a state, and what it may do there if it is asked."""
        asked = flat.actor == agent
        row = self.seeing.features(flat.state.player(agent), flat.done if asked else ())
        mask = np.zeros(len(self.actions), np.int8)
        if asked:
            mask[flat.legal()] = 1
        return {"observation": np.array(row, np.float32), "action_mask": mask}

    def _scores(self) -> dict[str, float]:
        result = self.flat.state.result
        return {agent: float(result.scores[agent]) if result else 0.0 for agent in self.possible_agents}

    def render(self) -> str:
        """What everybody has seen."""
        if not self._is_set:
            EnvLogger.error_render_before_reset()
        log = self.flat.state.umpire().log
        return "\n".join(f"{e.step}: {dict(e.told)}" for e in log.entries(shared=True))

    def close(self) -> None:
        pass


class TableEnv(_Table, AECEnv):  # type: ignore[misc]
    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._begin(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._next()

    def _next(self) -> None:
        actor = self.flat.actor
        assert actor != CHANCE  # with a seed chance decides by itself
        if actor is not None:
            self.agent_selection = actor

    def agent_iter(self, max_iter: int = 2**63) -> Any:
        if not self._is_set:
            EnvLogger.error_agent_iter_before_reset()
        return super().agent_iter(max_iter)

    def observe(self, agent: str) -> dict[str, Any]:
        if not self._is_set:
            EnvLogger.error_observe_before_reset()
        return self._seen_by(agent, self.flat)

    def step(self, action: int | None) -> None:
        if not self._is_set:
            EnvLogger.error_step_before_reset()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        assert action is not None
        self.flat.apply(int(action))
        self.taken += 1
        if self.flat.over:
            self.rewards = self._scores()
            self.terminations = dict.fromkeys(self.agents, True)
        elif self.taken >= self.longest:
            self.truncations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self._next()


class RoundEnv(_Table, ParallelEnv):  # type: ignore[misc]
    """In each round everybody acts; what those do who are not asked is not looked at: their mask allows only `PASS`.

    Those whom the rules ask at once answer in the same round, piece by piece; whoever has answered passes until all
    have."""

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        self._begin(seed)
        self._ask()
        return {agent: self._observed(agent) for agent in self.agents}, {agent: {} for agent in self.agents}

    def _ask(self) -> None:
        state = self.flat.state
        self.asked = {seat: Flat(state.turned_to(seat), self.actions) for seat in state.actors}
        self.answers: dict[str, Any] = {}

    def _observed(self, agent: str) -> dict[str, Any]:
        if agent in self.asked and agent not in self.answers:
            return self._seen_by(agent, self.asked[agent])
        row = self.seeing.features(self.flat.state.player(agent), asked=False)
        mask = np.zeros(len(self.actions), np.int8)
        mask[PASS] = 1
        return {"observation": np.array(row, np.float32), "action_mask": mask}

    def step(self, actions: dict[str, int]) -> tuple[dict[str, Any], ...]:
        if not self._is_set:
            EnvLogger.error_step_before_reset()
        for seat, flat in self.asked.items():
            if seat not in self.answers and (choice := flat.apply(int(actions[seat]))) is not None:
                self.answers[seat] = choice
        if len(self.answers) == len(self.asked):
            self.flat.state.apply_all(self.answers)
            self._ask()
        self.taken += 1
        over, cut = self.flat.over, self.taken >= self.longest
        seen = {agent: self._observed(agent) for agent in self.agents}
        gained = self._scores() if over else dict.fromkeys(self.agents, 0.0)
        ended = dict.fromkeys(self.agents, over)
        cut_off = dict.fromkeys(self.agents, cut and not over)
        infos: dict[str, Any] = {agent: {} for agent in self.agents}
        if over or cut:
            self.agents = []
        return seen, gained, ended, cut_off, infos
