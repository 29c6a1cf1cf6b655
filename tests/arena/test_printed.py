"""What the commands say of four stored runs stays as it is; `--write-pages` writes it anew.

The runs are a field with faults, an audit by distance, a second run to hold against it, a
comparison of heuristics, and a sequential test.
"""

import re
import shutil
from html import unescape
from pathlib import Path

import pytest

pytestmark = pytest.mark.compiles

RUNS = Path(__file__).parents[1] / "data" / "printed"
TABLES = ("agents", "openings", "games", "moves", "searches", "audit", "ranges", "phases", "sweep")
COMMANDS = (
    "show field.sqlite --wide",
    "show field.sqlite --json",
    "show field.sqlite --table blunders --wide",
    "show field.sqlite --table faults --wide",
    "show field.sqlite --style github --table standings --anchor random=0",
    "show later.sqlite --style latex --table crosstable",
    "show comparison.sqlite --wide",
    "show comparison.sqlite --json",
    "show match.sqlite --wide",
    "show match.sqlite --json",
    "games field.sqlite --blunders --agent minimax:depth=2 --result loss --wide",
    "games field.sqlite --faults --json --limit 3",
    "games match.sqlite --opponent random --wide",
    "replay field.sqlite 6 --json",
    "replay field.sqlite 40",
    "rate field.sqlite --wide",
    "rate later.sqlite --json",
    "elo later.sqlite --wide",
    "elo comparison.sqlite --json",
    "diff field.sqlite later.sqlite --wide",
    "diff field.sqlite later.sqlite --json",
    "list . --json",
)


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A folder with the four runs."""
    return shutil.copytree(RUNS, tmp_path_factory.mktemp("printed"), dirs_exist_ok=True)


def holds(name, printed, request):
    """Hold what was printed against what is kept under this name."""
    printed = re.sub(r"\d+\.\d{6,}", lambda number: f"{float(number[0]):.6g}", printed)  # as far as libraries agree
    kept = RUNS / f"{name}.txt"
    if request.config.getoption("--write-pages"):
        kept.write_text(printed, encoding="utf-8")
    assert printed.splitlines() == kept.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("words", COMMANDS)
def test_a_stored_run_says_what_it_said(words, runs, arena, monkeypatch, request):
    monkeypatch.chdir(runs)
    done = arena(*words.split())
    assert done.code in {0, 1}
    holds(re.sub(r"\W+", "-", words.replace(".sqlite", "")), done.out, request)


@pytest.mark.parametrize("table", TABLES)
def test_a_table_of_what_is_stored_says_what_it_said(table, runs, arena, monkeypatch, request):
    monkeypatch.chdir(runs)
    done = arena("show", "field.sqlite", "--style", "csv", "--table", table)
    lines = done.out.splitlines(keepends=True)
    holds(table, "".join(lines[:2] + lines[2 :: max(len(lines) // 100, 1)]), request)


@pytest.mark.parametrize("file", ["field", "comparison"])
def test_a_report_says_what_it_said(file, runs, arena, monkeypatch, request):
    monkeypatch.chdir(runs)
    arena("report", f"{file}.sqlite", "--out", "page.html")
    page = (runs / "page.html").read_text(encoding="utf-8")
    text = re.sub(r"<(style|script|svg).*?</\1>|<[^>]*>", " ", page, flags=re.DOTALL)
    holds(f"report-{file}", "\n".join(unescape(text).split()), request)
