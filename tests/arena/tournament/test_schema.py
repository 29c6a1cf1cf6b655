"""Tables from Python have one schema each, whatever stands in them, and types that a user's checker can rely on."""

import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pandas as pd
import pytest
from changed import connect
from columns import OTHERS, RUN
from needs import needed
from played import played as stored
from scripted import Middle

import arena as package
from arena.table.rows import DTYPES, described, frame
from arena.tournament.result import load
from arena.tournament.stored import STORED

pytestmark = pytest.mark.usefixtures("here")


TABLES = ("standings", "crosstable", "effort", "phases", "pairings", "games", "moves", "searches")
SCRIPT = """
import arena
from agents.board import Board
from agents.agent import Limits


class Middle:
    def choose(self, board: Board, limits: Limits) -> int:
        return min(board.legal_moves(), key=lambda column: abs(column - 3))


result: arena.Result = arena.run(
    [Middle(), "greedy"], rounds=2, format="gauntlet", isolation={"patience": 5.0}, out="run.sqlite"
)
other = arena.run(["greedy", "random"], rounds=2, out="other.sqlite")
again: arena.Result = arena.run(resume=other.path, rounds=3, replay=["random"])
grown: arena.Result = arena.run([Middle()], resume=result.path, rounds=3)
named = arena.run({"mine": Middle(), "other": "greedy"}, rounds=2, out="named.sqlite")
named = arena.run({"mine": Middle()}, resume=named.path, rounds=3)
assert (grown.counts.played, named.counts.played) == (6, 6)
best = result.standings["agent"].iloc[0]
played: int = result.counts.played
move: int = arena.move("greedy", "44").move
release: str = arena.__version__
print(best, played, move, release, len(result.games), len(arena.solve("4444")))
"""
WRONG = {
    "rouns=3": "call-arg",
    "rounds='3'": "arg-type",
    "nodes=2.5": "arg-type",
    "include_self='no'": "arg-type",
    "isolation={'patient': 3}": "arg-type",
}


def dtypes(table):
    return {name: str(dtype) for name, dtype in table.dtypes.items()}


@pytest.fixture
def runs(tmp_path):
    """Return a run, one that has played nothing, and their tables."""
    some = load(stored(tmp_path / "some.sqlite", "alphabeta:depth=2", "random"))
    none = load(stored(tmp_path / "none.sqlite", "alphabeta:depth=2", "random"))
    return some, _without_games(none.path)


def _without_games(path):
    from contextlib import closing

    with closing(connect(path)) as connection, connection:
        for table in ("iteration", "move", "game"):
            connection.execute(f"DELETE FROM {table}")
    return load(path)


@pytest.mark.parametrize("name", TABLES)
def test_a_table_has_the_same_columns_and_types_with_and_without_rows(runs, name):
    some, none = (getattr(run, name) for run in runs)
    assert dtypes(some) == dtypes(none)
    assert set(dtypes(some).values()) <= {"Int64", "Float64", "string", "boolean", "object"}


@pytest.mark.parametrize("row", sorted({*RUN.values(), *OTHERS.values()}, key=lambda row: row.__name__))
def test_every_column_has_the_type_of_its_field_also_where_all_of_it_is_missing(row):
    empty = frame([], row)
    for column in described(row):
        kind = column.type.removesuffix(" | None")
        assert str(empty[column.name].dtype) == DTYPES.get(kind, "object")


def test_stored_tables_have_the_columns_that_are_documented(runs):
    for name in ("games", "moves", "searches"):
        assert list(getattr(runs[0], name)) == [each.name for each in described(STORED[name])]


def test_nodes_that_nobody_reported_are_missing(tmp_path):
    run = package.run([Middle, "alphabeta:depth=2"], rounds=1, out=tmp_path / "run.sqlite")
    for table in (run.moves, run.searches):
        silent = table["agent"] == "Middle"
        assert silent.any()
        assert table[silent]["nodes"].isna().all()
        assert table[~silent]["nodes"].min() > 1
    assert all(each is pd.NA for each in run.moves[run.moves["agent"] == "Middle"]["score"])
    assert package.run(["perfect", "greedy"], rounds=1, openings="plies:2").moves["nodes"].min() == 0  # by the book


def test_the_version_is_that_of_the_installed_package():
    assert package.__version__ == version("connect4-arena")
    assert re.fullmatch(r"\d+\.\d+\.\d+", package.__version__)
    assert "__version__" in dir(package)


def check(folder, script):
    path = folder / "script.py"
    path.write_text(script)
    words = ["--strict", "--config-file", "pyproject.toml", str(path)]
    root = Path(package.__file__).parents[1]
    return subprocess.run([sys.executable, "-m", "mypy", *words], cwd=root, capture_output=True, text=True, check=False)


def test_a_script_of_a_user_passes_the_strictest_check_and_runs(tmp_path):
    needed("mypy")
    done = check(tmp_path, SCRIPT)
    assert done.returncode == 0, done.stdout
    subprocess.run([sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True, check=True)


def test_what_is_misspelt_or_of_the_wrong_type_is_found_before_the_script_runs(tmp_path):
    needed("mypy")
    lines = [f"arena.run(['greedy', 'random'], {words})" for words in WRONG]
    done = check(tmp_path, "\n".join(["import arena", *lines, ""]))
    found = [line for line in done.stdout.splitlines() if ": error: " in line]
    assert len(found) == len(WRONG), done.stdout
    for line, word in zip(found, WRONG.values(), strict=True):
        assert word in line
