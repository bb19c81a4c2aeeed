"""Horse-and-musket wargames with published rules, exact odds and cited legality.

``Battle`` is a scenario, ``Game`` a game of it, ``Batch`` many games at once, ``Study`` many games that answer a
question. ``linstock.aec`` and ``linstock.gym`` are environments for PettingZoo and Gymnasium, and
``linstock.spiel`` is the face that OpenSpiel's algorithms expect.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._linstock import (
    ACTION_FIELDS,
    GLOBAL_FIELDS,
    PIECE_FIELDS,
    PLAYERS,
    Battle,
    Game,
    Study,
    __version__,
    read_journal,
    scenarios,
)
from .batch import Batch
from .study import study

if TYPE_CHECKING:
    from ._spiel import Game as SpielGame
    from .envs import AEC, Single

__all__ = [
    "ACTION_FIELDS",
    "Batch",
    "Battle",
    "GLOBAL_FIELDS",
    "Game",
    "PIECE_FIELDS",
    "PLAYERS",
    "Study",
    "__version__",
    "aec",
    "gym",
    "journal_frame",
    "read_journal",
    "scenarios",
    "spiel",
    "study",
]


def aec(scenario: str | Battle, **settings: Any) -> AEC:
    """The battle as a PettingZoo environment for two agents, named after the sides."""
    from .envs import AEC

    return AEC(scenario, **settings)


def gym(scenario: str | Battle, *, side: int = 0, opponent: str = "captain", **settings: Any) -> Single:
    """The battle as a Gymnasium environment for one agent against a computer player."""
    from .envs import Single

    return Single(scenario, side=side, opponent=opponent, **settings)


def spiel(scenario: str | Battle, **settings: Any) -> SpielGame:
    """The battle as OpenSpiel's algorithms expect a game."""
    from ._spiel import Game

    return Game(scenario, **settings)


def journal_frame(text: str) -> Any:
    """The moments of a journal as an Arrow table: ``.to_pandas()``, or ``polars.from_arrow(...)``."""
    import pyarrow

    return pyarrow.Table.from_pylist(read_journal(text))
