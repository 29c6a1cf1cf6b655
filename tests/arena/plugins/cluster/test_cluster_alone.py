"""What a run does with a scheduler, where a stand-in takes its place: batches, workers that come and go, the end."""

import collections
import queue
import sys
import threading
from dataclasses import replace
from types import SimpleNamespace

import pytest
from needs import needs

from agents.errors import InputError
from agents.specs.registry import parse
from arena.plugins.cluster import cluster
from arena.plugins.cluster.cluster import RUNS, Cluster, CodeBundle, begin_run, bundle_of, end_run, known, waking
from arena.records import GameRecord, Job
from arena.store import machine

from .loopback import setting

pytestmark = needs("distributed")


class Future:
    def __init__(self, key, call, log):
        self.key, self.call, self.log = key, call, log

    def add_done_callback(self, done):
        done(self)

    def result(self):
        return self.call()

    def release(self):
        self.log.append("release")


class Scheduler:
    """Stands in for a client of a scheduler: all that is asked of it is kept."""

    status, dashboard_link = "running", "http://dashboard"
    scheduler = SimpleNamespace(address="tcp://here:1")

    def __init__(self, workers, versions=None, answers=None):
        self.workers, self.versions, self.answers, self.log = workers, versions or {}, answers or {}, []
        self.given = ()

    def nthreads(self):
        return dict(self.workers)

    def run(self, function, *given, workers, on_error):
        self.log.append((function.__name__, sorted(workers), on_error))
        self.given = given if function is begin_run else self.given
        kept = self.versions if function is known else self.answers if function is begin_run else {}
        default = known() if function is known else ""
        return {address: kept.get(address, default) for address in workers}

    def run_on_scheduler(self, function, address):
        self.log.append((function.__name__, address))

    def submit(self, function, *given, key, resources, pure):
        assert not pure
        self.log.append(("submit", given, [*resources.items()]))
        return Future(key, lambda: function(*given), self.log)

    def cancel(self, futures, *, force):
        self.log.append(("cancel", len(futures), force))

    def close(self, timeout):
        self.log.append(("close", timeout))


@pytest.fixture
def opened(monkeypatch):
    """A function that returns a cluster whose scheduler is a stand-in, and what is said."""

    def begin(client):
        said = []
        where = Cluster("here:1", said.append)
        monkeypatch.setattr(Cluster, "_connect", lambda each, distributed: setattr(each, "_client", client))
        return where, said

    return begin


def taking(batches):
    left = collections.deque(batches)
    return lambda: left.popleft() if left else []


def test_as_many_batches_are_under_way_as_there_are_threads_and_all_are_let_go(opened):
    client = Scheduler({"tcp://a:1": 2, "tcp://b:1": 1})
    where, said = opened(client)
    assert list(where.each(lambda factor, chunk: [factor * each for each in chunk], iter([[1, 2], [3], [4]]), 10)) == [
        [10, 20], [30], [40],
    ]  # fmt: skip
    assert said == ["cluster at tcp://here:1, dashboard: http://dashboard"]
    steps = [each if isinstance(each, str) else each[0] for each in client.log]
    begun = ["known", "begin_run", "wake", "begin_run", "wake"]
    assert steps == [*begun, *["submit"] * 3, *["release"] * 3, "cancel", "end_run", "close"]
    assert client.log[5] == ("submit", (10, [1, 2]), [(where._run, 1)])
    assert client.log[-3:] == [
        ("cancel", 0, True), ("end_run", ["tcp://a:1", "tcp://b:1"], "return"), ("close", 60),
    ]  # fmt: skip


def test_more_batches_than_threads_wait_their_turn(opened):
    client = Scheduler({"tcp://a:1": 2})
    where, _ = opened(client)
    list(where.each(sum, [[1], [2], [3], [4]]))
    steps = [each if isinstance(each, str) else each[0] for each in client.log]
    turn = ["release", "submit"]
    assert steps[3:-3] == ["submit", "submit", *turn, *turn, "release", "release"]


