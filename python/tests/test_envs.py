"""PettingZoo's and Gymnasium's own checks, for every scenario."""

import warnings

import numpy as np
import pytest

import linstock

pytest.importorskip("pettingzoo")
from gymnasium.utils.env_checker import check_env  # noqa: E402
from pettingzoo.test import api_test, parallel_api_test, seed_test  # noqa: E402
from pettingzoo.utils.conversions import turn_based_aec_to_parallel  # noqa: E402

from linstock.envs import Legality, text  # noqa: E402

EVERY = linstock.scenarios()


@pytest.mark.parametrize("scenario", EVERY)
def test_api(scenario):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(linstock.aec(scenario), num_cycles=150, verbose_progress=False)


@pytest.mark.parametrize("scenario", EVERY)
def test_seed(scenario):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        seed_test(lambda: linstock.aec(scenario), num_cycles=25)


@pytest.mark.parametrize("scenario", EVERY)
def test_parallel(scenario):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        parallel_api_test(turn_based_aec_to_parallel(linstock.aec(scenario)), num_cycles=60)


@pytest.mark.parametrize("scenario", EVERY)
def test_gymnasium(scenario):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(linstock.gym(scenario, opponent="random"), skip_render_check=True)


def test_the_id_carries_edition_and_hash():
    battle = linstock.Battle(EVERY[0])
    assert linstock.aec(battle).id == f"linstock/{EVERY[0]}-edition{battle.edition}-{battle.hash[:8]}"


def test_rewards_sum_to_zero():
    env = linstock.aec(EVERY[0])
    env.reset(seed=1)
    rng = np.random.default_rng(1)
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, over, _, _ = env.last()
        total[agent] += reward
        mask = observation["action_mask"]
        env.step(None if over else int(rng.choice(np.flatnonzero(mask))))
    assert sum(total.values()) == 0 and set(total.values()) <= {-1.0, 0.0, 1.0}


def test_a_whole_game_against_the_captain():
    env = linstock.gym(EVERY[0], side=1, opponent="captain")
    observation, _ = env.reset(seed=2)
    over = False
    while not over:
        action = int(np.flatnonzero(observation["action_mask"])[0])
        observation, reward, over, _, _ = env.step(action)
    assert reward in (-1.0, 0.0, 1.0)


def test_an_illegal_action_loses():
    env = linstock.gym(EVERY[0])
    env.reset(seed=2)
    _, reward, over, _, info = env.step(511)
    assert (reward, over, info["illegal_action"]) == (-1.0, True, 511)


def test_text_and_the_score_of_legality():
    game = linstock.Battle(EVERY[0]).start(1)
    said = text(game)
    assert game.action(0) in said and "Turn" in said
    legality = Legality()
    assert legality.play(game, game.action(0)) and not legality.play(game, "march gamble 9999")
    assert legality.score == 0.5 and legality.refusals
