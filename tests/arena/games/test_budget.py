import signal
import threading
import time
from contextlib import closing, nullcontext, suppress

import pytest

from arena.games.plan import Plan
from arena.games.run import Budget, Run
from arena.games.workers import InProcess, Processes
from arena.store.run_file import Store

PLAN = Plan(("random", "greedy", "minimax:depth=1"), rounds=4)


def stored(path):
    if not path.exists():
        return set()
    with Store.read(path) as store:
        return store.played()


def test_a_number_of_games_is_the_first_ones_whoever_plays_and_the_rest_is_resumed(tmp_path):
    path, played = tmp_path / "run.sqlite", set(PLAN.jobs()[:5])
    run = Run.begin(PLAN, path)
    with run.store:
        assert not run.play(Processes(1), games=5)
    assert stored(path) == played
    for games, whole in ((7, False), (12, True), (1, True)):
        run = Run.resume(path)
        with run.store:
            assert run.play(InProcess(), games=games) == whole
    assert stored(path) == set(PLAN.jobs())


@pytest.mark.parametrize("seconds", [None, 3600.0])
def test_a_number_of_games_and_a_time_hold_both(tmp_path, seconds):
    run, told = Run.begin(PLAN, tmp_path / "run.sqlite"), []
    with run.store:
        assert not run.play(InProcess(), lambda: told.append(1), seconds=seconds, games=3)
    assert stored(run.store.path) == set(PLAN.jobs()[:3])
    assert len(told) == 3


def test_the_game_that_ends_when_the_time_is_over_is_stored_and_the_last(tmp_path, monkeypatch):
    budgets = []

    class Noted(Budget):
        def __init__(self, seconds):
            super().__init__(seconds)
            budgets.append(self)

    class Late(InProcess):
        def play(self, jobs):
            for number, record in enumerate(super().play(jobs), start=1):
                if number == 3:
                    budgets[0].spent.set()
                yield record

    monkeypatch.setattr("arena.games.run.Budget", Noted)
    run = Run.begin(PLAN, tmp_path / "run.sqlite")
    with run.store:
        assert not run.play(Late(), seconds=3600.0)
    assert stored(run.store.path) == set(PLAN.jobs()[:3])


@pytest.mark.parametrize("games", [2, 3])
def test_a_number_of_games_counts_over_all_rounds(tmp_path, games):
    run = Run.begin(Plan(PLAN.agents, rounds=1, format="knockout"), tmp_path / "run.sqlite")
    with run.store:
        assert not run.play(InProcess(), games=games)
    assert len(stored(run.store.path)) == games


def test_time_that_is_over_ends_a_search_at_once_and_keeps_what_was_played(tmp_path):
    run = Run.begin(Plan(("alphabeta:depth=30", "greedy"), rounds=1), tmp_path / "run.sqlite")
    began = time.monotonic()
    with closing(run.store):
        assert not run.play(InProcess(), seconds=0.3)
    assert time.monotonic() - began < 10
    assert len(stored(run.store.path)) < 2


@pytest.mark.parametrize("ended", ["games", "seconds", "ctrl-c"])
def test_a_new_run_that_played_nothing_leaves_no_file(tmp_path, ended):
    class Pressed(InProcess):
        def play(self, jobs):
            raise KeyboardInterrupt
            yield

    run = Run.begin(Plan(("alphabeta:depth=30", "greedy"), rounds=1), tmp_path / "run.sqlite")
    with run.store, suppress(KeyboardInterrupt):
        if ended == "ctrl-c":
            run.play(Pressed())
        else:
            assert not run.play(InProcess(), **{ended: 0.1 if ended == "seconds" else 0})
    assert list(tmp_path.iterdir()) == []


def test_a_stored_run_that_played_nothing_more_keeps_its_file(tmp_path):
    path = tmp_path / "run.sqlite"
    for begin, games in ((lambda: Run.begin(PLAN, path), 1), (lambda: Run.resume(path), 0)):
        run = begin()
        with run.store:
            run.play(InProcess(), games=games)
    assert len(stored(path)) == 1


def handler(number, frame):
    """Stand for a handler of the caller's, which no test calls."""