def test_what_kills_its_workers_is_put_aside_by_its_first_piece_and_the_rest_goes_on(opened):
    from distributed import KilledWorker

    def killing(chunk):
        if chunk[0] in {2, 4}:
            raise KilledWorker("task", SimpleNamespace(address="tcp://a:1"), 3)
        return chunk

    where, _ = opened(Scheduler({"tcp://a:1": 2}))
    found = where.each(killing, [[1], [2, 7], [3], [4]])
    assert [next(found), next(found)] == [[1], [3]]
    with pytest.raises(InputError) as raised:
        next(found)
    assert str(raised.value) == "put aside, since its workers died each time: 2; 4"


def test_an_error_of_a_batch_is_raised_and_what_is_left_is_cancelled(opened):
    def fails(chunk):
        raise ValueError(f"no {chunk}")

    client = Scheduler({"tcp://a:1": 3})
    where, _ = opened(client)
    with pytest.raises(ValueError, match=r"no \[1\]"):
        list(where.each(fails, [[1], [2], [3], [4]]))
    assert ("cancel", 2, True) in client.log


def test_who_takes_no_more_ends_all_that_was_begun_also_where_the_scheduler_fails(opened):
    client = Scheduler({"tcp://a:1": 3})
    where, _ = opened(client)
    found = where.each(sum, iter([[1], [2], [3], [4]]))
    assert next(found) == 1
    own = where._own = Scheduler({})
    own.log = client.log

    def gone(*given, **named):
        client.log.append("gone")
        raise OSError

    client.cancel, client.close = gone, gone
    found.close()
    assert client.log[-4:] == ["gone", ("end_run", ["tcp://a:1"], "return"), "gone", ("close", 60)]
    client.run = gone
    where._close()
    assert client.log[-3:] == ["gone", "gone", ("close", 60)], "its own workers end last"


def test_workers_that_differ_or_cannot_begin_are_left_out_with_the_reason(opened):
    here = known()
    assert here == {name: machine.versions()[name] for name in ("connect4-arena", "numba")}, "others do not matter"
    versions = {"tcp://b:1": here | {"numba": "0.1"}, "tcp://d:1": ImportError("no module")}
    answers = {"tcp://c:1": "there is no program '/x'", "tcp://e:1": OSError("disk full")}
    client = Scheduler(dict.fromkeys([f"tcp://{name}:1" for name in "abcde"], 1), versions, answers)
    where, said = opened(client)
    assert list(where.each(sum, [[1], [2]])) == [1, 2]
    numba, ours = (f"{name}=={here[name]}" for name in ("numba", "connect4-arena"))
    reasons = {
        "b": f"it has numba 0.1, and here is {here['numba']}: pip install '{numba}' there",
        "c": "there is no program '/x'",
        "d": f"it has no connect4-arena as this one is: pip install '{ours}' there",
        "e": "OSError: disk full",
    }
    assert said[1:] == [f"worker tcp://{name}:1 is not used: {reason}" for name, reason in reasons.items()]
    assert [each for each in client.log if each[0] == "wake"] == [("wake", "tcp://a:1")]
    where, _ = opened(Scheduler({"tcp://b:1": 1}, versions))
    with pytest.raises(InputError, match=r"^no worker of the cluster at here:1 can be used$"):
        list(where.each(sum, [[1]]))


def test_a_worker_that_comes_is_used_one_that_goes_is_not_and_without_a_scheduler_the_run_ends(opened, monkeypatch):
    monkeypatch.setattr(cluster, "LOOK", 0.0)
    client = Scheduler({})
    where, said = opened(client)

    with where.open(setting("greedy", "random")):
        assert said[1:] == ["waiting for workers"]
        for workers in ({"tcp://a:1": 1}, {"tcp://a:1": 1, "tcp://b:1": 2}, {"tcp://b:1": 2}):
            client.workers = workers
            where._look()
            assert where._slots == workers
        client.status = "closed"
        with pytest.raises(InputError, match=r"^the scheduler at here:1 is gone$"):
            where._look()
    assert client.log[-1] == ("close", 60)


