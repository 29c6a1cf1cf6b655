"""The jobs as Python users call them: keywords and values are checked, and rows come as DataFrames."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec

from agents.board import Board, Rules
from arena.api import measures, positions, result, strength, tournaments, truth, tuning
from arena.api import study as studies
from arena.api.progress import Measured
from arena.api.result import Result, load, opened, plot
from arena.api.settings import checked

if TYPE_CHECKING:
    import pandas as pd

    from arena.api.tuning import Tuned
    from arena.measure.tuning.tuning import Outcome
    from arena.statistics.pairing import Pairing

__all__ = [
    "Result", "audit", "bench", "cite", "compare", "depths", "diff", "elo", "evaluate", "grade", "label", "load",
    "merge", "move", "order", "perft", "plot", "rate", "run", "solve", "sprt", "study", "tune", "verify",
]  # fmt: skip

P = ParamSpec("P")


def _outcome(job: Callable[P, Tuned]) -> Callable[P, Outcome]:
    """Return a job that returns what the tuning came to. Raises KeyboardInterrupt where Ctrl-C ended it."""

    @functools.wraps(job)
    def call(*given: P.args, **keywords: P.kwargs) -> Outcome:
        found = job(*given, **keywords)
        if found.interrupted:
            raise KeyboardInterrupt
        return found.outcome

    return checked(call)


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
rate = tabled(strength.rate)
solve = tabled(truth.solve)

cite = checked(result.cite)
compare = checked(tournaments.compare)
move = checked(positions.move)
run = checked(tournaments.run)
sprt = checked(strength.sprt)
verify = checked(measures.verify)
tune = _outcome(tuning.tune)


class study:  # noqa: N801  called as a module is
    """An experiment in one file: `new`, `check`, `play` and `verify`; `arena study` from Python."""

    new = staticmethod(checked(studies.new))
    check = staticmethod(checked(studies.check))
    play = staticmethod(checked(studies.play))
    verify = staticmethod(checked(studies.verify))


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


@checked
def audit(run: Result | str | Path, *, strong: bool = False, workers: int = 1, progress: bool = False) -> pd.DataFrame:
    """Hold every move of a stored run against perfect play, and return a row for each agent; `arena audit` from Python.

    What is found is stored with the run; what is stored already is not solved again. strong: also by distance. workers:
    threads. progress: show a bar. The columns of the table are the fields of `arena.analysis.audit.AgentAudit`.
    Raises InputError.
    """
    return opened(run).audit(strong=strong, workers=workers, progress=progress)


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
