"""Ctrl-C, SIGTERM and SIGHUP while Python still imports, and where C calls back."""

import ctypes
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arena import cli
from arena.cli.signals import as_ctrl_c

ROOT = Path(__file__).parents[3]


def started(tmp_path, library, number, ignored=False):
    """Start the command with a library that sends the signal as it is imported."""
    raises = f"import os, time\nos.kill(os.getpid(), {int(number)})\ntime.sleep(0.1)\n"
    (tmp_path / f"{library}.py").write_text(f"{raises}raise ImportError('it is only pretended')\n")
    return subprocess.run(
        [sys.executable, "-m", "arena", "move", "alphabeta:depth=1"], capture_output=True, text=True, check=False,
        env=os.environ | {"PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"},
        preexec_fn=lambda: signal.signal(number, signal.SIG_IGN if ignored else signal.SIG_DFL),
    )  # fmt: skip


@pytest.mark.parametrize("library", ["click", "numba"])
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_command_that_is_still_importing_ends_in_one_line(tmp_path, library, number, code):
    done = started(tmp_path, library, number)
    assert (done.returncode, done.stdout, done.stderr.lstrip()) == (code, "", "arena: interrupted\n")


def test_a_signal_that_was_ignored_at_the_start_stays_so(tmp_path):
    done = started(tmp_path, "click", signal.SIGHUP, ignored=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.endswith("ImportError: it is only pretended\n")


def test_ctrl_c_of_which_a_library_tells_in_its_own_words_is_still_ctrl_c(arena, monkeypatch):
    def library(**rest):
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            raise SystemError("initialization failed") from None

    monkeypatch.setattr(cli.cli, "main", library)
    done = arena("--help")
    assert (done.code, done.out, done.err) == (130, "", "arena: interrupted\n")


def test_a_mistake_of_our_own_is_no_ctrl_c(monkeypatch):
    monkeypatch.setattr(cli.cli, "main", lambda **rest: {}["nothing"])
    with pytest.raises(KeyError):
        cli.main()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_that_is_swallowed_where_c_calls_back_is_raised_again(number):
    before = signal.signal(number, signal.default_int_handler)
    call = ctypes.CFUNCTYPE(None)(lambda: signal.raise_signal(number))
    try:
        with as_ctrl_c() as heard:
            call()
            with pytest.raises(KeyboardInterrupt):
                time.sleep(5)
    finally:
        signal.signal(number, before)
    assert heard == [number] * 2


def test_other_errors_that_nobody_can_catch_are_told_as_ever(monkeypatch):
    told = []
    monkeypatch.setattr(sys, "unraisablehook", told.append)
    call = ctypes.CFUNCTYPE(None)(lambda: 1 // 0)
    with as_ctrl_c() as heard:
        call()
    assert [lost.exc_type for lost in told] == [ZeroDivisionError]
    assert heard == []


FREES = """
import atexit, os, signal
from arena import cli
from arena.__main__ import main


class Kernel:
    def __init__(self):
        self.pointer = 1

    def close(self):
        del self.pointer  # fails the second time, as in llvmlite
        if not heard:
            heard.append(True)
            os.kill(os.getpid(), signal.SIGTERM)
            [0 for _ in range(1000)]

    def __del__(self):
        self.close()


heard, kernels = [], [Kernel(), Kernel()]
del kernels[1].pointer


def command(**_):
    kernels.pop(0)
    if WITHIN:
        kernels.pop()
    return 0


atexit.register(kernels.clear)
cli.cli.main = command
main()
"""


@pytest.mark.parametrize("within", [True, False])
def test_a_signal_while_kernels_are_freed_shows_no_traceback_of_a_library(within):
    done = subprocess.run(
        [sys.executable, "-c", FREES.replace("WITHIN", str(within))], capture_output=True, text=True, check=False,
        env=os.environ | {"PYTHONPATH": str(ROOT)}, preexec_fn=lambda: signal.signal(signal.SIGTERM, signal.SIG_DFL),
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (143, "")
    assert done.stderr in {"", "arena: interrupted\n"}
