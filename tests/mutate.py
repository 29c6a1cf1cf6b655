"""Draw small wrong edits of the code by a seed: each one that no test notices shows a test that is missing.

Run by hand: `python tests/mutate.py --count 300 --out mutants.jsonl`, without the jit. First all tests run once, and
each line learns which tests execute it (`--map`, kept for the next time). Then each mutant is written into a copy of
the project, and the tests that execute its line run there, those of its own room first, in processes forked from one
that has imported the libraries. What the file has already is not tried again. The mutants come in random order, so that
the first of them are a sample, too; `--only arena/statistics` takes those of one place. `--again` tries the survivors
again, after tests were written for them. A test
notices something only where it passes on the code as it is.
"""

# ruff: noqa: T201

import argparse
import importlib
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

import coverage
import pytest
from edits import PLACES, mutants, mutate

ROOT = Path(__file__).parents[1]

SECONDS = 40.0
"""For one test; one that takes longer is left out."""
ROOMS = [
    "tests/arena/statistics",
    "tests/arena/analysis",
    "tests/arena/play",
    "tests/arena/measure",
    "tests/agents/players",
]
ROOMS += [
    "tests/agents/test_registry.py",
    "tests/arena/report",
    "tests/arena/store",
    "tests/arena/api",
    "tests/arena/cli",
]
"""Of tests, each traced by itself."""
STAGES = (2.0, 90.0)
"""Seconds of tests, as they usually take: a few first, since they mostly suffice, and then all up to the last bound."""
WORDS = ["-x", "-q", "-n", "0", "--tb=no", "-m", "not slow", "-p", "no:cacheprovider", "--hypothesis-seed=0"]
LATE = ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # plugins were imported before pytest could rewrite them


class Watch:
    """A pytest plugin that times tests, ends those that take too long, and hears which failed."""

    def __init__(self, seconds, tracer=None):
        self.limit, self.tracer = seconds, tracer
        self.seconds, self.failed, self.skipped = {}, [], []
        signal.signal(signal.SIGALRM, self.end)

    def end(self, *_):
        raise TimeoutError

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item):
        if self.tracer:
            self.tracer.switch_context(item.nodeid)
        signal.setitimer(signal.ITIMER_REAL, self.limit, 5.0)  # again, where the first was caught
        began = time.monotonic()
        try:
            return (yield)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            self.seconds[item.nodeid] = time.monotonic() - began

    def pytest_runtest_logreport(self, report):
        if report.failed:
            self.failed.append(report.nodeid)
        elif report.skipped:
            self.skipped.append(report.nodeid)


def forked(copy, run, seconds):
    """Return what `run()` returns in a process of its own that stands in the copy, None if it takes longer or dies."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.setpgid(0, 0)
        os.chdir(copy)
        sys.path[:0] = [str(copy), str(copy / "tests")]
        quiet = os.open(copy.parent / "said", os.O_RDWR | os.O_CREAT | os.O_TRUNC)
        for stream in range(3):
            os.dup2(quiet, stream)
        answer = json.dumps(run()).encode()
        while answer:
            answer = answer[os.write(writing, answer) :]
        os._exit(0)
    os.close(writing)
    os.set_blocking(reading, False)
    ends, said = time.monotonic() + seconds, b""
    while time.monotonic() < ends and not os.waitpid(child, os.WNOHANG)[0]:
        said += read(reading)
        time.sleep(0.02)
    said += read(reading)
    os.close(reading)
    try:
        os.killpg(child, signal.SIGKILL)  # and whatever processes the tests have left
        os.waitpid(child, 0)
    except (ProcessLookupError, ChildProcessError):
        pass
    return json.loads(said) if said else None


def read(pipe):
    try:
        return os.read(pipe, 1 << 24)
    except BlockingIOError:
        return b""


def traced(copy, room):
    """Run a room's tests on the code as it is: return {test: seconds} of those that pass, and {file: {line: tests}}."""

    def run():
        places = [str(copy / place) + end for place in PLACES for end in ("", "/*")]
        tracer = coverage.Coverage(data_file=None, config_file=False, include=places)
        tracer.start()
        watch = Watch(SECONDS, tracer)
        pytest.main([*WORDS[1:], *LATE, room], plugins=[watch])
        tracer.stop()
        data = tracer.get_data()
        lines = {str(Path(file).relative_to(copy)): data.contexts_by_lineno(file) for file in data.measured_files()}
        lost = {*watch.failed, *watch.skipped}
        return {test: took for test, took in watch.seconds.items() if test not in lost}, lines

    return forked(copy, run, 7200)


