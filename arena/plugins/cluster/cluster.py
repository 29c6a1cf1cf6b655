"""Plays games on a Dask cluster: the code bundle for workers, the functions that run on them, and the client."""

from __future__ import annotations

import asyncio
import collections
import hashlib
import logging
import os
import pickle
import queue
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

from agents.errors import InputError
from agents.process_agent import Source
from agents.specs.registry import Spec
from agents.specs.sources import PREFIXES
from arena.games.executor import LiveGame
from arena.games.field import Field, Setting
from arena.games.interrupt import block_sigint, stop
from arena.records import GameRecord, Job
from arena.store.machine import versions
from arena.store.sources import files_of, named_files


@dataclass(frozen=True, slots=True)
class CodeBundle:
    """Everything that a dask worker needs to play the games of a run."""

    setting: Setting
    files: tuple[tuple[str, bytes], ...]
    """The absolute path on this machine and the content of each file."""
    programs: tuple[str, ...]
    """The commands of agents, which the worker's machine must have."""

    @property
    def digest(self) -> str:
        """A short hash of the files."""
        checksum = hashlib.sha256()
        for path, content in self.files:
            checksum.update(f"{path} {hashlib.sha256(content).hexdigest()}\n".encode())
        return checksum.hexdigest()[:16]

    def unpack(self, folder: Path) -> Setting:
        """Write the files to a folder with the digest in its name, and return the setting with the new paths.

        An existing folder is used as it is. If several workers share the folder, one of them writes it.
        """
        home = folder / f"arena-{self.digest}"
        if self.files and not home.is_dir():
            folder.mkdir(parents=True, exist_ok=True)
            beside = Path(tempfile.mkdtemp(dir=folder))
            for path, content in self.files:
                place = Path(f"{beside}{path}")
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(content)
            try:
                beside.rename(home)
            except OSError:
                shutil.rmtree(beside)
                if not home.is_dir():
                    raise
        mine = {path for path, _ in self.files}
        return _moved(self.setting, lambda path: f"{home}{path}" if path in mine else path, str(home))

    def name(self, jobs: Sequence[Job]) -> str:
        """Return a name for games in messages: the first game and all agents."""
        places = sorted({place for job in jobs for place in (job.first, job.second)})
        agents = ", ".join(self.setting.specs[place].text for place in places)
        more = f" and {len(jobs) - 1} more" if len(jobs) > 1 else ""
        return f"game {jobs[0]}{more} between {agents}"

    def missing(self) -> list[str]:
        """Return the commands that are missing on this machine."""
        return [program for program in self.programs if not os.access(program, os.X_OK)]


def bundle_of(setting: Setting) -> CodeBundle:
    """Return a bundle of the Python files of agents, with the files beside them that they import or name.

    Raises InputError for a file that cannot be read.
    """
    paths = {path for main in _named(setting) for path in files_of(main)}
    sources = [source for source in setting.sources if source is not None]
    paths |= {path for source in sources for named in source.files for path in _below(Path(named))}
    try:
        files = tuple((str(path), path.read_bytes()) for path in sorted(paths))
    except OSError as error:
        raise InputError(f"{error.filename} cannot be read: {error.strerror}") from error
    programs = {source.words[0] for source in sources if source.protocol in PREFIXES}
    return CodeBundle(setting, files, tuple(sorted(programs - {path for path, _ in files})))


def _named(setting: Setting) -> set[Path]:
    """Return the Python files that specs and sources name."""
    paths = {path for spec in setting.specs for path in named_files(spec)}
    words = {word for source in setting.sources if source is not None for word in source.words}
    paths |= {Path(word) for word in words if word.endswith(".py") and Path(word).is_absolute()}
    return {path for path in paths if path.is_file()}


def _below(path: Path) -> Iterable[Path]:
    return (file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]


