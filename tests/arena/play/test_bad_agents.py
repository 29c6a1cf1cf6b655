"""The battery: whatever an agent does, the run ends, the fault is its own, and the games of the others are the same."""

import contextlib
import sqlite3
import time
import uuid
from multiprocessing import resource_tracker
from pathlib import Path

import pytest

from arena.play.isolation import Isolation
from arena.play.plan import Plan
from arena.play.tournament import Run
from arena.play.workers import Processes

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
    "ForgesAnAnalysis": "exception",
}
"""What ends the games of each that it does not lose before it misbehaves."""
LATE = {"ForkBomb", "Hoards", "RecursesDeeply", "Segfaults"}
"""What takes about as long as they have patience in the battery: on a busy machine they may be out of time first."""
HARMLESS = ["Numpy", "Floods", "Forks", "Threads", "ClosesStandard", "Moves", "PatchesTime", "RewritesTheBoard",
            "EscapesInItsScore"]  # fmt: skip
"""They play on, and lose or win on the board; the last answers rubbish in the end."""


def marked(word):
    """Return the processes that have the word in their environment."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if word.encode() in path.read_bytes():
                found.append(path.parent.name)
    return found


def play(path, agents, workers, rounds, **isolation):
    """Play the agents after the first two against each of these, and these against each other."""
    pairs = [(agents[0], agents[1]), *((good, other) for other in agents[2:] for good in agents[:2])]
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


def check_battery(tmp_path, monkeypatch, workers, rounds):
    resource_tracker.ensure_running()  # it ends with this process, and is none of the run's
    monkeypatch.setenv("LD_LIBRARY_PATH", f"/{(marker := uuid.uuid4().hex)}")
    alone = play(tmp_path / "alone.sqlite", GOOD, 1, rounds)
    bad = [f"{DATA / 'bad_agents.py'}:{name}" for name in (*FAULTS, *HARMLESS)]
    bad.append(f"{DATA / 'raises_at_import.py'}:Bot")
    games, moves = play(tmp_path / "bad.sqlite", (*GOOD, *bad), workers, rounds, patience=0.5, memory=256)
    assert between_the_good(games, moves) == between_the_good(*alone)
    kinds = {name: set() for name in bad}
    for _, first, second, _, result, termination, detail in games:
        if termination in {"line completed", "board full"}:
            continue
        guilty = first if result == "0-1" else second
        assert guilty in kinds, (first, second, termination, detail)
        kinds[guilty].add(termination)
    for name, kind in FAULTS.items():
        allowed = {kind, "out of time"} if name in LATE else {kind}
        found = kinds[f"{DATA / 'bad_agents.py'}:{name}"]
        assert found, name
        assert found <= allowed, (name, found)
    assert kinds[bad[-1]] == {"exception"}
    assert all(not kinds[f"{DATA / 'bad_agents.py'}:{name}"] for name in HARMLESS if name != "RewritesTheBoard")
    until = time.monotonic() + 2
    while marked(marker):
        assert time.monotonic() < until, marked(marker)
        time.sleep(0.05)
    (DATA / "filler").unlink(missing_ok=True)


@pytest.mark.parametrize("workers", [1, 2])
def test_bad_agents_harm_nobody(tmp_path, monkeypatch, workers):
    check_battery(tmp_path, monkeypatch, workers, rounds=1)


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_bad_agents_harm_nobody_in_twenty_games_a_pair(tmp_path, monkeypatch, workers):
    check_battery(tmp_path, monkeypatch, workers, rounds=10)
