"""A study on a real Ray with several workers, one of which is killed in the middle."""

import os
import signal
import threading
import time

import pytest

import linstock

ray = pytest.importorskip("ray")
pytestmark = pytest.mark.skipif(not os.environ.get("LINSTOCK_LONG"), reason="runs in `make lab`")

SETTINGS = {"scenarios": ["battle-hymn/mcphersons-ridge"], "games": 400, "batch": 10}


def killer(killed):
    """Kills the first worker that plays a batch."""
    while not killed:
        for process in os.listdir("/proc"):
            try:
                with open(f"/proc/{process}/cmdline", "rb") as file:
                    title = file.read()
            except OSError:
                continue
            if title.startswith(b"ray::_batch"):
                time.sleep(0.05)
                try:
                    os.kill(int(process), signal.SIGKILL)
                except OSError:
                    continue
                killed.append(int(process))
                return
        time.sleep(0.005)


def test_a_killed_worker_changes_nothing(tmp_path):
    import linstock.ray

    alone = linstock.study(SETTINGS, tmp_path / "alone")
    ray.init(num_cpus=3, include_dashboard=False, log_to_driver=False)
    try:
        killed = []
        threading.Thread(target=killer, args=(killed,), daemon=True).start()
        together = linstock.ray.study(SETTINGS, tmp_path / "ray")
        assert killed, "no worker was killed"
        worker = linstock.ray.RolloutWorker.remote(SETTINGS["scenarios"][0])
        games = ray.get(worker.play.remote("captain", "random", [1, 2, 3]))
        assert [game["seed"] for game in games] == [1, 2, 3]
    finally:
        ray.shutdown()
    assert together == alone
    for table in ["games.parquet", "turns.parquet", "summary.csv", "report.html"]:
        assert (tmp_path / "alone" / table).read_bytes() == (tmp_path / "ray" / table).read_bytes(), table