def _moved(setting: Setting, place: Callable[[str], str], home: str) -> Setting:
    """Return the setting with `place` applied to each path of a file; `home` is the folder of the bundle."""

    def named(value: object) -> object:
        if not isinstance(value, str) or ".py:" not in value:
            return value
        file, _, name = value.rpartition(".py:")
        return f"{place(str(Path(f'{file}.py').absolute()))}:{name}"

    def spec(agent: Spec) -> Spec:
        parameters = {key: named(value) for key, value in agent.parameters.items()}
        return replace(agent, kind=str(named(agent.kind)), parameters=parameters)

    def source(origin: Source | None) -> Source | None:
        if origin is None:
            return None
        words = tuple(place(word) for word in origin.words)
        return replace(origin, words=words, folder=unpacked(origin.folder), files=tuple(map(unpacked, origin.files)))

    def unpacked(path: str) -> str:  # also a folder, of which the bundle has the files
        return f"{home}{path}" if Path(f"{home}{path}").exists() else path

    specs = tuple(map(spec, setting.specs))
    return replace(setting, specs=specs, sources=tuple(map(source, setting.sources)))


MATTER = ("connect4-arena", "numba")
"""Packages that must have the same version everywhere."""


class WorkerRun:
    """A run on a dask worker, with agents for each of its threads."""

    def __init__(self, setting: Setting | None) -> None:
        self.setting = setting
        self.over = threading.Event()
        self.fields: dict[int, Field] = {}
        """The agents of each thread."""

    def play(self, jobs: Sequence[Job]) -> list[GameRecord | Exception]:
        """Play games in this thread."""
        assert self.setting is not None
        agents = self.fields.setdefault(threading.get_ident(), Field(self.setting))
        records: list[GameRecord | Exception] = []
        for job in jobs:
            if self.over.is_set():
                break
            records.append(agents.answer(job))
        return records

    def end(self) -> None:
        """Stop the games in progress, and end the agents."""
        self.over.set()
        for group in self.fields.values():
            for agent in list(group.agents.values()):
                stop(agent)
            group.close()


RUNS: dict[str, WorkerRun] = {}
"""The runs of this dask worker, by name."""


def known() -> dict[str, str]:
    """Return this machine's versions of the packages in MATTER."""
    packages = versions()
    return {name: packages[name] for name in MATTER}


def difference(there: object, here: dict[str, str]) -> str:
    """Return a line with the difference of a worker's versions, and the command that removes it."""
    if not isinstance(there, dict):
        return f"it has no connect4-arena as this one is: pip install 'connect4-arena=={here['connect4-arena']}' there"
    name = next(name for name in here if there.get(name) != here[name])
    return f"it has {name} {there.get(name)}, and here is {here[name]}: pip install '{name}=={here[name]}' there"


async def begin_run(run: str, bundle: CodeBundle | None, dask_worker: Any) -> str:  # noqa: ANN401  distributed's
    """Prepare this worker for a run, and declare a resource with the run's name; return an error, or ""."""
    missing = bundle.missing() if bundle else []
    if missing:
        return f"there is no program {missing[0]!r}"
    if run not in RUNS:
        RUNS[run] = WorkerRun(bundle.unpack(Path(dask_worker.local_directory)) if bundle else None)
    await dask_worker.set_resources(**{run: dask_worker.state.nthreads})
    return ""


def waking() -> Callable[..., None]:
    """Return a function that makes a scheduler give waiting batches to a worker that has begun a run.

    A scheduler does so when a worker joins, but not when a worker gets a resource. An inner function is sent with its
    code, so that the scheduler does not need this package.
    """

    def wake(address: str, dask_scheduler: Any = None) -> None:  # noqa: ANN401  distributed's
        state = dask_scheduler.workers.get(address)
        if state is not None:
            waiting = dask_scheduler.bulk_schedule_unrunnable_after_adding_worker(state)
            dask_scheduler.transitions(waiting, "arena")

    return wake


async def end_run(run: str, dask_worker: Any) -> None:  # noqa: ANN401  likewise
    """Remove a run, and stop its games."""
    ended = RUNS.pop(run, None)
    if ended is not None:
        ended.end()
    await dask_worker.set_resources(**{run: 0})


