"""Process agents in a bubblewrap sandbox: no network, no foreign processes, only the system's files and their own."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from agents.cache import kernel_directory
from agents.errors import InputError
from agents.process_agent import Source
from agents.specs.sources import PYTHON

_PASSED = (
    "PATH",
    "HOME",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TZ",
    "LD_LIBRARY_PATH",
    "NUMBA_CACHE_DIR",
    "NUMBA_DISABLE_JIT",
)
_SEARCHED = ("PATH", "LD_LIBRARY_PATH")
"""Lists of folders. Relative folders are dropped, because they would count from the agent's folder."""
_SET = {"PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
"""Sets keep their order from run to run, and numerical libraries start no further threads."""


def environment() -> dict[str, str]:
    """Return the variables of every process agent; the launcher gets no others."""
    passed = {name: os.environ[name] for name in _PASSED if name in os.environ}
    for name in _SEARCHED:
        if name in passed:
            passed[name] = absolute(passed[name])
    return {name: value for name, value in passed.items() if value} | _SET


def absolute(folders: str) -> str:
    """Return a list of folders, such as PATH, without the relative ones."""
    return os.pathsep.join(folder for folder in folders.split(os.pathsep) if os.path.isabs(folder))  # noqa: PTH117  a text


_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/alternatives", "/etc/ld.so.cache")
"""What programs need to run; the rest of /etc and all of /home, /var and /tmp stay outside."""
_SIZE = 64 << 20
"""Bytes that each writable folder holds, in memory."""
_WALLS = (
    "--unshare-all --unshare-user --disable-userns --die-with-parent --cap-drop ALL --proc /proc --dev /dev "
    f"--size {_SIZE} --tmpfs /tmp --size {_SIZE} --tmpfs /dev/shm"
)
"""Options of bubblewrap 0.8. In a namespace of its own an agent could mount larger file systems."""
_SHOWN = ("cpuinfo", "filesystems", "loadavg", "meminfo", "stat", "sys", "uptime", "version")
"""What programs read of /proc, beside their own processes; it is read-only."""
_TOO_OLD = "Unknown option"
_CLOSED = ["--remount-ro", "/dev", "--remount-ro", "/"]
"""The last options: only those folders stay writable."""
_AGENTS = Path(__file__).parents[1]


def enclosed(command: Sequence[str], source: Source) -> list[str]:
    """Return the command inside a sandbox. Raises InputError where sandboxes do not work."""
    words = [*bubblewrap()]  # a copy
    bound: list[Path] = []
    for place in map(Path, _readable(command, source)):
        if not any(place.is_relative_to(other) for other in bound):  # bound folders are read-only: no mount inside
            words += ["--ro-bind-try", str(place), str(place)]
            bound.append(place)
    return [*words, *_CLOSED, "--chdir", source.folder, "--", *_FEW_PROCESSES, *command]


_FEW_PROCESSES = ["/bin/sh", "-c", '{ ulimit -u 256 || ulimit -p 256; } 2>/dev/null; exec "$@"', "sh"]
"""In its namespace a user has at most so many processes and threads; bash and dash name the limit differently.

The kernel does not hold root to it. Long before it, more than MOST_PROCESSES of `limits` are a fault.
"""


@functools.cache
def bubblewrap() -> list[str]:
    """Return the first words of a sandboxed command: the path of bubblewrap, and options that work here.

    Raises InputError, which says how to install bubblewrap.
    """
    program = shutil.which("bwrap", path=absolute(os.environ.get("PATH", os.defpath)))
    if program is None or not sys.platform.startswith("linux"):
        raise InputError("--sandbox needs bubblewrap on Linux: apt-get install bubblewrap")
    walls = [*_WALLS.split(), *_masks()]
    tried = [program, "--ro-bind", "/", "/", *walls, *_CLOSED, "true"]
    try:
        done = subprocess.run(tried, capture_output=True, text=True, timeout=10, check=False)  # noqa: S603  a command of ours
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InputError(f"--sandbox: {program} does not run: {error}") from error
    if not done.returncode:
        return [program, *walls]
    if _TOO_OLD in done.stderr:
        raise InputError(f"--sandbox needs bubblewrap 0.8 or later; {program} is older")
    reason = done.stderr.strip().rpartition("\n")[2]
    raise InputError(f"--sandbox: this system refuses the namespaces that it needs: {reason}")


def _masks() -> list[str]:
    """Return the options that close /proc but for processes and _SHOWN.

    Root owns the rest, and a sandbox that root starts has root's files. A device cannot be opened where it is bound.
    """
    words: list[str] = []
    for entry in sorted(Path("/proc").iterdir()):
        place = str(entry)
        if entry.name.isdigit() or entry.is_symlink():  # `self`, `net` and `mounts` lead to the reader's own process
            continue
        if entry.name in _SHOWN:
            words += ["--ro-bind", place, place]
        elif entry.is_dir():
            words += ["--tmpfs", place, "--remount-ro", place]
        else:
            words += ["--ro-bind", os.devnull, place]
    return words


def _readable(command: Sequence[str], source: Source) -> Iterator[str]:
    """Yield the readable paths: system, interpreter, this package and its kernels, and the agent's own files."""
    yield from _SYSTEM
    yield from {sys.prefix, sys.base_prefix, str(Path(sys.executable).resolve().parents[1])}
    yield from (place for place in sys.path if place.endswith(("site-packages", "dist-packages")))
    yield str(_AGENTS)
    program = shutil.which(command[0], path=os.environ.get("PATH"))
    if program is not None:
        yield program
        yield os.path.realpath(program)
    if PYTHON in dict(source.options):  # a virtual environment, and the interpreter behind it
        yield from {str(Path(place).parents[1]) for place in (command[0], os.path.realpath(command[0]))}
    with suppress(RuntimeError):  # nobody knows the user's home
        yield str(kernel_directory())
    if source.files:
        yield from source.files
        return
    home = os.path.expanduser("~")  # noqa: PTH111  Path.home() raises where it is unknown
    wide = {"/", "/tmp", home, os.path.dirname(home)}  # noqa: S108, PTH120  names, and Path.home() may raise
    files = [Path(source.folder) / word for word in source.words if (Path(source.folder) / word).is_file()]
    folders = dict.fromkeys([source.folder, *(os.path.normpath(file.parent) for file in files)])
    yield from (folder for folder in folders if folder not in wide)
    yield from map(str, files)