@pytest.mark.parametrize("fails", ["the scheduler", "Ctrl-C", "a file"])
def test_what_was_begun_is_closed_where_the_opening_fails(opened, monkeypatch, fails):
    client = Scheduler({"tcp://a:1": 1})
    where, _ = opened(client)
    where._own, error = Scheduler({}), InputError
    where._own.log = client.log
    if fails == "the scheduler":
        client.status = "closed"
    elif fails == "a file":
        monkeypatch.setattr(cluster, "bundle_of", lambda _: (_ for _ in ()).throw(InputError("a file is gone")))
    else:
        error = KeyboardInterrupt
        monkeypatch.setattr(Cluster, "_look", lambda _: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(error), where.open(setting("greedy", "random")):
        pytest.fail("it did not open")
    assert client.log[-1] == ("close", 60)
    assert client.log.count(("close", 60)) == (1 if fails == "a file" else 2)


def test_a_run_that_begins_before_there_is_a_worker_waits_until_one_comes(opened, monkeypatch):
    monkeypatch.setattr(cluster, "LOOK", 0.001)
    client, seen = Scheduler({}), []

    def nthreads():
        seen.append(len(seen))
        assert len(seen) < 50
        return {"tcp://a:1": 1} if len(seen) > 3 else {}

    client.nthreads = nthreads
    waits = iter(range(50))

    class Queue(queue.SimpleQueue):
        def get(self, *given, **named):
            assert next(waits) < 40, "no worker was looked for"
            return super().get(*given, **named)

    monkeypatch.setattr(cluster, "queue", SimpleNamespace(SimpleQueue=Queue, Empty=queue.Empty))
    where, said = opened(client)
    assert list(where.each(sum, [[1, 2], [4]])) == [3, 4]
    assert said[1:] == ["waiting for workers"]


def test_games_that_are_put_aside_are_named_by_the_first_how_many_and_all_their_agents(opened, monkeypatch):
    from distributed import KilledWorker

    jobs = [Job(number % 2, 1 + number % 2, number) for number in range(8)]

    def play(run, batch):
        if batch[0].opening in {0, 6}:
            raise KilledWorker("task", SimpleNamespace(address="tcp://a:1"), 3)
        return [GameRecord(job, "", None, "", "", 0.0, 0.001, ()) for job in batch]

    monkeypatch.setattr(cluster, "play", play)
    where, _ = opened(Scheduler({"tcp://a:1": 1}))
    with where.open(setting("greedy", "random", "minimax")):
        where._typical, records = 0.001, where.play(jobs)
        assert [next(records).job for _ in range(3)] == [*jobs[4:6], jobs[7]]
        with pytest.raises(InputError) as raised:
            next(records)
    assert str(raised.value) == (
        f"put aside, since its workers died each time: game {jobs[0]} and 3 more between greedy, random, minimax; "
        f"game {jobs[6]} between greedy, random"
    )


def test_batches_are_as_long_as_games_are_short_and_small_near_the_end(opened, monkeypatch):
    asked = []

    def play(run, jobs):
        asked.append(len(jobs))
        return [GameRecord(job, "", None, "", "", 0.0, 0.01, ()) for job in jobs]

    monkeypatch.setattr(cluster, "play", play)
    where, _ = opened(Scheduler({"tcp://a:1": 2}))
    jobs = [Job(0, 1, number) for number in range(300)]
    idle = []
    with where.open(setting("greedy", "random")):
        for number, record in enumerate(where.play(jobs)):
            assert record.job == jobs[number]
            idle.append(where.idle())
    assert sum(asked) == 300
    assert asked[:3] == [1, 1, 1]
    assert max(asked) > 10
    assert asked[-1] == 1
    ends = [sum(asked[: number + 1]) - 1 for number in range(len(asked))]
    assert [number for number, whole in enumerate(idle) if whole] == ends
    assert where.live_games() == []
    del asked[:]
    with where.open(setting("greedy", "random")):
        assert len(list(where.play(jobs[:40]))) == 40
    assert asked[:3] == [1, 1, 1], "games of another run may be longer"
    assert where._client.given == (where._run, bundle_of(setting("greedy", "random")))
    run = where._run
    assert list(where.each(sum, [[1], [2]])) == [1, 2]
    assert where._client.given == (where._run, None), "pieces of work need no agents"
    assert where._run != run


def test_a_game_that_a_worker_could_not_play_is_raised(opened, monkeypatch):
    monkeypatch.setattr(cluster, "play", lambda run, jobs: [InputError("its file is gone")])
    where, _ = opened(Scheduler({"tcp://a:1": 1}))
    with where.open(setting("greedy", "random")), pytest.raises(InputError, match="its file is gone"):
        list(where.play([Job(0, 1, 0)]))


class Worker:
    """Stands in for a dask worker."""

    def __init__(self, folder):
        self.local_directory, self.state, self.resources = str(folder), SimpleNamespace(nthreads=3), {}

    async def set_resources(self, **given):
        self.resources |= given


def finished(coroutine):
    with pytest.raises(StopIteration) as ended:
        coroutine.send(None)
    return ended.value.value


def test_a_worker_declares_a_run_once_plays_it_and_forgets_it(tmp_path):
    worker = Worker(tmp_path)
    field = setting("greedy", "random")
    assert finished(begin_run("test-run", CodeBundle(field, (), ("/none",)), worker)) == "there is no program '/none'"
    assert (worker.resources, "test-run" in RUNS) == ({}, False)
    assert finished(begin_run("test-run", CodeBundle(field, (), ()), worker)) == ""
    first = RUNS["test-run"]
    assert finished(begin_run("test-run", CodeBundle(field, (), ()), worker)) == ""
    assert RUNS["test-run"] is first
    assert worker.resources == {"test-run": 3}
    jobs = [Job(0, 1, 0), Job(1, 0, 0)]
    assert [record.job for record in cluster.play("test-run", jobs)] == jobs
    finished(end_run("test-run", worker))
    assert (worker.resources, "test-run" in RUNS, first.over.is_set()) == ({"test-run": 0}, False, True)
    assert first.play(jobs) == []
    finished(end_run("test-run", worker))
    assert finished(begin_run("test-run", None, worker)) == ""
    assert RUNS.pop("test-run").setting is None


def test_files_of_agents_are_unpacked_where_the_worker_keeps_its_own(tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text("def choose(board):\n    return 0\n")
    field = replace(setting("greedy", "random"), specs=(parse(f"{bot}:choose"), parse("greedy")))
    assert finished(begin_run("unpacked", bundle_of(field), Worker(tmp_path / "kept"))) == ""
    assert RUNS.pop("unpacked").setting.specs[0].kind.startswith(f"{tmp_path}/kept/arena-")


class OneWorker(Scheduler):
    """Stands in for a scheduler whose one worker does what it is asked to."""

    def __init__(self, worker):
        super().__init__({"tcp://a:1": 1})
        self.worker = worker

    def run(self, function, *given, workers, on_error):
        if function is known:
            return super().run(function, *given, workers=workers, on_error=on_error)
        return {address: finished(function(*given, self.worker)) for address in workers}

    def submit(self, function, *given, key, resources, pure):
        assert all(self.worker.resources.get(name) for name in resources), "no worker plays this run"
        return super().submit(function, *given, key=key, resources=resources, pure=pure)


@pytest.mark.parametrize("ends", ["killed", "at once"])
def test_runs_on_one_cluster_each_play_their_own_code_at_once_and_after_one_that_was_killed(
    opened, tmp_path, monkeypatch, ends
):
    monkeypatch.setattr(cluster, "RUNS", {})
    bot, worker = tmp_path / "bot.py", Worker(tmp_path / "worker")
    jobs = [Job(1, 0, 0), Job(0, 1, 0)]

    def columns(where):
        """Return the columns that the bot, always one of them, played in each game."""
        return [set(record.moves[record.job.first == 0 :: 2]) for record in where.play(jobs)]

    def begun(column, *agents):
        bot.write_text(f"def choose(board):\n    return {column} if {column} in board.legal_moves() else 3\n")
        where, _ = opened(OneWorker(worker))
        where._open(bundle_of(setting(*agents, f"{bot}:choose")))
        return where

    first, second = begun(0, "minimax:depth=1"), begun(6, "minimax:depth=1")
    third = begun(6, "minimax:depth=2")
    assert len({where._run for where in (first, second, third)}) == 3
    assert begun(6, "minimax:depth=1")._run == second._run, "one that is continued is the same"
    assert [columns(second)[0] <= set("74"), columns(first)[0] <= set("14")] == [True, True]
    if ends == "at once":
        first._close()
        assert first._run not in cluster.RUNS
        assert not worker.resources[first._run]
    assert [columns(where)[1] <= set("74") for where in (second, third)] == [True, True]


def test_a_scheduler_is_told_to_give_waiting_batches_to_a_worker_that_is_still_there():
    log = []
    scheduler = SimpleNamespace(
        workers={"tcp://a:1": "the worker"},
        bulk_schedule_unrunnable_after_adding_worker=lambda state: {"for": state},
        transitions=lambda waiting, why: log.append((waiting, why)),
    )
    for address in ("tcp://a:1", "tcp://gone:1"):
        waking()(address, dask_scheduler=scheduler)
    assert log == [({"for": "the worker"}, "arena")]


def test_a_model_that_waits_for_another_machine_is_not_asked_from_a_cluster(opened):
    where, said = opened(Scheduler({"tcp://a:1": 1}))
    model = setting("greedy", "llm:m@http://127.0.0.1:9")
    with pytest.raises(InputError, match="a cluster cannot stop the games of a model whose server fails"):
        where.open(model).__enter__()
    assert said == []


def test_a_worker_plays_in_each_thread_with_agents_of_its_own_and_ends_them_all(tmp_path, monkeypatch):
    made, ended = [], []

    class Table:
        def __init__(self, setting):
            self.agents = {0: SimpleNamespace(stop=lambda: ended.append("stop")), 1: "no search"}
            made.append(setting)

        def answer(self, job):
            return job

        def close(self):
            ended.append("close")

    monkeypatch.setattr(cluster, "Field", Table)
    run = cluster.WorkerRun("a setting")
    assert [run.play([Job(0, 1, 0), Job(1, 0, 0)]), run.play([Job(0, 1, 1)])] == [
        [Job(0, 1, 0), Job(1, 0, 0)], [Job(0, 1, 1)],
    ]  # fmt: skip
    thread = threading.Thread(target=run.play, args=([Job(0, 1, 2)],))
    thread.start()
    thread.join()
    assert len(run.fields) == 2
    assert {*made} == {"a setting"}
    run.end()
    assert ended == ["stop", "close", "stop", "close"]
    assert run.play([Job(0, 1, 3)]) == []


@pytest.mark.parametrize("address", ["local:3", "here:1"])
def test_a_scheduler_is_started_with_so_many_workers_or_asked_for_at_its_address(address):
    log = []

    def client(where, **given):
        log.append((where, given))
        return "a client"

    distributed = SimpleNamespace(LocalCluster=lambda **given: log.append(given) or "a cluster", Client=client)
    where = Cluster(address)
    where._connect(distributed)
    asked = {"timeout": 10.0, "set_as_default": False}
    own = {"n_workers": 3, "threads_per_worker": 1, "dashboard_address": ":0",
           "scheduler_kwargs": {"allowed_failures": 2}, "silence_logs": 50}  # fmt: skip
    assert log == ([own, ("a cluster", asked)] if address == "local:3" else [(address, asked)])
    assert where._client == "a client"


@pytest.mark.parametrize(
    ("error", "text"), [(OSError("refused"), "refused"), (TimeoutError(), "TimeoutError"), (ValueError("no"), "no")]
)
def test_why_there_is_no_scheduler_is_said_also_where_the_error_says_nothing(error, text):
    def fails(where, **given):
        raise error

    with pytest.raises(InputError) as raised:
        Cluster("here:1")._connect(SimpleNamespace(Client=fails))
    assert str(raised.value) == f"there is no scheduler at here:1: {text}"


def test_the_scheduler_is_looked_for_once_a_second_and_its_workers_are_asked_once(opened, monkeypatch):
    client, now = Scheduler({"tcp://a:1": 1}), [100.0]
    monkeypatch.setattr(cluster, "time", SimpleNamespace(monotonic=lambda: now[0]))
    where, _ = opened(client)
    with where.open(setting("greedy", "random")):
        for seconds, workers in ((0.9, 1), (1.1, 2), (1.9, 2), (2.2, 2)):
            now[0] = 100.0 + seconds
            client.workers["tcp://b:1"] = 2
            where._look()
            assert len(where._slots) == workers
        now[0] += 0.1
        client.workers.pop("tcp://a:1")
        where._look()
        assert len(where._slots) == 2
        where._look(now=True)
        assert where._slots == {"tcp://b:1": 2}
    assert [each for each in client.log if each[0] == "known"] == [
        ("known", ["tcp://a:1"], "return"), ("known", ["tcp://b:1"], "return"),
    ]  # fmt: skip


def test_without_the_library_of_clusters_it_is_said_how_it_is_installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InputError, match=r"which is not installed: pip install 'connect4-arena\[cluster\]'$"):
        list(Cluster("here:1").each(sum, [[1]]))
