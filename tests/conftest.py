import ctypes
import gc
import io
import itertools
import mmap
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree as ET

import pytest
from child_compiler import compile_in_child
from hypothesis import HealthCheck, settings
from numba.core.dispatcher import Dispatcher

from agents.jit.compiler import JIT
from arena.cli import main

CI = "CI" in os.environ
AGENTS = Path(__file__).with_name("agents")
LINUX = sys.platform == "linux"
LIBC = ctypes.CDLL(None) if LINUX else None
TRIM = getattr(LIBC, "malloc_trim", None)
"""Gives free memory back to the system, where the C library is one that would keep it."""
if TRIM is not None:
    LIBC.mallopt(-8, 1)  # M_ARENA_MAX of GNU's malloc.h: no memory of its own for each of many threads
GROWN = 16 << 20
"""Bytes by which this process grows before a test's end collects garbage: a collection takes 30 ms."""

# The first example may compile a kernel, which takes seconds; kernels that run as plain Python get fewer examples.
settings.register_profile(
    "kernels",
    deadline=None,
    max_examples=60 if JIT else 10,
    derandomize=CI,  # the same examples each time: chance finds new ones at home
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("kernels")


def is_whole(config):
    """Return whether the whole suite is run, and no file of it was asked for by name."""
    return config.args_source is pytest.Config.ArgsSource.TESTPATHS


def pytest_xdist_auto_num_workers(config):
    """Share the whole suite among all processors, and one worker more: some tests wait most of their time.

    What is asked for by name runs in this process.
    """
    if not is_whole(config):
        return 0
    config.option.dist = "worksteal"  # neighbours mostly stay together, and with them what their fixtures made
    return (os.cpu_count() or 1) + 1


def pytest_configure(config):
    """Let numerical libraries start no threads in what this process starts, as arena.__main__ does.

    Workers last for thousands of tests: there, kernels are compiled in processes that end, where a copy of a process
    that has loaded libraries is safe.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if JIT and LINUX and hasattr(config, "workerinput"):
        Dispatcher.compile = compile_in_child


def pytest_sessionstart(session):
    """Compile the kernels that most tests use, and the tests themselves, before the workers of the whole suite start.

    Pytest keeps the tests that it has compiled on disk; workers that start together would each compile them all.
    """
    config, processors = session.config, os.cpu_count() or 1
    if is_whole(config) and not hasattr(config, "workerinput") and not config.option.collectonly:
        words = [sys.executable, str(Path(__file__).with_name("compile_kernels.py"))]
        places = range(processors if JIT else 0)
        compilers = [subprocess.Popen([*words, str(place), str(processors)]) for place in places]
        if not sys.dont_write_bytecode:
            collect = [sys.executable, "-m", "pytest", "-n", "0", "--collect-only", "--quiet", "--quiet"]
            subprocess.run(collect, capture_output=True, check=False)  # the workers say what cannot be read
        assert [compiler.wait() for compiler in compilers] == [0] * len(compilers)


HEAVY = ("process", "browser", "cluster", "compiles", "simulation", "docs")
"""The marks of tests that `pytest` leaves out and `pytest --all` runs."""


def pytest_addoption(parser):
    parser.addoption("--all", action="store_true", help=f"also run what is heavy: {', '.join(HEAVY)}")
    parser.addoption("--slow", action="store_true", help="run all, also the tests that take minutes each")
    parser.addoption("--rest", metavar="REPORT", help="leave out what passed in a report of another run, by --junitxml")
    parser.addoption(
        "--write-pages", action="store_true", help="put what is printed now into README.md, docs/ and tests/data"
    )


def dealt(items, workers):
    """Return the items in an order in which all workers get a share of the tests of the agents.

    Most code is compiled by these tests, and takes memory to the end. A worker begins at its part of the list: of
    three, at the second or the last third. A page of docs/, which may take minutes, is not left for the end.
    """
    agents = [item for item in items if AGENTS in item.path.parents]
    others = [item for item in items if AGENTS not in item.path.parents]
    others.sort(key=lambda item: item.get_closest_marker("docs") is None)
    files = [list(tests) for _, tests in itertools.groupby(agents, key=lambda item: item.path)]
    order = []
    for place in range(workers):
        order += itertools.chain.from_iterable(files[place::workers])
        room = max(0, len(items) * (place + 1) // workers - len(order))
        order += others[:room]
        del others[:room]
    return order


def passed(report):
    """Return the tests that passed in a report, as pytest names them; of none without a report."""
    cases = ET.parse(report).iter("testcase") if report else ()
    return {f"{case.get('classname').replace('.', '/')}.py::{case.get('name')}" for case in cases if not len(case)}


def pytest_collection_modifyitems(config, items):
    """Leave out what is heavy, unless it was asked for by an option, or by a path."""
    slow = config.getoption("--slow")
    everything = config.getoption("--all") or not is_whole(config)
    aside = set() if slow else {"slow"} if everything else {"slow", *HEAVY}
    done = passed(config.getoption("--rest"))
    left_out = [
        item for item in items if item.nodeid in done or any(mark.name in aside for mark in item.iter_markers())
    ]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in set(left_out)]
    if hasattr(config, "workerinput") and is_whole(config):
        items[:] = dealt(items, config.workerinput["workercount"])
    for item in items:
        if slow and item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.timeout(0))


def pytest_collection_finish(session):
    """Let the garbage collector pass over what is loaded by now, most of which stays to the end."""
    gc.freeze()
    gc.set_threshold(50_000)  # as arena.__main__ does


def resident():
    """Return the bytes of this process that are in memory, or 0 where that is not known."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * mmap.PAGESIZE if LINUX else 0


@pytest.fixture(scope="session")
def last_collection():
    """The bytes of this process when garbage was collected last, as `size`."""
    return SimpleNamespace(size=resident())


def collect(last_collection):
    """Give back what nobody needs any more, such as tables of 64 MB that wait in cycles of few objects."""
    gc.collect()
    if TRIM is not None:
        TRIM(0)
    last_collection.size = resident()


@pytest.fixture(scope="module", autouse=True)
def nothing_left_of_this_file(request, last_collection):
    """End the browser that a file's tests have started, and give back what its functions cache and its fixtures held.

    While a browser runs, no other event loop can in this thread.
    """
    before = last_collection.size
    yield
    if "browser" in sys.modules:
        sys.modules["browser"].ended()
    for value in vars(request.module).values():
        if hasattr(value, "cache_clear"):
            value.cache_clear()
    if not LINUX or last_collection.size >= before + GROWN:
        collect(last_collection)


@pytest.fixture(autouse=True)
def nothing_left_of_this_test(last_collection):
    """Give back the memory that a test took."""
    yield
    if LINUX and resident() >= last_collection.size + GROWN:
        collect(last_collection)


@pytest.fixture(autouse=True)
def quiet_machine(monkeypatch):
    """Take no machine for busy: what else runs beside the tests is no part of what they expect."""
    monkeypatch.setattr("arena.store.machine.BUSY", float("inf"))


@pytest.fixture
def arena(capsys, monkeypatch):
    """The command in this process: arena("perft", "3") -> its exit code, stdout and stderr."""
    monkeypatch.delenv("COLUMNS", raising=False)

    def run(*words, stdin=""):
        monkeypatch.setattr(sys, "argv", ["arena", *map(str, words)])
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        return SimpleNamespace(code=ended.value.code, out=out, err=err)

    return run
