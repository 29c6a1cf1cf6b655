"""The battery: whatever an agent does, the run ends, the fault is its own, and the games of the others are the same."""

import contextlib
import os
import shutil
import sqlite3
import time
import uuid
from multiprocessing import resource_tracker
from pathlib import Path

import pytest
from needs import needs

from arena.games.isolation import Isolation
from arena.games.plan import Plan
from arena.games.run import Run
from arena.games.workers import Processes

pytestmark = pytest.mark.process

DATA = Path(__file__).parents[2] / "data"
GOOD = ("greedy", "alphabeta:depth=4")
FAULTS = {
    "Raises": "exception",
    "Nine": "illegal move",
    "Nothing": "illegal move",
    "Text": "illegal move",
    "Float": "illegal move",
    "Truth": "illegal move",
    "NoIndex": "illegal move",
    "Loops": "out of time",
    "EndlessLine": "exception",
    "LongLine": "exception",
    "Negative": "exception",
    "BadIteration": "exception",
    "Sleeps": "out of time",
    "IgnoresTerm": "out of time",
    "Exits": "left (exit code 5)",
    "Leaves": "left (exit code 3)",
    "KillsItself": "crashed (SIGKILL)",
    "Segfaults": "crashed (SIGSEGV)",
    "Hoards": "out of memory",
    "Recurses": "exception",
    "RecursesDeeply": "crashed (SIGSEGV)",
    "RaisesWhenMade": "exception",
    "LoopsWhenMade": "out of time",
    "RaisesInNewGame": "exception",
    "ForkBomb": "too many processes",
    "ClosesAll": "left (exit code 0)",
    "Garbage": "protocol error",
    "Replaces": "exception",
    "FillsTheDisk": "exception",
    "ForgesAnEnd": "protocol error",
    "ForgesAWorker": "protocol error",
    "ForgesRubbish": "exception",
    "ForgesAnAnalysis": "protocol error",
}
"""What ends the games of each that it does not lose before it misbehaves."""
FIRST = {"ForkBomb": {"out of memory"}}
"""What else may be seen first: thirty processes have filled a small memory before they are counted."""
OUTLAWS = {
    "KillsItsParent": "worker killed",
    "KillsItsGroup": "worker killed",
    "StopsItsParent": "worker killed",
    "KillsStrangers": "",
    "DeletesRuns": "",
    "OpensSockets": "",
}
"""What only a sandbox stops, and what ends their games without one; those without a kind play on."""
HARMLESS = ["Numpy", "Floods", "Forks", "Threads", "ClosesStandard", "Moves", "PatchesTime", "RewritesTheBoard",
            "EscapesInItsScore"]  # fmt: skip
"""They play on, and lose or win on the board."""


