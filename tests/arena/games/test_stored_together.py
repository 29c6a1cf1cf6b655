"""When games that have ended are stored, and that an interruption loses none."""

import time

import pytest

from arena.games import run as writing
from arena.games.field import Field
from arena.games.plan import Plan
from arena.games.run import Run
from arena.games.workers import InProcess, Processes
from arena.store.run_file import Store

FIELD = ("random", "greedy", "random", "minimax:depth=2,heuristic=zero")
PLAN = Plan(FIELD, rounds=2, seed=5, nodes=200)


class Gathered(InProcess):
    """Has so many games at once."""

    def __init__(self, games):
        super().__init__()
        self.games = games
        self.count = 0

    def idle(self):
        self.count += 1
        return self.count % self.games == 0


def test_games_that_end_together_are_stored_together_and_only_then_told(tmp_path, monkeypatch):
    monkeypatch.setattr(writing, "WAIT", 60.0)
    seen = []
    run = Run.begin(PLAN, tmp_path / "run.sqlite")

    def progress():
        with Store.read(tmp_path / "run.sqlite") as others:
            seen.append(len(others.played()))

    with run.store:
        run.play(Gathered(10), progress)
    assert seen == [10] * 10 + [20] * 10 + [24] * 4


def test_an_interruption_loses_no_game_that_has_ended(tmp_path, monkeypatch):
    ended = []

    def play(field, job, turn, real=Field.play):
        if len(ended) == 7:
            raise KeyboardInterrupt
        ended.append(job)
        return real(field, job, turn)

    monkeypatch.setattr(Field, "play", play)
    run = Run.begin(PLAN, tmp_path / "run.sqlite")
    with run.store, pytest.raises(KeyboardInterrupt):
        run.play(Gathered(5))
    with Store.read(tmp_path / "run.sqlite") as store:
        assert store.played() == set(ended)


class Endless(InProcess):
    """Says that there is always another game on its way."""

    def __init__(self, store):
        super().__init__()
        self.store = store
        self.stored = []

    def play(self, jobs):
        for number, record in enumerate(super().play(jobs)):
            yield record
            self.stored.append(len(self.store.played()))
            if number < 3:
                time.sleep(2 * writing.WAIT)

    def idle(self):
        return False


def test_no_game_waits_long_for_others_to_be_stored_with(tmp_path):
    run = Run.begin(PLAN, tmp_path / "run.sqlite")
    with run.store:
        executor = Endless(run.store)
        run.play(executor)
        assert len(run.store.played()) == run.store.planned()
    assert executor.stored[:2] == [0, 2]
    assert executor.stored[3] >= 4


def test_games_of_workers_are_stored_at_most_50_ms_after_the_first_of_them_ended(tmp_path):
    run = Run.begin(Plan(("random", "greedy"), rounds=150), tmp_path / "run.sqlite")
    waited = []

    def add(*games, real=run.store.add):
        real(*games)
        waited.append(time.time() - min(record.started + record.seconds for record in games))

    with run.store:
        run.store.add = add
        run.play(Processes(2))
    assert len(waited) < 150  # many are stored together
    assert sorted(waited)[len(waited) // 10] < 0.05  # on a machine that may have other work
