"""How a run is played, measured and shown meanwhile."""

import threading
from pathlib import Path
from types import SimpleNamespace

import pytest
from played import rows

from agents.board import Rules
from agents.errors import InputError
from agents.process_agent import ProcessLimits
from arena.comparison import plan as comparison
from arena.games.plan import Plan
from arena.games.run import Run
from arena.tournament import tournaments

pytestmark = pytest.mark.usefixtures("here")


SMALL = Rules(5, 4)


class Bar:
    """A progress bar that keeps what it was told."""

    disable = False

    def __init__(self, unit, total=None, **more):
        self.made, self.told, self.n, self.total = (unit, total, more), [], more.get("initial", 0), total

    def __getattr__(self, name):
        return lambda *words, **named: self.told.append((name, *words, *named.values()))

    def update(self, steps=1):
        self.n += steps

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


@pytest.fixture
def bars():
    made = []

    def bar(*words, **named):
        made.append(Bar(*words, **named))
        return made[-1]

    bar.made = made
    return bar


PLAYED = Plan(("greedy", "random"), rounds=2, seed=5, rules=SMALL)


def stopping(path, plan=PLAYED):
    """Begin a run of four games, and return it with what it was asked to play."""
    run = Run.begin(plan, path)
    asked, inner = [], run.play

    def play(players, progress, **limits):
        asked.append(limits)
        return inner(players, progress, **limits)

    run.play = play
    return run, asked


@pytest.fixture
def measured(monkeypatch):
    """Stand in for the measurements after the games of a comparison; return which were made."""
    done = []
    monkeypatch.setattr("arena.comparison.timing.time_alone", lambda _: done.append("times"))
    monkeypatch.setattr("arena.comparison.asked.compare_choices", lambda _: done.append("choices"))
    return done


def compared(rounds):
    """Return the plan of a comparison of two heuristics, which plays two games a round."""
    levels = [comparison.Level("depth", "1")]
    return comparison.plan(
        ["zero", "parity"], "alphabeta", levels, openings="plies:2", rounds=rounds, seed=5, rules=SMALL
    )  # fmt: skip


def test_a_comparison_is_played_to_its_end_and_measured_and_another_run_only_played(tmp_path, bars, measured):
    run, asked = stopping(tmp_path / "run.sqlite", compared(2))
    run.remarks["zero"] = "is slow"
    warned = []
    whole = tournaments.play(run, progress=bars, warn=warned.append)
    assert (whole, measured, warned) == (True, ["times", "choices"], ["agent zero: is slow"])
    assert asked == [{"seconds": None, "games": None}]
    [shown] = bars.made
    assert shown.made == ("game", 4, {"leave": True, "initial": 0, "smoothing": 0.1})
    steps = ["searching by turns", "asking all about the same positions"]
    assert (shown.n, shown.told) == (4, [("set_description", each) for each in steps])
    assert [path.name for path in tmp_path.iterdir()] == ["run.sqlite"]
    again = Run.resume(tmp_path / "run.sqlite")
    measured.clear()
    assert tournaments.play(again, progress=bars)
    assert (bars.made[-1].made[2]["initial"], measured) == (4, ["times", "choices"])
    measured.clear()
    assert tournaments.play(stopping(tmp_path / "other.sqlite")[0], progress=bars)
    assert (measured, bars.made[-1].told) == ([], [])


def test_a_comparison_that_stops_early_is_not_measured(tmp_path, bars, measured):
    run, asked = stopping(tmp_path / "run.sqlite", compared(2))
    run.remarks["random"] = "is late"
    warned = []
    whole = tournaments.play(run, games=3, seconds=60.0, progress=bars, warn=warned.append)
    assert (whole, measured, bars.made[0].n, warned) == (False, [], 3, ["agent random: is late"])
    assert bars.made[0].told == [], "nothing is said of searches that are not timed"
    assert asked == [{"seconds": 60.0, "games": 3}]
    assert rows(tmp_path / "run.sqlite", "SELECT count(*) FROM game") == [(3,)]


