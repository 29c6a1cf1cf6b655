import itertools
import os
import time

import pytest
from hand_made import run_of

from agents.board import STANDARD, Rules
from arena.games import run as status
from arena.games.executor import LiveGame
from arena.games.plan import Plan
from arena.games.run import Run, playing
from arena.records import Job
from arena.store import live

SLOW = """
import time
class Slow:
    def choose(self, board, limits):
        time.sleep(0.05)
        return board.legal_moves()[0]
"""


@pytest.mark.parametrize("processes", [1, 2])
def test_a_run_tells_what_it_plays_and_leaves_nothing_behind(tmp_path, monkeypatch, processes):
    monkeypatch.setattr(status, "PAUSE", 0.02)
    (tmp_path / "slow.py").write_text(SLOW)
    path = tmp_path / "run.sqlite"
    run = Run.begin(Plan((f"{tmp_path / 'slow.py'}:Slow", "greedy"), rounds=2), path)
    told = []
    write = live.write

    def hear(run, games):
        write(run, games)
        told.append(live.read(run))

    monkeypatch.setattr(live, "write", hear)
    with run.store:
        run.play(run.executor(processes))
        stored = {moves for (moves,) in run.store.select("SELECT moves FROM game")[1]}
    games = [game for games in told for game in games]
    assert games
    names = set(run.plan.names())
    assert all({game.first, game.second} == names for game in games)
    whole = [game for game in games if any(moves.startswith(game.moves) for moves in stored)]
    assert len(whole) > len(games) / 2  # a look between two games may see a little of each
    assert not live.beside(path).exists()
    assert live.read(path) is None


def test_who_is_to_move_is_known_by_place_and_name():
    game = LiveGame(Job(0, 1, 0), (3, 3, 4), 1.26)
    assert game.mover == 1
    assert playing(game, ["a", "b"], STANDARD) == live.GameInProgress("a", "b", "445", 1.3)
    assert playing(game, ["a", "b"], Rules(10, 4)).moves == "4,4,5"


def test_a_folder_that_cannot_be_written_stops_nothing(tmp_path):
    path = run_of(tmp_path / "run.sqlite", ["greedy", "random"], [])
    live.beside(path).mkdir()
    live.write(path, [])
    live.end(path)
    assert live.read(path) is None


def test_what_a_killed_run_left_counts_for_seconds_only(tmp_path, monkeypatch):
    path = tmp_path / "run.sqlite"
    live.write(path, [])
    assert live.read(path) == []
    later = time.time() + live.FRESH + 1
    monkeypatch.setattr(time, "time", lambda: later)
    assert live.read(path) is None


def test_games_in_progress_are_read_while_they_are_fresh_and_told_apart_from_no_run(tmp_path):
    path = tmp_path / "run.sqlite"
    games = [playing(LiveGame(Job(1, 0, 0), (3, 3), 1.5), ("a", "b"), STANDARD)]
    assert live.read(path) is None
    for written in ([], games):
        live.write(path, written)
        assert live.read(path) == written
        assert live.beside(path) == tmp_path / "run.sqlite-now"
        assert [file.name for file in tmp_path.iterdir()] == ["run.sqlite-now"]
    then = time.time() - live.FRESH
    os.utime(live.beside(path), (then + 5, then + 5) if live.FRESH > 5 else None)
    assert live.read(path) == games
    os.utime(live.beside(path), (then - 1, then - 1))
    assert live.read(path) is None
    for damage in ("", "[", "[{}]", "7", '[{"colour": 1}]'):
        live.beside(path).write_text(damage)
        assert live.read(path) is None
    live.end(path)
    live.end(path)
    assert list(tmp_path.iterdir()) == []


def test_while_a_run_goes_on_its_games_are_told_anew_and_whatever_ends_it_none_is_left(tmp_path, monkeypatch):
    monkeypatch.setattr(status, "PAUSE", 0.001)
    path, looks = tmp_path / "run.sqlite", itertools.count(1)

    def games():
        number = next(looks)
        return [LiveGame(Job(2, 0, 0), (3,) * min(number, 6), number + 0.04)]

    def interrupted():
        with status.live_status(path, ["a", "b", "c"], STANDARD, games):
            while not (found := live.read(path)) or len(found[0].moves) < 6:
                time.sleep(0.001)
            assert [(game.first, game.second, game.moves) for game in found] == [("c", "a", "444444")]
            assert found[0].seconds == int(found[0].seconds) >= 6
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert list(tmp_path.iterdir()) == []
    told = next(looks)
    time.sleep(0.02)
    assert next(looks) == told + 1
