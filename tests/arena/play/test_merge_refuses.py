"""Runs that do not belong together are not merged, and no file is left where they are not."""

import itertools
import re
from functools import partial
from pathlib import Path

import pytest
from played import played, rows

from agents.board import Rules
from agents.errors import InputError
from arena.play.isolation import Isolation
from arena.play.merge import merge

fresh = partial(played, openings="plies:5")


@pytest.mark.parametrize(
    ("rest", "message"),
    [
        ({"rules": Rules(6, 6)}, "they differ in board, 7x6x4 and 6x6x4"),
        ({"openings": "plies:3"}, "they differ in openings, plies:5 and plies:3"),
        ({"seed": 6}, "they differ in seed, 5 and 6"),
        ({"nodes": 9}, "they differ in nodes for a move, no limit and 9"),
        ({"seconds": 9.0}, "they differ in seconds for a move, no limit and 9.0"),
        ({"margin": 9.0}, "they differ in margin, 0.1 and 9.0"),
        ({"isolation": Isolation(patience=9.0)}, "they differ in patience, 60.0 and 9.0"),
        ({"isolation": Isolation(memory=128)}, "they differ in memory, 1024 and 128"),
        ({"isolation": Isolation(nobody=True)}, "they differ in isolation, strangers and nobody"),
        ({"sprt": "elo0=0,elo1=30"}, "b.sqlite cannot be merged: its sequential test would have seen other games"),
        ({"format": "knockout"}, "b.sqlite cannot be merged: in a knockout results decide the next pairings"),
    ],
)
def test_what_does_not_belong_together_is_refused(arena, tmp_path, rest, message):
    one = fresh(tmp_path / "a.sqlite", "greedy", "random")
    other = fresh(tmp_path / "b.sqlite", "greedy", "random", **{"games": 1} | rest)
    answer = arena("merge", one, other, "--out", tmp_path / "c.sqlite")
    assert (answer.code, answer.out) == (2, "")
    assert message in " ".join(answer.err.split())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.sqlite", "b.sqlite"]


def test_a_file_of_openings_must_hold_the_same_ones_again(tmp_path):
    file, runs = tmp_path / "openings.txt", []
    for text in ("44\n12\n", "44\n13\n"):
        file.write_text(text)
        runs.append(fresh(tmp_path / f"{len(runs)}.sqlite", "greedy", "random", games=1, openings=str(file)))
    with pytest.raises(InputError, match=r"cannot be merged: .*openings\.txt had other openings then$"):
        merge(runs, tmp_path / "c.sqlite")
    assert not (tmp_path / "c.sqlite").exists()


def test_runs_must_share_the_openings_too_that_the_first_does_not_have(tmp_path):
    file, runs = tmp_path / "openings.txt", []
    for name, openings in (("a", ("44",)), ("b", ("44", "12")), ("c", ("44", "13")), ("d", ("44", "12", "13"))):
        file.write_text("\n".join(openings) + "\n")
        path = tmp_path / f"{name}.sqlite"
        runs.append(fresh(path, "greedy", "random", games=1, openings=str(file), rounds=len(openings)))
    for order in itertools.permutations(runs[:3]):
        with pytest.raises(
            InputError, match=r"[bc]\.sqlite and \S*[bc]\.sqlite cannot be merged: .* had other openings"
        ):
            merge(order, tmp_path / "e.sqlite")
        assert not (tmp_path / "e.sqlite").exists()
    one, two, _, three = runs
    for number, order in enumerate(itertools.permutations((one, two, three))):
        assert merge(order, out := tmp_path / f"{number}.sqlite").games == 1
        assert rows(out, "SELECT moves FROM opening ORDER BY id") == [("44",), ("12",), ("13",)]


def test_every_run_must_belong_to_the_first_wherever_it_is_named(tmp_path):
    runs = [fresh(tmp_path / f"{name}.sqlite", "greedy", "random", games=1) for name in "abc"]
    for rest, said in (
        ({"seed": 6}, "seed, 5 and 6"),
        ({"openings": "plies:3"}, "openings, plies:5 and plies:3"),
        ({"nodes": 9}, "nodes for a move, no limit and 9"),
        ({"clock": "9+1"}, "clock, no limit and 9+1"),
    ):
        other = fresh(tmp_path / f"{next(iter(rest))}.sqlite", "greedy", "random", games=1, **rest)
        message = f"{runs[0]} and {other} cannot be merged: they differ in {said}"
        for place in (1, 2, 3):
            with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
                merge([*runs[:place], other, *runs[place:]], tmp_path / "d.sqlite")
            assert not (tmp_path / "d.sqlite").exists()
    assert merge(runs, tmp_path / "d.sqlite").doubled == 2


def test_an_agent_of_the_same_name_must_be_the_same(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    runs = []
    for column in (0, 1):
        Path("kim.py").write_text(f"def choose(board):\n    return board.legal_moves()[{column}]\n")
        apart = Isolation(nobody=True, folder=str(tmp_path))
        runs.append(fresh(tmp_path / f"{column}.sqlite", "greedy", "kim.py", games=1, isolation=apart))
    with pytest.raises(InputError, match=r"kim\.py is not the same in both, its files have changed$"):
        merge(runs, tmp_path / "c.sqlite")


def test_files_are_refused_that_are_no_runs_or_there_already(arena, tmp_path):
    one, other = (fresh(tmp_path / f"{name}.sqlite", "greedy", "random") for name in "ab")
    no_run = tmp_path / "text.sqlite"
    no_run.write_text("no run")
    for words, said in (
        ((one, no_run, "--out", "c.sqlite"), "text.sqlite is not the record of a run"),
        ((one, tmp_path / "d.sqlite", "--out", "c.sqlite"), "no file"),
        ((one, "--out", "c.sqlite"), "name two runs or more"),
        ((one, other, "--out", other), "b.sqlite is one of the runs to merge; the new file needs another name"),
        ((one, other, "--out", no_run), "text.sqlite exists; the new file needs another name"),
    ):
        answer = arena("merge", *words)
        assert (answer.code, said in " ".join(answer.err.split())) == (2, True), answer.err
    assert no_run.read_text() == "no run"
