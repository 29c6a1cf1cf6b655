"""The printed table of effort has one row for the depths beyond the last that all agents reach."""

import json

import pytest
from hand_made import FIRST, decisions, frames, stored

import arena as package
from agents.agent import Analysis, Iteration
from arena.records import Termination
from arena.tournament.effort import KEPT, TO_END, compact, effort
from arena.tournament.frames import Frames


class To:
    """Tells of each depth down to so many plies; of the last one as 10 nodes a ply."""

    def __init__(self, depth):
        self.depth = depth

    def choose(self, board, limits):
        column = board.legal_moves()[0]
        plies = range(1, min(self.depth, 42 - board.ply) + 1)
        return Analysis(column, 0, plies[-1], 1, (column,), tuple(Iteration(n, 10 * n, 0.0, 0, column) for n in plies))


def rows(path, agent, of=compact):
    return [row for row in of(Frames.read(path)) if row.agent == agent]


@pytest.fixture
def path(tmp_path):
    agents = {"deep": To(30), "less": To(12), "one": "alphabeta:depth=2"}
    return package.run(agents, rounds=1, out=tmp_path / "run.sqlite", pairs=[("deep", "less")]).path


def test_what_lies_beyond_is_one_row_of_the_deepest_searches(path, arena):
    deep = rows(path, "deep")
    assert [row.depth for row in deep] == [*range(1, 13), TO_END + 12]
    found = rows(path, "deep", effort)
    assert [row.depth for row in found] == [*range(1, 31)]
    assert deep[:-1] == found[:12]
    moves = [each for each in json.loads(arena("replay", path, 1, "--json").out)["moves"] if each["agent"] == "deep"]
    moves += [each for each in json.loads(arena("replay", path, 2, "--json").out)["moves"] if each["agent"] == "deep"]
    far = [each["depth"] for each in moves if each["depth"] > 12]
    assert (deep[-1].searches, deep[-1].nodes) == (len(far), 10 * sum(far) / len(far))
    assert [row.depth for row in rows(path, "less")] == [*range(1, 13)]
    assert " > 12 " in arena("show", path, "--table", "effort").out


def test_low_depths_are_kept_whatever_others_reach(tmp_path):
    path = package.run({"deep": To(30), "less": To(3)}, rounds=1, out=tmp_path / "run.sqlite").path
    assert [row.depth for row in rows(path, "deep")] == [*range(1, KEPT + 1), TO_END + KEPT]
    path = package.run({"deep": To(KEPT + 1), "less": To(3)}, rounds=1, out=tmp_path / "two.sqlite").path
    assert [row.depth for row in rows(path, "deep")] == [*range(1, KEPT + 2)]
    path = package.run({"deep": To(KEPT + 2), "less": To(3)}, rounds=1, out=tmp_path / "three.sqlite").path
    assert [row.depth for row in rows(path, "deep")] == [*range(1, KEPT + 1), TO_END + KEPT]


def test_who_always_searches_to_the_end_of_the_board_has_one_row(tmp_path):
    agents = ("alphabeta:depth=42", "minimax:depth=42")
    moves = decisions((2, 18, 50, 0.1), (3, 17, 70, 0.1), (4, 16, 30, 0.1), (5, 14, 10, 0.1))
    games = [(0, 1, 0, "441", FIRST, Termination.LINE, moves)]
    small = frames(stored(tmp_path / "run", agents, games, rules={"columns": 5, "rows": 4, "connect": 4}))
    assert [(row.agent, row.depth, row.searches, row.nodes, row.branching is None) for row in compact(small)] == [
        (agents[0], TO_END, 2, 40.0, True), (agents[1], 14, 1, 10.0, True), (agents[1], 17, 1, 70.0, False),
    ]  # fmt: skip
