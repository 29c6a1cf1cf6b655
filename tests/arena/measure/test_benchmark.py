"""The benchmark: its frozen set, a row, and playing a row again."""

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agents.agent import Limits
from agents.errors import InputError
from agents.solver.solver import Solver
from arena.api import benchmark as job
from arena.measure.benchmark import BenchmarkSet, Submitted, digest_of_games
from arena.play.openings import values

FROZEN = {
    "connect4-arena-1": "e31069e5383f38e4d2fed0a8638e053763a1680d99540f9e652cafda64bf5eac",
}


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the set as small as a test can play."""
    whole = BenchmarkSet.of_name()
    few = replace(whole, anchors=dict(list(whole.anchors.items())[:2]), budgets={"1k": Limits(nodes=50)}, headline="1k")
    few.__dict__["openings"], few.__dict__["exercises"] = whole.openings[:3], whole.exercises[:120:10]
    monkeypatch.setattr(BenchmarkSet, "of_name", lambda *_: few)


@pytest.mark.parametrize("name", FROZEN)
def test_a_set_is_frozen(name: str) -> None:
    files = sorted(BenchmarkSet.of_name(name).folder.iterdir())
    assert hashlib.sha256(b"".join(each.read_bytes() for each in files)).hexdigest() == FROZEN[name]


def test_the_openings_are_balanced_and_the_positions_clear_cut() -> None:
    board = BenchmarkSet.of_name()
    worth = values(board.openings)
    assert [worth.count(each) for each in (1, 0, -1)] == [14, 14, 14]
    assert len(board.exercises) == 240
    assert all(each.clear_cut for each in board.exercises)
    late = board.exercises[-1]
    assert Solver(late.board.rules, 1).column_scores(late.board.own, late.board.opp) == late.scores


def test_an_unknown_set_is_an_error() -> None:
    with pytest.raises(InputError, match="connect4-arena-1"):
        BenchmarkSet.of_name("connect4-arena-0")


@pytest.mark.usefixtures("small")
def test_a_row_is_written_read_and_played_again(tmp_path: Path) -> None:
    [found] = job.benchmark(["alphabeta:order=centre"], games=tmp_path)
    assert found.row.games == 12
    assert found.row.elo == found.row.elo_1k
    assert found.row.faults == 0
    path = tmp_path / f"{job.file_name(found.row.agent)}.json"
    found.write(path)
    assert Submitted.read(path) == found
    stored, again, differs = job.verify(path)
    assert stored == found
    assert again.digests == found.digests
    assert differs == []
    [kept] = job.benchmark(["alphabeta:order=centre"], games=tmp_path)  # nothing is missing, nothing is played
    assert kept.digests == found.digests
    document = json.loads(path.read_text())
    path.write_text(json.dumps(document | {"kept": 0.25, "digests": document["digests"] | {"1k": "0" * 64}}))
    _, _, differs = job.verify(path)
    assert [line.partition(":")[0] for line in differs] == ["1k", "kept"]


@pytest.mark.usefixtures("small")
def test_a_sample_of_a_row_is_played_within_the_first_budget_alone(tmp_path: Path, arena: Any) -> None:
    few = BenchmarkSet.of_name()
    both = replace(few, budgets={"1k": Limits(nodes=50), "10k": Limits(nodes=90)}, headline="10k")
    both.__dict__.update(openings=few.openings, exercises=few.exercises)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BenchmarkSet, "of_name", lambda *_: both)
        [found] = job.benchmark(["alphabeta:order=centre"])
        path = tmp_path / "row.json"
        found.write(path)
        _, again, differs = job.verify(path, sample=True)
        assert (again.row.games, again.digests.keys(), differs) == (12, {"1k", "answers 1k"}, [])
        replace(found, digests={**found.digests, "1k": "0" * 64, "10k": "0" * 64}).write(path)
        done = arena("benchmark", "--verify", path, "--sample", "-q")
        assert (done.code, ": 1 difference\n" in done.err) == (1, True)
    assert arena("benchmark", "--sample", "greedy").code == 2


@pytest.mark.usefixtures("small")
def test_a_row_of_a_roster_is_played_again_by_the_agent_of_its_name(tmp_path: Path) -> None:
    roster, path = tmp_path / "two.toml", tmp_path / "row.json"
    roster.write_text("".join(f'[[agent]]\nname = "{name}"\nspec = "{name}"\n' for name in ("random", "greedy")))
    _, found = job.benchmark([str(roster)])
    found.write(path)
    stored, again, differs = job.verify(path, agent=str(roster))
    assert (stored.row.agent, again.digests, differs) == ("greedy", found.digests, [])
    replace(found, row=replace(found.row, agent="third")).write(path)
    with pytest.raises(InputError, match=r"two\.toml holds no agent 'third': it has random, greedy"):
        job.verify(path, agent=str(roster))


@pytest.mark.usefixtures("small")
def test_an_agent_of_a_file_plays_within_the_budget_and_its_faults_count(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(
        "import os\n"
        "def choose(board, limits):\n"
        "    if board.ply > 13:\n        os._exit(3)\n"
        "    if board.ply > 12 or limits.nodes != 50:\n        raise ValueError(limits)\n"
        "    return board.legal_moves()[-1]\n"
    )
    [found] = job.benchmark([str(bot)])
    assert 0 < found.row.faults <= 12
    early = [each for each in BenchmarkSet.of_name().exercises if each.board.ply <= 12]
    kept = sum(each.board.legal_moves()[-1] in each.good for each in early)
    assert found.row.kept.value == kept / 12
    assert found.row.nodes is None
    assert "files" in found.digests


def test_the_digest_of_games_depends_on_no_order_and_no_name() -> None:
    import pandas as pd

    rows = [("mine", "greedy", "1234", "1-0"), ("greedy", "mine", "4321", "0-1")]
    games = pd.DataFrame(rows, columns=["first", "second", "moves", "result"])
    named = games.iloc[::-1].replace("mine", "yours")
    assert digest_of_games(games, "mine") == digest_of_games(named, "yours")
    assert digest_of_games(games, "mine") != digest_of_games(games.assign(moves="1"), "mine")
