import re
from pathlib import Path
from types import SimpleNamespace as Row

import pytest

from agents.jit.compiler import JIT
from arena.cli import commands
from arena.table.cells import agent_label
from arena.table.parts import Table
from arena.table.render import fitted, wrap, write
from arena.table.rows import Column
from arena.tournament import tables as run
from arena.tournament.frames import Frames

RESULTS = Path(__file__).parents[3] / "results"
PUBLISHED, PERFECT = RESULTS / "published" / "run.sqlite", RESULTS / "perfect" / "run.sqlite"
LONG = "minimax:heuristic=powers-of-ten,order=column-score-published"
FIELD = [LONG, "minimax:heuristic=powers-of-ten,order=left-to-right", "alphabeta:heuristic=line-runs-published"]
COMMANDS = {
    "show": ["show", PUBLISHED],
    "an audited run": ["show", PERFECT],
    "stored searches": ["show", PERFECT, "--table", "searches"],
    "blunders": ["show", PERFECT, "--table", "blunders"],
    "audit": ["audit", PERFECT],
    "games": ["games", PERFECT],
    "list": ["list", RESULTS / "published"],
    "rate": ["rate", PUBLISHED],
    "pairings": ["elo", PUBLISHED],
    "tree": ["tree", "alphabeta", "44", "--depth", "3"],
    "counts": ["elo", "89", "123", "76"],
    "diff": ["diff", PUBLISHED, PUBLISHED],
    "sprt": ["sprt", "0", "0", "5", "0", "0", "--elo0", "0", "--elo1", "50"],
    "eval": ["eval", "444", "4453"],
    "order": ["order", "444", "4453"],
    "depths": ["depths", *FIELD, "--depth", "1,2"],
    "grade": ["grade", *FIELD, "--depth", "1", "--positions", "3", "--plies", "34..36"],
    "agents": ["agents"],
    "heuristics": ["heuristics"],
    "verify": ["verify", "--positions", "2", "--depth", "2", "--heuristic", "zero"],
    "run": ["run", *FIELD, "--rounds", "1", "-j", "1"],
    "compare": ["compare", "smart-aware", "line-runs-published", "--depth", "1..2", "--rounds", "2", "-j", "1"],
}


@pytest.fixture
def typed(arena, tmp_path, monkeypatch):
    """A command with the width of a terminal, or None for a pipe -> what it prints."""
    monkeypatch.chdir(tmp_path)

    def call(width, *words):
        if width is None:
            monkeypatch.delenv("COLUMNS", raising=False)
        else:
            monkeypatch.setenv("COLUMNS", str(width))
        done = arena(*words)
        assert done.code == 0, done.err
        return done

    return call


@pytest.mark.skipif(not JIT, reason="several of these search, which takes minutes as plain Python")
@pytest.mark.parametrize(
    ("name", "width"),
    [
        *((name, 80) for name, words in COMMANDS.items() if words[0] in commands()),
        *((name, 120) for name in ("show", "an audited run", "run")),
    ],
)
@pytest.mark.compiles
def test_no_line_is_wider_than_the_terminal(typed, name, width):
    lines = typed(width, *COMMANDS[name]).out.splitlines()
    assert lines
    assert max(map(len, lines)) <= width


@pytest.mark.parametrize("name", ["show", "blunders", "games", "list"])
@pytest.mark.compiles
def test_in_a_pipe_and_with_wide_nothing_is_shortened(typed, name):
    piped = typed(None, *COMMANDS[name], "--wide").out
    assert "…" not in re.sub(r"\S+ … \S+", "", piped)
    assert "left out: " not in piped
    assert typed(60, *COMMANDS[name], "--wide").out == piped
    assert "left out: " not in typed(None, *COMMANDS[name]).out


@pytest.fixture(scope="module")
def parts():
    return run.parts(Frames.read(PERFECT))


@pytest.mark.parametrize("style", ["github", "latex", "html", "csv"])
def test_other_styles_are_as_wide_as_they_are(parts, style):
    assert write(parts, style, width=40) == write(parts, style)
    assert write(parts, "plain", width=40) != write(parts, "plain")


