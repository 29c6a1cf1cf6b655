"""Tunes the weights of heuristics, and tests the result in games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.board import Rules
from agents.errors import InputError
from arena.api.progress import Progress, Watch, bar, cores
from arena.api.settings import depths_of, rules_of, whole

if TYPE_CHECKING:
    from arena.measure.tuning.goals import Task
    from arena.measure.tuning.tuning import Tuning, TuningResult


@dataclass(frozen=True, slots=True)
class Tuned:
    """The result of a tuning."""

    outcome: TuningResult
    tried: int
    """Heuristics tried."""
    asked: int
    """Heuristics to try."""
    file: Path | None
    """The file that stores the tuning, if any."""
    interrupted: bool


def tune(
    heuristic: str = "",
    *,
    start: str | None = None,
    by: str = "moves",
    search: str = "alphabeta:order=centre",
    depth: int = 4,
    positions: int | str | Path = 4000,
    evaluations: int | None = None,
    optimiser: str | None = None,
    confirm: Sequence[int] | int | None = None,
    sprt: str = "elo0=0,elo1=15",
    openings: str = "plies:6",
    rounds: int = 2000,
    seed: int = 1,
    workers: int | None = 1,
    out: str | Path | None = None,
    resume: str | Path | None = None,
    fresh: bool = False,
    rules: Rules | str = "7x6x4",
    command: str = "",
    progress: Progress = False,
) -> Tuned:
    """Search the weights of a heuristic for better ones, and test these; `arena tune` from Python. Raises InputError.

    heuristic: a name with weights, such as "windows(1,10,100,1000)", or a name, with the weights in `start`. by: moves,
    score or games. search, depth: what uses the heuristic, and its plies. positions: a number of positions, or a file
    of them; one half trains, the other is held out. evaluations: heuristics to try (300). optimiser: "cmaes" (if it is
    installed) or "scipy". seed: of all random choices. workers: threads that solve, and processes that play.
    rules: the board. confirm: depths of the games that follow, by default that of the search. sprt, openings, rounds:
    the test of these games, and the most openings; 0 for no games. out: a file for the tuning and its verdict, with the
    games beside it as stored runs; a file with the same tuning is continued, or refused with `fresh`. resume: a tuning
    to continue with its own settings. command: the command line, to be stored. Ctrl-C keeps the results so far.
    """
    from arena.measure.tuning.confirmation import confirm as play_games
    from arena.measure.tuning.goals import Task
    from arena.measure.tuning.tuning import held, outcome
    from arena.statistics.sprt import Sprt

    whole("rounds", rounds, 0)
    Sprt.parse(sprt)
    depths, processes = None if confirm is None else depths_of(confirm), cores(workers)
    settings: dict[str, Any] = {
        "by": by, "search": search, "depth": whole("depth", depth, 1, 64), "seed": seed, "openings": openings,
        "positions": positions if isinstance(positions, int) else str(positions), "rules": rules_of(rules),
        **({"optimiser": optimiser} if optimiser else {}),
    }  # fmt: skip
    if resume is None:
        whole("evaluations", evaluations or 300, 2)
        settings |= {"heuristic": _started(heuristic, start), "evaluations": evaluations or 300}
        tuning = _begun(Task(**settings), out, fresh=fresh)
    else:
        tuning = _stored(Path(resume), evaluations)
    task, state, interrupted = tuning.task, tuning.state, False
    watch = Watch(task.seed, command or None)
    with bar(progress, "position", desc="solving") as shown:
        train, held_out = task.sets(processes, shown.update)
    with bar(progress, "try", task.evaluations, initial=len(state.values)) as shown:

        def tried(best: float) -> None:
            shown.set_postfix_str(f"best {best:.4f}", refresh=False)
            shown.update()

        try:
            tuning.search(train, tried)
        except KeyboardInterrupt:
            interrupted = True
    best = tuning.best()
    sets, matches = (held(tuning, train, best), held(tuning, held_out, best)), []
    if not interrupted and best != tuning.family.start and rounds:
        with bar(progress, "game") as shown:
            try:
                for each in depths or [task.depth]:
                    shown.set_description(f"confirming at depth {each}")
                    sides = tuning.family.text(best), tuning.start
                    match = play_games(
                        task, *sides, each, sprt, rounds, processes, shown.update, tuning=state.path, command=command
                    )
                    matches.append(match)
            except KeyboardInterrupt:
                interrupted = True
    found = outcome(tuning, *sets, matches, watch.end()[0])
    if not interrupted:
        state.conclude(found.document())
    return Tuned(found, len(state.values), task.evaluations, state.path, interrupted)


def _started(heuristic: str, start: str | None) -> str:
    """Return a heuristic with its weights at the start. Raises InputError."""
    if not heuristic:
        raise InputError("which heuristic? arena tune 'windows(1,10,100,1000)', or --resume FILE")
    if start is not None and "(" in heuristic:
        raise InputError(f"--start needs a heuristic's name alone: {heuristic} has its weights already")
    return heuristic if start is None else f"{heuristic}({start})"


def _begun(task: Task, out: str | Path | None, *, fresh: bool) -> Tuning:
    """Return a tuning, stored in `out` if given; an invalid setting leaves no file. Raises InputError."""
    from arena.measure.tuning.tuning import State, Tuning

    tuning = Tuning(task, State.begin(None, task.document()))
    if out is not None:
        tuning.state = (State.begin if fresh else State.of)(Path(out), task.document())
    return tuning


def _stored(path: Path, evaluations: int | None) -> Tuning:
    """Return the tuning in a file, with another number of heuristics to try if given. Raises InputError."""
    from arena.measure.tuning.goals import Task
    from arena.measure.tuning.tuning import State, Tuning

    state = State.resume(path)
    task = Task.from_document(state.settings)
    return Tuning(task if evaluations is None else replace(task, evaluations=evaluations), state)
