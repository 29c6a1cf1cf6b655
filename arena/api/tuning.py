"""Weights of heuristics fitted to the truth, and the games that test them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from agents.board import Rules
from agents.errors import InputError
from arena.api.progress import Progress, Watch, bar, cores
from arena.api.settings import depths_of, rules_of, whole

if TYPE_CHECKING:
    from arena.measure.tuning.tuning import Outcome, Tuning


@dataclass(frozen=True, slots=True)
class Tuned:
    """What a tuning came to."""

    outcome: Outcome
    tried: int
    """Heuristics."""
    asked: int
    """Heuristics to try."""
    file: Path | None
    """What keeps the tuning, if anything does."""
    interrupted: bool


def new_tuning(
    heuristic: str,
    *,
    by: str = "moves",
    search: str = "alphabeta:order=centre",
    depth: int = 4,
    positions: int | str | Path = 4000,
    evaluations: int = 300,
    optimiser: str | None = None,
    sprt: str = "elo0=0,elo1=15",
    openings: str = "plies:6",
    rounds: int = 2000,
    seed: int = 1,
    out: str | Path | None = None,
    rules: Rules | str = "7x6x4",
    again: bool = False,
) -> Tuning:
    """Return a tuning with the settings of `tune`; a wrong one leaves no file. Raises InputError.

    again: a file that already holds a tuning with the same settings is continued; otherwise an existing one is refused.
    """
    from arena.measure.tuning.goals import Task
    from arena.measure.tuning.tuning import State, Tuning
    from arena.statistics.sprt import Sprt

    whole("depth", depth, 1, 64)
    whole("evaluations", evaluations, 2)
    whole("rounds", rounds, 0)
    if not heuristic:
        raise InputError("which heuristic? arena tune 'windows(1,10,100,1000)', or --resume FILE")
    Sprt.parse(sprt)
    task = Task(
        heuristic=heuristic, by=by, search=search, depth=depth, evaluations=evaluations, openings=openings, seed=seed,
        positions=positions if isinstance(positions, int) else str(positions), rules=rules_of(rules),
        **({"optimiser": optimiser} if optimiser else {}),
    )  # fmt: skip
    tuning = Tuning(task, State.begin(None, task.document()))
    if out is not None:
        tuning.state = (State.of if again else State.begin)(Path(out), task.document())
    return tuning


def stored_tuning(path: Path, evaluations: int | None) -> Tuning:
    """Return the tuning that a file holds, with so many heuristics to try, if given. Raises InputError."""
    from arena.measure.tuning.goals import Task
    from arena.measure.tuning.tuning import State, Tuning

    state = State.resume(path)
    task = Task.from_document(state.settings)
    return Tuning(task if evaluations is None else replace(task, evaluations=evaluations), state)


def tune(
    tuning: Tuning,
    confirm: int | Iterable[int] | None = None,
    *,
    sprt: str = "elo0=0,elo1=15",
    rounds: int = 2000,
    workers: int | None = 1,
    command: str = "",
    progress: Progress = False,
) -> Tuned:
    """Search the weights, and test the best ones against the start; Ctrl-C keeps what was found. Raises InputError.

    confirm: depths of the games that follow, by default that of the search. rounds: openings at most; 0 for no games.
    """
    from arena.measure.tuning.confirmation import confirm as play_games
    from arena.measure.tuning.tuning import held, outcome
    from arena.statistics.sprt import Sprt

    Sprt.parse(sprt)
    depths, processes = None if confirm is None else depths_of(confirm), cores(workers)
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
    best, matches = tuning.best(), []
    sets = held(tuning, train, best), held(tuning, held_out, best)
    if not interrupted and best != tuning.family.start and rounds:
        sides = tuning.family.text(best), tuning.start
        with bar(progress, "game") as shown:
            try:
                for depth in depths or [task.depth]:
                    shown.set_description(f"confirming at depth {depth}")
                    match = play_games(
                        task, *sides, depth, sprt, rounds, processes, shown.update, tuning=state.path, command=command
                    )
                    matches.append(match)
            except KeyboardInterrupt:
                interrupted = True
    found = outcome(tuning, *sets, matches, watch.end()[0])
    if not interrupted:
        state.conclude(asdict(found))
    return Tuned(found, len(state.values), task.evaluations, state.path, interrupted)
