"""The benchmark: agents play a frozen set, each for one row, and stored rows are played again."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from agents.agent import Agent, Limits
from agents.errors import InputError
from arena.api.progress import Progress, Warn, Watch, bar, warn_caller
from arena.api.settings import Apart
from arena.api.tournaments import play, resumed

if TYPE_CHECKING:
    import pandas as pd

    from arena.api.progress import Workers
    from arena.measure.benchmark import BenchmarkSet, Submitted
    from arena.play.entries import Entry
    from arena.play.isolation import Isolation


def benchmark(
    agents: Sequence[str],
    *,
    own: bool = False,
    timed: bool = True,
    quick: bool = False,
    only: str | None = None,
    version: str | None = None,
    games: Path | None = None,
    workers: Workers = 1,
    isolation: Apart | None = None,
    progress: Progress = False,
    warn: Warn = warn_caller,
) -> Iterator[Submitted]:
    """Let agents play a frozen set, and yield a row for each; `arena benchmark` from Python. Raises InputError.

    agents: specs, folders, rosters. own: they play once, as their specs say, and not within the set's budgets.
    timed: also within the budget of time, with games that depend on the machine. quick: only within the first budget.
    only: of several agents, only the one of this name. version: the set, by default the latest. games: a folder
    that keeps the games, so that an interrupted benchmark goes on there. workers: processes. isolation: how agents
    live, as in `run`; within a budget each has a process of its own.
    """
    from arena.measure.benchmark import LATEST, OWN, TIMED, BenchmarkSet
    from arena.play.entries import Entry, invited

    if not own and isolation and isolation.get("nobody"):
        raise InputError("--in-process holds no agent to a budget: leave it out, or play as the specs say with --own")
    board = BenchmarkSet.of_name(version or LATEST)
    names, entries, broken, remarks = invited(agents)
    for line in [*(f"left out: {each}" for each in broken), *remarks]:
        warn(line)
    if only is not None and len(names) != 1:
        if only not in names:
            raise InputError(f"{', '.join(agents)} holds no agent {only!r}: it has {', '.join(names) or 'none'}")
        names, entries = (only,), (entries[names.index(only)],)
    budgets = {OWN: Limits()} if own else {key: each for key, each in board.budgets.items() if timed or key != TIMED}
    budgets = dict([*budgets.items()][: 1 if quick else None])
    with _folder(games) as folder:
        for name, entry in zip(names, entries, strict=True):
            task = _Task(board, name, entry or Entry(name, name, str(Path.cwd())), isolation or {}, progress, warn)
            yield task.row(budgets, folder, workers, quick=quick)


def verify(
    path: Path,
    *,
    agent: str | None = None,
    sample: bool = False,
    workers: Workers = 1,
    isolation: Apart | None = None,
    progress: Progress = False,
    warn: Warn = warn_caller,
) -> tuple[Submitted, Submitted, list[str]]:
    """Play a stored row again; return it, the new one, and a line for each thing but times that differs.

    agent: its spec, or a folder or roster that holds it, where the row's own spec finds no file here. sample: play only
    within the first budget, and compare only the digests of its games and answers. isolation: see `run`. Raises
    InputError.
    """
    from arena.measure.benchmark import OWN, TIMED, Submitted, differences

    stored = Submitted.read(path)
    [again] = benchmark(
        [agent or stored.row.agent], own=stored.row.budget == OWN, timed=TIMED in stored.digests, quick=sample,
        only=stored.row.agent, version=stored.row.version, workers=workers, isolation=isolation, progress=progress,
        warn=warn,
    )  # fmt: skip
    return stored, again, differences(stored, again, sample=sample)


def stored(path: Path) -> Submitted:
    """Return a stored row. Raises InputError."""
    from arena.measure.benchmark import Submitted

    return Submitted.read(path)


def file_name(agent: str) -> str:
    """Return the name, without a suffix, of the file that holds an agent's row."""
    return re.sub(r"[^A-Za-z0-9.]+", "-", agent).strip("-.")[:80]


