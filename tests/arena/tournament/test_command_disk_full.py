"""Runs whose file cannot be written, or no longer."""

from dataclasses import replace

import pytest

from arena.store.run_file import Store


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_file_of_results_in_place_of_the_directory_is_told(arena, here):
    (here / "results").write_text("")
    done = arena("run", "random", "greedy", "--rounds", 1)
    assert (done.code, done.out) == (2, "")
    assert "cannot be written: results: " in done.err
    assert (here / "results").read_text() == ""


def test_a_full_disk_is_one_line_and_what_was_played_is_kept(arena, here, monkeypatch):
    add = Store.add
    games = []

    def fill(store, *finished):
        if len(games) == 3:
            pages = store.select("PRAGMA page_count")[1][0][0]
            store.connection.execute(f"PRAGMA max_page_count = {pages}")
        games.extend(finished)
        add(store, *finished)

    monkeypatch.setattr(Store, "add", fill)
    done = arena("run", "random", "greedy", "--rounds", 30, "-j", 1, "--out", "run.sqlite")
    assert (done.code, done.out) == (2, "")
    assert done.err.count("\n") == 1
    assert "run.sqlite: database or disk is full; what was played is kept" in done.err
    assert "arena run --resume run.sqlite continues" in done.err
    monkeypatch.setattr(Store, "add", add)
    with Store.read(here / "run.sqlite") as store:
        kept = len(store.played())
    assert 3 <= kept < 60
    assert arena("run", "--resume", "run.sqlite", "-j", 1).code == 0
    with Store.read(here / "run.sqlite") as store:
        assert len(store.played()) == 60


def test_a_disk_that_is_full_from_the_start_leaves_no_file(arena, here, monkeypatch):
    add = Store.add

    def fill(store, *finished):
        store.connection.execute("PRAGMA max_page_count = 1")
        add(store, *(replace(record, detail="x" * 100_000) for record in finished))

    monkeypatch.setattr(Store, "add", fill)
    done = arena("run", "random", "greedy", "--rounds", 1, "-j", 1, "--out", "run.sqlite")
    assert (done.code, done.out) == (2, "")
    assert done.err == "arena: run.sqlite: database or disk is full\n"
    assert not list(here.glob("*.sqlite*"))


def test_a_run_that_fails_before_its_first_game_leaves_no_file(arena, here, monkeypatch):
    monkeypatch.setattr("arena.games.workers._work", print)
    done = arena("run", "random", "greedy", "--rounds", 1, "-j", 2, "--out", "run.sqlite")
    assert done.code == 2
    assert done.err == "arena: worker processes die before they play a game (exit code 0)\n"
    assert not list(here.glob("*.sqlite*"))
