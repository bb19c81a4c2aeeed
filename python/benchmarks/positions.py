"""A data set of positions with results and values: the same file for the same arguments, on every machine.

    python python/benchmarks/positions.py --positions 10000000 --out positions

One Parquet file for each system's introductory battle: pieces and globals as the deciding side knows them, how many
actions were offered, the value as the computer judges it, and how the game ended for that side. Captains err now and
then (one decision in ten is random), so that positions are not all alike.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet

import linstock

BATTLES = [
    "battle-hymn/mcphersons-ridge",
    "brigade-battles/sunken-road",
    "american-revolution/the-cabin",
    "hallowed-ground/crossroads",
    "fields-of-honor/drill-ground",
]


def game(battle: linstock.Battle, seed: int) -> list[dict[str, object]]:
    """The positions of one game."""
    rng = np.random.default_rng(seed)
    at = battle.start(seed)
    pieces = np.zeros((battle.pieces, len(linstock.PIECE_FIELDS)), np.float32)
    totals = np.zeros(len(linstock.GLOBAL_FIELDS), np.float32)
    none = np.zeros((0, len(linstock.ACTION_FIELDS)), np.float32)
    mask = np.zeros(0, np.int8)
    rows: list[dict[str, object]] = []
    while (side := at.side) is not None:
        at.observe(side, pieces, totals, none, mask)
        rows.append(
            {
                "seed": seed,
                "decision": at.decisions,
                "side": side,
                "offers": len(at),
                "value": at.worth(side),
                "pieces": pieces.ravel().tolist(),
                "globals": totals.tolist(),
            }
        )
        erring = rng.random() < 0.1
        at.play(int(rng.integers(len(at))) if erring else at.choose("lieutenant", seed + at.decisions))
    for row in rows:
        row["result"] = (at.result or 0.0) * (1 if row["side"] == 0 else -1)
    return rows


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--positions", type=int, default=10_000_000, help="positions in all")
    arguments.add_argument("--seed", type=int, default=1863)
    arguments.add_argument("--out", type=Path, default=Path("positions"))
    given = arguments.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    for scenario in BATTLES:
        battle = linstock.Battle(scenario)
        wanted, written, seed = given.positions // len(BATTLES), 0, given.seed
        path = given.out / f"{scenario.replace('/', '-')}-edition{battle.edition}-{battle.hash[:8]}.parquet"
        writer = None
        while written < wanted:
            rows: list[dict[str, object]] = []
            while len(rows) < 50_000 and written + len(rows) < wanted:
                rows += game(battle, seed)
                seed += 1
            table = pa.Table.from_pylist(rows[: wanted - written])
            writer = writer or parquet.ParquetWriter(path, table.schema, compression="zstd")
            writer.write_table(table)
            written += table.num_rows
        if writer:
            writer.close()
        print(f"{path}: {written:,} positions of {seed - given.seed:,} games")


if __name__ == "__main__":
    main()
