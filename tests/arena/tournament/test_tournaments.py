"""What a tournament is begun, resumed, played and measured with, by each way in which it is asked for."""

import shutil
import threading
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from changed import update
from played import played, rows
from recorded import holds, plain, tried, without
from samples import DATA
from scripted import Middle, leftmost

from agents.board import Rules
from agents.errors import InputError
from agents.process_agent import ProcessLimits
from arena.comparison import compare
from arena.comparison import plan as comparison
from arena.games.entries import Entry
from arena.games.object_agent import ObjectAgent
from arena.games.plan import Plan
from arena.games.run import Run
from arena.store.run_file import Store
from arena.tournament import tournaments

pytestmark = pytest.mark.usefixtures("here")


BOT = "def choose(board):\n    return board.legal_moves()[0]\n"
SMALL = Rules(5, 4)


@pytest.fixture
def folders(tmp_path):
    """A class with an agent that cannot be read and a file that is none, and a roster."""
    for name, text in {"class/good.py": BOT, "class/bad.py": "def choose(:\n", "class/notes.py": "x = 1\n",
                       "one/only.py": BOT, "bot.py": BOT}.items():  # fmt: skip
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


# What Python's run and compare hand on.


# What begins a run.


@pytest.fixture
def begun(monkeypatch, folders):
    """Calls that would begin a run, with what it would be, and what was said meanwhile."""
    monkeypatch.setattr(Run, "begin", lambda plan, out, command="", objects=None, jobs=1: [
        plan, out, command, {place: each.text for place, each in (objects or {}).items()}, jobs])  # fmt: skip
    monkeypatch.setattr("agents.processes.sandbox.bubblewrap", lambda: said.append("bubblewrap"))
    monkeypatch.setattr("arena.comparison.trial.refuse_failing", lambda plan: said.append(f"tried {len(plan.agents)}"))
    said = []

    def call(job, *words, **named):
        said.clear()
        answer = tried(job, *words, **named)
        return without([answer, *said], folders)

    call.said = said
    return call


