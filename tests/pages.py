"""The samples of README.md and docs/: commands with the output that they print, and the files that they need.

A block ```console has commands behind "$ " and below each what it prints; a block ```sh commands that print what nobody
wants to read; a block ```python is a program, or, where its first line is "# NAME.py", a file of that name. All blocks
of a page run one after the other in one folder. A block below the line <!-- not run: why --> is passed over.
"""

import os
import re
import shlex
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
BLOCK = re.compile(
    r"(?P<skip><!-- not run: [^>]*-->\n)?^```(?P<kind>console|sh|python)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL
)
MASKED = re.compile(
    r"\d[\d,]*(?:\.\d+)? ?(?:[kM]|[mµ]?s)\b(?: \*)?|\d[\d,]*\.\d+(?! %)(?: +\d{3,}(?= +(?:yes|no)\b))?"
    r"|\d{8}-\d{6}|-{2,}|\s+"
)
"""The end of the first line is `arena check`'s longest time, on a busy machine a whole number."""

ALONE = re.compile(r"arena [^|&;<>$`\n]*")
"""A command of the project, and nothing else that a shell does."""

BUSY = re.compile(
    r", rough: other programs used [\d.]+ of \d+ cores|^rough: other programs used .*$"
    r"|; states/s: \* mostly the time of the call.*$",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Sample:
    """A command as a page has it, and what the page says that it prints; None where it says nothing."""

    command: str
    printed: str | None


def samples(body):
    """Return the commands of a console block, each with the lines below it."""
    parts = re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]
    return [Sample(*(part.partition("\n")[::2])) for part in parts]


def masked(text):
    """Leave out what differs from run to run: times, rates, names of new files, widths of columns, how busy it was."""
    return MASKED.sub(" ", BUSY.sub("", text)).split()


@contextmanager
def one_core():
    """Let what starts here have one core, each worker of pytest another.

    There a command plays in its own process: others take longer to start than a page's games to play, and have tests
    of their own.
    """
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    cores = os.sched_getaffinity(0)
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    os.sched_setaffinity(0, {sorted(cores)[worker % len(cores)]})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def run(command, folder):
    """Run a line of a page as a shell does, with the project's own commands first, and return what it prints."""
    paths = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = os.environ | {"PATH": paths, "PYTHONPATH": str(ROOT)}
    environment.pop("COLUMNS", None)
    with one_core():
        done = subprocess.run(
            ["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, check=False,
            timeout=300,
        )  # fmt: skip
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


def run_here(arena, command):
    """Run a command of the project in this process and working directory, and return what it prints."""
    with one_core():
        done = arena(*shlex.split(command)[1:])
    assert done.code == 0, f"{command}\n{done.out}{done.err}"
    return done.out


def play(page, folder, arena=None):
    """Run a page in a folder; yield each sample with what it really printed.

    With `arena`, the command as a function, the working directory is the folder, and a console's lines that are a
    command alone run in this process: others start more slowly than most of these commands take.
    """
    for match in BLOCK.finditer(page):
        body = match["body"]
        if match["skip"]:
            continue
        if match["kind"] == "python":
            name = re.match(r"# (\S+\.py)\n", body)
            file = folder / (name[1] if name else "program.py")
            file.parent.mkdir(exist_ok=True)
            file.write_text(body, encoding="utf-8")
            if not name:
                run(f"{sys.executable} program.py", folder)
        elif match["kind"] == "sh":
            run(f"set -e\n{body}", folder)
        else:
            for sample in samples(body):
                alone = arena is not None and ALONE.fullmatch(sample.command)
                yield sample, run_here(arena, sample.command) if alone else run(sample.command, folder)
