"""What tests need beyond a plain machine: programs, packages, and processes that may be walled in.

Where one is missing, the test is skipped with its name; `.ci/run` fails if such a test is not run later.
"""

import importlib.util
import shutil

import pytest

from agents.errors import InputError
from agents.processes import sandbox

PROGRAMS = {
    "bwrap": "bubblewrap (Debian: apt-get install bubblewrap)",
    "cc": "a compiler of C (Debian: apt-get install gcc)",
    "chromium": "chromium (Debian: apt-get install chromium-headless-shell)",
    "node": "node (Debian: apt-get install nodejs)",
    "npm": "npm (Debian: apt-get install npm)",
    "javac": "a compiler of Java (Debian: apt-get install default-jdk-headless)",
    "rustc": "a compiler of Rust (Debian: apt-get install rustc)",
    "sh": "a shell",
}
"""What to install, by program."""
NAMES = {"chromium": ("chromium-headless-shell", "chromium")}
"""The names of a program, the quickest first, where it has several."""


def program(name):
    """Return the path of a program, or None."""
    return next(filter(None, map(shutil.which, NAMES.get(name, (name,)))), None)


def missing(name):
    """Return why a program or a package cannot be had here, or an empty text."""
    if name == "bwrap":
        try:
            sandbox.bubblewrap()
        except InputError as error:
            return f"needs {PROGRAMS[name]}: {error}"
        return ""
    if name in PROGRAMS:
        return "" if program(name) else f"needs {PROGRAMS[name]}"
    return "" if importlib.util.find_spec(name) else f"needs the package {name}"


def needs(*names):
    """Mark tests that need programs or packages: they are skipped where one is missing."""
    reasons = [reason for name in names if (reason := missing(name))]
    return pytest.mark.skipif(bool(reasons), reason="; ".join(reasons))


def needed(name):
    """Skip the test, or the file, that needs a program or a package; return its path, or the module."""
    if name in PROGRAMS:
        if reason := missing(name):
            pytest.skip(reason, allow_module_level=True)
        return program(name)
    return pytest.importorskip(name, reason=f"needs the package {name}")
