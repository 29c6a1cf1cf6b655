"""Stored runs of games that nobody played, so that a test can count by hand."""

from agents.board import Outcome
from agents.registry import parse
from arena.analysis.frames import Frames
from arena.store.records import GameRecord, Job, MoveRecord, Termination
from arena.store.store import Store

OUTCOMES = {"1": Outcome.FIRST_WINS, "=": Outcome.DRAW, "0": Outcome.SECOND_WINS}


def run_of(path, agents, games, *, openings=("11", "12", "13", "14"), **plan):
    """Store games as (first, second, opening, result for the first, moves, nodes a move) and return the path.

    Agents and openings are places from 0. Without moves each game has its own; the nodes, if any, are a number for each
    move from the opening on.
    """
    names = [agent if agent not in agents[:place] else f"{agent}#2" for place, agent in enumerate(agents)]
    described = [(name, parse(spec)) for name, spec in zip(names, agents, strict=True)]
    document = {"population": 25, "seconds": None, "rules": {"columns": 7, "rows": 6, "connect": 4}} | plan
    with Store.create(path, document, 1, len(games), described, [(moves, None) for moves in openings]) as store:
        for number, (first, second, opening, result, *rest) in enumerate(games):
            job = Job(first, second, opening)
            moves, nodes = (*rest, *("", ())[len(rest) :])
            text = moves or f"{openings[opening]}{number + 10}"
            plies = range(len(openings[opening]), len(openings[opening]) + len(nodes))
            decisions = tuple(
                MoveRecord(ply, int(text[ply]) - 1, count / 1000, 0, 1, count, (), ())
                for ply, count in zip(plies, nodes, strict=True)
            )
            store.add(job, GameRecord(job.key, text, OUTCOMES[result], Termination.LINE, "", 0.0, 1.0, decisions))
    return path


def frames(path):
    """Return the tables of a stored run."""
    return Frames.read(path)


def pairs_of(*ends, one=0, two=1, start=0):
    """Return games of two agents, an opening for each of the ends such as "1=": of `one` as first, then as second."""
    other = {"1": "0", "=": "=", "0": "1"}
    return [
        game
        for opening, (as_first, as_second) in enumerate(ends, start=start)
        for game in ((one, two, opening, as_first), (two, one, opening, other[as_second]))
    ]