@pytest.mark.parametrize(
    ("seconds", "before", "within"),
    [
        (3600.0, signal.SIG_IGN, signal.default_int_handler), (None, signal.SIG_IGN, signal.SIG_IGN),
        (3600.0, handler, handler), (3600.0, signal.default_int_handler, signal.default_int_handler),
    ],
)  # fmt: skip
def test_ctrl_c_that_is_ignored_is_heard_while_a_time_runs_and_other_handlers_stay(seconds, before, within):
    heard, former = [], signal.signal(signal.SIGINT, before)
    try:
        for error in (None, ZeroDivisionError):
            with pytest.raises(error) if error else nullcontext(), Budget(seconds):
                heard.append(signal.getsignal(signal.SIGINT))
                if error:
                    raise error
            heard.append(signal.getsignal(signal.SIGINT))

        def elsewhere():
            with Budget(seconds):
                heard.append(signal.getsignal(signal.SIGINT))

        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join()
    finally:
        signal.signal(signal.SIGINT, former)
    assert heard == [within, before, within, before, before], "another thread can set no handler"


def test_time_is_over_also_where_ctrl_c_is_ignored(tmp_path):
    run = Run.begin(Plan(("alphabeta:depth=30", "greedy"), rounds=1), tmp_path / "run.sqlite")
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with closing(run.store):
            assert not run.play(InProcess(), seconds=0.3)
        assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_time_that_is_not_used_up_is_forgotten(tmp_path):
    run, others = Run.begin(Plan(("random", "greedy"), rounds=1), tmp_path / "run.sqlite"), threading.enumerate()
    with run.store:
        assert run.play(InProcess(), seconds=3600.0)
    for each in threading.enumerate():
        if isinstance(each, threading.Timer) and each not in others:
            each.join(60.0)  # one that was cancelled may still be on its way out
            assert not each.is_alive()


def test_ctrl_c_within_the_time_is_ctrl_c():
    with pytest.raises(KeyboardInterrupt), Budget(3600.0):
        raise KeyboardInterrupt


@pytest.mark.parametrize("seconds", [None, 3600.0])
def test_at_the_end_of_the_time_an_error_is_an_error_and_without_a_time_ctrl_c_is_ctrl_c(seconds):
    for error in (ZeroDivisionError, KeyboardInterrupt):
        swallowed = seconds is not None and error is KeyboardInterrupt
        with nullcontext() if swallowed else pytest.raises(error), Budget(seconds) as budget:
            budget.spent.set()
            raise error
    with Budget(seconds) as budget:
        pass
    assert not budget.spent.is_set()


def test_in_another_thread_time_is_asked_for():
    spent = []

    def spend():
        with Budget(0.01) as budget:
            spent.append(budget.spent.wait(10))

    thread = threading.Thread(target=spend)
    thread.start()
    thread.join()
    assert spent == [True]


def test_the_command_stops_says_so_and_goes_on(arena, tmp_path):
    path, words = tmp_path / "run.sqlite", ["-q", "-j", "1"]
    done = arena("run", "random", "greedy", "--rounds", 5, "--games", 4, "--out", path, *words)
    assert done.code == 0
    assert f"stopped as asked; to play the rest: arena run --resume {path}\n" in done.err
    assert "games 4, distinct 4, planned 10" in done.out
    done = arena("run", "--resume", path, "--budget", "2h", *words)
    assert (done.code, "games 10, distinct" in done.out, "stopped" in done.err) == (0, True, False)


@pytest.mark.parametrize(("output", "out"), [([], ""), (["--json"], "{}\n")])
def test_a_command_whose_time_ends_before_its_first_game_succeeds_and_leaves_no_file(arena, tmp_path, output, out):
    path = tmp_path / "run.sqlite"
    done = arena(
        "run", "alphabeta:depth=30", "greedy", "--rounds", 1, "--budget", "0.1s", "--out", path, "-q", "-j", 1, *output
    )
    assert (done.code, done.out) == (0, out)
    assert done.err == "stopped as asked; nothing was played, nothing is stored\n"
    assert not path.exists()


@pytest.mark.parametrize("text", ["0", "2 days", "-1h", "nan", "1e3", "9999999h"])
def test_a_time_that_is_none_is_told(arena, text):
    done = arena("run", "random", "greedy", "--budget", text)
    assert done.code == 2
    assert f"{text!r} is not a time such as 90s, 30m or 2h" in done.err


@pytest.mark.parametrize("most", [0, 5])
def test_a_run_whose_players_leave_games_open_is_not_whole_and_goes_on(tmp_path, most):
    class Tired(InProcess):
        def play(self, jobs):
            return super().play(jobs[:most])

    path = tmp_path / "run.sqlite"
    run = Run.begin(PLAN, path)
    with run.store:
        assert not run.play(Tired())
    assert stored(path) == set(PLAN.jobs()[:most])
    if most:
        run = Run.resume(path)
        with run.store:
            assert run.play(InProcess())
        assert stored(path) == set(PLAN.jobs())
