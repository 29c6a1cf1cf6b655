"""Plays a plan to its end or continues it: stores finished games, reports the live status, and respects a budget."""

from __future__ import annotations

import collections
import json
import signal
import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Self

from agents.board import Board, Outcome, moves_text
from agents.errors import InputError
from agents.rules import Rules
from agents.specs.registry import Spec
from arena.games import openings
from arena.games.executor import Executor, LiveGame
from arena.games.extend import Growth, grow
from arena.games.field import Setting
from arena.games.object_agent import ObjectAgent, placed
from arena.games.plan import Plan
from arena.games.progress import cores
from arena.games.referee import CONDITIONS
from arena.games.setup import make_ready, new_agents, setting_of, stored_agents
from arena.games.workers import InProcess, Processes
from arena.records import DOUBLED, GameRecord, Job
from arena.statistics.sprt import Evidence, Sprt
from arena.store import live
from arena.store.extend import delete_games
from arena.store.machine import begin_session, changes, watched
from arena.store.run_file import Store
from arena.store.validation import refuse_damaged

WAIT = 0.025
"""Seconds that a game may wait to be stored with others."""


@dataclass(slots=True)
class Tokens:
    """The tokens that language models have used in the stored games of a session."""

    count: int = 0

    def add(self, extra: str) -> None:
        """Add the usage in a move's `extra` JSON."""
        if '"tokens_in"' in extra:
            used = json.loads(extra)
            self.count += (used.get("tokens_in") or 0) + (used.get("tokens_out") or 0)

    def __str__(self) -> str:
        """Return the text for a progress bar; empty if nothing was used."""
        return f"{self.count:,} tokens" if self.count else ""