def marked(word):
    """Return the processes that have the word in their environment."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if word.encode() in path.read_bytes():
                found.append(path.parent.name)
    return found


def play(path, agents, workers, rounds, **isolation):
    """Play the agents after the first two against one of these each, by turns, and these against each other."""
    pairs = [(agents[0], agents[1]), *((agents[place % 2], other) for place, other in enumerate(agents[2:]))]
    plan = Plan(agents, rounds=rounds, pairs=tuple(pairs), isolation=Isolation(**isolation))
    with (run := Run.begin(plan, path)).store:
        run.play(Processes(workers))
    with contextlib.closing(sqlite3.connect(path)) as file:
        assert file.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert file.execute("SELECT count(*) FROM game").fetchone() == (len(run.plan.jobs()),)
        games = file.execute(
            "SELECT key, one.name, two.name, moves, result, termination, detail FROM game"
            " JOIN agent one ON one.id = first JOIN agent two ON two.id = second ORDER BY game.id"
        ).fetchall()
        moves = file.execute(
            "SELECT key, ply, column, depth, nodes, score FROM move JOIN game ON game.id = game ORDER BY 1, 2"
        ).fetchall()
    return games, moves


def between_the_good(games, moves):
    ours = sorted(game for game in games if game[1] in GOOD and game[2] in GOOD)
    keys = {game[0] for game in ours}
    return ours, [move for move in moves if move[0] in keys]


def busy():
    """Tell whether more programs want to run than there are processors: then anybody may be out of time."""
    return os.getloadavg()[0] > (os.cpu_count() or 1)


def check_battery(tmp_path, monkeypatch, workers, rounds):
    """Play the bad agents; those that never answer apart from the others, whom no slow minute may make late."""
    resource_tracker.ensure_running()  # it ends with this process, and is none of the run's
    monkeypatch.setenv("LD_LIBRARY_PATH", f"/{(marker := uuid.uuid4().hex)}")
    alone = play(tmp_path / "alone.sqlite", GOOD, 1, rounds)
    expected = {f"{DATA / 'bad_agents.py'}:{name}": {kind} | FIRST.get(name, set()) for name, kind in FAULTS.items()}
    expected |= {f"{DATA / 'bad_agents.py'}:{name}": set() for name in HARMLESS}
    expected[f"{DATA / 'raises_at_import.py'}:Bot"] = {"exception"}
    endless = [name for name, kinds in expected.items() if "out of time" in kinds]
    for bad, patience in (endless, 0.2), ([name for name in expected if name not in endless], 30.0):
        path = tmp_path / f"{patience}.sqlite"
        games, moves = play(path, (*GOOD, *bad), workers, rounds, patience=patience, memory=256)
        assert between_the_good(games, moves) == between_the_good(*alone)
        for name, found in faults(games, bad).items():
            assert found <= expected[name], name
            assert bool(found) == bool(expected[name]), name
        wait_for_nobody(marker)
    (DATA / "filler").unlink(missing_ok=True)


def faults(games, bad):
    """Return the kinds of faults of each bad agent; nobody else has any."""
    kinds = {name: set() for name in bad}
    for _, first, second, _, result, termination, detail in games:
        if termination not in {"line completed", "board full"}:
            guilty = first if result == "0-1" else second
            assert guilty in kinds, (first, second, termination, detail)
            kinds[guilty].add(termination)
    return kinds


def wait_for_nobody(marker):
    until = time.monotonic() + 2
    while marked(marker):
        assert time.monotonic() < until, marked(marker)
        time.sleep(0.05)


def check_outlaws(tmp_path, monkeypatch, workers, rounds, *, sandbox):
    """Play those that only a sandbox stops, in a folder of their own, where they may delete what they find."""
    resource_tracker.ensure_running()
    monkeypatch.setenv("LD_LIBRARY_PATH", f"/{(marker := uuid.uuid4().hex)}")
    monkeypatch.setattr("arena.games.workers.SLACK", 0.5)
    alone = play(tmp_path / "alone.sqlite", GOOD, 1, rounds)
    (tmp_path / "here").mkdir()
    copy = shutil.copy(DATA / "bad_agents.py", tmp_path / "here")
    bad = [f"{copy}:{name}" for name in OUTLAWS]
    path = tmp_path / "bad.sqlite"
    games, moves = play(path, (*GOOD, *bad), workers, rounds, patience=2.0 if busy() else 0.5, sandbox=sandbox)
    assert between_the_good(games, moves) == between_the_good(*alone)
    kinds = faults(games, bad)
    for name, kind in OUTLAWS.items():
        found = kinds[f"{copy}:{name}"]
        assert found <= {"out of time", "crashed (SIGKILL)"} | ({kind} if not sandbox else set()), (name, found)
        assert found or not kind, name
    wait_for_nobody(marker)


def test_bad_agents_harm_nobody(tmp_path, monkeypatch):
    check_battery(tmp_path, monkeypatch, workers=2, rounds=1)


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_bad_agents_harm_nobody_in_twenty_games_a_pair(tmp_path, monkeypatch, workers):
    check_battery(tmp_path, monkeypatch, workers, rounds=10)


@pytest.mark.parametrize("sandbox", [False, pytest.param(True, marks=needs("bwrap"))])
def test_what_only_a_sandbox_stops_does_no_harm_in_one_and_little_without(tmp_path, monkeypatch, sandbox):
    check_outlaws(tmp_path, monkeypatch, 2, 1, sandbox=sandbox)


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("sandbox", [False, pytest.param(True, marks=needs("bwrap"))])
def test_what_only_a_sandbox_stops_in_twenty_games_a_pair(tmp_path, monkeypatch, sandbox, workers):
    check_outlaws(tmp_path, monkeypatch, workers, 10, sandbox=sandbox)
