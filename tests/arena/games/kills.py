"""Kill runs at random moments, and hold that nothing is lost: `tests/arena/games/kills.py 100` prints a line each.

A run of built-in agents and a stranger is killed in its main process, a worker or a stranger, or sent SIGTERM or
SIGHUP, with one worker and two. No process may outlive the run by more than two seconds, no finished game may be lost
or doubled, and the finished run must be the same as one that nobody killed, but for games that a killed stranger lost.
"""

import contextlib
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import uuid
from pathlib import Path

from arena.games.run import Run
from arena.games.workers import Processes

BOT = '"""A stranger."""\nimport time\ndef choose(board):\n    time.sleep(0.01)\n    return board.legal_moves()[-1]\n'
WORDS = ["bot.py", "greedy", "alphabeta:depth=2", "--rounds", "5", "-q"]
ARENA = [sys.executable, "-c", "from arena.cli import main\nif __name__ == '__main__':\n    main()"]
PLANNED = 30
GAMES = "SELECT key, moves, result, termination FROM game ORDER BY key"
MOVES = "SELECT key, ply, column, depth, nodes, score FROM move JOIN game ON game.id = game ORDER BY key, ply"
TARGETS = ["main", "worker", "HUP", "stranger", "TERM"]
CODES = {"main": {-signal.SIGKILL}, "TERM": {143, -signal.SIGTERM}, "HUP": {129, -signal.SIGHUP}}
"""How the main process ends; a signal that comes while Python still starts, or ends, is not heard by the run."""


def start(folder, marker, *words):
    return subprocess.Popen(
        [*ARENA, "run", *map(str, words)], cwd=folder, env=os.environ | {"LD_LIBRARY_PATH": f"/{marker}"},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip


def alive(marker):
    """Return the number and the command of each process that has the marker in its environment."""
    found = {}
    for path in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if marker.encode() in (path / "environ").read_bytes():
                found[int(path.name)] = (path / "cmdline").read_bytes().replace(b"\0", b" ").decode()
    return found


def select(path, query):
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=rw", uri=True)) as file:
        return file.execute(query).fetchall()


def stored(path):
    try:
        return select(path, "SELECT count(*) FROM game")[0][0]
    except sqlite3.Error:
        return 0


def whole(folder):
    """Return the games and moves of the run that nobody kills."""
    done = start(folder, "whole", *WORDS, "-j", "2", "--out", "whole.sqlite")
    _, err = done.communicate(timeout=300)
    assert done.returncode == 0, err
    return select(folder / "whole.sqlite", GAMES), select(folder / "whole.sqlite", MOVES)


def strike(process, target, marker, chance):
    """Kill what is to be killed, where it is there; return whether anything was."""
    seen = alive(marker)
    if target in CODES:
        process.send_signal(signal.SIGKILL if target == "main" else getattr(signal, f"SIG{target}"))
        return True
    word = "spawn_main" if target == "worker" else "agents.processes.child"
    victims = [number for number, command in seen.items() if word in command and "launch.py" not in command]
    for number in chance.sample(victims, min(1, len(victims))):
        with contextlib.suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)
    return bool(victims)


def tear(path, chance):
    """Return a copy of a run's file as a power failure may leave it: its log is cut anywhere."""
    torn = path.with_name("torn.sqlite")
    shutil.copy(path, torn)
    log = path.with_name(f"{path.name}-wal")
    if log.exists():
        data = log.read_bytes()
        torn.with_name("torn.sqlite-wal").write_bytes(data[: chance.randrange(len(data) + 1)])
    return torn


def finish(path, expected):
    """Resume a run to its end, in this process and a worker, and hold that it is the same."""
    assert select(path, "PRAGMA integrity_check") == [("ok",)]
    before = select(path, "SELECT * FROM game")
    with (run := Run.resume(path)).store:
        assert run.play(Processes(1))
    assert set(before) <= set(select(path, "SELECT * FROM game"))
    assert (select(path, GAMES), select(path, MOVES)) == expected


def moment(folder, number, expected, chance):
    """Kill one run at one moment; return what was done in words."""
    target, workers = TARGETS[number % len(TARGETS)], 1 if number % 3 == 2 else 2
    marker, path = uuid.uuid4().hex, folder / f"run{number}.sqlite"
    process = start(folder, marker, *WORDS, "-j", workers, "--out", path)
    at = chance.randrange(PLANNED - 4)
    while stored(path) < at and process.poll() is None:
        time.sleep(0.005)
    time.sleep(chance.random() * 0.05)
    games = stored(path)
    struck = strike(process, target, marker, chance)
    _, err = process.communicate(timeout=300)
    ended = time.monotonic()
    while alive(marker):
        assert time.monotonic() - ended < 2.0, alive(marker)
        time.sleep(0.02)
    gone = time.monotonic() - ended
    if target in CODES and process.returncode != 0:
        assert process.returncode in CODES[target], (process.returncode, err)
        torn = tear(path, chance) if target == "main" and games else None
        if games:
            finish(path, expected)
        if torn is not None and select(torn, "SELECT count(*) FROM sqlite_master")[0][0]:
            finish(torn, expected)
    else:
        assert process.returncode == 0, err
        assert select(path, "PRAGMA integrity_check") == [("ok",)]
        found = select(path, GAMES)
        lost = [game for game, same in zip(found, expected[0], strict=True) if game != same]
        assert len(lost) <= int(target == "stranger"), lost
        assert all(game[3] == "crashed (SIGKILL)" for game in lost), lost
    for left in folder.glob("torn.sqlite*"):
        left.unlink()
    there = "" if struck else "nobody was there, "
    return f"{target}, -j {workers}, after {games} games, {there}all gone in {gone:.2f} s"


def main(moments, seed=1):
    """Kill that many runs."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "bot.py").write_text(BOT)
        expected = whole(folder)
        assert len(expected[0]) == PLANNED
        for number in range(moments):
            print(f"{number + 1}: {moment(folder, number, expected, chance)}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10)
