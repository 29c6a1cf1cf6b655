"""A stranger behind bubblewrap: no network, no files but the system's and its own, no processes but its own."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from agents.errors import InputError
from agents.remote.environment import absolute
from agents.remote.terms import Source

_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/alternatives", "/etc/ld.so.cache")
"""What programs need to run; the rest of /etc and all of /home, /var and /tmp stay outside."""
_WALLS = ["--unshare-all", "--die-with-parent", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"]  # noqa: S108
_AGENTS = Path(__file__).parents[1]


def enclosed(command: Sequence[str], source: Source) -> list[str]:
    """Return the command inside a sandbox. Raises InputError where there can be none."""
    words = [bubblewrap(), *_WALLS]
    bound: list[Path] = []
    for place in map(Path, _readable(command, source)):
        if not any(place.is_relative_to(other) for other in bound):  # a mount point inside cannot be made
            words += ["--ro-bind-try", str(place), str(place)]
            bound.append(place)
    return [*words, "--chdir", source.folder, "--", *command]


@functools.cache
def bubblewrap() -> str:
    """Return the path of a bubblewrap that works here. Raises InputError that says how to get it."""
    found = shutil.which("bwrap", path=absolute(os.environ.get("PATH", os.defpath)))
    if found is None or not sys.platform.startswith("linux"):
        raise InputError("--sandbox needs bubblewrap on Linux: apt-get install bubblewrap")
    try:
        tried = [found, *_WALLS, "--ro-bind", "/", "/", "true"]
        done = subprocess.run(tried, capture_output=True, text=True, timeout=10, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InputError(f"--sandbox: {found} does not run: {error}") from error
    if done.returncode:
        said = done.stderr.strip().rpartition("\n")[2]
        raise InputError(f"--sandbox: this system refuses the namespaces that it needs: {said}")
    return found


def _readable(command: Sequence[str], source: Source) -> Iterator[str]:
    """Yield what may be read: system, interpreter, this package, and the stranger's own."""
    yield from _SYSTEM
    yield from {sys.prefix, sys.base_prefix, str(Path(sys.executable).resolve().parents[1])}
    yield from (place for place in sys.path if place.endswith(("site-packages", "dist-packages")))
    yield str(_AGENTS)
    program = shutil.which(command[0], path=os.environ.get("PATH"))
    if program is not None:
        yield program
        yield os.path.realpath(program)
    if source.files:
        yield from source.files
        return
    home = os.path.expanduser("~")  # noqa: PTH111  Path.home() raises where nobody knows it
    wide = {"/", "/tmp", home, os.path.dirname(home)}  # noqa: S108, PTH120
    if source.folder not in wide:
        yield source.folder
    yield from (word for word in source.words if word.startswith("/") and Path(word).is_file())
