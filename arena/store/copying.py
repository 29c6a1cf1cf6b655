"""A copy of a stored run, also of one that is being played."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from arena.store.sqlite import claim, plainly, remove
from arena.store.store import Store


def copy(path: Path, out: Path) -> None:
    """Copy a run into a new file. Raises InputError where it is no run, or the new file is there already."""
    with Store.read(path) as store, claim(out):
        try:
            with plainly(out), closing(sqlite3.connect(out)) as target:
                store.connection.backup(target)
        except BaseException:
            remove(out)
            raise