def test_a_run_that_cannot_go_on_says_which_command_continues_it(tmp_path):
    path = tmp_path / "my run.sqlite"
    run, _ = stopping(path)

    def fail(*_, **__):
        raise InputError("no more")

    run.play = fail
    with pytest.raises(InputError) as raised:
        tournaments.play(run, audit=True)
    command = f"arena run --resume '{path}' --audit"
    assert str(raised.value) == f"no more; what was played is kept, {command} continues"
    assert tournaments.resume_command(Path("a.sqlite")) == "arena run --resume a.sqlite"
    assert tournaments.resume_command(Path("a.sqlite"), audit=True) == "arena run --resume a.sqlite --audit"
    run = Run.resume(path)

    def vanish(*_, **__):
        path.unlink()
        run.store._lock.release()
        run.store._lock = None
        raise InputError("no more")

    run.play = vanish
    with pytest.raises(InputError, match=r"^no more$"):
        tournaments.play(run)


class Executor:
    """Stands for a run's settings: how many processes it takes, and what keeps it from more."""

    def __init__(self, most, sources=(), kept=(), *, sandbox=True):
        limits = ProcessLimits(sandbox=sandbox)
        self.most, self.setting = most, SimpleNamespace(sources=sources, kept=kept, process_limits=limits)

    def processes(self, jobs):
        return self.most if jobs is None else min(jobs, self.most)

    def executor(self, count):
        return f"{count} here"


@pytest.mark.parametrize(
    ("run", "workers", "found", "lines"),
    [
        (Executor(4), 4, "4 here", []),
        (Executor(4), 2, "2 here", []),
        (Executor(4), None, "4 here", []),
        (Executor(1), None, "1 here",
         ["one game at a time, as agents move by the clock; -j N plays N at the same time"]),
        (Executor(2), 3, "2 here", ["2 processes, as a game whose moves are timed needs a core of its own"]),
        (Executor(1, kept=("a", "b")), 3, "1 here",
         ["! all games are played in this process, since a and b cannot be sent to another"]),
        (Executor(1, kept=("a",)), 1, "1 here", []),
        (Executor(4, sources=(None, "x")), 4, "4 here", ["agents in processes of their own, in sandboxes: limited"]),
        (Executor(4, sources=("x",), sandbox=False), 2, "2 here",
         ["agents in processes of their own, with your rights (others' code: --sandbox): limited"]),
        (Executor(4, sources=(None, None)), 4, "4 here", []),
        (Executor(4, sources=("x",)), "a cluster", "a cluster", []),
    ],
)  # fmt: skip
def test_who_plays_is_said_where_it_is_not_what_was_asked_for(monkeypatch, run, workers, found, lines):
    monkeypatch.setattr(tournaments, "cores", lambda _: 4)
    monkeypatch.setattr("agents.processes.watchdog.in_force", lambda: "limited")
    said = []
    assert tournaments._executor(run, workers, said.append, lambda line: said.append(f"! {line}")) == found
    assert said == lines


def test_a_machine_of_one_core_plays_one_game_at_a_time_without_a_word(monkeypatch):
    monkeypatch.setattr(tournaments, "cores", lambda _: 1)
    assert tournaments._executor(Executor(1), None, pytest.fail, pytest.fail) == "1 here"


def test_agents_that_take_long_are_named_beside_the_bar_and_after_an_interruption(monkeypatch):
    games = [
        SimpleNamespace(mover=mover, seconds=seconds) for mover, seconds in ((0, 5.0), (1, 1.0), (1, 0.9), (1, 4.9))
    ]
    told, said, seen, waited, threads = [], [], threading.Event(), set(), []

    class Quick(threading.Event):
        """Waits a thousandth of the time."""

        def wait(self, seconds):
            waited.add(seconds)
            return super().wait(seconds / 1000)

    def thread(**how):
        threads.append(threading.Thread(**how))
        return threads[-1]

    monkeypatch.setattr(tournaments, "threading", SimpleNamespace(Event=Quick, Thread=thread))

    class Shown:
        disable = False

        def set_postfix_str(self, text, **_):
            told.append(text)
            seen.set()

    def played():
        assert seen.wait(10.0)
        raise KeyboardInterrupt

    naming = tournaments._naming(Shown(), ["a", "b"], lambda: games, said.append, "2 tokens")
    with pytest.raises(KeyboardInterrupt), naming:
        played()
    assert set(told) == {"2 tokens, a thinks for 5 s"}
    assert said == ["a thinks for 5 s", "b thinks for 1 s", "b thinks for 5 s"]
    assert (waited, threads[0].is_alive()) == ({1.0}, False)
    said.clear()
    with tournaments._naming(SimpleNamespace(disable=True), ["a", "b"], lambda: games, said.append):
        assert threads[1].ident is None, "nobody looks at a bar that is not shown"
    assert said == []
