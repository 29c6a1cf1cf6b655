"""Runs that are played in this process, and all that their files hold of what was played.

`walked` plays without agents.
"""

import itertools
from contextlib import nullcontext

import pytest

from arena.games.extend import Growth
from arena.games.plan import Plan
from arena.games.run import Run
from arena.games.workers import InProcess
from arena.store.run_file import Store

GAMES = "SELECT key, first, second, opening, moves, result, termination, detail FROM game ORDER BY key"
HELD = (
    GAMES,
    "SELECT key, ply, column, depth, nodes, score FROM move JOIN game ON game.id = game ORDER BY key, ply",
    "SELECT key, ply, column, depth, nodes, score FROM iteration JOIN game ON game.id = game ORDER BY key, ply, depth",
    "SELECT id, name, spec, kind, parameters, deterministic, stranger, author, digest FROM agent",
    "SELECT * FROM opening",
    "SELECT planned, json_remove(plan, '$.looks') FROM run",
)
"""What a run's file holds but for times and for when it was extended, whatever the order of the games was."""


def play(run, where=None, *, games=None, stop=None):
    """Play what a run lacks, or so many games of it, or until Ctrl-C comes after `stop` of them; return its path."""
    told = itertools.count(1)

    def progress():
        if next(told) == stop:
            raise KeyboardInterrupt

    with run.store, pytest.raises(KeyboardInterrupt) if stop else nullcontext():
        run.play(where or InProcess(), progress, games=games)
    return run.store.path


def played(path, *agents, games=None, command="", **plan):
    """Play a run of agents, or so many games of it, and return the path."""
    return play(Run.begin(Plan(agents, **{"rounds": 2, "seed": 5} | plan), path, command), games=games)


def grown(path, **growth):
    """Let a stored run grow, play what it lacks, and return the path."""
    return play(Run.resume(path, Growth(**growth)))


def rows(path, query):
    """Return what a stored run answers to a query."""
    with Store.read(path) as store:
        return store.select(query)[1]


def held(path):
    """Return all that two runs share in which the same games were played."""
    return [rows(path, query) for query in HELD]


def walked(how, outcome, known=()):
    """Play a tournament whose games end as `outcome(job)` says; return its batches and the places."""
    results = dict(known)
    batches, found = how.batches(), []
    batch = next(batches)
    while True:
        assert batch
        found.append(batch)
        results |= {job: outcome(job) for job in batch}
        try:
            batch = batches.send(results)
        except StopIteration as end:
            return found, end.value
