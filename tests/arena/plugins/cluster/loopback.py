"""A cluster on loopback: a scheduler and workers in processes of their own, and what they are given."""

import os
import re
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

from agents.board import Board
from agents.specs.registry import parse
from arena.games.field import Setting
from arena.games.referee import Conditions

ROOT = Path(__file__).parents[4]
BOT = "import helper\n\ndef choose(board):\n    return helper.pick(board)\n"
HELPER = "import time\n\ndef pick(board):\n    time.sleep(0.01)\n    return board.legal_moves()[-1]\n"
ORPHAN = """
import os, sys, threading, time
def end_with(parent):  # a test that is killed ends nothing
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)
threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
"""
QUIET = ["-c", f"{ORPHAN}from distributed.cli.dask_scheduler import main; sys.exit(main())"]
WORKER = ["-c", f"{ORPHAN}from distributed.cli.dask_worker import main; sys.exit(main())"]


def setting(*specs, sources=()):
    return Setting(tuple(map(parse, specs)), (Board(),), Board().rules, 1, Conditions(), sources)


@contextmanager
def cluster_in(folder):
    """Yield what starts a scheduler, run(), or a worker, run(address); all end with the block."""
    begun = []

    def run(address=None, **environment):
        if address is None:
            words = [*QUIET, "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show"]
        else:
            kept = folder / f"worker{len(begun)}"
            words = [
                *WORKER,
                address,
                "--no-nanny",
                "--nthreads",
                "1",
                "--no-dashboard",
                "--local-directory",
                str(kept),
            ]
        ours = [str(ROOT), str(ROOT / "tests" / "support"), os.environ.get("PYTHONPATH", "")]
        paths = os.pathsep.join(filter(None, [environment.pop("first", ""), *ours]))
        said = folder / f"said{len(begun)}"  # a file, for nobody empties a pipe
        with said.open("w") as file:
            process = subprocess.Popen(
                [sys.executable, *words], cwd=folder, env=os.environ | {"PYTHONPATH": paths} | environment,
                stdout=file, stderr=subprocess.STDOUT,
            )  # fmt: skip
        begun.append(process)
        if address is not None:
            return process
        until = time.monotonic() + 60
        while not (found := re.search(r"Scheduler at: +(tcp://\S+)\n", said.read_text())):
            assert process.poll() is None, said.read_text()
            assert time.monotonic() < until, "no scheduler"
            time.sleep(0.05)
        return process, found[1]

    try:
        yield run
    finally:
        for process in begun:
            process.kill()
            process.wait()
