"""Runs on a small board, and their audits."""

from hand_made import decision, frames, stored
from played import rows

from agents.board import Outcome, Rules
from arena.perfect import kept as view
from arena.perfect.judge import audit, missing
from arena.records import Termination
from arena.store.run_file import Store

SMALL = Rules(4, 4)
AGENTS = ("perfect:table-size=1", "random", "greedy")


def audit_all(path, *, threads=1, progress=lambda: None):
    """Audit what of a run on the small board is not audited yet."""
    with Store.resume(path) as store:
        audit(store, missing(store), threads, progress)


def audit_rows(path):
    """Return all that is stored of an audit."""
    return rows(path, "SELECT * FROM audit ORDER BY game, ply")


def by_agent(path):
    """Return what an audit says of each agent, by its name."""
    return {row.agent: row for row in view.agents(frames(path))}


def stored_small(path, games, agents=("random", "greedy"), opening="11", *, fault=False):
    """Store games of a small board, by turns from either side, which the first agent wins or the first player loses."""
    end = (Outcome.SECOND_WINS, Termination.ILLEGAL)
    records = [
        (number % 2, 1 - number % 2, number, moves, *(end if fault else (Outcome(number % 2), Termination.LINE)),
         tuple(decision(ply, 0, 0, 0.1, column=int(moves[ply]) - 1) for ply in range(2, len(moves))))
        for number, moves in enumerate(games)
    ]  # fmt: skip
    rules = {"columns": 4, "rows": 4, "connect": 4}
    return stored(path, agents, records, openings=[opening] * len(games), rules=rules)
