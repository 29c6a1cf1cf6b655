"""The command in a process of its own, and what it stores and prints."""

import json
import os
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

from arena.table import styles

ROOT = Path(__file__).parents[2]
PROGRAM = [sys.executable, "-c", "from arena.cli import main; main()"]
ENVIRONMENT = os.environ | {"PYTHONPATH": str(ROOT)}
STYLES = [name for name, style in styles.STYLES.items() if style.document is None]
"""Those in which a report is a text; of the documents of JSON other tests read the rows."""


def started(folder, *words, **rest):
    """Start `arena WORDS` in a process group of its own, as a terminal does."""
    return subprocess.Popen(
        [*PROGRAM, *map(str, words)],
        cwd=folder,
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        **rest,
    )


def finished(folder, *words, **rest):
    """Return the exit code of `arena WORDS` and what it printed."""
    process = started(folder, *words, **rest)
    out, err = process.communicate(timeout=120)
    assert "Traceback" not in err
    return process.returncode, out, err


def stored(path):
    """Return the number of games in a file that may not be there yet."""
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
            return connection.execute("SELECT count(*) FROM game").fetchone()[0]
    except sqlite3.Error:
        return 0


def wait_for(condition, process):
    """Wait until a condition holds while a process runs, a minute at most."""
    deadline = time.monotonic() + 60
    while not condition():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.02)


def read_json(done):
    """Return the one document on stdout, which nothing follows and nothing goes before."""
    assert done.code == 0, done.err
    return json.loads(done.out)


def document(done):
    """Return the one document on stdout of a command that said nothing else."""
    assert done.err == ""
    return read_json(done)
