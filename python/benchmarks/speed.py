"""Random play through Python, side by side in one run: Linstock, OpenSpiel's backgammon, PettingZoo's chess.

    pip install linstock[envs] open_spiel "pettingzoo[classic]"
    python python/benchmarks/speed.py

Every line is decisions a second on this machine. A decision is: who decides and what may be done, a random choice of it
made in Python, and playing it. The environments also make the observation and the mask.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import numpy as np

import linstock

SECONDS = 3.0
SMALL = ["battle-hymn/mcphersons-ridge", "brigade-battles/sunken-road", "american-revolution/the-cabin"]


def rate(play: Callable[[], int]) -> float:
    """Decisions a second: ``play`` plays a while and tells how many."""
    play()
    begun, decisions = time.perf_counter(), 0
    while (spent := time.perf_counter() - begun) < SECONDS:
        decisions += play()
    return decisions / spent


def game(scenario: str) -> Callable[[], int]:
    battle = linstock.Battle(scenario)
    seeds = iter(range(10**9))
    draw = random.random

    def play() -> int:
        at = battle.start(next(seeds))
        step, count = at.play, at.__len__
        taken = 0
        while n := count():
            step(int(draw() * n))
            taken += 1
        return taken

    return play


def rust(scenario: str) -> Callable[[], int]:
    battle = linstock.Battle(scenario)

    def play() -> int:
        battle.random_steps(20_000, random.getrandbits(60))
        return 20_000

    return play


def batch(scenario: str, n: int = 4096) -> Callable[[], int]:
    games = linstock.Batch(scenario, n)

    def play() -> int:
        games.step(games.sample())
        return n

    return play


def inside(scenario: str, n: int = 256) -> Callable[[], int]:
    games = linstock.Batch(scenario, n)

    def play() -> int:
        games.random(50)
        return 50 * n

    return play


def environment(env: object) -> Callable[[], int]:
    seeds = iter(range(10**9))

    def play() -> int:
        env.reset(seed=next(seeds))
        taken = 0
        for _ in env.agent_iter():
            seen, _, over, cut, _ = env.last()
            if over or cut:
                env.step(None)
                continue
            mask = seen["action_mask"]
            env.step(int(random.choice(np.flatnonzero(mask))))
            taken += 1
            if taken == 200:
                break
        return taken

    return play


def backgammon() -> Callable[[], int]:
    import pyspiel

    rules = pyspiel.load_game("backgammon")

    def play() -> int:
        state = rules.new_initial_state()
        taken = 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(random.choices([o for o, _ in outcomes], [p for _, p in outcomes])[0])
                continue
            legal = state.legal_actions()
            state.apply_action(legal[int(random.random() * len(legal))])
            taken += 1
        return taken

    return play


def main() -> None:
    def tell(name: str, make: Callable[[], Callable[[], int]]) -> None:
        try:
            print(f"{name:55} {rate(make()):>12,.0f}", flush=True)
        except ImportError as missing:
            print(f"{name:55} {'missing: ' + str(missing.name):>12}", flush=True)

    for scenario in SMALL:
        tell(f"Linstock Game, {scenario}", lambda: game(scenario))
        tell(f"  the same in Rust, one core", lambda: rust(scenario))
        tell(f"  Batch of 4096 stepped from Python, all cores", lambda: batch(scenario))
        tell(f"  Batch, random play inside, all cores", lambda: inside(scenario))
    tell("OpenSpiel, backgammon", backgammon)

    def chess() -> Callable[[], int]:
        from pettingzoo.classic import chess_v6

        return environment(chess_v6.env())

    tell(f"Linstock AEC, {SMALL[0]}", lambda: environment(linstock.aec(SMALL[0])))
    tell("PettingZoo AEC, chess", chess)


if __name__ == "__main__":
    main()