SPRT = {"sprt": "elo0=0,elo1=30"}
BEGUN = {
    "two": ((["greedy", "random"], {}), {}),
    "the default field": (([], {"rounds": 3}), {}),
    "a range": ((["minimax:depth=1..2"], {"seed": 3}), {"out": "o.sqlite", "command": "arena run", "workers": 3}),
    "as many processes as cores": ((["greedy", "random"], {}), {"workers": None}),
    "a test": ((["greedy", "random"], SPRT), {}),
    "a test of openings": ((["greedy", "random"], {**SPRT, "openings": "plies:2", "seed": 3}), {}),
    "a test on a board": ((["greedy", "random"], {**SPRT, "rules": "5x4", "openings": "plies:2"}), {}),
    "a test of rounds": ((["greedy", "random"], {**SPRT, "rounds": 7}), {}),
    "names": (({"a": "greedy", "b": "minimax:depth=1"}, {"pairs": [("a", "b")]}), {}),
    "names of folders": (({"a": "one", "b": "class/good.py"}, {}), {}),
    "a name of several": (({"a": "minimax:depth=1..2", "b": "greedy"}, {}), {}),
    "a name that is none": (({"a:b": "greedy", "c": "random"}, {}), {}),
    "a name that is no text": (({3: "greedy", "c": "random"}, {}), {}),
    "a long name": (({"a" * 81: "greedy", "c": "random"}, {}), {}),
    "pairs": ((["greedy", "random", "random"], {"pairs": [("random#2", "greedy"), ("random", "greedy")]}), {}),
    "pairs of nobody": ((["greedy", "random"], {"pairs": [("greedy", "me")]}), {}),
    "objects": ((["greedy", Middle(), leftmost, Middle], {}), {}),
    "objects of a cluster": ((["greedy", Middle()], {}), {"workers": "a cluster"}),
    "a cluster": ((["greedy", "random"], {}), {"workers": "a cluster"}),
    "an object in a sandbox": ((["greedy", Middle()], {}), {"isolation": {"sandbox": True, "everyone": True}}),
    "a folder": ((["class", "greedy"], {}), {}),
    "a path": (([Path("bot.py"), "greedy"], {}), {"isolation": {"patience": 3.0, "memory": 99}}),
    "a sandbox": ((["bot.py", "greedy"], {}), {"isolation": {"sandbox": True}}),
    "an entry": (([Entry("mine", "greedy", "/", own=True), "random"], {}), {}),
    "an anchor": ((["greedy", "random"], {}), {"anchor": ("greedy", 3.0)}),
    "another anchor": ((["greedy", "random"], {}), {"anchor": ("greed", 3.0)}),
    "no agent": ((["greedy", 3], {}), {}),
    "one agent": ((["greedy"], {}), {}),
    "a text": (("greedy", {}), {}),
    "add": ((["greedy", "random"], {}), {"add": ["mcts"]}), "replay": ((["greedy"], {}), {"replay": ["greedy"]}),
    "a wrong board": ((["greedy", "random"], {"rules": "99x99"}), {}),
}  # fmt: skip
COMPARED = {
    "nothing": ((["zero", "parity"],), {}),
    "depths": ((["zero", "parity"],), {"depth": [2, 1, 2], "rounds": 5, "seed": 2, "rules": "5x4",
                                       "openings": "plies:2"}),
    "a depth": ((["zero", "parity"],), {"depth": 3, "out": "o.sqlite", "command": "arena compare", "workers": None}),
    "nodes": ((["zero", "parity"],), {"nodes": [50, 90], "search": "alphabeta"}),
    "seconds": ((["zero", "parity"],), {"seconds": 0.5, "workers": 2}),
    "several": ((["zero|parity", "line-runs"],), {"depth": 1, "workers": "a cluster"}),
    "two limits": ((["zero", "parity"],), {"depth": 1, "seconds": 0.5}),
    "three limits": ((["zero", "parity"],), {"depth": 1, "nodes": 3, "seconds": 0.5}),
    "a text": ((["zero", "parity"],), {"depth": "1..3"}),
    "everyone": ((["zero", "bot.py:choose"],), {"depth": 1, "isolation": {"everyone": True, "sandbox": True}}),
    "nobody": ((["zero", "parity"],), {"depth": 1, "isolation": {"nobody": True, "memory": 99}}),
    "a sandbox": ((["zero", "parity"],), {"depth": 1, "isolation": {"sandbox": True}}),
    "numbers": (([3, 4],), {}), "one text": (("zero",), {}),
}  # fmt: skip


def test_what_a_run_begins_with_stays(begun, request):
    found = {}
    for name, (words, named) in BEGUN.items():
        found[name] = begun(tournaments.begin, *words, **{"warn": begun.said.append, **named})
    for name, (words, named) in COMPARED.items():
        found[f"compared: {name}"] = begun(compare.begin_comparison, *words, **named)
    holds("api-begun", found, request)


# What a stored run goes on with.

RESUMED = {
    "nothing": ((), {}), "rounds": (((), {"rounds": 9}), {}), "a seed": (((), {"seed": 3}), {}),
    "include self": (((), {"include_self": True, "rounds": 3}), {}),
    "all": (((), {"rounds": 9}), {"add": ["bot.py", "minimax:depth=1..2"], "replay": ["a", Path("b.py")],
                                  "command": "arena run", "debug": "lines"}),
    "a class": (((), {}), {"add": ["class"]}),
    "an object that joins": (((), {}), {"add": [Middle()]}), "a text to join": (((), {}), {"add": "greedy"}),
    "a text to replay": (((), {}), {"replay": "greedy"}),
    "an agent again": (((["greedy"]), {}), {}), "objects": ((([Middle(), leftmost]), {}), {}),
    "named objects": ((({"b": Middle(), "a": leftmost}), {}), {}),
    "an object of a cluster": ((([Middle()]), {}), {"workers": "a cluster"}),
    "walled": ((), {"walled": True}),
}  # fmt: skip


