"""Large runs: all games count, and moves and searches are read of some."""

import contextlib
import shutil

import pytest
from changed import connect
from hand_made import run_of
from needs import needed

from arena.store.run_file import Store
from arena.table.rows import value
from arena.tournament.effort import effort
from arena.tournament.faults import faults
from arena.tournament.frames import Frames
from arena.tournament.games import Filter, GameResult, filtered
from arena.tournament.pairings import duels
from arena.tournament.rounds import openings
from arena.tournament.standings import counts, standings
from arena.tournament.tables import warnings

from .large_run import make


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("large") / "run.sqlite"
    assert make(path, 4, 50, plies=4) == 600
    return path


@pytest.fixture(scope="module")
def difference():
    """The plugin that holds two runs against each other, imported before a test changes the size of samples."""
    return needed("arena.plugins.diff.difference")


@pytest.fixture
def drawn(path):
    return Frames.read(path, most=100)


@pytest.fixture
def whole(path):
    return Frames.read(path)


STRENGTH = ("agent", "elo", "low", "high", "gap_los", "points", "games", "first_wins", "second_losses", "faults")


def strengths(frames):
    return [[value(row, name) for name in STRENGTH] for row in standings(frames)]


def test_all_games_of_a_large_run_count(whole, drawn):
    assert (whole.sampled, drawn.sampled) == (False, True)
    assert strengths(drawn) == strengths(whole)
    assert counts(drawn) == counts(whole)
    assert duels(drawn)[0].counts == duels(whole)[0].counts
    assert openings(drawn) == openings(whole)


def test_the_records_of_any_games_are_found(difference, whole, drawn):
    some = whole.games.sample(40, random_state=0)
    numbers, texts, moves = difference.records(drawn, some)
    assert (numbers, texts) == (some["game"].tolist(), some["moves"].tolist())
    assert set(numbers) == set(moves["game"])


def test_faults_of_a_large_run_are_told_in_their_order_and_counted_for_who_committed_them(path, tmp_path):
    broken = tmp_path / "broken.sqlite"
    shutil.copy(path, broken)
    with contextlib.closing(connect(broken)) as connection, connection:
        connection.execute(
            "UPDATE game SET termination = 'illegal move', detail = 'column ' || (id % 2)"
            " WHERE id % 7 = 0 AND result <> '1/2-1/2'"
        )
    whole, drawn = Frames.read(broken), Frames.read(broken, most=100)
    assert drawn.sampled
    assert faults(drawn) == faults(whole) != []
    assert [row.faults for row in standings(drawn)] == [row.faults for row in standings(whole)]
    assert faults(drawn.only(("mcts:playouts=1", "mcts:playouts=3"))) == faults(
        whole.only(("mcts:playouts=1", "mcts:playouts=3"))
    )


def test_a_run_is_sampled_from_the_first_game_beyond_the_limit_on(path):
    for most, games in ((599, 599), (600, 600), (None, 600), (0, 0)):
        read = Frames.read(path, most)
        assert (len(read.games), read.moves["game"].nunique(), read.sampled) == (games, games, games < 600)


def test_moves_are_those_of_games_from_everywhere(drawn):
    games = set(drawn.moves["game"])
    assert len(games) == 100
    assert drawn.searches.empty  # nothing was searched to a depth
    assert min(games) < 60
    assert max(games) > 540
    assert games == set(drawn.games["game"])
    assert len(drawn.games.groupby(["first", "second"])) == 12
    assert f"nodes and times come from a sample of {len(games)} games, of 600" in warnings(drawn)
    assert effort(drawn) == []


def test_games_of_a_large_run_differ_where_their_last_moves_do(tmp_path):
    """Three agents, of which the last two play alike but for the last move of one game."""
    ends = {(0, 1): "1", (1, 0): "2", (0, 2): "1", (2, 0): "2", (1, 2): "3", (2, 1): "3"}
    for other in "26":
        last = {(*pair, opening): end for opening in (0, 1) for pair, end in ends.items()} | {(2, 0, 1): other}
        games = [(*job, "1", f"1{job[2] + 1}22334455{end}") for job, end in last.items()]
        path = run_of(tmp_path / other, ("greedy", "random", "mcts"), games)
        for frames in (Frames.read(path, most=1), Frames.read(path)):
            assert counts(frames).distinct == 2 * (2 + 2 + 1)
            assert sum(row.plays_as is not None for row in standings(frames)) == (other == "2")


def test_of_games_of_large_runs_as_many_are_compared_move_by_move_as_a_sample_has(difference, drawn, monkeypatch):
    whole = difference.changes(drawn, drawn)
    monkeypatch.setattr(difference, "SAMPLE", 250)
    some = difference.changes(drawn, drawn)
    assert [(row.games, row.openings, row.score.value, row.same_games) for row in some] == [(300, 50, 0.0, None)] * 4
    assert all(row.score.low < 0.0 < row.score.high for row in some)  # of the other games nothing is known
    assert [row.same_games for row in whole] == [300] * 4
    for few, all_ in zip(some, whole, strict=True):  # the games are drawn from all
        assert 0.3 * all_.positions < few.positions < 0.55 * all_.positions
    assert all(row.same_nodes == row.same_moves == row.nodes == 1.0 for row in some)
    monkeypatch.setattr(difference, "SAMPLE", 600)  # as many as there are games
    assert difference.changes(drawn, drawn) == whole


def test_two_large_runs_are_held_against_each_other_in_the_same_games(difference, path, drawn):
    for row in difference.changes(drawn, drawn):
        assert (row.games, row.score.value, row.same_nodes, row.same_moves, row.nodes) == (300, 0.0, 1.0, 1.0, 1.0)
        assert row.positions > 100


def admits(wanted, game):
    """Return whether a game is wanted, slowly: from the side of the agent or, without one, of the first player."""
    points = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}[game.result]
    sides = [(game.first, game.second, points), (game.second, game.first, 1 - points)]
    worth = {None: (0.0, 0.5, 1.0), GameResult.WIN: (1.0,), GameResult.DRAW: (0.5,), GameResult.LOSS: (0.0,)}[
        wanted.result
    ]
    return any(
        (wanted.opponent in {None, other} if wanted.agent else wanted.opponent in {None, own, other})
        and wanted.agent in {None, own}
        and mine in worth
        for own, other, mine in (sides if wanted.agent else sides[:1])
    )


@pytest.mark.parametrize("opponent", [None, "mcts:playouts=4"])
@pytest.mark.parametrize("agent", [None, "mcts:playouts=2"])
@pytest.mark.parametrize("result", [None, *GameResult])
def test_games_are_found_in_the_file_as_they_are_among_all(path, agent, opponent, result):
    with Store.read(path) as store:
        wanted = Filter(agent, opponent, result)
        everything = list(filtered(store, Filter()))
        assert len(everything) == 600
        assert list(filtered(store, wanted)) == [game for game in everything if admits(wanted, game)]
