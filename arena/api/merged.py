"""Several stored runs as one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from arena.api.given import checked, listed
from arena.api.result import Result, load


@checked
def merge(runs: Sequence[Result | str | Path], out: str | Path) -> Result:
    """Write the games of several stored runs into a new file, and return it; `arena merge` from Python.

    runs: of the same board, openings, seed and limits; agents are the same where their names and the digests of their
    files are. A game that several hold counts once, as the first of them has it. Raises InputError, and leaves no file,
    where they do not belong together.
    """
    from arena.play.merge import merge
    from arena.store.folder import run_file

    paths = [run.path if isinstance(run, Result) else run_file(run) for run in listed("runs", runs, "one.sqlite")]
    merge(paths, Path(out))
    return load(out)
