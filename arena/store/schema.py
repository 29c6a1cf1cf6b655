"""The tables of a run's file.

Texts and `column` fields count columns from 1. Results are "1-0" (first player won), "0-1" and "1/2-1/2".
"""

from __future__ import annotations

import json
from typing import Any

from agents.board import Outcome

APPLICATION_ID = 0x43344152  # "C4AR"
VERSION = 4
UNSEALED = 3
"""The format of version 0.2.0, which has no digests: it is read, and it gets them when it is resumed."""
RESULTS = {Outcome.FIRST_WINS: "1-0", Outcome.SECOND_WINS: "0-1", Outcome.DRAW: "1/2-1/2"}

_SECONDS = "nanoseconds INTEGER NOT NULL, seconds REAL GENERATED ALWAYS AS (nanoseconds / 1e9)"
_GAME = f"""id INTEGER PRIMARY KEY,
    first INTEGER NOT NULL REFERENCES agent, second INTEGER NOT NULL REFERENCES agent,
    opening INTEGER NOT NULL REFERENCES opening, moves TEXT NOT NULL, result TEXT NOT NULL
    CHECK (result IN ('1-0', '0-1', '1/2-1/2')), termination TEXT NOT NULL, detail TEXT NOT NULL,
    moment INTEGER NOT NULL, {_SECONDS},
    key TEXT GENERATED ALWAYS AS ((first - 1) || '-' || (second - 1) || '-' || (opening - 1)),
    started TEXT GENERATED ALWAYS AS (strftime('%Y-%m-%dT%H:%M:%f+00:00', moment / 1000.0, 'unixepoch')),
    round INTEGER"""
_DECISION = f"""game INTEGER NOT NULL, ply INTEGER NOT NULL, column INTEGER NOT NULL, depth INTEGER NOT NULL,
    nodes INTEGER NOT NULL, {_SECONDS}, score INTEGER, """
_MOVE = f"{_DECISION} PRIMARY KEY (game, ply), FOREIGN KEY (game) REFERENCES game) STRICT, WITHOUT ROWID"
_ITERATION = (
    f"{_DECISION} PRIMARY KEY (game, ply, depth), FOREIGN KEY (game, ply) REFERENCES move) STRICT, WITHOUT ROWID"
)
_SEARCH = """
CREATE VIEW search AS SELECT game, ply, depth, nodes, seconds, score, column FROM iteration
    UNION ALL SELECT game, ply, depth, nodes, seconds, score, column FROM move
    WHERE NOT EXISTS (SELECT * FROM iteration AS one WHERE one.game = move.game AND one.ply = move.ply);
"""
_GAMES = f"""
CREATE TABLE game ({_GAME}, UNIQUE (first, second, opening)) STRICT;
CREATE TABLE move ({_MOVE};
CREATE TABLE iteration ({_ITERATION};
{_SEARCH}"""

_FAULT = """
CREATE TABLE fault (game INTEGER PRIMARY KEY REFERENCES game, ply INTEGER NOT NULL, position TEXT NOT NULL,
    traceback TEXT NOT NULL, output TEXT NOT NULL) STRICT;
"""

DIGEST = """
CREATE TABLE digest (part TEXT NOT NULL, key ANY NOT NULL, digest INTEGER NOT NULL, PRIMARY KEY (part, key)) STRICT,
    WITHOUT ROWID
"""
"""Digests of rows, which `arena.store.digests` computes."""

SCHEMA = f"""
CREATE TABLE run (id INTEGER PRIMARY KEY CHECK (id = 1), created TEXT NOT NULL, plan TEXT NOT NULL,
    seed INTEGER NOT NULL, planned INTEGER NOT NULL, versions TEXT NOT NULL, machine TEXT NOT NULL,
    command TEXT NOT NULL DEFAULT '') STRICT;
CREATE TABLE agent (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, spec TEXT NOT NULL, kind TEXT NOT NULL,
    parameters TEXT NOT NULL, deterministic INTEGER NOT NULL DEFAULT 0, stranger INTEGER NOT NULL DEFAULT 0,
    author TEXT, digest TEXT) STRICT;
CREATE TABLE opening (id INTEGER PRIMARY KEY, moves TEXT NOT NULL, value INTEGER) STRICT;
{_GAMES}CREATE TABLE sprt (pairs INTEGER PRIMARY KEY, llr REAL NOT NULL, lower REAL NOT NULL, upper REAL NOT NULL,
    decision TEXT NOT NULL) STRICT;
{_FAULT}{DIGEST};
"""
"""The run, its agents and openings; then a row for each game, each move and each completed depth of a search.

`plan` also has the `population` of openings that the run's were drawn from, and its parts that take turns, the
`strata`. `command` is the command line, or empty. An agent is `deterministic` (1) if it is known to repeat its moves,
and a `stranger` (1) if it is a process agent, whose nodes and scores are unchecked claims. `digest` is that of its
files, NULL if all of them belong to this package. For an object of a program, `kind` is `object:MODULE:CLASS`,
`parameters` are its public attributes, and `digest` covers the source of its class and its module's file; it is NULL if
they cannot be read.

A game's `moment` is its start in milliseconds since 1970; times are in nanoseconds. `started`, `seconds` and `key` are
computed columns. `round` is the round of the tournament, NULL in rows of earlier versions. If a search reports no
depths, only its move is stored, and `search` shows the move as its one depth.
"""

