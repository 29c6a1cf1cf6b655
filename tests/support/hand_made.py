"""Stored runs of games that nobody played, so that a test can count by hand.

Their games are impossible, so that a file with the table `by_hand` is read without playing them again.
"""

from changed import connect, update

from agents.agent import Iteration
from agents.board import Outcome
from agents.specs.registry import parse
from arena.records import GameRecord, Job, MoveRecord, Termination
from arena.store import validation
from arena.store.run_file import NewAgent, Store
from arena.store.schema import AUDIT
from arena.tournament.frames import Frames

FIRST, SECOND, DRAW = Outcome.FIRST_WINS, Outcome.SECOND_WINS, Outcome.DRAW
OUTCOMES = {"1": FIRST, "=": DRAW, "0": SECOND}
PLAN = {"population": 25, "seconds": None, "rules": {"columns": 7, "rows": 6, "connect": 4}}

_GAMES = validation.games_to_play_again
validation.games_to_play_again = lambda store, where: () if store.has("by_hand") else _GAMES(store, where)


def mark(store):
    """Let a file be read without playing its games again."""
    update(store, "CREATE TABLE by_hand (id INTEGER)")


def stored(path, agents, games, *, openings=("44", "12"), planned=None, **plan):
    """Store games as (first, second, opening, moves, outcome, termination, decisions) and return the path.

    Agents and openings are places from 0; an opening is its moves, or its moves and its value.
    """
    names = [agent if agent not in agents[:place] else f"{agent}#2" for place, agent in enumerate(agents)]
    described = [NewAgent(name, parse(spec)) for name, spec in zip(names, agents, strict=True)]
    valued = [(opening, None) if isinstance(opening, str) else opening for opening in openings]
    document = PLAN | {"agents": list(agents)} | plan
    with Store.create(path, document, 1, len(games) if planned is None else planned, described, valued) as store:
        mark(store)
        for first, second, opening, text, outcome, termination, decisions in games:
            job = Job(first, second, opening)
            detail = "it is wrong" if termination.is_fault else ""
            store.add(GameRecord(job, text, outcome, termination, detail, 0.0, 1.0, decisions))
    return path


def decision(ply, depth, nodes, seconds, *iterations, column=0):
    """Return what an agent did at a ply, with its completed depths as (depth, nodes, seconds)."""
    steps = tuple(Iteration(*each, 0, 0) for each in iterations)
    return MoveRecord(ply, column, seconds, 0, depth, nodes, (0,), steps)


def decisions(*each):
    """Return decisions of (ply, depth, nodes, seconds)."""
    return tuple(decision(*one) for one in each)


AGENTS = ("minimax:depth=2", "alphabeta:depth=2,order=centre", "random")
GAMES = [
    (0, 1, 0, "441", FIRST, Termination.LINE, decisions((2, 2, 57, 0.010), (3, 2, 21, 0.002))),
    (1, 0, 0, "442", DRAW, Termination.FULL, decisions((2, 2, 31, 0.004))),
    (0, 2, 0, "443", FIRST, Termination.ILLEGAL, decisions((2, 2, 57, 0.030))),
    (2, 0, 0, "443", SECOND, Termination.LINE, decisions((2, 0, 1, 0.001))),
    (1, 2, 0, "445", SECOND, Termination.EXCEPTION, ()),
    (2, 1, 0, "446", FIRST, Termination.LINE,
     (decision(2, 0, 1, 0.003), decision(3, 2, 50, 0.006, (1, 8, 0.001), (2, 50, 0.005)))),
]  # fmt: skip
"""Half of a run of AGENTS, with two faults."""


def run_of(path, agents, games, *, openings=("11", "12", "13", "14"), taking=lambda nodes: nodes / 1000, **plan):
    """Store games as (first, second, opening, result for the first, moves, nodes a move) and return the path.

    Agents and openings are places from 0. Without moves each game has its own; the nodes, if any, are a number for each
    move from the opening on, and `taking` says how many seconds they took.
    """
    records = []
    for number, (first, second, opening, result, *rest) in enumerate(games):
        moves, nodes = (*rest, *("", ())[len(rest) :])
        text, start = moves or f"{openings[opening]}{number + 10}", len(openings[opening])
        made = (
            decision(ply, 1, count, taking(count), column=int(text[ply]) - 1) for ply, count in enumerate(nodes, start)
        )
        records.append((first, second, opening, text, OUTCOMES[result], Termination.LINE, tuple(made)))
    return stored(path, agents, records, openings=openings, **plan)


def audit_of(path, rows):
    """Store an audit as (game, ply, value, after, legal, keeping, keepers) and return the path.

    Games count from 1; the keepers may be left out.
    """
    connection = connect(path)
    with connection:
        connection.execute(AUDIT)
        whole = [(*row, *(None,) * (7 - len(row))) for row in rows]
        connection.executemany("INSERT INTO audit VALUES (?, ?, ?, ?, ?, ?, ?)", whole)
    connection.close()
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
