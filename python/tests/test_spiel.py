"""The face for OpenSpiel's algorithms."""

import random

import pytest

import linstock


def played(seed):
    state = linstock.spiel("battle-hymn/mcphersons-ridge").new_initial_state(seed)
    rng = random.Random(seed)
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
    return state


def test_a_game_is_played_to_its_end_and_sums_to_zero():
    state = played(1)
    assert state.current_player() == -4 and not state.is_player_node() and state.legal_actions() == []
    assert sum(state.returns()) == 0 and set(state.returns()) <= {-1.0, 0.0, 1.0}
    assert len(state.history()) == state.move_number()
    assert played(1).information_state_string(0) == state.information_state_string(0)
    # The history is the game: from the same seed it comes to the same.
    again = state.get_game().new_initial_state(1)
    for action in state.history():
        again.apply_action(action)
    assert again.is_terminal() and again.returns() == state.returns()


def test_a_child_leaves_its_state_alone():
    state = linstock.spiel("american-revolution/the-cabin").new_initial_state(3)
    before = state.information_state_string()
    child = state.child(state.legal_actions()[-1])
    assert state.information_state_string() == before and state.history() == []
    assert child.history() != [] and child.information_state_string(0) != before
    assert state.legal_actions(1 - state.current_player()) == []
    assert sum(state.legal_actions_mask()) == len(state.legal_actions())
    notation = state.action_to_string(state.current_player(), 0)
    assert state.string_to_action(notation) == 0 and state.action_to_string(0) == notation
    with pytest.raises(ValueError):
        state.string_to_action("march nobody nowhere")


def test_observations_have_the_shape_that_the_game_names():
    game = linstock.spiel("brigade-battles/sunken-road")
    state = game.new_initial_state()
    assert list(state.observation_tensor(1).shape) == game.observation_tensor_shape()
    assert state.information_state_string(0) != "" and game.battle.hash[:8] in str(game)


def test_openspiels_own_search_plays_it():
    pytest.importorskip("pyspiel")
    from open_spiel.python.algorithms import mcts
    import numpy as np

    game = linstock.spiel("battle-hymn/mcphersons-ridge")
    rng = np.random.RandomState(4)
    bot = mcts.MCTSBot(game, 2.0, 8, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    state = game.new_initial_state(4)
    for _ in range(3):
        action = bot.step(state)
        assert action in state.legal_actions()
        state.apply_action(action)
