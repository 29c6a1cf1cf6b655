"""Commands in a file with what they print and store, played again: see `arena/test_commands.py` for the form."""

import functools
import itertools
import json
import re
import shutil
import sqlite3
from contextlib import closing
from html import unescape
from pathlib import Path

DATA = Path(__file__).parents[1] / "data"
UNSURE = {
    "run": ("created", "versions", "machine"), "session": ("begun", "versions", "machine"), "agent": ("digest",),
    "load": ("begun", "others", "cores"), "timing": ("seconds",), "fault": ("traceback",),
}  # fmt: skip
"""Columns whose values no two runs share."""
GAME = "id, key, round, moves, result, termination, detail"
TIMES = {"moment", "nanoseconds", "seconds", "started"}
MADE = re.compile(r"meta|machine|versions|load|created|begun|.*seconds.*|ms.*|.*_ms.*|.*per_second.*|.*speed.*|.*nps.*")
"""Fields of JSON that say how and when it was made, or how long that took."""
MASKS = (
    (r"-?\d+\.\d{6,}(?:e[-+]\d+)?", lambda number: f"{round(float(number[0]), 9) or 0:.6g}"),  # as libraries agree
    (r"-?\b\d(?:\.\d+)?e-(?:0[89]|[1-9]\d)\b", "0"),
    (r"\b\d[\d,.]* ?(?:ms|µs|s)\b", "~"),
    (r"\d{8}-\d{6}", "~"),
    (r"\d{4}-\d\d-\d\dT[\d:.]+\+00:00", "~"),
    (r"(first played, on|first game, on) \d{4}-\d\d-\d\d", r"\1 ~"),
    (r"With \| python .*? \| On \| .*? \| Agents", "With | ~ | On | ~ | Agents"),
    (r"We used Connect4 Arena[\s\S]{0,200}?(?=All: On)", "~ "),
    (r"(?m)^.*(?:the machine was busy|other programs used).*$", ""),
    (r"\b(time|seconds) \d+", r"\1 ~"),
    (r"(bot\.py:) [\d,]+ bytes", r"\1 ~"),  # it holds the sources of agents
    (r'File "[^"]*", line \d+', 'File "~"'),
)


def masked(line):
    """Leave out what differs from run to run."""
    for pattern, replacement in MASKS:
        line = re.sub(pattern, replacement, line)
    return line


def commands(page):
    """Return the commands of a file, each with its input, and the remarks above it."""
    found, above = [], []
    for line in page.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], [], above))
            above = []
        elif line.startswith(">"):
            found[-1][1].append(line[2:])
        elif not line.startswith(" "):
            above.append(line)
    return found


# JSON, stored runs, pages and answers in lines.


def unmade(value):
    """Return a JSON value without how and when it was made."""
    if isinstance(value, dict):
        return {key: "~" if MADE.fullmatch(key) else unmade(each) for key, each in value.items()}
    return [unmade(each) for each in value] if isinstance(value, list) else value


def compact(value, place=""):
    """Yield a JSON value in lines: one for each field of a document and each row of a table."""
    rows = {key: each for key, each in value.items() if nested(each)} if isinstance(value, dict) else {}
    if isinstance(value, list) and nested(value):
        for number, each in enumerate(value):
            yield from compact(each, f"{place}[{number}]")
    elif isinstance(value, dict) and not place:
        for key, each in value.items():
            yield from compact(each, key)
    else:
        plain = {key: each for key, each in value.items() if key not in rows} if rows else value
        yield f"{place}: {json.dumps(plain, ensure_ascii=False)}"
        for key, each in rows.items():
            yield from compact(each, f"{place}.{key}")


def nested(value):
    """Return whether a value has rows or fields of its own."""
    return bool(value) and isinstance(value[0] if isinstance(value, list) else value, dict)


def opened(file):
    """Open a database that is there."""
    return closing(sqlite3.connect(f"file:{file}?mode=rw", uri=True))


def cells(row):
    """Return a row of a table as text."""
    return "|".join("-" if cell is None else str(cell) for cell in row)