AUDIT = """
CREATE TABLE IF NOT EXISTS audit (game INTEGER NOT NULL, ply INTEGER NOT NULL, value INTEGER NOT NULL,
    after INTEGER NOT NULL, legal INTEGER NOT NULL, keeping INTEGER NOT NULL, keepers TEXT,
    PRIMARY KEY (game, ply), FOREIGN KEY (game, ply) REFERENCES move) STRICT, WITHOUT ROWID
"""
"""A row for each audited move; a file has this table from its first audit on.

`value` is the value of the position for the side that moved, and `after` the value after the move: 1 a win, 0 a draw,
-1 a loss. `keeping` of the `legal` moves keep the value: the columns in `keepers`, separated by blanks, NULL in rows of
earlier versions, which have three more columns.
"""
EXTRA = """
CREATE TABLE IF NOT EXISTS extra (game INTEGER NOT NULL REFERENCES game, ply INTEGER NOT NULL,
    extra TEXT NOT NULL CHECK (json_valid(extra)), PRIMARY KEY (game, ply)) STRICT, WITHOUT ROWID
"""
"""A JSON object for each move with an agent's `extra` data.

The move that a fault prevented may have one, too. A file has this table from the first such row on.
"""
TIMING = """
CREATE TABLE IF NOT EXISTS timing (position TEXT NOT NULL, agent INTEGER NOT NULL REFERENCES agent,
    turn INTEGER NOT NULL, nodes INTEGER NOT NULL, seconds REAL NOT NULL, PRIMARY KEY (position, agent, turn)) STRICT,
    WITHOUT ROWID
"""
"""A row for each search of a sampled position, timed after the games, with agents taking turns on one core.

A file has this table from the first such sample on. `position` is its moves, and `turn` counts from 0.
"""
CHOICE = """
CREATE TABLE IF NOT EXISTS choice (game INTEGER NOT NULL REFERENCES game ON DELETE CASCADE, ply INTEGER NOT NULL,
    agent INTEGER NOT NULL REFERENCES agent, "column" INTEGER NOT NULL, lost INTEGER CHECK (lost IN (0, 1)),
    PRIMARY KEY (game, ply, agent)) STRICT, WITHOUT ROWID
"""
"""A row for each agent of a comparison and each of a sample of its positions: the column that it chooses there, from 1.

`lost` is 1 where the choice gives a win or a draw away, 0 where it keeps the value, NULL where nobody asked: all chose
the same, or the exact value takes too long. A file has this table from the first such sample on.
"""
SESSIONS = ("""
CREATE TABLE IF NOT EXISTS session (id INTEGER PRIMARY KEY, begun TEXT NOT NULL, command TEXT NOT NULL,
    versions TEXT NOT NULL, machine TEXT NOT NULL) STRICT
""", """
INSERT INTO session (begun, command, versions, machine) SELECT created, command, versions, machine FROM run
    WHERE NOT EXISTS (SELECT * FROM session)
""")  # fmt: skip
"""A row for each session of playing games: its start, the command line, versions, machine.

A file of an earlier version gets this table when it is resumed.
"""
LOAD = """
CREATE TABLE IF NOT EXISTS load (begun TEXT NOT NULL, what TEXT NOT NULL CHECK (what IN ('games', 'times')),
    others REAL NOT NULL, cores INTEGER NOT NULL) STRICT
"""
"""A row for each measurement: of `games`, or of `times`, the rows of `timing`.

`others` is the average number of the machine's `cores` that other programs used. A file has this table from the first
measurement on; games on the workers of a scheduler have no row.
"""
ROUND_ADDITION = "ALTER TABLE game ADD COLUMN round INTEGER"
"""Updates the table of games of an earlier version."""
AUDIT_ADDITION = "ALTER TABLE audit ADD COLUMN keepers TEXT"
"""Updates the audit table of an earlier version."""


def plan_of(text: str) -> dict[str, Any]:
    """Return a stored plan, given its text. Raises TypeError or ValueError if the text is no plan."""
    plan = dict(json.loads(text))
    if any(isinstance(plan.get(name), str) for name in ("rounds", "seed", "nodes", "seconds", "margin")):
        raise ValueError("it has words in place of numbers")
    return plan
