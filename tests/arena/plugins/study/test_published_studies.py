"""The published studies in results/studies: their files can be played, and what they reproduce is exact."""

import csv
import importlib
import sys
from pathlib import Path

import pytest

from agents.agent import Limits
from agents.board import Board
from agents.jit.compiler import JIT
from arena.plugins.study.file import read_study

STUDIES = Path(__file__).parents[4] / "results" / "studies"
RESULTS = {0: "1-0", 1: "0-1", None: "1/2-1/2"}
FILES = sorted((STUDIES.parent).rglob("study.toml"))


@pytest.fixture
def beside(monkeypatch, request):
    """Import a module of a study as its agents do: from the study's folder."""

    def load(folder, name):
        monkeypatch.syspath_prepend(STUDIES / folder)
        for module in ("heuristics", "program", "mistakes"):
            monkeypatch.delitem(sys.modules, module, raising=False)
            request.addfinalizer(lambda module=module: sys.modules.pop(module, None))
        return importlib.import_module(name)

    return load


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.parent.name)
def test_a_study_and_its_claims_can_be_read(file):
    found = read_study(file)
    assert found.claims
    assert found.parts


@pytest.mark.skipif(not JIT, reason="millions of nodes")
def test_shifrins_36_games_are_the_published_ones_to_the_node(beside):
    program = beside("shifrin-2025", "program")
    players = {name: program.Shifrin(name) for name in ("material", "positional", "threat", "pattern")}
    for player in players.values():
        player.prepare(Board().rules)
    text = (STUDIES / "shifrin-2025" / "published.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    assert len(rows) == 36
    for row in rows:
        sides = players[row["first"]], players[row["second"]]
        board, counted = Board(), [0, 0, 0]
        while board.outcome is None:
            player = sides[board.mover]
            player.depth = int(row["depth"])
            answer = player.choose(board, Limits())
            assert answer.nodes == player.counts[program.NODES]
            counted = [one + int(more) for one, more in zip(counted, player.counts, strict=False)]
            board = board.play(answer.column)
        published = [int(row[name]) for name in ("plies", "nodes", "cutoffs", "evaluations")]
        assert (RESULTS[board.outcome.winner], [board.ply, *counted]) == (row["result"], published), row


def test_kangs_first_heuristic_tells_threes_twos_and_single_discs(beside):
    heuristics = beside("kang-wang-hu-2019", "heuristics")
    worth = {"3344": (0, 50_000, 0), "33": (0, 0, 120), "334455": (2_000_000, 0, 0), "1122": (0, 40_000, 0)}
    for moves, expected in worth.items():
        board = Board.from_moves(moves)
        assert heuristics.features(board.own, board.opp) == expected, moves