@pytest.mark.compiles
def test_the_key_says_who_every_short_name_is(typed):
    out = typed(80, "show", PUBLISHED).out
    entries = re.search(r"^Short names:\n((?:  .*\n)+)", out, re.MULTILINE)[1]
    told = dict(entry.split() for entry in re.sub(r"\n {5,}", "", entries).splitlines())
    names = set(
        re.findall(r"^ ?\d+,([^,\"]+|\"[^\"]+\"),", typed(None, "show", PUBLISHED, "--style", "csv").out, re.MULTILINE)
    )
    whole = {name.strip('"') for name in names}
    shown = set(re.findall(r"^ *\d+  (\S+)", out, re.MULTILINE))
    assert {told.get(name, name) for name in shown} == whole
    assert out.count("Short names:") == 1


@pytest.mark.compiles
def test_what_is_left_out_is_said_and_the_strongest_columns_stay(typed):
    out = typed(80, "show", PUBLISHED, "--table", "standings").out
    header = re.split(r"\s{2,}", next(line for line in out.splitlines() if "agent" in line).strip())
    assert re.search(r"^left out: (.*) \(--wide shows all\)$", out, re.MULTILINE)[1].split(", ")[-2:] == [
        "as first",
        "as second",
    ]
    assert {"#", "agent", "Elo", "95 %", "score"} <= set(header)


def test_a_column_left_out_is_told_from_others_of_its_name(typed):
    out = typed(80, "audit", PERFECT).out
    said = re.search(r"^left out: ((?:.|\n)*?) \(--wide\s+shows all\)$", out, re.MULTILINE)[1]
    assert said.split(", ") == ["moves", "95 % after kept"]
    assert out.partition("left out")[0].count("95 %  ") == 1


@pytest.mark.compiles
def test_names_are_whole_where_they_fit(typed):
    assert "Short names" not in typed(250, "show", PUBLISHED).out


def test_a_width_that_is_none_changes_nothing(typed, monkeypatch):
    piped = typed(None, "eval", "44").out
    for nonsense in ("0", "-1", "wide", ""):
        assert typed(nonsense, "eval", "44").out == piped


@pytest.mark.compiles
def test_a_terminal_narrower_than_names_still_gets_its_table(typed):
    out = typed(10, "show", PUBLISHED).out
    assert "alphabeta:centre,powers" in out


def test_a_terminal_decides_where_columns_does_not(monkeypatch):
    import os
    import sys
    from types import SimpleNamespace

    from arena.cli import output

    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.setattr(sys, "__stdout__", None)
    assert output.Output.of().width(SimpleNamespace(isatty=lambda: False)) is None
    monkeypatch.setattr(output.shutil, "get_terminal_size", lambda *_, **__: os.terminal_size((93, 50)))
    assert output.Output.of().width(SimpleNamespace(isatty=lambda: True)) == 93


def test_names_are_shortened_of_the_lines_that_a_table_shows_and_explained_once():
    shown = [Column("agent", "agent", agent_label), Column("n", "n")]
    lines = [Row(agent=f"alphabeta:depth={depth},order=centre,heuristic=powers-of-ten", n=depth) for depth in (4, 5)]
    one, two = (Table(name, name, Row, rows, shown, lines=lines) for name, rows in (("a", lines[:1]), ("b", lines)))
    for narrow in ([one], [one, "a line", two], [two, one, two]):
        text = write(narrow, "plain", width=30)
        assert (text.count("Short names:"), text.count("of-ten")) == (1, 2)
        assert text.count("\nalphabeta:depth=4  ") == len(narrow) - narrow.count("a line")
    assert "Short" not in write([one], "plain", width=200)


def test_a_run_without_rows_and_lines_of_nothing_are_no_trouble():
    assert fitted(["", "one two"], 4) == ["", "one\ntwo"]
    assert write([], "plain", width=10) == ""
    assert wrap("--a-long-word-stays", 5) == "--a-long-word-stays"
