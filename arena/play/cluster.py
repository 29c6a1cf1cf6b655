"""Games, or any other work in batches, on the workers of a Dask cluster; `dask.distributed` is the extra `cluster`."""

from __future__ import annotations

import asyncio
import collections
import hashlib
import logging
import pickle
import queue
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from agents.errors import InputError
from arena.play import guest
from arena.play.field import Setting
from arena.play.hand import Hand
from arena.play.interrupt import deaf
from arena.play.parcel import Parcel, packed
from arena.store.records import GameRecord, Job

BATCH = LOOK = 1.0
"""Seconds that a batch of games is to take, a hundred times what sending it costs, and between two looks around."""
PATIENCE = 10.0
"""Seconds in which a scheduler must answer."""


@dataclass(slots=True)
class Cluster:
    """Plays on the workers of a scheduler, HOST:PORT, or its own, local:N; a thread has one batch at a time."""

    address: str
    say: Callable[[str], object] = lambda line: None  # noqa: ARG005  nobody listens
    """Takes a line for people."""
    _client: Any = None
    _own: Any = None
    _run: str = ""
    """The name of what is done here, and of the workers' resource that only those have who can do it."""
    _parcel: Parcel | None = None
    _slots: dict[str, int] = field(default_factory=dict)
    """Threads of each worker that is accepted."""
    _seen: set[str] = field(default_factory=set)
    _looked: float = 0.0
    _unread: int = 0
    """Records of the last batch that are not yet yielded."""

    def run(self, setting: Setting, stages: Iterable[Sequence[Job]]) -> Generator[GameRecord]:
        """Yield records as batches end. Raises InputError where nobody can work and where games were left open."""
        typical = BATCH
        todo: collections.deque[Job] = collections.deque()

        def take() -> list[Job]:
            threads = max(1, sum(self._slots.values()))
            size = min(int(BATCH * max(1, threads / 100) / max(typical, 1e-6)), len(todo) // (2 * threads))
            return [todo.popleft() for _ in range(min(max(1, size), len(todo)))]

        try:
            self._open(packed(setting))
            for jobs in stages:
                todo.extend(jobs)
                for records in self._results(guest.play, take, self._run):
                    for self._unread, record in zip(range(len(records) - 1, -1, -1), records, strict=True):
                        if isinstance(record, Exception):
                            raise record
                        typical += (record.seconds - typical) / 8
                        yield record
        finally:
            self._close()

    def each(self, function: Callable[..., Any], chunks: Iterable[Sequence[Any]], *given: object) -> Generator[Any]:
        """Yield what a function makes of each chunk, in no fixed order; it takes what is `given`, then the chunk."""
        waiting = iter(chunks)
        try:
            self._open(None)
            yield from self._results(function, lambda: next(waiting, ()), *given)
        finally:
            self._close()

    def idle(self) -> bool:
        """Return whether all records of the batch that came last are yielded."""
        return self._unread == 0

    def in_hand(self) -> list[Hand]:
        """Return nothing: the scheduler's dashboard shows what is played."""
        return []

    def _results(self, function: Callable[..., Any], take: Callable[[], Sequence[Any]], *given: Any) -> Generator[Any]:  # noqa: ANN401  see `each`
        """Yield what becomes of each batch that `take` returns, until it returns an empty one."""
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
                    asked = cloudpickle.dumps((function, given, batch))
                    key = f"{self._run}-{hashlib.sha256(asked).hexdigest()[:24]}"
                    future = self._client.submit(function, *given, batch, key=key, resources={self._run: 1}, pure=False)
                    pending[key] = future, batch
                    future.add_done_callback(ended.put)
                    batch = take()
                try:
                    future = ended.get(timeout=LOOK)
                except queue.Empty:
                    continue
                _, done = pending.pop(future.key)
                try:
                    found = future.result()
                except KilledWorker:
                    aside.append(self._parcel.name(done) if self._parcel else str(done[0]))
                    continue
                except (Exception, asyncio.CancelledError):
                    self._look(now=True)  # which says so if it is the scheduler that has gone
                    raise
                finally:
                    future.release()
                yield found
        finally:
            with suppress(Exception):
                self._client.cancel([each for each, _ in pending.values()], force=True)
        if aside:
            raise InputError(f"put aside, since its workers died each time: {'; '.join(aside)}")

    def _open(self, parcel: Parcel | None) -> None:
        """Reach the scheduler, and see who is there. Raises InputError."""
        try:
            import distributed
        except ImportError:
            raise InputError(
                "a cluster takes dask.distributed, which is not installed: pip install 'connect4-arena[cluster]'"
            ) from None
        for name in ("distributed", "distributed.client"):  # the second has a level of its own
            logging.getLogger(name).setLevel(logging.CRITICAL)
        with deaf():
            self._connect(distributed)
        self._run = f"arena-{hashlib.sha256(pickle.dumps(parcel)).hexdigest()[:16]}"
        self._parcel, self._slots, self._seen, self._looked = parcel, {}, set(), 0.0
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
            raise InputError(f"there is no scheduler at {self.address}: {error or type(error).__name__}") from None

    def _look(self, *, now: bool = False) -> None:
        """Accept the workers that have come, forget those that have gone. Raises InputError without a scheduler."""
        if not now and time.monotonic() - self._looked < LOOK:
            return
        self._looked = time.monotonic()
        there = None
        with suppress(OSError):  # timeouts are such, too
            there = self._client.nthreads() if self._client.status == "running" else None
        if there is None:
            raise InputError(f"the scheduler at {self.address} is gone")
        self._slots = {address: threads for address, threads in self._slots.items() if address in there}
        here = guest.known()
        new = [address for address in there if address not in self._seen]
        self._seen |= {*new}
        for address, found in self._ask(guest.known, new).items():
            reason = "" if found == here else guest.difference(found, here)
            if not reason:
                answer = self._ask(guest.settle, [address], self._run, self._parcel).get(address, "it is gone")
                reason = answer if isinstance(answer, str) else f"{type(answer).__name__}: {answer}"
            if reason:
                self.say(f"worker {address} is not used: {reason}")
            else:
                self._slots[address] = there[address]
                self._client.run_on_scheduler(guest.rousing(), address)
        if there and not self._slots:
            raise InputError(f"no worker of the cluster at {self.address} can be used")

    def _ask(self, function: Callable[..., Any], workers: list[str], *given: object) -> dict[str, Any]:
        """Return what a function says on each of these workers, an exception where it fails."""
        return dict(self._client.run(function, *given, workers=workers, on_error="return")) if workers else {}

    def _close(self) -> None:
        """Leave no task and no agent behind."""
        with deaf():
            with suppress(Exception):  # the scheduler may be gone, and then this fails at once
                self._ask(guest.leave, list(self._slots), self._run)
            for each in (self._client, self._own):
                with suppress(Exception):
                    each.close(timeout=60)  # a cluster of which workers died takes its time