def play(run: str, jobs: Sequence[Job]) -> list[GameRecord | Exception]:
    """Play a batch of games."""
    return RUNS[run].play(jobs)


BATCH = LOOK = 1.0
"""BATCH: the target seconds of a batch of games, a hundred times its overhead. LOOK: seconds between two checks."""
PATIENCE = 10.0
"""Seconds that a scheduler has to answer."""


@dataclass(slots=True)
class Cluster:
    """Plays on the workers of a dask scheduler; each of their threads has one batch at a time."""

    here: ClassVar[bool] = False
    address: str
    """HOST:PORT, or local:N to start a scheduler with N workers."""
    say: Callable[[str], object] = lambda line: None  # noqa: ARG005  nobody listens
    """Called with each line for the user."""
    _client: Any = None
    _own: Any = None
    _run: str = ""
    """The name of the task, and of the resource that accepted workers declare."""
    _bundle: CodeBundle | None = None
    _slots: dict[str, int] = field(default_factory=dict)
    """The threads of each accepted worker."""
    _seen: set[str] = field(default_factory=set)
    _looked: float = 0.0
    _unread: int = 0
    """The number of records of the last batch that are not yet yielded."""
    _typical: float = BATCH
    """The moving average of the seconds of a game."""

    @contextmanager
    def open(self, setting: Setting) -> Generator[None]:
        """Connect to the scheduler for the block. Raises InputError if there is none."""
        if setting.served:
            raise InputError("a cluster cannot stop the games of a model whose server fails: leave --cluster out")
        self._typical = BATCH
        try:
            self._open(bundle_of(setting))
            yield
        finally:
            self._close()

    def play(self, jobs: Sequence[Job]) -> Generator[GameRecord]:
        """Yield records when batches end. Raises InputError if no worker can be used, or if games were left open."""
        todo = collections.deque(jobs)

        def take() -> list[Job]:
            threads = max(1, sum(self._slots.values()))
            size = min(int(BATCH * max(1, threads / 100) / max(self._typical, 1e-6)), len(todo) // (2 * threads))
            return [todo.popleft() for _ in range(min(max(1, size), len(todo)))]

        for records in self._results(play, take, self._run):
            for self._unread, record in zip(range(len(records) - 1, -1, -1), records, strict=True):
                if isinstance(record, Exception):
                    raise record
                self._typical += (record.seconds - self._typical) / 8
                yield record

    def each(self, function: Callable[..., Any], chunks: Iterable[Sequence[Any]], *args: object) -> Generator[Any]:
        """Yield `function(*args, chunk)` for each chunk, in no fixed order."""
        waiting = iter(chunks)
        try:
            self._open(None)
            yield from self._results(function, lambda: next(waiting, ()), *args)
        finally:
            self._close()

    def idle(self) -> bool:
        """Return whether all records of the last batch are yielded."""
        return self._unread == 0

    def live_games(self) -> list[LiveGame]:
        """Return nothing: the scheduler's dashboard shows the games in progress."""
        return []

    def _results(self, function: Callable[..., Any], take: Callable[[], Sequence[Any]], *args: Any) -> Generator[Any]:  # noqa: ANN401  see `each`
        """Yield `function(*args, batch)` for each batch that `take` returns, until it returns an empty one."""
        import cloudpickle
        from distributed import KilledWorker

        ended: queue.SimpleQueue[Any] = queue.SimpleQueue()
        pending: dict[str, tuple[Any, Sequence[Any]]] = {}
        aside: list[str] = []
        try:
            batch = take()
            while batch or pending:
                self._look()
                while batch and len(pending) < sum(self._slots.values()):
                    asked = cloudpickle.dumps((function, args, batch))
                    key = f"{self._run}-{hashlib.sha256(asked).hexdigest()[:24]}"
                    future = self._client.submit(function, *args, batch, key=key, resources={self._run: 1}, pure=False)
                    pending[key] = future, batch
                    future.add_done_callback(ended.put)
                    batch = take()
                try:
                    future = ended.get(timeout=LOOK)
                except queue.Empty:
                    continue
                _, done = pending.pop(future.key)
                try:
                    result = future.result()
                except KilledWorker:
                    aside.append(self._bundle.name(done) if self._bundle else str(done[0]))
                    continue
                except (Exception, asyncio.CancelledError):
                    self._look(now=True)  # raises a clearer error if the scheduler has gone
                    raise
                finally:
                    future.release()
                yield result
        finally:
            with suppress(Exception):
                self._client.cancel([task for task, _ in pending.values()], force=True)
        if aside:
            raise InputError(f"put aside, since its workers died each time: {'; '.join(aside)}")

    def _open(self, bundle: CodeBundle | None) -> None:
        """Connect to the scheduler and list its workers. Raises InputError."""
        try:
            import distributed
        except ImportError:
            raise InputError(
                "a cluster takes dask.distributed, which is not installed: pip install 'connect4-arena[cluster]'"
            ) from None
        for name in ("distributed", "distributed.client"):  # the second sets its own level
            logging.getLogger(name).setLevel(logging.CRITICAL)
        with block_sigint():
            self._connect(distributed)
        self._run = f"arena-{hashlib.sha256(pickle.dumps(bundle)).hexdigest()[:16]}"
        self._bundle, self._slots, self._seen, self._looked = bundle, {}, set(), 0.0
        self.say(f"cluster at {self._client.scheduler.address}, dashboard: {self._client.dashboard_link}")
        self._look()
        if not self._slots:
            self.say("waiting for workers")

    def _connect(self, distributed: Any) -> None:  # noqa: ANN401  a module
        import dask

        dask.config.set({"distributed.deploy.lost-worker-timeout": "5 min"})  # a busy machine takes its time to restart
        try:
            if self.address.startswith("local:"):
                self._own = distributed.LocalCluster(
                    n_workers=int(self.address.removeprefix("local:")), threads_per_worker=1, dashboard_address=":0",
                    scheduler_kwargs={"allowed_failures": 2}, silence_logs=logging.CRITICAL,
                )  # fmt: skip
            self._client = distributed.Client(self._own or self.address, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError) as error:
            raise InputError(f"there is no scheduler at {self.address}: {str(error) or type(error).__name__}") from None

    def _look(self, *, now: bool = False) -> None:
        """Accept new workers, and remove lost ones. Raises InputError without a scheduler or a usable worker."""
        if not now and time.monotonic() - self._looked < LOOK:
            return
        self._looked = time.monotonic()
        there = None
        with suppress(OSError):  # includes timeouts
            there = self._client.nthreads() if self._client.status == "running" else None
        if there is None:
            raise InputError(f"the scheduler at {self.address} is gone")
        self._slots = {address: threads for address, threads in self._slots.items() if address in there}
        here = known()
        new = [address for address in there if address not in self._seen]
        self._seen |= {*new}
        for address, packages in self._ask(known, new).items():
            reason = "" if packages == here else difference(packages, here)
            if not reason:
                answer = self._ask(begin_run, [address], self._run, self._bundle).get(address, "it is gone")
                reason = answer if isinstance(answer, str) else f"{type(answer).__name__}: {answer}"
            if reason:
                self.say(f"worker {address} is not used: {reason}")
            else:
                self._slots[address] = there[address]
                self._client.run_on_scheduler(waking(), address)
        if there and not self._slots:
            raise InputError(f"no worker of the cluster at {self.address} can be used")

    def _ask(self, function: Callable[..., Any], workers: list[str], *args: object) -> dict[str, Any]:
        """Call a function on each of these workers; return the result or the exception of each, by address."""
        return dict(self._client.run(function, *args, workers=workers, on_error="return")) if workers else {}

    def _close(self) -> None:
        """End all tasks and agents, and the connection."""
        with block_sigint():
            with suppress(Exception):  # fails at once if the scheduler is gone
                self._ask(end_run, list(self._slots), self._run)
            for service in (self._client, self._own):
                with suppress(Exception):
                    service.close(timeout=60)  # closing takes long after workers have died
