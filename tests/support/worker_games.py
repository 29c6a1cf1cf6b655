"""Games as workers are given them, and their records without times."""

from contextlib import closing
from dataclasses import replace

from samples import ODD

from agents.board import STANDARD, Board
from agents.specs.registry import parse
from arena.games.field import Setting
from arena.games.referee import Conditions

OPENINGS = tuple(Board.from_moves(moves) for moves in ("44", "12", "4354"))


def setting(*specs, **rest):
    """Return what the games of agents share: three openings on the standard board, without limits, or what is told."""
    plan = {"openings": OPENINGS, "rules": STANDARD, "seed": 1, "conditions": Conditions()} | rest
    return Setting(tuple(map(parse, specs)), **plan)


def odd(name):
    """Return the spec of an odd agent."""
    return f"{ODD}:{name}"


def _timeless(record):
    decisions = tuple(
        each._replace(seconds=0.0, iterations=tuple(replace(one, seconds=0.0) for one in each.iterations))
        for each in record.decisions
    )
    return replace(record, started=0.0, seconds=0.0, decisions=decisions)


def played_in(where, setting, *batches):
    """Yield the records of batches of games that are played there."""
    with where.open(setting):
        for batch in batches:
            with closing(where.play(batch)) as records:
                yield from records


def records_of(where, setting, games):
    """Return the records of games that are played there, by their jobs."""
    return {record.job: _timeless(record) for record in played_in(where, setting, games)}
