"""Many games at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._linstock import ACTION_FIELDS, GLOBAL_FIELDS, PIECE_FIELDS, Battle
from ._linstock import Batch as _Batch


class Batch:
    """``n`` games of one battle, stepped on all cores. A game that ends begins anew at once.

    ``sides`` and ``counts`` say who decides in each game and among how many actions; ``rewards`` and ``done`` what the
    last step brought. They are always the same arrays: keep copies of what you need.
    """

    def __init__(self, battle: Battle | str, n: int, seed: int = 0) -> None:
        self.battle = Battle(battle) if isinstance(battle, str) else battle
        self._games = _Batch(self.battle, n, seed)
        self._random = np.random.default_rng(seed)
        self.rewards = np.zeros(n, np.float32)
        self.done = np.zeros(n, np.bool_)
        self.sides = np.zeros(n, np.int8)
        self.counts = np.zeros(n, np.int32)
        self._games.look(self.sides, self.counts)

    def __len__(self) -> int:
        return len(self._games)

    def step(self, actions: np.ndarray[Any, Any]) -> None:
        """Plays one action in each game: its number among the offers."""
        chosen = np.ascontiguousarray(actions, dtype=np.int64)
        self._games.step(chosen, self.rewards, self.done, self.sides, self.counts)

    def sample(self) -> np.ndarray[Any, Any]:
        """A random action for each game."""
        return (self._random.random(len(self)) * self.counts).astype(np.int64)

    def random(self, steps: int) -> int:
        """Plays ``steps`` random decisions in each game without coming back to Python; how many games ended."""
        ended = self._games.random(steps)
        self._games.look(self.sides, self.counts)
        return ended

    def choose(self, player: str = "captain", seed: int = 0) -> np.ndarray[Any, Any]:
        """What a computer player would do in each game."""
        out = np.zeros(len(self), np.int64)
        self._games.choose(out, player, seed)
        return out

    def arrays(self, most: int = 512) -> dict[str, np.ndarray[Any, Any]]:
        """Arrays that ``observe`` fills, with room for ``most`` actions a game."""
        n = len(self)
        return {
            "pieces": np.zeros((n, self._games.pieces, len(PIECE_FIELDS)), np.float32),
            "globals": np.zeros((n, len(GLOBAL_FIELDS)), np.float32),
            "actions": np.zeros((n, most, len(ACTION_FIELDS)), np.float32),
            "mask": np.zeros((n, most), np.int8),
        }

    def observe(self, into: dict[str, np.ndarray[Any, Any]]) -> None:
        """Writes every game as the side that decides knows it, on all cores and without copies."""
        self._games.observe(into["pieces"], into["globals"], into["actions"], into["mask"])
