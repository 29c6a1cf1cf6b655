"""Fair times after the games: the agents of a run search the same positions in turns on one core.

In the games every agent has positions of its own, and other processes share the machine. Here all agents of a pool
search the same sample of its positions, A B A B and so on, each time from a cleared memory. Whatever slows the machine
slows them alike, and the fastest turn of a search is hardly slowed at all.
"""

from __future__ import annotations

import itertools
import os
import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from agents.board import DIGIT_COLUMNS, Board, split_moves
from arena.games.field import Field
from arena.games.interrupt import stoppable
from arena.games.plan import Plan
from arena.games.referee import Fault, begin, decide
from arena.games.run import Run
from arena.store.findings import set_times
from arena.store.machine import watched
from arena.tournament import pool
from arena.tournament.effort import limit
from arena.tournament.frames import Frames

POSITIONS = 100
"""Of each pool, drawn by the run's seed."""
TURNS = 7
BUDGET = 20.0
"""Seconds of a pool, after which its turns end."""
HOPELESS = 10
"""Failures after which an agent that has not answered yet is left out: each may cost the start of a process."""

Row = tuple[str, int, int, int, float]
"""A search as the table has it: position, agent from 1, turn, nodes, seconds."""


def time_alone(run: Run) -> None:
    """Search a sample of a run's positions in turns and store the times, in place of those of an earlier sample.

    Agents with a time limit are left out, and then pools of fewer than two agents. An agent that fails has no time in
    that position. An interruption leaves the earlier rows. Raises InputError where the file cannot be written.
    """
    with watched(run.store, "times"):
        set_times(run.store, _all_pools(run))


def _all_pools(run: Run) -> list[Row]:
    """Return a row for each search, pool after pool."""
    frames = Frames.read(run.store.path)
    timed = [agent for agent in frames.agents["name"] if limit(frames, agent) is None]
    rows: list[Row] = []
    field = Field(run.setting)
    places = {name: place for place, name in enumerate(run.plan.names())}
    with one_core(), stoppable(field.agents.values()):
        try:
            for part in pool.parts(frames):
                members = [places[agent] for agent in part if agent in timed]
                if len(members) > 1:
                    rows += _time(run, field, members, sample(frames.only(part), run.plan))
        finally:
            field.close()
    return rows


def sample(frames: Frames, plan: Plan) -> list[str]:
    """Return positions in which agents of a run moved, as texts of moves, drawn by the plan's seed."""
    between = "," if plan.rules.columns > DIGIT_COLUMNS else ""
    games = frames.moves["game"].unique().tolist()
    stored = frames.games.set_index("game")["moves"].loc[games]
    texts = {game: split_moves(text, plan.rules) for game, text in stored.items()}
    rows = frames.moves[["game", "ply"]].itertuples(index=False, name=None)
    positions = sorted({between.join(texts[game][:ply]) for game, ply in rows})
    return random.Random(plan.seed).sample(positions, min(POSITIONS, len(positions)))  # noqa: S311  a sample, not a secret


def _time(run: Run, field: Field, members: Sequence[int], positions: Sequence[str]) -> list[Row]:
    """Search positions turn after turn, and return a row for each search.

    In each turn all members search a position one after the other, under the same conditions. The turns of a
    position lie apart, so that a busy moment of the machine spoils only one of them. An agent that fails in its first
    searches is left out of the rest.
    """
    began = time.monotonic()
    boards = [Board.from_moves(position, run.plan.rules) for position in positions]
    rows: list[Row] = []
    for place in members if boards else []:
        list(_search(run, field, place, boards[0], 0))  # which only warms up
    failures, answered = Counter[int](), set[int]()
    for turn, board in itertools.product(range(TURNS), boards):
        for place in members:
            if place in answered or failures[place] < HOPELESS:
                searches = list(_search(run, field, place, board, turn))
                answered.update([place] * len(searches))
                failures[place] += not searches
                rows += searches
        if time.monotonic() - began > BUDGET:
            break
    return rows


def _search(run: Run, field: Field, place: int, board: Board, turn: int) -> Iterator[Row]:
    """Yield the row of one search from a cleared memory; none where the agent fails."""
    agent = field.agent(place, 0)
    try:
        begin(agent, run.plan.seed)
        answer = decide(agent, board, run.setting.conditions)
    except Fault:
        return
    yield board.text, place + 1, turn, answer.nodes, answer.seconds


@contextmanager
def one_core() -> Iterator[None]:
    """Keep this thread, and the processes it starts, on one core in the block, where the system can."""
    if not hasattr(os, "sched_setaffinity"):  # macOS and Windows
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