@contextmanager
def _folder(games: Path | None) -> Iterator[Path]:
    """Yield the folder for games: the one given, or one that is gone afterwards."""
    if games is None:
        with TemporaryDirectory() as folder:
            yield Path(folder)
    else:
        games.mkdir(parents=True, exist_ok=True)
        yield games


@dataclass(frozen=True, slots=True)
class _Task:
    """One agent on a set."""

    board: BenchmarkSet
    name: str
    entry: Entry
    apart: Mapping[str, Any]
    progress: Progress
    warn: Warn

    def row(self, budgets: Mapping[str, Limits], folder: Path, workers: Workers, *, quick: bool) -> Submitted:
        """Play, and return the row."""
        from arena.measure import benchmark as measure
        from arena.store.sources import digest

        watch, board = Watch(self.board.seed), self.board
        games: dict[str, pd.DataFrame] = {}
        columns: dict[str, list[int]] = {}
        for budget, limits in budgets.items():
            lives = self._lives(limits)
            games[budget] = self._games(lives, folder / f"{file_name(self.name)}-{budget}.sqlite", workers)
            with self._agent(lives) as (agent, spec), bar(self.progress, "move", len(board.exercises)) as shown:
                columns[budget] = measure.answers(agent, board.exercises, board.seed, shown.update)
        with self._agent(self._lives(Limits())) as (agent, spec):
            nodes = None if quick else measure.nodes_to_depth(agent, board.openings, board.depth, board.seed)
        headline = board.headline if board.headline in budgets else next(iter(budgets))
        elo = {budget: board.rating(rows, self.name) for budget, rows in games.items()}
        row = measure.Benchmarked(
            agent=self.name,
            version=board.name,
            budget=headline,
            elo=elo[headline],
            marked=None in (elo[headline].low, elo[headline].high),
            **measure.shares_kept(board.exercises, columns[headline]),
            nodes=nodes,
            games=sum(map(len, games.values())),
            faults=sum(measure.faults(rows, self.name) for rows in games.values()),
            **{f"elo_{budget}": found for budget, found in elo.items() if budget != measure.OWN},
        )
        digests = {budget: measure.digest_of_games(rows, self.name) for budget, rows in games.items()}
        digests |= {
            f"answers {budget}": measure.digest_of(map(str, found))
            for budget, found in columns.items()
            if budget != measure.TIMED
        }
        if files := digest(spec):
            digests["files"] = files
        return measure.Submitted(row, digests, watch.end()[0])

    def _lives(self, budget: Limits) -> Isolation:
        """Return how the agent lives within a budget."""
        from arena.measure.benchmark import within
        from arena.play.isolation import Isolation

        return Isolation(folder=str(Path.cwd()), entries=(within(self.entry, budget),), **self.apart)

    def _games(self, lives: Isolation, path: Path, workers: Workers) -> pd.DataFrame:
        """Play the games that are missing in a file, and return all."""
        from arena.analysis.frames import Frames
        from arena.play.run import Run

        processes = workers if isinstance(workers, int) else 1
        plan = self.board.plan(self.name, lives)
        run = resumed(path, warn=self.warn) if path.exists() else Run.begin(plan, path, jobs=processes)
        if not play(run, workers, progress=self.progress, warn=self.warn):
            raise KeyboardInterrupt
        return Frames.read(path, whole=True).games

    @contextmanager
    def _agent(self, lives: Isolation) -> Iterator[tuple[Agent, Any]]:
        """Yield the agent, in a process of its own where it has one, and its spec."""
        from agents.agent import prepare
        from agents.board import STANDARD
        from agents.remote.agent import RemoteAgent
        from arena.play.entrants import attended
        from arena.play.isolation import kept_apart

        spec = lives.spec(0, self.name)
        sources = [lives.source(0, spec)]
        limits = lives.process_limits(0.1)
        [source] = kept_apart(sources) if limits.sandbox else sources
        agent: Agent = spec.build() if source is None else RemoteAgent(source, limits)
        with attended([agent]):
            prepare(agent, STANDARD, self.name)
            yield agent, replace(spec, text=self.name)