def stored(file):
    """Yield what is stored of a run but for times, versions, machines and digests; a line for all plies of a game."""
    with opened(file) as connection:
        tables = connection.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name != 'digest' ORDER BY name"
        ).fetchall()
        for (table,) in tables:
            info = connection.execute(f"PRAGMA table_info({table})").fetchall()
            names = ", ".join(name for _, name, *_ in info if name not in {*UNSURE.get(table, ()), *TIMES})
            yield f"{table}: {names}"
            key = 1 if "ply" in names else None
            rows = sorted(connection.execute(f"SELECT {names} FROM {table}"), key=str) if names else []
            rows.sort(key=lambda row: [cell for cell in row[:2] if isinstance(cell, int)])
            for _, alike in itertools.groupby(rows, lambda row, key=key: row[:key]):
                yield "  " + "; ".join(map(cells, alike))


def text(page):
    """Return the words of a page and of its figures, ten in a line."""
    bare = re.sub(r"<(style|script).*?</\1>|<[^>]*>", "\n", page, flags=re.DOTALL)
    said = [line for line in map(str.strip, unescape(bare).split("\n")) if line]
    return [" | ".join(said[start : start + 10]) for start in range(0, len(said), 10)]


def answered(answer):
    """Yield what a server answers: its code and kind, headers that differ from those of all, and its body."""
    from arena.plugins.serve.guard import HEADERS

    found = {name: answer.headers.get(name) for name in HEADERS}
    kind = answer.headers.get("content-type", "-")
    others = [f"{name}: {found[name]}" for name, value in HEADERS.items() if found[name] != value]
    yield " | ".join([str(answer.status_code), kind, *others])
    if kind == "application/json":
        yield from compact(unmade(answer.json()))
    elif kind.startswith("text/html"):
        data = re.search(r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', answer.text, re.DOTALL)
        yield from compact(unmade(json.loads(data[1]))) if data else ()
        yield from text(answer.text)
        yield " ".join(re.findall(r'\b(?:href|src|action|value|data-\w+)="[^"]*"', answer.text))
    else:
        yield answer.text[:200]


class Commands:
    """The commands of one file, played in the current folder: a method each."""

    def __init__(self, arena):
        self._arena = arena

        @functools.cache
        def server():
            from served import client_of

            return client_of(Path())

        self._server = server

    def arena(self, lines, *given):
        """Run our command in this process."""
        found = self._arena(*given, stdin="".join(f"{line}\n" for line in lines))
        try:
            yield from compact(unmade(json.loads(found.out)))
        except ValueError:
            yield from found.out.split("\n")
        yield from (f"! {line}" for line in found.err.splitlines())
        if found.code:
            yield f"= {found.code}"

    def get(self, _, path, *headers):
        """Ask the server of the folder for a page."""
        return answered(self._server().get(path, headers=dict(each.split(": ") for each in headers)))

    def post(self, _, path, body, *headers):
        """Ask it as its own pages do."""
        given = {"Origin": "http://127.0.0.1:8000", "Content-Type": "application/json"}
        given |= dict(each.split(": ") for each in headers)
        return answered(self._server().post(path, content=body, headers=given))

    def write(self, lines, name):
        """Write the input into a file."""
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return ()

    def copy(self, _, name):
        """Copy a file of tests/data."""
        shutil.copy(DATA / name, Path(name).name)
        return ()

    def read(self, _, name):
        """Print a file."""
        return Path(name).read_text(encoding="utf-8").split("\n")

    def text(self, _, name):
        """Print the words of a page or a figure."""
        return text(Path(name).read_text(encoding="utf-8"))

    def names(self, _, folder):
        """List the files of a folder."""
        return sorted(str(path) for path in Path(folder).rglob("*"))

    def sql(self, _, file, statement):
        """Change a stored run."""
        with opened(file) as connection, connection:
            connection.execute(statement)
        return ()

    def games(self, _, file):
        """Print the games of a run."""
        with opened(file) as connection:
            return [*map(cells, connection.execute(f"SELECT {GAME} FROM game ORDER BY id"))]

    def stored(self, _, file):
        """Print all that is stored of a run."""
        return stored(file)

    def done(self, words, lines):
        """Return what a command prints."""
        try:
            return "\n".join(getattr(self, words[0])(lines, *words[1:]))
        except (OSError, sqlite3.Error) as error:
            return f"! {error}"
