"""Environments: PettingZoo for two agents, Gymnasium for one against a computer player."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from ._linstock import ACTION_FIELDS, GLOBAL_FIELDS, PIECE_FIELDS, Battle, Game

#: As many actions as are shown; where there are more the most promising come first, and ``info["truncated_offers"]`` tells.
MOST_ACTIONS = 512


def _battle(scenario: str | Battle) -> Battle:
    return Battle(scenario) if isinstance(scenario, str) else scenario


def _id(battle: Battle) -> str:
    """The environment's id carries the edition of the rules and the scenario's hash: results compare only where it is equal."""
    return f"linstock/{battle.id}-edition{battle.edition}-{battle.hash[:8]}"


def _space(rows: int, most: int) -> spaces.Dict:
    def box(*shape: int) -> spaces.Box:
        return spaces.Box(-np.inf, np.inf, shape, np.float32)

    return spaces.Dict(
        {
            "observation": spaces.Dict(
                {
                    "pieces": box(rows, len(PIECE_FIELDS)),
                    "globals": box(len(GLOBAL_FIELDS)),
                    "actions": box(most, len(ACTION_FIELDS)),
                }
            ),
            "action_mask": spaces.Box(0, 1, (most,), np.int8),
        }
    )


def _observed(rows: int, game: Game, side: int, most: int) -> dict[str, Any]:
    pieces = np.zeros((rows, len(PIECE_FIELDS)), np.float32)
    globals_ = np.zeros(len(GLOBAL_FIELDS), np.float32)
    actions = np.zeros((most, len(ACTION_FIELDS)), np.float32)
    mask = np.zeros(most, np.int8)
    game.observe(side, pieces, globals_, actions, mask)
    return {"observation": {"pieces": pieces, "globals": globals_, "actions": actions}, "action_mask": mask}


def text(game: Game, side: int | None = None) -> str:
    """The position and the decision in words, for language models: what may be played stands in the last lines."""
    side = game.side if side is None else side
    view = game.view(side)
    lines = [f"Turn {game.turn}. Points: {game.score[0]} to {game.score[1]}."]
    for piece in view["pieces"]:
        place = piece["place"]
        where = place.get("hex") or place.get("box") or "{x} {y} facing {facing}".format(**place["pose"])
        state = f", {piece['state']}" if piece["state"] else ""
        whose = "own" if (piece["side"] == "first") == (side == 0) else "enemy"
        lines.append(f"- {whose} {piece['slug']} ({piece['arm']} {piece['big']}) at {where}{state}")
    prompt = game.prompt()
    if prompt and game.side == side:
        lines.append(prompt["sentence"])
        lines += [f"  {action}" for action in game.actions()]
    return "\n".join(lines)


class Legality:
    """How well a language model keeps to the rules: tries, legal tries, and the rules that refused the others."""

    def __init__(self) -> None:
        self.tries = 0
        self.legal = 0
        self.refusals: list[str] = []

    def play(self, game: Game, answer: str) -> bool:
        """Plays what the model answered, if it is legal; else notes the refusal, which names the rule."""
        self.tries += 1
        try:
            game.play(answer.strip())
        except ValueError as refusal:
            self.refusals.append(str(refusal))
            return False
        self.legal += 1
        return True

    @property
    def score(self) -> float:
        """The share of tries that were legal."""
        return self.legal / self.tries if self.tries else 1.0


class AEC(AECEnv):  # type: ignore[misc]
    """A battle for two agents in turn, with constant spaces and a mask over the offers.

    An action is a number among the offers. The reward is 1, 0 or -1 at the end of the game, the sum of both is 0.
    """

    metadata = {"name": "linstock_v0", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(self, scenario: str | Battle, *, most_actions: int = MOST_ACTIONS, render_mode: str | None = None) -> None:
        super().__init__()
        self.battle = _battle(scenario)
        self.id = _id(self.battle)
        self.metadata = {**self.metadata, "name": self.id}
        self.render_mode = render_mode
        self.possible_agents = list(self.battle.sides)
        self._most = most_actions
        self._rows = self.battle.pieces
        self._space = _space(self._rows, most_actions)
        self._actions = spaces.Discrete(most_actions)
        self._seeds = np.random.default_rng()
        self.game = self.battle.start(0)

    def observation_space(self, agent: str) -> spaces.Dict:
        return self._space

    def action_space(self, agent: str) -> spaces.Discrete:
        return self._actions

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            self._seeds = np.random.default_rng(seed)
        self.game = self.battle.start(int(self._seeds.integers(2**63)))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._tell()

    def _tell(self) -> None:
        side = self.game.side
        if side is not None:
            self.agent_selection = self.possible_agents[side]
        cut = len(self.game) > self._most
        self.infos = {agent: {"turn": self.game.turn, "truncated_offers": cut} for agent in self.agents}

    def observe(self, agent: str) -> dict[str, Any]:
        return _observed(self._rows, self.game, self.possible_agents.index(agent), self._most)

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.game.play(int(action))  # type: ignore[arg-type]
        result = self.game.result
        if result is not None:
            first, second = self.possible_agents
            self.rewards = {first: float(result), second: -float(result)}
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = agent
            self.infos = {name: {"turn": self.game.turn, "truncated_offers": False} for name in self.agents}
        else:
            self._tell()
        self._accumulate_rewards()

    def render(self) -> str | None:
        return text(self.game) if self.render_mode == "ansi" else None

    def close(self) -> None:
        pass


class Single(gymnasium.Env):  # type: ignore[misc,type-arg]
    """A battle for one agent against a computer player. An action is a number among the offers; one beyond them loses
    the game at once, so use ``action_mask``."""

    metadata = {"render_modes": ["ansi"]}

    def __init__(
        self,
        scenario: str | Battle,
        *,
        side: int = 0,
        opponent: str = "captain",
        most_actions: int = MOST_ACTIONS,
        render_mode: str | None = None,
    ) -> None:
        if side not in (0, 1):
            raise ValueError("side is 0 or 1")
        self.battle = _battle(scenario)
        self.id = _id(self.battle)
        self.side = side
        self.opponent = opponent
        self.render_mode = render_mode
        self._most = most_actions
        self._rows = self.battle.pieces
        self.observation_space = _space(self._rows, most_actions)
        self.action_space = spaces.Discrete(most_actions)
        self.game = self.battle.start(0)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict[str, Any], dict[str, Any]]:
        super().reset(seed=seed)
        self.game = self.battle.start(int(self.np_random.integers(2**63)))
        self._answer()
        return self._seen(), self._info()

    def _answer(self) -> None:
        """Plays for the opponent until the agent decides or the game is over."""
        while self.game.side not in (self.side, None):
            self.game.play(self.game.choose(self.opponent, int(self.np_random.integers(2**63))))

    def _seen(self) -> dict[str, Any]:
        return _observed(self._rows, self.game, self.side, self._most)

    def _info(self) -> dict[str, Any]:
        return {"turn": self.game.turn, "offers": len(self.game), "truncated_offers": len(self.game) > self._most}

    def action_masks(self) -> np.ndarray[Any, Any]:
        """The mask alone, under the name that mask-aware learners ask for."""
        mask = np.zeros(self._most, np.bool_)
        mask[: len(self.game)] = True
        return mask

    def step(self, action: int) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        if not 0 <= int(action) < len(self.game):
            return self._seen(), -1.0, True, False, {**self._info(), "illegal_action": int(action)}
        self.game.play(int(action))
        self._answer()
        result = self.game.result
        reward = 0.0 if result is None else float(result) * (1 if self.side == 0 else -1)
        return self._seen(), reward, result is not None, False, self._info()

    def render(self) -> str | None:  # type: ignore[override]
        return text(self.game, self.side) if self.render_mode == "ansi" else None
