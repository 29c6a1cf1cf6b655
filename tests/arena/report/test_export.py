import errno
import json
import os
from pathlib import Path

import pandas as pd
import pytest
from needs import needed

import arena as package
from agents.errors import InputError
from arena.report import column_docs, export
from arena.rows import described


@pytest.fixture
def path(tmp_path):
    agents = ["random", "greedy", "alphabeta:depth=2", "minimax:depth=2"]
    package.run(agents, rounds=3, out=tmp_path / "run.sqlite")
    return tmp_path / "run.sqlite"


def test_each_table_with_rows_is_a_file_and_its_columns_are_described(arena, path, tmp_path):
    folder = tmp_path / "new" / "tables"
    done = arena("export", path, folder)
    assert (done.code, done.out) == (0, "")
    files = sorted(file.name for file in folder.iterdir())
    kinds = {name: kind for name, kind in column_docs.RUN.items() if f"{name}.csv" in files}
    assert set(kinds) == set(column_docs.RUN) - {"rounds", "order", "sweep", "audit", "ranges", "replies"}
    assert sorted([*(f"{name}.csv" for name in kinds), "columns.md", "run.json"]) == files
    page = (folder / "columns.md").read_text(encoding="utf-8")
    for name, kind in kinds.items():
        table = pd.read_csv(folder / f"{name}.csv")
        assert list(table.columns) == [each.name for each in described(kind)]
        assert len(table) > 0
        section = page.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
        assert [line.split("`")[1] for line in section.splitlines() if line.startswith("| `")] == list(table.columns)


def test_an_export_says_how_the_run_was_made(arena, tmp_path):
    (tmp_path / "mine.py").write_text("def choose(board):\n    return board.legal_moves()[0]\n")
    words = ["greedy", f"{tmp_path}/mine.py", "--rounds", 2, "--seed", 7, "--out", tmp_path / "run.sqlite"]
    assert arena("run", *words, "-j", 1, "-q").code == 0
    assert arena("export", tmp_path / "run.sqlite", tmp_path / "tables").code == 0
    found = json.loads((tmp_path / "tables" / "run.json").read_text(encoding="utf-8"))
    shown = json.loads(arena("show", tmp_path / "run.sqlite", "--json").out)
    shared = found.keys() & shown.keys()
    assert shared >= {"seed", "versions", "machine", "command"}
    assert {name: found[name] for name in shared} == {name: shown[name] for name in shared}
    assert (found["seed"], found["plan"]["rounds"], found["plan"]["openings"]) == (7, 2, "plies:4")
    assert found["command"].startswith("arena run greedy ")
    greedy, mine = found["agents"]
    assert (greedy["spec"], greedy["digest"]) == ("greedy", None)
    assert (mine["name"], len(mine["digest"])) == (f"{tmp_path}/mine.py", 64)


def test_the_files_hold_what_the_result_has(path, tmp_path):
    result = package.load(path)
    files = result.export(tmp_path / "tables")
    assert all(file.is_file() for file in files)
    table = pd.read_csv(tmp_path / "tables" / "standings.csv")
    assert list(table["agent"]) == list(result.standings["agent"])
    for name in ("points", "elo", "nodes_per_move"):
        assert list(table[name]) == pytest.approx(list(result.standings[name]), nan_ok=True)
    assert len(pd.read_csv(tmp_path / "tables" / "games.csv")) == len(result.games)


def test_parquet_is_read_again_with_its_types(path, tmp_path):
    needed("pyarrow")
    package.load(path).export(tmp_path / "tables", "parquet")
    games = pd.read_parquet(tmp_path / "tables" / "games.parquet")
    assert games["opening"].dtype == "Int64"
    assert list(games["first"]) == list(package.load(path).games["first"])


def test_a_table_has_the_same_columns_in_parquet_and_in_csv(path, tmp_path):
    parquet = needed("pyarrow.parquet")
    for form in ("parquet", "csv"):
        package.load(path).export(tmp_path / form, form)
    tables = {each.stem: list(pd.read_csv(each, nrows=1).columns) for each in (tmp_path / "csv").glob("*.csv")}
    assert len(tables) > 5
    found = {
        each.stem: parquet.ParquetFile(each).schema_arrow.names for each in (tmp_path / "parquet").glob("*.parquet")
    }
    assert found == tables


def test_parquet_without_pyarrow_is_one_line(arena, path, tmp_path, monkeypatch):
    monkeypatch.setattr(export, "find_spec", lambda _: None)
    done = arena("export", path, tmp_path / "tables", "--format", "parquet")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "pip install pyarrow" in done.err
    assert not (tmp_path / "tables").exists()


def test_an_unknown_format_is_refused_with_the_known_ones(arena, path, tmp_path):
    done = arena("export", path, tmp_path / "tables", "--format", "parket")
    assert done.code == 2
    assert "parquet" in done.err


def test_an_empty_folder_is_used_and_a_full_one_is_left_as_it_is(arena, path, tmp_path):
    folder = tmp_path / "tables"
    folder.mkdir()
    assert arena("export", path, folder).code == 0
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    (folder / "standings.csv").write_text("mine")
    done = arena("export", path, folder)
    assert (done.code, done.err) == (2, f"arena: {folder} is not empty; an export needs a new or empty folder\n")
    assert {file.name for file in folder.iterdir()} == set(before)
    assert (folder / "standings.csv").read_text() == "mine"


@pytest.mark.parametrize("place", ["run.sqlite", "run.sqlite/tables"])
def test_a_file_is_no_folder(arena, path, tmp_path, place):
    done = arena("export", path, tmp_path / place)
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert package.load(path).counts.played == 36  # six pairs, three openings, both colours


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_nobody_may_write_is_one_line(arena, path, tmp_path):
    (tmp_path / "closed").mkdir(mode=0o500)
    done = arena("export", path, tmp_path / "closed" / "tables")
    assert (done.code, done.err.count("\n")) == (2, 1)


def test_where_the_disk_is_full_nothing_is_left_behind(path, tmp_path, monkeypatch):
    whole = Path.write_text

    def full(self, *words, **more):
        if self.name == "games.csv":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return whole(self, *words, **more)

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(InputError, match="cannot be written: No space left"):
        package.load(path).export(tmp_path / "tables")
    assert [file.name for file in tmp_path.iterdir()] == ["run.sqlite"]
