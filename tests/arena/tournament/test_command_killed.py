"""An arena that is killed, as by `kill -9`, leaves nothing running of what it or its agents began."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command import ENVIRONMENT, PROGRAM
from needs import needs

pytestmark = pytest.mark.process

BOT = """#!/bin/sh
sleep {mark} &
setsid sleep {mark} &
while read line; do setsid sleep {mark} & n=$((n % 7 + 1)); echo $n; done
"""
"""It ends at once when its input closes, so that nobody knows of its children any more, not of those begun just now."""


def running(*words):
    """Return the processes with one of the words in their command lines or working folders."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            text = (entry / "cmdline").read_bytes().decode(errors="replace") + str((entry / "cwd").readlink())
        except OSError:
            continue
        if any(word in text for word in words) and int(entry.name) != os.getpid():
            found.append((int(entry.name), text.replace("\0", " ")))
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
@pytest.mark.parametrize(
    "words",
    [
        pytest.param([], id="processes"),
        pytest.param(["--sandbox"], id="sandboxes", marks=needs("bwrap")),
    ],
)
def test_nothing_is_left_running(tmp_path, words):
    mark = f"36{os.getpid():06}"
    (tmp_path / "bot").write_text(BOT.format(mark=mark))
    (tmp_path / "bot").chmod(0o755)
    command = [*PROGRAM, "run", "cmd:./bot", "mcts:playouts=30000", "--rounds", "50", "-q", "-j", "2"]
    process = subprocess.Popen(
        [*command, *words, "--out", "run.sqlite"], cwd=tmp_path, env=ENVIRONMENT, stderr=subprocess.DEVNULL
    )
    try:
        until = time.monotonic() + 60
        while len(running(mark)) < 2 or not (tmp_path / "run.sqlite").exists():
            assert process.poll() is None
            assert time.monotonic() < until, running(mark, tmp_path.name)
            time.sleep(0.1)
        time.sleep(0.3)
        process.kill()
        process.wait()
        until = time.monotonic() + 10
        while left := running(mark, str(tmp_path)):
            assert time.monotonic() < until, left
            time.sleep(0.1)
    finally:
        process.kill()
        for number, _ in running(mark):
            os.kill(number, signal.SIGKILL)
