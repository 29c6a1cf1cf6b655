"""Stored runs: which there are, what one holds, its games and faults, and what makes it fail."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from agents.errors import InputError
from arena.store import damage as damages
from arena.store import folder as folders
from arena.store import live
from arena.store.connection import FOLDER
from arena.store.queries import latest_games
from arena.store.run_file import Store

if TYPE_CHECKING:
    from arena.analysis.comparison import Comparison
    from arena.analysis.faults import FaultReport
    from arena.analysis.frames import Frames
    from arena.analysis.games import Filtered, Replay
    from arena.analysis.pool import Anchor
    from arena.report.column import Part, Table

P = ParamSpec("P")
R = TypeVar("R")


run_file = folders.run_file
stored = folders.stored
damage = damages.found


def runs(folder: Path | None = None) -> tuple[list[folders.StoredRun], list[str]]:
    """Return the runs in a folder, newest first, and why other such files were left out.

    folder: by default the current one and `results`. Raises InputError where there is no such folder.
    """
    found, errors = stored(folder)
    if folder is None and not (found or errors or FOLDER.is_dir()):
        raise InputError(f"nothing is stored yet: arena run makes the folder {FOLDER}")
    return found, errors


def frames(path: Path, table: str = "") -> Frames:
    """Return what a stored run holds. Raises InputError.

    Of a large run it is a sample, unless `table` names a table of what is stored, which needs all of it.
    """
    from arena.analysis.frames import Frames

    if not table:
        return Frames.read(path)
    from arena.analysis.stored import STORED

    return Frames.read(path, whole=table in STORED)


def stored_table(found: Frames, name: str) -> Table | None:
    """Return a table of what is stored, such as `games`; None where the name is that of another table."""
    from arena.analysis.stored import STORED
    from arena.report.export import stored

    return stored(found, name) if name in STORED else None


def tables(found: Frames) -> list[Part]:
    """Return what a stored run says first, with what it cost: a comparison its answer, any other run its standings."""
    from arena.report.tables.run import whole

    return whole(found)


def comparison(found: Frames, anchor: Anchor | None = None, margin: float = 30.0) -> Comparison:
    """Return the ratings and pairings of a run that compares heuristics. Raises InputError where it compares none.

    margin: two heuristics are level where they are shown to differ by less, in Elo.
    """
    from arena.analysis.comparison import comparison

    if not found.plan.get("comparison"):
        raise InputError(f"{found.path} compares no heuristics; it has standings and pairings of agents")
    return comparison(found, anchor, margin)


@contextmanager
def games(
    path: Path,
    *,
    agent: str | None = None,
    opponent: str | None = None,
    result: str | None = None,
    faults: bool = False,
    blunders: bool = False,
    opening: str | None = None,
    superseded: bool = False,
    limit: int | None = None,
) -> Iterator[tuple[Filtered, list[str]]]:
    """Open a stored run for its games that are wanted, and yield these with the names of the run's agents.

    agent, opponent: by name, or as the run's tables call them. result: "win", "draw" or "loss", of the agent or else of
    the first player. faults: only games that a fault ended; with an agent, one of its own. blunders: only games in
    which value was lost; with an agent, by this one. opening: its moves. superseded: the games that no longer count.
    limit: so many at most. Raises InputError.
    """
    from arena.analysis.games import Filter, Result, filtered
    from arena.report.labels import Labels

    with Store.read(path) as store, store.snapshot():
        names = store.names()
        known: dict[str | None, str] = {shown: name for name, shown in Labels.among(names).texts.items()}
        players = known.get(agent, agent), known.get(opponent, opponent)
        ended = None if result is None else Result(result)
        yield filtered(store, Filter(*players, ended, faults, blunders, opening, superseded), limit), names


def final(path: Path, most: int) -> list[int]:
    """Return the numbers of the last games that a run's two best agents played with each other, at most so many.

    They are the run's last games where these two have not met. Raises InputError.
    """
    from arena.analysis.standings import standings

    best = [row.agent for row in standings(frames(path))[:2]]
    found: list[int] = []
    if len(best) == 2:
        with games(path, agent=best[0], opponent=best[1]) as (met, _):
            found = [game.game for game in met]
    return found[-most:] or [game["game"] for game in reversed(state(path, most)["games"])]


def replay(path: Path, game: int | str) -> Replay:
    """Return a stored game move by move, by its number or its key, such as 0-1-3. Raises InputError."""
    from arena.analysis.games import replay

    with Store.read(path) as store:
        return replay(store, game)


def faults(path: Path) -> list[FaultReport]:
    """Return the faults of a stored run, alike ones together, with what helps to repeat each. Raises InputError."""
    from arena.analysis.faults import fault_reports

    with Store.read(path) as store:
        return fault_reports(store)


def failures(found: Frames, decisions: Sequence[str] = (), *, on_faults: bool = False) -> list[str]:
    """Return a line for each reason to reject a run. Raises InputError where it has no test that could decide.

    decisions: ends of its sequential test that are failures, of "H0", "H1" and "undecided". on_faults: whether a game
    that an agent lost by its own fault is one.
    """
    from arena.analysis.faults import faulty
    from arena.analysis.pairings import evidence

    lines = []
    if decisions:
        if found.plan.get("sprt") is None:
            raise InputError("--fail-if asks what a sequential test says; --sprt elo0=0,elo1=30 makes one")
        looks = evidence(found)
        decision = looks[-1].decision if looks else "continue"
        decision = "undecided" if decision == "continue" else decision
        lines += [f"the sequential test says {decision}"] if decision in decisions else []
    for each in faulty(found) if on_faults else ():
        often = f"all {each.games}" if each.faults == each.games else f"{each.faults} of {each.games}"
        lines.append(f"{each.agent} lost {often} games by its own fault: {each.first}")
    return lines


def state(path: Path, last: int) -> dict[str, Any]:
    """Return how far a run is, its `last` games and those in hand; quick, however many there are. Raises InputError.

    Keys: agents, played, planned, done, rules, games and playing, which is None where nobody plays.
    """
    with Store.read(path) as store, store.snapshot():
        played, planned = store.count_games(), store.planned()
        done = played >= planned or store.is_decided()
        found = {
            "agents": store.names(), "played": played, "planned": planned, "done": done,
            "rules": asdict(store.rules()), "games": latest_games(store, last),
        }  # fmt: skip
    playing = None if done else live.read(path)
    return found | {"playing": None if playing is None else [asdict(game) for game in playing]}


def naming_damage(job: Callable[Concatenate[Path, P], R]) -> Callable[Concatenate[Path, P], R]:
    """Return a job on a run's file that raises InputError where it fails because the file is damaged."""

    @functools.wraps(job)
    def call(path: Path, /, *words: P.args, **named: P.kwargs) -> R:
        try:
            return job(path, *words, **named)
        except InputError:
            raise
        except Exception as error:
            if line := damages.find(path):
                raise InputError(line) from error
            raise

    return call
