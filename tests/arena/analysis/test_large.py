"""Large runs: all games count, and moves and searches are read of some."""

import pytest
from large import make

from arena.analysis import reading
from arena.analysis.chosen import Filter, Result, chosen
from arena.analysis.counts import counts
from arena.analysis.difference import changes
from arena.analysis.effort import effort
from arena.analysis.frames import Frames
from arena.analysis.standings import standings
from arena.report.run import warnings
from arena.store.store import Store


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("large") / "run.sqlite"
    assert make(path, 4, 50, plies=4) == 600
    return path


@pytest.fixture
def drawn(path, monkeypatch):
    monkeypatch.setattr(reading, "LARGE", 100)
    monkeypatch.setattr(reading, "SAMPLE", 100)
    return Frames.read(path)


STRENGTH = ("agent", "elo", "low", "high", "gap_los", "points", "games", "first_wins", "second_losses", "faults")


def strengths(frames):
    return [[getattr(row, name) for name in STRENGTH] for row in standings(frames)]


def test_all_games_of_a_large_run_count(path, drawn):
    whole = Frames.read(path, whole=True)
    assert (whole.drawn, drawn.drawn) == (False, True)
    assert strengths(drawn) == strengths(whole)
    assert counts(drawn) == counts(whole)
    assert drawn.texts_of(drawn.games["game"]) == whole.games["moves"].tolist() == whole.texts_of(whole.games["game"])


def test_moves_are_those_of_games_from_everywhere(drawn):
    games = set(drawn.moves["game"])
    assert 60 < len(games) < 150
    assert drawn.searches.empty  # nothing was searched to a depth
    assert min(games) < 60
    assert max(games) > 540
    assert len(drawn.games[drawn.games["game"].isin(games)].groupby(["first", "second"])) == 12
    assert f"nodes and times are those of {len(games)} games, drawn from 600" in warnings(drawn)
    assert effort(drawn) == []


def test_two_large_runs_are_held_against_each_other_in_the_same_games(path, drawn):
    for row in changes(drawn, drawn):
        assert (row.games, row.score, row.same_nodes, row.same_moves, row.nodes) == (300, 0.0, 1.0, 1.0, 1.0)
        assert row.positions > 100


def admits(wanted, game):
    """Return whether a game is wanted, slowly: from the side of the agent or, without one, of the first player."""
    points = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}[game.result]
    sides = [(game.first, game.second, points), (game.second, game.first, 1 - points)]
    worth = {None: (0.0, 0.5, 1.0), Result.WIN: (1.0,), Result.DRAW: (0.5,), Result.LOSS: (0.0,)}[wanted.result]
    return wanted.opening in {None, game.opening} and any(
        (wanted.opponent in {None, other} if wanted.agent else wanted.opponent in {None, own, other})
        and wanted.agent in {None, own}
        and mine in worth
        for own, other, mine in (sides if wanted.agent else sides[:1])
    )


@pytest.mark.parametrize("opening", [None, 7])
@pytest.mark.parametrize("opponent", [None, "mcts:playouts=4"])
@pytest.mark.parametrize("agent", [None, "mcts:playouts=2"])
@pytest.mark.parametrize("result", [None, *Result])
def test_games_are_found_in_the_file_as_they_are_among_all(path, agent, opponent, result, opening):
    with Store.read(path) as store:
        wanted = Filter(agent, opponent, result, opening=None if opening is None else store.openings()[opening])
        everything = list(chosen(store, Filter()))
        assert len(everything) == 600
        assert list(chosen(store, wanted)) == [game for game in everything if admits(wanted, game)]