@dataclass(slots=True)
class ResultWriter:
    """Stores finished games, several in one transaction; the end of a `with` block stores the rest."""

    store: Store
    names: Sequence[str]
    """The names of the run's agents."""
    progress: Callable[[], object]
    """Called after each stored game."""
    remarks: dict[str, str]
    """By agent, the first remark on dropped parts of its answers."""
    tokens: Tokens = field(default_factory=Tokens)
    clock: Callable[[], float] = time.monotonic
    ended: list[GameRecord] = field(default_factory=list)
    """Finished games that are not stored yet."""
    since: float = 0.0
    """The time at which the first of these was added, by the clock."""

    def add(self, record: GameRecord) -> None:
        """Add a finished game."""
        if not self.ended:
            self.since = self.clock()
        self.ended.append(record)

    def due(self) -> bool:
        """Return whether a game has waited for WAIT."""
        return bool(self.ended) and self.clock() - self.since >= WAIT

    def flush(self) -> None:
        """Store all waiting games in one transaction."""
        records = list(self.ended)
        self.store.add(*records)
        self.ended.clear()
        for record in records:
            for decision in record.decisions:
                self.tokens.add(decision.extra)
                if decision.remark:
                    mover = record.job.second if decision.ply % 2 else record.job.first
                    self.remarks.setdefault(self.names[mover], decision.remark)
            self.tokens.add(record.fault.extra if record.fault else "")
            self.progress()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Store the rest; skip games that were stored just before an interruption."""
        if self.ended:
            played = self.store.played()
            self.ended = [record for record in self.ended if record.job not in played]
            self.flush()


PAUSE = 0.5
"""Seconds between two updates of the live status; shorter runs never write it."""


@contextmanager
def live_status(
    run: Path, names: Sequence[str], rules: Rules, live_games: Callable[[], list[LiveGame]]
) -> Generator[None]:
    """Write the games in progress to a file beside the run's own, again and again, and remove it at the end.

    run: the run's file. names: the agents' names, by their numbers in jobs. live_games: returns the games in progress.
    """
    ended = threading.Event()

    def update() -> None:
        while not ended.wait(PAUSE):
            live.write(run, [playing(game, names, rules) for game in live_games()])

    thread = threading.Thread(target=update, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
        live.end(run)


def playing(game: LiveGame, names: Sequence[str], rules: Rules) -> live.GameInProgress:
    """Return a game for the live status."""
    moves = moves_text(game.moves, rules)
    return live.GameInProgress(names[game.job.first], names[game.job.second], moves, round(game.seconds, 1))


class RunningSprt:
    """The sequential test of a running match of two agents, on pairs of games from the first agent's view.

    Games may end in any order. A pair counts once all pairs before it have ended, so that the decision does not depend
    on the speed of processes.
    """

    def __init__(self, test: Sprt, jobs: Sequence[Job]) -> None:
        """Begin a test; `jobs` are the games in the order of the plan, with the two games of a pair together."""
        self.test = test
        self.left = collections.deque(zip(jobs[::2], jobs[1::2], strict=True))
        """Pairs that are not counted yet."""
        self.counts = [0] * 5
        """Pairs by the points of the first agent."""
        self.counted: set[Job] = set()
        self.decided = False
        """Whether the test has accepted a hypothesis."""

    def update(self, results: Mapping[Job, Outcome]) -> list[tuple[int, Evidence]]:
        """Count finished pairs up to a decision; return, for each, the number of pairs and the evidence after it."""
        looks = []
        while self.left and not self.decided and all(job in results for job in self.left[0]):
            pair = self.left.popleft()
            points = [DOUBLED[results[job]] if job.first == 0 else 2 - DOUBLED[results[job]] for job in pair]
            self.counts[sum(points)] += 1
            self.counted.update(pair)
            evidence = self.test.weigh(self.counts)
            self.decided = evidence.decision != "continue"
            looks.append((sum(self.counts), evidence))
        return looks


class Budget:
    """A time limit for a `with` block. In the main thread it raises KeyboardInterrupt, as Ctrl-C does.

    In other threads it raises nothing; check `spent` there.
    """

    def __init__(self, seconds: float | None = None) -> None:
        self.spent = threading.Event()
        """Set when the time is up."""
        self._timer = None if seconds is None else threading.Timer(seconds, self._ring, (threading.current_thread(),))

    def __enter__(self) -> Self:
        if self._timer is not None:
            self._heard = _hear()
            self._timer.daemon = True
            self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        """Return whether the budget ended the block, which suppresses the KeyboardInterrupt."""
        if self._timer is None:
            return False
        self._timer.cancel()
        with suppress(KeyboardInterrupt):  # it rang while the block ended
            self._timer.join()
        if self._heard is not None:
            signal.signal(signal.SIGINT, self._heard)
        return kind is KeyboardInterrupt and self.spent.is_set()

    def _ring(self, thread: threading.Thread) -> None:
        self.spent.set()
        if thread is threading.main_thread():
            if hasattr(signal, "pthread_kill"):
                signal.pthread_kill(thread.ident or 0, signal.SIGINT)
            else:  # Windows
                signal.raise_signal(signal.SIGINT)


def _hear() -> signal.Handlers | None:
    """Stop ignoring SIGINT, which background jobs of a script do, and return the former handler; else return None."""
    ours = threading.current_thread() is threading.main_thread()
    if ours and signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        return signal.SIG_IGN
    return None


class Run:
    """A plan, its openings and its file; `play` plays the missing games."""

    def __init__(
        self, plan: Plan, setting: Setting, store: Store, *, new: bool, workers: Processes | None = None,
        warning: str = "", deleted: int = 0,
    ) -> None:  # fmt: skip
        self.plan = plan
        self.new = new
        self.store = store
        self.remarks: dict[str, str] = {}
        """By agent, the first remark on dropped parts of its answers."""
        self.tokens = Tokens()
        self.setting = setting
        self.warning = warning
        """A line about relevant differences from the session before, or empty."""
        self.deleted = deleted
        """The number of stored games that were deleted to be played again."""
        self.workers = workers or Processes(1)
        """The worker processes; `begin` may have started one, and `play` ends all."""

    @classmethod
    def begin(
        cls,
        plan: Plan,
        path: Path | None = None,
        command: str = "",
        objects: Mapping[int, Spec] = MappingProxyType({}),
        *,
        jobs: int | None = 1,
    ) -> Run:
        """Start a run in a new file. Raises InputError.

        path: None for a file in `results/` with a name from the time. command: the command line, to be stored. objects:
        agents that are objects, by their places in the plan. jobs: the number of processes, see `processes`; the first
        starts while agents are made.
        """
        boards = openings.draw(plan.openings, plan.rounds, plan.seed, plan.rules)
        strata = openings.strata(plan.openings, plan.rules)
        agents = [objects.get(place) or plan.isolation.spec(place, text) for place, text in enumerate(plan.agents)]
        setting = setting_of(plan, agents, boards)
        played, document = plan.tournament(), plan.document() | {"population": sum(strata), "strata": strata}
        most = played.most
        crew = Processes(processes(setting, jobs))
        try:
            if crew.count > 1:
                crew.start(setting)
            make_ready(setting)
            store = Store.create(
                path,
                document,
                plan.seed,
                most,
                new_agents(plan, dict(enumerate(agents))),
                [(board.text, value) for board, value in zip(boards, openings.values(boards), strict=True)],
                command,
            )
        except BaseException:
            crew.close()
            raise
        return cls(plan, setting, store, new=True, workers=crew)

    @classmethod
    def resume(cls, path: Path, growth: Growth = Growth()) -> Run:  # noqa: B008  immutable
        """Continue a stored run, after extending it by `growth`. Raises InputError."""
        store = Store.resume(path)
        try:
            plan = Plan.from_document(store.plan())
            plan = replace(plan, isolation=replace(plan.isolation, debug=growth.debug))
            _refuse_misfits(plan, store)
            differences = changes(store)
            objects = placed(store, growth.objects)
            before = store.count_games()
            plan = grow(store, plan, growth, objects)
            deleted = before - store.count_games()
            left = bool(plan.waiting(store.outcomes()))
            setting = _resumed(plan, store, objects, left=left)
            if left:
                begin_session(store, growth.command)
        except BaseException:
            store.close()
            raise
        return cls(
            plan, setting, store, new=False, warning=_warning(path, differences) if left else "", deleted=deleted
        )

    def processes(self, jobs: int | None) -> int:
        """Return the number of processes to play in, see the function `processes`."""
        return processes(self.setting, jobs)

    def executor(self, count: int) -> Executor:
        """Return the executor for so many processes; 1 means this process, unless agents have separate processes."""
        if self.setting.kept or (count == 1 and not self.setting.apart and not self.setting.served):
            return InProcess()
        self.workers.count = count
        return self.workers

    def play(
        self,
        executor: Executor,
        progress: Callable[[], object] = lambda: None,
        *,
        seconds: float | None = None,
        games: int | None = None,
    ) -> bool:
        """Play and store every missing game; return whether no games are left.

        executor, progress: plays the games; called after each stored game. seconds, games: stop after so many.

        Raises InputError if it cannot go on. Finished games stay stored; a new run without games leaves no file,
        whatever ended it.
        """
        budget, whole = Budget(seconds), False
        try:
            with budget:
                whole = self._play(executor, progress, budget, games)
        finally:
            self.workers.close()
            if self.new and not whole and not self.store.played():
                self.store.discard()
        return whole

    def _play(self, executor: Executor, progress: Callable[[], object], budget: Budget, left: int | None) -> bool:
        """Play the missing games, at most `left` of them; return whether that was all."""
        results = self.store.outcomes()
        test = None if self.plan.sprt is None else RunningSprt(Sprt.parse(self.plan.sprt), self.plan.jobs())
        if test is not None and self._update(test, results):
            return True
        status = live_status(self.store.path, self.plan.names(), self.plan.rules, executor.live_games)
        writer = ResultWriter(self.store, self.plan.names(), progress, self.remarks, self.tokens)
        watch = watched(self.store, "games") if executor.here else nullcontext()
        with status, executor.open(self.setting), watch, writer:
            for batch in self._missing(results):
                wanted = batch[:left]
                with closing(executor.play(wanted)) as records:
                    for record in records:
                        writer.add(record)
                        results[record.job] = record.outcome
                        if test is not None or executor.idle() or writer.due():
                            writer.flush()
                        if test is not None and self._update(test, results):
                            return True
                        if budget.spent.is_set():
                            return False
                if len(wanted) < len(batch) or any(job not in results for job in batch):
                    return False
                left = None if left is None else left - len(wanted)
        if test is None:
            self.store.set_planned(len(results))  # an estimate before, if pairings depend on results
        return True

    def _missing(self, results: Mapping[Job, Outcome]) -> Iterator[list[Job]]:
        """Yield the missing games of each batch of the plan, and reserve their numbers in that order.

        `results` must contain a batch before the caller takes the next one.
        """
        batches = self.plan.tournament().batches()
        batch = next(batches, None)
        while batch is not None:
            missing = [job for job in batch if job not in results]
            self.store.reserve(missing)
            yield missing
            try:
                batch = batches.send(results)
            except StopIteration:
                return

    def _update(self, test: RunningSprt, results: Mapping[Job, Outcome]) -> bool:
        """Store the evidence of the sequential test, and return whether it is decided.

        Finished games that are later in the plan than the deciding one are deleted, so that the result does not
        depend on the number of processes.
        """
        self.store.add_evidence(test.update(results))
        if test.decided and (late := [job for job in results if job not in test.counted]):
            delete_games(self.store, late)
        return test.decided


def _refuse_misfits(plan: Plan, store: Store) -> None:
    """Raise InputError if the stored agents, openings or games do not fit the plan."""
    if (len(store.agents()), len(store.openings())) != (len(plan.agents), plan.rounds):
        raise InputError(f"{store.path}: its plan has other agents or openings than are stored with it")
    refuse_damaged(store, whole=True)


def _warning(path: Path, differences: Mapping[str, tuple[object, object]]) -> str:
    """Return a line about the differences from the session before; empty if there are none."""
    if not differences:
        return ""
    said = ", ".join(f"{name} {now} (was {then})" for name, (then, now) in differences.items())
    return f"{path} goes on with {said}: times are not comparable with those before"


def _resumed(plan: Plan, store: Store, objects: Mapping[int, ObjectAgent], *, left: bool) -> Setting:
    """Return the setting of a stored run's games; agents need not be able to play if no game is left."""
    boards = [Board.from_moves(moves, plan.rules) for moves in store.openings()]
    try:
        setting = setting_of(plan, stored_agents(plan, store, objects), boards)
        if left:
            make_ready(setting)
    except InputError:
        if left:
            raise
        return Setting(tuple(spec for spec, _ in store.agents()), tuple(boards), plan.rules, plan.seed, CONDITIONS)
    return setting


def processes(setting: Setting, jobs: int | None) -> int:
    """Return the number of processes to play in: `jobs`, by default one for each processor. Raises InputError.

    If an agent moves by the clock, games at the same time take each other's processor time: the default is 1, and the
    most is the number of processors. An agent that cannot be sent to other processes keeps all games in one.
    """
    if setting.kept:
        return min(cores(jobs), 1)
    limits = [setting.conditions.longest, *(spec.parameters.get("seconds") for spec in setting.specs)]
    if all(seconds is None for seconds in limits):
        return cores(jobs)
    return min(cores(jobs), cores(None)) if jobs is not None else 1
