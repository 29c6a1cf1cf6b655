"""Runs of two agents whose games are added by hand, and how any program reads them."""

import sqlite3
from contextlib import closing

from agents.agent import Iteration
from agents.board import Outcome
from agents.specs.registry import parse
from arena.records import GameRecord, Job, MoveRecord, Termination
from arena.store.run_file import NewAgent, Store

PLAN = {"agents": ["random", "greedy"], "seed": 3}
DECISIONS = (
    MoveRecord(0, 3, 0.5, 7, 2, 50, (3, 2), (Iteration(1, 8, 0.1, 5, 4), Iteration(2, 50, 0.4, 7, 3))),
    MoveRecord(1, 2, 0.25, None, 0, 1),
)


def created(path, games=0):
    """Return the open store of a new run with so many games."""
    agents = [NewAgent(name, parse(name)) for name in ("random", "greedy")]
    store = Store.create(path, PLAN, 3, 4, agents, [("44", 0), ("12", None)])
    for number in range(games):
        store.add(record(Job(number % 2, 1 - number % 2, number // 2)))
    return store


FIRST_JOB = Job(0, 1, 0)


def record(job=FIRST_JOB, outcome=Outcome.FIRST_WINS, decisions=DECISIONS):
    """Return the record of a game."""
    return GameRecord(job, "4443", outcome, Termination.LINE, "", 1_750_000_000.125, 0.75, decisions)


def rows(path, query):
    """Return what SQLite itself answers to a query."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(query).fetchall()
