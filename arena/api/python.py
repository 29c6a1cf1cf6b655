"""The jobs as Python users call them: keywords and values are checked, and rows come as DataFrames."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec

from agents.board import Board, Rules
from agents.errors import InputError
from arena.api import measures, positions, strength, tournaments, truth, tuning
from arena.api.progress import Measured
from arena.api.result import Result, load, opened, plot
from arena.api.settings import checked

if TYPE_CHECKING:
    import pandas as pd

    from arena.measure.tuning.tuning import Outcome
    from arena.statistics.pairing import Pairing

__all__ = [
    "Result", "Verified", "audit", "bench", "compare", "depths", "diff", "elo", "evaluate", "grade", "label", "load",
    "merge", "move", "order", "perft", "plot", "rate", "run", "solve", "sprt", "tune", "verify",
]  # fmt: skip

P = ParamSpec("P")


def tabled(job: Callable[P, Measured[Any]]) -> Callable[P, pd.DataFrame]:
    """Return a job that returns its rows as a table, with the same keywords, which are checked."""

    @functools.wraps(job)
    def call(*given: P.args, **keywords: P.kwargs) -> pd.DataFrame:
        return job(*given, **keywords).frame()

    call.__signature__ = inspect.signature(job).replace(return_annotation="pd.DataFrame")  # type: ignore[attr-defined]
    return checked(call)


bench = tabled(measures.bench)
depths = tabled(measures.depths)
diff = tabled(strength.diff)
evaluate = tabled(positions.evaluate)
grade = tabled(truth.grade)
label = tabled(truth.label)
order = tabled(positions.order)
solve = tabled(truth.solve)

compare = checked(tournaments.compare)
move = checked(positions.move)
run = checked(tournaments.run)
sprt = checked(strength.sprt)


@checked
def perft(
    depth: int, position: Board | str = "", *, divide: bool = False, rules: Rules | str = "7x6x4"
) -> dict[str, int] | pd.DataFrame:
    """Count the game tree to a depth in plies; `arena perft` from Python. Raises InputError.

    Returns `sequences`, those of exactly so many moves, and `nodes`, of the whole tree with its root. divide: a
    DataFrame instead, a row for each first move; its columns are the fields of `arena.measure.position.Divided`.
    """
    found = positions.perft(depth, position, divide=divide, rules=rules)
    return found.moves.frame() if divide else {"sequences": found.sequences, "nodes": found.nodes}


class Verified(NamedTuple):
    """What the exact searches visited, and where they disagreed."""

    searches: pd.DataFrame
    """Columns: the fields of `arena.measure.verify.Effort`."""
    disagreements: pd.DataFrame
    """Columns: the fields of `arena.measure.verify.Disagreement`; no row where every search agrees."""


@checked
def verify(
    *,
    positions: int = 40,
    depth: int = 6,
    seed: int = 1,
    heuristics: Sequence[str] = (),
    orderings: Sequence[str] = (),
    rules: Rules | str = "7x6x4",
) -> Verified:
    """Let every exact search meet plain minimax, and return where any two disagree; `arena verify` from Python.

    positions: how many, drawn by the seed from random play. depth: plies. heuristics, orderings: only these. Returns a
    named pair of tables: `searches`, whose columns are the fields of `arena.measure.verify.Effort`, and
    `disagreements`, those of `arena.measure.verify.Disagreement`, without a row where all agree. Raises InputError.
    """
    done = measures.verify(
        positions=positions, depth=depth, seed=seed, heuristics=heuristics, orderings=orderings, rules=rules
    )
    return Verified(done.searches.frame(), done.disagreements.frame())


@checked
def audit(run: Result | str | Path, *, strong: bool = False, workers: int = 1, progress: bool = False) -> pd.DataFrame:
    """Hold every move of a stored run against perfect play, and return a row for each agent; `arena audit` from Python.

    What is found is stored with the run; what is stored already is not solved again. strong: also by distance. workers:
    threads. progress: show a bar. The columns of the table are the fields of `arena.analysis.audit.AgentAudit`.
    Raises InputError.
    """
    return opened(run).audit(strong=strong, workers=workers, progress=progress)


@checked
def tune(
    heuristic: str,
    *,
    by: str = "moves",
    search: str = "alphabeta:order=centre",
    depth: int = 4,
    positions: int | str | Path = 4000,
    evaluations: int = 300,
    optimiser: str | None = None,
    confirm: Sequence[int] | int | None = None,
    sprt: str = "elo0=0,elo1=15",
    openings: str = "plies:6",
    rounds: int = 2000,
    seed: int = 1,
    workers: int = 1,
    out: str | Path | None = None,
    rules: Rules | str = "7x6x4",
) -> Outcome:
    """Search the weights of a heuristic for better ones, and test these; `arena tune` from Python. Raises InputError.

    heuristic: with its weights, such as "windows(1,10,100,1000)". by: moves, score or games. positions: how many
    questions, or a file that `label` writes; a half of them each to train and to hold out. evaluations: heuristics to
    try. confirm: depths of the games that follow, by default that of the search. out: keep there what was tried and
    the verdict, and beside it the games as stored runs; a file that holds the same tuning is continued.
    """
    tuning_ = tuning.new_tuning(
        heuristic, by=by, search=search, depth=depth, positions=positions, evaluations=evaluations,
        optimiser=optimiser, sprt=sprt, openings=openings, seed=seed, out=out, rules=rules, again=True,
    )  # fmt: skip
    found = tuning.tune(tuning_, confirm, sprt=sprt, rounds=rounds, workers=workers)
    if found.interrupted:
        raise KeyboardInterrupt
    return found.outcome


@checked
def rate(run: Result | str | Path, *, anchor: tuple[str, float] | None = None, nash: bool = False) -> pd.DataFrame:
    """Return the ratings of a pool, the best first; `arena rate` from Python. Raises InputError.

    run: a run, its file, or a CSV file with the columns a, b, wins, draws, losses. anchor: an agent and the rating that
    it has; else the mean is 0. The columns of the table are the fields of `arena.statistics.ratings.Rating`. nash: also
    the Nash average, whose columns are those of `arena.analysis.pool.Averaged`; the table's `attrs` have the cyclic
    share as `cyclic`, with its p-value `cyclic_p` and what chance alone leaves on average as `cyclic_by_chance`; and as
    `cycle` three agents of which each scores over the next and the last over the first, None where chance may have made
    it, with its p-value `cycle_p`. Where results are exact the p-values are None.
    """
    from arena.api.runs import run_file

    if not isinstance(run, Result | str | Path):
        raise InputError(f"run is a run, its file or a CSV file, not {run!r:.80}")
    found = strength.rate(run.frames if isinstance(run, Result) else run_file(run), anchor, nash=nash)
    table, cycles = found.frame(), found.cycles
    if cycles is not None:
        table.attrs |= {"cyclic": cycles.share, "cyclic_p": cycles.p, "cyclic_by_chance": cycles.expected}
        table.attrs |= {"cycle": cycles.shown, "cycle_p": cycles.worst_p}
    return table


@checked
def elo(
    counts: Sequence[int] | Result | str | Path, *, population: int | None = None, margin: float = 30.0
) -> Pairing | pd.DataFrame:
    """Return a pairing's statistics from engine one's view, or those of all pairings of a run; `arena elo` from Python.

    counts: 3 of games or 5 of pairs, worst first; or a run or its file, for a table whose columns are the fields of
    `arena.analysis.pairings.Duel`. population: how many openings there were to draw from, for two deterministic agents.
    margin: two are level where they are shown to differ by less, in Elo. Of counts, the fields of the answer are those
    of `arena.statistics.pairing.Pairing`, among them elo, low and high, los_score and basis. Raises InputError.
    """
    found = strength.elo(counts, population=population, margin=margin)
    return found.frame() if isinstance(found, Measured) else found


@checked
def merge(runs: Sequence[Result | str | Path], out: str | Path) -> Result:
    """Write the games of several stored runs into a new file, and return it; `arena merge` from Python.

    runs: of the same board, openings, seed and limits; agents are the same where their names and the digests of their
    files are. A game that several hold counts once, as the first of them has it. Raises InputError, and leaves no file,
    where they do not belong together.
    """
    tournaments.merge(runs, out)
    return load(out)
