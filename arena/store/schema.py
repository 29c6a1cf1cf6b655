"""What a run's file holds.

Text in the file counts columns from 1, as everywhere in text; so do the `column` fields. Results are "1-0" (first
player won), "0-1" and "1/2-1/2".
"""

from __future__ import annotations

import json
from typing import Any

from agents.board import Outcome

APPLICATION_ID = 0x43344152  # "C4AR"
VERSION = 2
RESULTS = {Outcome.FIRST_WINS: "1-0", Outcome.SECOND_WINS: "0-1", Outcome.DRAW: "1/2-1/2"}

_FAULT = """
CREATE TABLE fault (game INTEGER PRIMARY KEY REFERENCES game, ply INTEGER NOT NULL, position TEXT NOT NULL,
    traceback TEXT NOT NULL, output TEXT NOT NULL) STRICT;
"""

SCHEMA = f"""
CREATE TABLE run (id INTEGER PRIMARY KEY CHECK (id = 1), created TEXT NOT NULL, plan TEXT NOT NULL,
    seed INTEGER NOT NULL, planned INTEGER NOT NULL, versions TEXT NOT NULL, machine TEXT NOT NULL,
    command TEXT NOT NULL DEFAULT '') STRICT;
CREATE TABLE agent (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, spec TEXT NOT NULL, kind TEXT NOT NULL,
    parameters TEXT NOT NULL, deterministic INTEGER NOT NULL DEFAULT 0, stranger INTEGER NOT NULL DEFAULT 0,
    author TEXT, digest TEXT) STRICT;
CREATE TABLE opening (id INTEGER PRIMARY KEY, moves TEXT NOT NULL, value INTEGER) STRICT;
CREATE TABLE game (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE,
    first INTEGER NOT NULL REFERENCES agent, second INTEGER NOT NULL REFERENCES agent,
    opening INTEGER NOT NULL REFERENCES opening, moves TEXT NOT NULL, result TEXT NOT NULL
    CHECK (result IN ('1-0', '0-1', '1/2-1/2')), termination TEXT NOT NULL, detail TEXT NOT NULL,
    started TEXT NOT NULL, seconds REAL NOT NULL) STRICT;
CREATE TABLE move (game INTEGER NOT NULL REFERENCES game, ply INTEGER NOT NULL, column INTEGER NOT NULL,
    depth INTEGER NOT NULL, nodes INTEGER NOT NULL, seconds REAL NOT NULL, score INTEGER,
    PRIMARY KEY (game, ply)) STRICT, WITHOUT ROWID;
CREATE TABLE search (game INTEGER NOT NULL, ply INTEGER NOT NULL, depth INTEGER NOT NULL, nodes INTEGER NOT NULL,
    seconds REAL NOT NULL, score INTEGER, column INTEGER NOT NULL, PRIMARY KEY (game, ply, depth),
    FOREIGN KEY (game, ply) REFERENCES move) STRICT, WITHOUT ROWID;
CREATE TABLE sprt (pairs INTEGER PRIMARY KEY, llr REAL NOT NULL, lower REAL NOT NULL, upper REAL NOT NULL,
    decision TEXT NOT NULL) STRICT;
{_FAULT}"""
"""What a run is, who plays, from where; then a row for each game, each of its moves and each depth searched for one.

`plan` also has the `population` of openings that those of the run were drawn from and its parts that take turns, the
`strata`; `command` is what was typed, if
anything was. An agent is `deterministic` (1) where it is known to repeat its moves, and a `stranger` (1) where its
nodes and scores are its own claims. `digest` is of the files that it was read from, NULL where all of it is ours.
"""

MIGRATION = f"""
ALTER TABLE run ADD COLUMN command TEXT NOT NULL DEFAULT '';
ALTER TABLE agent ADD COLUMN deterministic INTEGER NOT NULL DEFAULT 0;
ALTER TABLE agent ADD COLUMN stranger INTEGER NOT NULL DEFAULT 0;
ALTER TABLE agent ADD COLUMN author TEXT;
ALTER TABLE agent ADD COLUMN digest TEXT;
{_FAULT}PRAGMA user_version = 2;
"""
"""From a file of version 1 to one of version 2; `migrate` fills the new columns."""

AUDIT = """
CREATE TABLE IF NOT EXISTS audit (game INTEGER NOT NULL, ply INTEGER NOT NULL, value INTEGER NOT NULL,
    after INTEGER NOT NULL, legal INTEGER NOT NULL, keeping INTEGER NOT NULL, score INTEGER, after_score INTEGER,
    best INTEGER, keepers TEXT, PRIMARY KEY (game, ply), FOREIGN KEY (game, ply) REFERENCES move) STRICT, WITHOUT ROWID
"""
"""A row for each audited move; a file has this table from its first audit on.

`value` is what the position was worth to the side that moved, and `after` what the move left: 1 a win, 0 a draw, -1 a
loss. `keeping` of the `legal` moves kept the value: the columns `keepers`, parted by blanks; NULL in rows of earlier
versions. Where it was solved by distance, `score` and `after_score` are the same in the solver's scores, and `best`
moves reached the score.
"""
TIMING = """
CREATE TABLE IF NOT EXISTS timing (position TEXT NOT NULL, agent INTEGER NOT NULL REFERENCES agent,
    turn INTEGER NOT NULL, nodes INTEGER NOT NULL, seconds REAL NOT NULL, PRIMARY KEY (position, agent, turn)) STRICT,
    WITHOUT ROWID
"""
"""A row for each search of a sample of the run's positions, made by turns on one core after the games.

A file has this table from the first such sample on. `position` is its moves, and `turn` counts from 0.
"""
AUDIT_ADDITION = "ALTER TABLE audit ADD COLUMN keepers TEXT"
"""Brings an audit's table of an earlier version up to date."""


def plan_of(text: str) -> dict[str, Any]:
    """Return what the text of a stored plan says. Raises TypeError or ValueError where it is none."""
    plan = dict(json.loads(text))
    if any(isinstance(plan.get(name), str) for name in ("rounds", "seed", "nodes", "seconds", "margin")):
        raise ValueError("it has words in place of numbers")
    return plan
