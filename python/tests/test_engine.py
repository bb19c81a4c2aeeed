"""Battles, games, batches, journals and studies."""

from fractions import Fraction

import numpy as np
import pytest

import linstock

RIDGE = "battle-hymn/mcphersons-ridge"


def random_game(battle, seed):
    rng = np.random.default_rng(seed)
    game = battle.start(seed)
    while not game.over:
        game.play(int(rng.integers(len(game))))
    return game


@pytest.mark.parametrize("scenario", linstock.scenarios())
def test_every_scenario_is_played_to_its_end(scenario):
    battle = linstock.Battle(scenario)
    game = random_game(battle, 7)
    assert game.result in (-1.0, 0.0, 1.0) and game.side is None and len(game) == 0
    assert game.digest() == random_game(battle, 7).digest()


def test_a_copy_goes_its_own_way():
    game = linstock.Battle(RIDGE).start(3)
    before = game.digest()
    other = game.copy()
    other.play(0)
    assert game.digest() == before != other.digest()
    game.play(0)
    assert game.digest() == other.digest(), "the same dice await both"


def test_actions_are_numbers_or_notation():
    game = linstock.Battle(RIDGE).start(1)
    notation = game.action(len(game) - 1)
    assert game.index(notation) == len(game) - 1 and notation in game.actions()
    assert [offer["action"] for offer in game.offers()] == game.actions()
    game.play(notation)
    assert game.decisions == 1
    with pytest.raises(ValueError):
        game.play("march nobody 0101")
    with pytest.raises(IndexError, match="there is no offer 9999"):
        game.play(9999)


def test_odds_are_fractions_that_sum_to_one():
    battle = linstock.Battle(RIDGE)
    seen = 0
    for seed in range(20):
        game = battle.start(seed)
        while not game.over and seen < 10:
            rolling = [offer["action"] for offer in game.offers() if offer["rolls"]]
            if rolling:
                odds = game.odds(rolling[0])
                if odds["exact"] and odds["lead"]:
                    assert all(isinstance(chance, Fraction) for chance in odds["lead"].values())
                    assert sum(odds["lead"].values()) == 1
                    seen += 1
            game.play(game.choose("captain", seed))
    assert seen > 0


def test_what_is_hidden_is_not_told():
    battle = linstock.Battle("american-revolution/the-cabin")
    game = random_game(battle, 1)
    assert game.seen_by(0).digest() == game.seen_by(0).seen_by(0).digest()


def test_the_log_names_rules():
    game = linstock.Battle(RIDGE).start(1)
    game.listen()
    for _ in range(40):
        if not game.over:
            game.play(game.choose("captain"))
    entries = game.log()
    assert any(entry["rules"] for entry in entries) and game.log() == []


def test_a_batch_plays_as_single_games_do():
    batch = linstock.Batch(RIDGE, 64, seed=5)
    again = linstock.Batch(RIDGE, 64, seed=5)
    ended = 0
    for _ in range(300):
        actions = batch.sample()
        assert (actions == again.sample()).all()
        batch.step(actions)
        again.step(actions)
        assert (batch.counts == again.counts).all() and (batch.rewards == again.rewards).all()
        assert set(batch.sides) <= {0, 1} and (batch.counts > 0).all()
        ended += int(batch.done.sum())
    assert ended > 20
    with pytest.raises(IndexError):
        batch.step(np.full(64, 10_000))
    with pytest.raises(ValueError, match="64 games"):
        batch.step(np.zeros(3))


def test_a_batch_fills_the_callers_arrays():
    batch = linstock.Batch(RIDGE, 8, seed=5)
    arrays = batch.arrays()
    kept = arrays["pieces"]
    batch.observe(arrays)
    assert kept is arrays["pieces"] and kept.any()
    assert (arrays["mask"].sum(axis=1) == np.minimum(batch.counts, 512)).all()
    assert (batch.choose("captain") < batch.counts).all()


def test_a_journal_becomes_a_frame():
    pyarrow = pytest.importorskip("pyarrow")
    journal = linstock.Battle(RIDGE).journal("captain", "lieutenant", seed=4)
    table = linstock.journal_frame(journal)
    assert isinstance(table, pyarrow.Table) and table.num_rows == len(linstock.read_journal(journal))
    frame = table.to_pandas()
    assert list(frame["moment"]) == list(range(len(frame))) and frame["action"][0] == "muster"
    polars = pytest.importorskip("polars")
    assert polars.from_arrow(table).height == table.num_rows
    with pytest.raises(ValueError, match="line"):
        linstock.read_journal(journal.replace(str(frame["action"][3]), "march nobody 0101"))


def test_a_study_from_python(tmp_path):
    settings = {
        "scenarios": [RIDGE],
        "players": ["random"],
        "games": 60,
        "batch": 20,
        "variation": [{"name": "No handicap", "set": {"side.csa.handicap": 0}}],
    }
    summary = linstock.study(settings, tmp_path / "a")
    assert [cell["games"] for cell in summary["cells"]] == [60, 60] and summary["games"] == 120
    parquet = pytest.importorskip("pyarrow.parquet")
    games = parquet.read_table(tmp_path / "a" / "games.parquet").to_pandas()
    assert len(games) == 120 and set(games["change"]) == {"", "No handicap"}
    assert summary["cells"][0]["won"]["first"] == ((games["cell"] == 0) & (games["result"] == "first")).sum()
    turns = parquet.read_table(tmp_path / "a" / "turns.parquet").to_pandas()
    assert (turns["margin"] == turns["first_points"] - turns["second_points"]).all()
    with pytest.raises(ValueError, match="there is no scenario"):
        linstock.study({"scenarios": ["nowhere"]}, tmp_path / "b")


def test_the_dice_of_a_study_are_those_of_a_game(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    linstock.study({"scenarios": [RIDGE], "games": 3}, tmp_path)
    battle = linstock.Battle(RIDGE)
    for row in parquet.read_table(tmp_path / "games.parquet").to_pylist():
        again = battle.play("captain", "captain", int(row["seed"], 16))
        assert again["points"] == [row["first_points"], row["second_points"]]
        assert again["decisions"] == row["decisions"]