def test_what_a_run_goes_on_with_stays(folders, monkeypatch, request):
    (folders / "bot.py").write_text(BOT)
    path = played(folders / "run.sqlite", "greedy", "random", rounds=1, rules=SMALL)
    said = []

    def resume(path, growth):
        objects = {str(key): each.text for key, each in growth.objects.items()}
        told = [path, {**plain(replace(growth, objects={})), "objects": objects}]
        return SimpleNamespace(told=told, deleted=1200, warning="a warning")

    monkeypatch.setattr(Run, "resume", resume)
    found = {}
    for name, (words, named) in RESUMED.items():
        said.clear()
        lines = {"warn": lambda line: said.append(f"warned: {line}"), "say": lambda line: said.append(f"said: {line}")}
        answer = tried(
            lambda words=words, named=named, lines=lines: tournaments.resumed(path, *words, **lines, **named).told
        )
        found[name] = without([answer, *said], folders)
    quiet = SimpleNamespace(deleted=0, warning="")
    monkeypatch.setattr(Run, "resume", lambda *_: quiet)
    said.clear()
    assert tournaments.resumed(path, warn=said.append, say=said.append) is quiet
    assert said == []
    monkeypatch.setattr("arena.games.extend.newcomers", lambda path, names, entries: (names, entries, "added: nobody"))
    tournaments.resumed(path, say=said.append)
    assert said == ["added: nobody"]
    holds("api-resumed", found, request)


@pytest.mark.parametrize(("plan", "refused"), [
    ('{"isolation": {"sandbox": true}}', False), ('{"isolation": {"sandbox": false}}', True),
    ('{"isolation": null}', True), ("{}", True), ('{"isolation": {"memory": 99, "patience": 5.0}}', True),
])  # fmt: skip
@pytest.mark.parametrize("strangers", [0, 1])
def test_a_run_of_strangers_that_began_without_a_sandbox_is_not_played_behind_walls(
    tmp_path, monkeypatch, plan, refused, strangers
):
    path = shutil.copy(DATA / "runs" / "match.sqlite", tmp_path / "run.sqlite")
    with Store.resume(path) as store:
        update(store, "UPDATE run SET plan = ?", plan)
        update(store, "UPDATE agent SET stranger = ? WHERE id = 2", strangers)
    found = SimpleNamespace(deleted=0, warning="")
    monkeypatch.setattr(Run, "resume", lambda *_: found)
    monkeypatch.setattr("arena.games.extend.newcomers", lambda path, names, entries: (names, entries, ""))
    assert tournaments.resumed(path) is found
    if refused and strangers:
        with pytest.raises(InputError, match="this run began outside of a sandbox; arena run --resume continues it so"):
            tournaments.resumed(path, walled=True)
    else:
        assert tournaments.resumed(path, walled=True) is found


def test_objects_are_those_of_their_names_or_of_their_places():
    mine, yours = Middle(), leftmost
    assert {key: each.text for key, each in tournaments._objects({"b": mine, "a": yours}).items()} == {
        "b": "b",
        "a": "a",
    }
    assert list(tournaments._objects([mine, yours])) == [0, 1]
    assert all(isinstance(each, ObjectAgent) for each in tournaments._objects([mine]).values())
    for agent, word in (("greedy", "greedy"), ("a b.py", "'a b.py'"), (Path("x.py"), "x.py")):
        with pytest.raises(InputError) as raised:
            tournaments._objects([mine, agent])
        assert str(raised.value) == (
            f"--resume continues the plan that is stored; agents cannot change it: write --add {word}"
        )


# What plays one, and measures it afterwards.


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

    def __init__(self, most, sources=(), kept=()):
        self.most, self.setting = (
            most,
            SimpleNamespace(sources=sources, kept=kept, process_limits=ProcessLimits(sandbox=True)),
        )

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
        SimpleNamespace(mover=mover, seconds=seconds) for mover, seconds in ((0, 5.2), (1, 1.4), (1, 0.9), (1, 4.9))
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
