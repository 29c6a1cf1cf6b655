"""Stored rows that are changed by hand, with digests as if a run had stored them so."""

import sqlite3

from arena.store.digests import PARTS, seal


class Sealing(sqlite3.Connection):
    """A connection that stores the digests of all rows whenever it commits, if the file has digests."""

    def commit(self):
        if self.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'digest'").fetchone()[0]:
            for part in PARTS:
                seal(self, part)
        super().commit()

    def __exit__(self, error, *rest):
        if error is None:
            self.commit()
        return super().__exit__(error, *rest)


def connect(path):
    """Open a run's file to change its rows."""
    return sqlite3.connect(path, factory=Sealing)


def update(store, statement, *values):
    """Run one statement on an open run."""
    with store.transaction() as connection:
        connection.execute(statement, values)
        for part in PARTS:
            seal(connection, part)
