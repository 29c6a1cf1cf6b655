"""A cluster on loopback: a real scheduler and worker processes, one of which is killed, one added, then all stopped."""

import json
import logging
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from needs import needed, needs
from worker_games import played_in

import arena as api
from agents.board import Rules
from agents.errors import InputError
from arena.games.openings import candidates
from arena.games.plan import Plan
from arena.games.run import Run
from arena.games.workers import Processes
from arena.perfect.solved import solve_all
from arena.plugins.cluster import cluster
from arena.plugins.cluster.cluster import Cluster
from arena.records import Job
from arena.store.run_file import Store
from arena.tournament.frames import Frames
from arena.tournament.tables import document

from .loopback import BOT, HELPER, ROOT, cluster_in, setting

ODD = Path(__file__).parents[3] / "data" / "odd_agents.py"
pytestmark = [needs("distributed"), pytest.mark.cluster]
pytestmark += [pytest.mark.filterwarnings("ignore")]  # of libraries that distributed uses


@pytest.fixture
def start(tmp_path):
    """Start a scheduler, start(), or a worker, start(address); all end with the test."""
    with cluster_in(tmp_path) as run:
        yield run


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """The address of a scheduler with one worker, for tests that leave both as they are."""
    with cluster_in(tmp_path_factory.mktemp("cluster")) as run:
        _, found = run()
        run(found)
        yield found


def timeless(value):
    """Return a document without the numbers whose names say that they are times, and how it was made."""
    if isinstance(value, list):
        return [timeless(each) for each in value]
    if isinstance(value, dict):
        units = r"ms|seconds|_per_second|^(sessions|loads)$"
        kept = {name: each for name, each in value.items() if not re.search(units, name)}
        return {name: timeless(each) for name, each in kept.items()}
    return value


def tables(path):
    return json.dumps(timeless(document(Frames.read(path))))


def play(plan, path, executor, progress=lambda: None):
    run = Run.begin(plan, path)
    with run.store:
        run.play(executor, progress)
    return path


def test_a_worker_that_dies_and_one_that_comes_change_nothing_and_without_a_scheduler_what_was_played_is_kept(
    tmp_path, start
):
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "bot.py").write_text(BOT)
    (tmp_path / "bots" / "helper.py").write_text(HELPER)
    plan = Plan(("greedy", f"{tmp_path}/bots/bot.py", "alphabeta:depth=2"), rounds=6)
    scheduler, address = start()
    workers = [start(address), start(address)]
    said, ended = [], 0

    def progress():
        nonlocal ended
        ended += 1
        if ended == 6:
            workers[0].send_signal(signal.SIGKILL)
            workers.append(start(address))

    here = tables(play(plan, tmp_path / "here.sqlite", Processes(1)))
    assert tables(play(plan, tmp_path / "there.sqlite", Cluster(address, said.append), progress)) == here
    assert said[0].startswith(f"cluster at {address}, dashboard: ")

    ended = 6  # from here on nobody is killed
    run = Run.begin(plan, tmp_path / "stopped.sqlite")

    def stop():
        scheduler.kill()

    with pytest.raises(InputError, match=f"^the scheduler at {address} is gone$"), run.store:
        run.play(Cluster(address), stop)
    assert not logging.getLogger("distributed.client").isEnabledFor(logging.ERROR)  # which says it in its own way
    with Store.read(run.store.path) as store:
        assert 0 < len(store.played()) < 36
    run = Run.resume(run.store.path)
    with run.store:
        assert run.play(Processes(1))
    assert tables(run.store.path) == here


def test_who_differs_is_refused_in_a_line_that_says_what_to_do(tmp_path, start):
    fake = tmp_path / "fake" / "numba-0.1.dist-info"
    fake.mkdir(parents=True)
    (fake / "METADATA").write_text("Metadata-Version: 2.1\nName: numba\nVersion: 0.1\n")
    _, address = start()
    start(address, first=str(tmp_path / "fake"))
    said = []
    with pytest.raises(InputError, match=r"no worker of the cluster at .* can be used"):
        play(Plan(("greedy", "random"), rounds=1), tmp_path / "run.sqlite", Cluster(address, said.append))
    assert re.search(r"worker tcp://\S+ is not used: it has numba 0\.1, and here is \S+: pip install", said[-1])
    assert not (tmp_path / "run.sqlite").exists()


def test_a_batch_that_kills_three_workers_is_named_and_put_aside_and_the_run_goes_on():
    field, games = setting("greedy", f"{ODD}:Killed", "random"), [Job(0, 1, 0), Job(0, 2, 0)]
    records = played_in(Cluster("local:1"), field, games)
    assert next(records).job == Job(0, 2, 0)
    with pytest.raises(
        InputError, match=r"^put aside, since its workers died each time: game 0-1-0 between greedy, .*"
    ):
        next(records)


def test_nobody_at_the_address_is_told_in_a_line(tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "PATIENCE", 0.5)
    with pytest.raises(InputError, match=r"there is no scheduler at 127\.0\.0\.1:1: "):
        play(Plan(("greedy", "random"), rounds=1), tmp_path / "run.sqlite", Cluster("127.0.0.1:1"))


def test_ctrl_c_leaves_no_task_behind_and_what_was_played_is_kept(tmp_path, address):
    path = tmp_path / "run.sqlite"
    words = ["run", "mcts:playouts=3000", "mcts:playouts=3001", "--rounds", "500", "--openings", "plies:4"]
    run = subprocess.Popen(
        [sys.executable, "-m", "arena", *words, "--cluster", address, "--out", str(path)],
        cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT)}, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and not (path.exists() and played(path)):
        time.sleep(0.2)
    run.send_signal(signal.SIGINT)
    said = run.communicate(timeout=120)[1]
    assert run.returncode == 130, said
    assert "to play the rest: arena run --resume" in said
    assert 0 < played(path) < 1000
    distributed = needed("distributed")
    with distributed.Client(address, set_as_default=False) as client:
        assert client.run_on_scheduler(tasks_left) == 0
        deadline = time.monotonic() + 120
        while any(client.run(tasks_here).values()) and time.monotonic() < deadline:
            time.sleep(0.2)  # a worker's thread ends the batch that it plays
        assert client.run(tasks_here) == dict.fromkeys(client.nthreads(), 0)


def played(path):
    try:
        with Store.read(path) as store:
            return len(store.played())
    except InputError:
        return 0


def tasks_left(dask_scheduler):
    return len(dask_scheduler.tasks)


def tasks_here(dask_worker):
    return len(dask_worker.state.tasks)


def test_a_cluster_plays_from_python_what_processes_play(tmp_path, address):
    agents, rest = ["greedy", "random"], {"rounds": 2, "seed": 3}
    here = api.run(agents, out=tmp_path / "here.sqlite", **rest)
    there = api.run(agents, out=tmp_path / "there.sqlite", cluster=address, **rest)
    assert list(here.games["moves"]) == list(there.games["moves"])
    with pytest.raises(InputError, match="your own objects stay here"):
        api.run([Mine(), "greedy"], cluster="local:1", out=tmp_path / "mine.sqlite")


def test_a_cluster_solves_what_threads_solve(address):
    chunks = [[(board.own, board.opp)] for board in candidates("plies:3", Rules(4, 4))]
    there, here = (
        dict(solve_all(Rules(4, 4), chunks, threads, strong=True, mebibytes=1)) for threads in (Cluster(address), 1)
    )
    assert there == here


class Mine:
    def choose(self, board, limits):
        return board.legal_moves()[0]
