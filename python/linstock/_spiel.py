"""A battle as OpenSpiel's algorithms expect a game: the same names, nothing of OpenSpiel needed.

Dice are sampled as an action is applied (OpenSpiel's *sampled stochastic*), so no node is a chance node; a clone meets the
same dice unless it is given others with ``reseed``. What is hidden stays hidden in ``information_state_string`` and
``observation_string``; ``seen_by`` gives a state to search in without peeping.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ._linstock import ACTION_FIELDS, GLOBAL_FIELDS, PIECE_FIELDS, Battle
from ._linstock import Game as _Play

#: OpenSpiel's name for a state in which nobody decides any more.
TERMINAL = -4


class Game:
    """What does not change: ``new_initial_state(seed)`` begins a play of it."""

    def __init__(self, scenario: str | Battle, *, most_actions: int = 4096) -> None:
        self.battle = Battle(scenario) if isinstance(scenario, str) else scenario
        self.most_actions = most_actions

    def new_initial_state(self, seed: int = 0) -> State:
        return State(self, self.battle.start(seed), [])

    def num_players(self) -> int:
        return 2

    def num_distinct_actions(self) -> int:
        """Actions are numbers among the offers of a state, and mean nothing in another."""
        return self.most_actions

    def min_utility(self) -> float:
        return -1.0

    def max_utility(self) -> float:
        return 1.0

    def utility_sum(self) -> float:
        return 0.0

    def observation_tensor_shape(self) -> list[int]:
        return [self.battle.pieces * len(PIECE_FIELDS) + len(GLOBAL_FIELDS)]

    def __str__(self) -> str:
        return f"linstock({self.battle.id},edition={self.battle.edition},hash={self.battle.hash[:8]})"


class State:
    """A position, and how it came about."""

    def __init__(self, game: Game, play: _Play, history: list[int]) -> None:
        self._game, self._play, self._history = game, play, history

    def get_game(self) -> Game:
        return self._game

    def current_player(self) -> int:
        side = self._play.side
        return TERMINAL if side is None else side

    def is_terminal(self) -> bool:
        return self._play.over

    def is_chance_node(self) -> bool:
        return False

    def is_simultaneous_node(self) -> bool:
        return False

    def is_player_node(self) -> bool:
        return not self._play.over

    def legal_actions(self, player: int | None = None) -> list[int]:
        mine = player is None or player == self.current_player()
        return list(range(min(len(self._play), self._game.most_actions))) if mine else []

    def legal_actions_mask(self, player: int | None = None) -> list[int]:
        legal = len(self.legal_actions(player))
        return [1] * legal + [0] * (self._game.most_actions - legal)

    def apply_action(self, action: int) -> None:
        self._play.play(action)
        self._history.append(action)

    def child(self, action: int) -> State:
        after = self.clone()
        after.apply_action(action)
        return after

    def clone(self) -> State:
        return State(self._game, self._play.copy(), list(self._history))

    def reseed(self, seed: int) -> None:
        """Other dice from here on."""
        self._play.reseed(seed)

    def seen_by(self, player: int) -> State:
        """The state with what ``player`` may not know removed."""
        return State(self._game, self._play.seen_by(player), list(self._history))

    def returns(self) -> list[float]:
        first = self._play.result
        return [0.0, 0.0] if first is None else [first, -first]

    def rewards(self) -> list[float]:
        return self.returns()

    def player_return(self, player: int) -> float:
        return self.returns()[player]

    def history(self) -> list[int]:
        return list(self._history)

    def move_number(self) -> int:
        return self._play.decisions

    def action_to_string(self, player: int | None = None, action: int | None = None) -> str:
        """In notation; takes the action alone too, as OpenSpiel does."""
        index = player if action is None else action
        if index is None:
            raise TypeError("name the action")
        return self._play.action(index)

    def string_to_action(self, notation: str) -> int:
        index = self._play.index(notation)
        if index is None:
            raise ValueError(f"`{notation}` is not offered here")
        return index

    def observation_tensor(self, player: int | None = None) -> NDArray[np.float32]:
        who = self._who(player)
        pieces = np.zeros((self._game.battle.pieces, len(PIECE_FIELDS)), np.float32)
        totals = np.zeros(len(GLOBAL_FIELDS), np.float32)
        none = np.zeros((0, len(ACTION_FIELDS)), np.float32)
        self._play.observe(who, pieces, totals, none, np.zeros(0, np.int8))
        return np.concatenate([pieces.ravel(), totals])

    def observation_string(self, player: int | None = None) -> str:
        from .envs import text

        return text(self._play, self._who(player))

    def information_state_string(self, player: int | None = None) -> str:
        """Two states that a player cannot tell apart have the same."""
        return self._play.seen_by(self._who(player)).digest()

    def _who(self, player: int | None) -> int:
        return max(self.current_player(), 0) if player is None else player

    def __str__(self) -> str:
        return self.observation_string()
