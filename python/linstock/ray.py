"""Studies and rollouts on Ray: ``pip install linstock[ray]``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import ray

from ._linstock import Battle, Study
from .study import _text, opened


@ray.remote(max_retries=5)
def _batch(text: str, beside: str, cell: int, batch: int) -> bytes:
    """Plays one batch. The same bytes on any machine, so a batch that is lost with its worker is played again."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        return Study(text, folder, beside=beside).play(cell, batch)


def study(source: str | Path | dict[str, Any], out: str | Path, *, csv: bool = False) -> dict[str, Any]:
    """As ``linstock.study``, with the batches played by the workers of a Ray cluster.

    Nothing is lost or counted twice when workers die: a batch counts once it is kept in ``out``, under its own name.
    Scenario files must be readable by the workers.
    """
    if not ray.is_initialized():
        ray.init()
    work = opened(source, out)
    text = _text(source) if isinstance(source, dict) else Path(source).read_text(encoding="utf-8")
    beside = "." if isinstance(source, dict) else str(Path(source).parent.resolve())
    while jobs := work.jobs():
        waiting = {_batch.remote(text, beside, cell, batch): (cell, batch) for cell, batch in jobs}
        while waiting:
            done, _ = ray.wait(list(waiting), num_returns=1)
            for reference in done:
                cell, batch = waiting.pop(reference)
                work.keep(cell, batch, ray.get(reference))
    return work.finish(csv=csv)


@ray.remote(max_restarts=-1, max_task_retries=3)
class RolloutWorker:
    """Plays games of one battle for learners."""

    def __init__(self, scenario: str, text: str | None = None) -> None:
        self.battle = Battle(scenario, text=text)

    def play(self, first: str, second: str, seeds: list[int]) -> list[dict[str, Any]]:
        """One game for each seed."""
        return [self.battle.play(first, second, seed) | {"seed": seed} for seed in seeds]
