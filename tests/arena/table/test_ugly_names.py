"""Names that a style or a terminal would take for something else."""

import csv
import io
from contextlib import closing

import pytest
from changed import connect
from command import STYLES
from hand_made import pairs_of, run_of

NAMES = ["a|b", "<img src=x>", "two\nlines", "\x1b[31mred", "a&b_$c$%#", "\u202eback"]


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    plain = [f"mcts:playouts={number}" for number in range(1, len(NAMES) + 1)]
    path = run_of(tmp_path_factory.mktemp("ugly") / "run.sqlite", plain, pairs_of("10", "1=", "01", "11"))
    with closing(connect(path)) as run, run:
        run.executemany("UPDATE agent SET name = ? WHERE id = ?", [(n, i) for i, n in enumerate(NAMES, start=1)])
    return path


@pytest.mark.parametrize("style", STYLES)
def test_no_style_passes_on_what_a_terminal_obeys(arena, path, style):
    for words in (["show", path], ["games", path], ["show", path, "--table", "games"], ["rate", path]):
        done = arena(*words, "--style", style)
        assert done.code == 0
        assert not {"\x1b", "\u202e"} & set(done.out + done.err)


def test_github_tables_keep_their_columns_whatever_the_names_are(arena, path):
    lines = arena("show", path, "--style", "github").out.splitlines()
    standings = lines[lines.index(next(line for line in lines if line.startswith("| "))) :][: len(NAMES) + 2]
    assert len({line.replace("\\|", "").count("|") for line in standings}) == 1
    text = "\n".join(standings)
    assert all(shown in text for shown in ("a\\|b", "&lt;img src=x&gt;", "two\\nlines", "\\x1b[31mred"))
    assert "<img" not in "\n".join(lines)


def test_csv_has_names_as_they_are_but_for_what_a_terminal_obeys(arena, path):
    rows = csv.DictReader(io.StringIO(arena("show", path, "--style", "csv").out, newline=""))
    assert {row["agent"] for row in rows} == {*NAMES[:3], "\\x1b[31mred", NAMES[4], "\\u202eback"}
