"""Run tests on an edited copy of the project, each time in a process forked from this one, and hear what they say."""

import json
import os
import signal
import sys
import time
from pathlib import Path

import coverage
import pytest
from edits import PLACES

SECONDS = 40.0
"""For one test; one that takes longer is left out."""
WORDS = ["-x", "-q", "-n0", "-otimeout=0", "--tb=no", "-m", "not slow", "-p", "no:cacheprovider", "--hypothesis-seed=0"]
LATE = ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # plugins were imported before pytest could rewrite them


class Watch:
    """A pytest plugin that times tests, ends those that take too long, and hears which failed."""

    def __init__(self, seconds, tracer=None):
        self.limit, self.tracer = seconds, tracer
        self.seconds, self.failed, self.skipped = {}, [], []
        self.late = False
        signal.signal(signal.SIGALRM, self.end)

    def end(self, *_):
        self.late = True
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
        sys.path[:0] = [str(copy), str(copy / "tests" / "support")]
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


def noticed(copy, tests, seconds):
    """Return the first test that fails, "time" where they take too long or break pytest, None where all pass."""

    def run():
        watch = Watch(20 + 10 * max(seconds[test] for test in tests))
        code = pytest.main([*WORDS, *LATE, *tests], plugins=[watch])
        return "time" if watch.late else watch.failed[0] if watch.failed else None if code == 0 else "import"

    found = forked(copy, lambda: [run()], 40 + 8 * sum(seconds[test] for test in tests))
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