def near(file, lines, seconds, covered):
    """Return the tests to run for an edit, in stages: those of its room first, then the fastest.

    After these come the module's; where no test executes the lines by itself, since they run at import or in a process
    of their own, all others.
    """
    room = f"tests/{Path(file).parent}"
    by_line = covered.get(file, {})
    direct = {test for line in lines for test in by_line.get(str(line), ())}
    wider = set(seconds) if not direct else {test for tests in by_line.values() for test in tests}
    own = f"{room}/test_{Path(file).stem}.py"

    def order(test):
        return test not in direct, not test.startswith(own), not test.startswith(room), seconds[test]

    stages, used = [[] for _ in STAGES], 0.0
    for test in sorted((direct | wider) & seconds.keys(), key=order):
        used += seconds[test]
        for place, bound in enumerate(STAGES):
            if used <= bound or (place == 0 and not stages[0]):
                stages[place].append(test)
                break
    return [stage for stage in stages if stage]


def noticed(copy, tests, seconds):
    """Return the first test that fails, "time" where they take too long or break pytest, None where all pass."""

    def run():
        watch = Watch(10 + 5 * max(seconds[test] for test in tests))
        code = pytest.main([*WORDS, *LATE, *tests], plugins=[watch])
        return watch.failed[0] if watch.failed else None if code == 0 else "import"

    found = forked(copy, lambda: [run()], 20 + 4 * sum(seconds[test] for test in tests))
    return found[0] if found else "time"


def survives(copy, file, source, changed, stages, seconds, sound):
    """Write the edited source into the copy, and return the test that noticed, None where none did.

    A test that fails on the code as it is notices nothing; it is left out of `seconds`. Those that do not are `sound`.
    """
    path = copy / file
    kept, times = path.read_bytes(), path.stat()
    for tests in stages:
        while found := tests:
            path.write_text(source, encoding="utf-8")
            os.utime(path, (changed, changed))  # each edit a second apart, so that no compiled one is taken for another
            found = noticed(copy, tests, seconds)
            path.write_bytes(kept)
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
            if not found:
                break
            if found in sound or found not in seconds or noticed(copy, [found], seconds) is None:
                sound.add(found)
                return found
            del seconds[found]
            tests.remove(found)
    return None


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--count", type=int, default=300)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument(
        "--only", default="", help="those of the sample in files whose names begin so, separated by blanks"
    )
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--map", type=Path, default=Path("mutants.map"), help="a folder")
    options.add_argument("--rooms", default=" ".join(ROOMS), help="the tests that may notice")
    options.add_argument("--again", type=Path, help="try the survivors of this file again")
    given = options.parse_args()
    os.environ["NUMBA_DISABLE_JIT"] = "1"
    for library in ("click", "hypothesis", "numba", "pandas", "scipy.optimize", "scipy.stats", "tqdm", "xdist"):
        importlib.import_module(library)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "project"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".git", ".venv", ".*_cache"))
        os.environ["PYTHONPATH"] = str(copy)
        run(given, copy)


def run(given, copy):
    """Try the mutants asked for, a line of JSON each in the file of results."""
    given.map.mkdir(exist_ok=True)
    seconds, covered = {}, {}
    for room in given.rooms.split():
        path = given.map / f"{room.replace('/', '.')}.json"
        if not path.exists():
            path.write_text(json.dumps(traced(copy, room)), encoding="utf-8")
        times, lines = json.loads(path.read_text(encoding="utf-8"))
        seconds |= times
        for file, tests in lines.items():
            for line, names in tests.items():
                covered.setdefault(file, {}).setdefault(line, []).extend(names)
    if given.again:
        chosen = [row["mutant"] for row in read_rows(given.again) if not row["noticed"]]
    else:
        chosen = [
            m
            for m in random.Random(given.seed).sample(mutants(copy), given.count)
            if m[0].startswith(tuple(given.only.split()) or "")
        ]
    sound = set()
    done = {tuple(row["mutant"]) for row in read_rows(given.out)}
    with given.out.open("a", encoding="utf-8") as out:
        for at, (file, number, edit) in enumerate(chosen):
            if (file, number, edit) not in done:
                source, lines, text = mutate(copy, file, number, edit)
                found = survives(
                    copy, file, source, 1_000_000_000 + at, near(file, lines, seconds, covered), seconds, sound
                )
                print(
                    json.dumps({"mutant": (file, number, edit), "text": text, "noticed": found}), file=out, flush=True
                )
    rows = read_rows(given.out)
    print(*(row["text"] for row in rows if not row["noticed"]), sep="\n")


def read_rows(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


if __name__ == "__main__":
    main()
