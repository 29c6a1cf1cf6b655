"""On a board of twelve columns moves are numbers between commas: no ply, column or game may be told by characters."""

import pytest
from hand_made import FIRST, SECOND, audit_of, decision, frames, stored
from needs import needed

from agents.board import Rules
from arena.perfect import kept as audit
from arena.records import Termination
from arena.store.run_file import Store
from arena.tournament import effort, pairings
from arena.tournament.faults import fault_reports
from arena.tournament.games import Blunder, Filter, filtered, replay
from arena.tournament.runs import as_pgn

AGENTS = ("alphabeta:depth=2", "minimax:depth=2")
RULES = {"columns": 12, "rows": 4, "connect": 4}
WON = "10,11,10,12,10,12,10"
LOST = "10,11,1,12,1,12,1,12,2,12"
OTHER = "10,11,1,12,1,12,1,12,3,12"
"""As the one before up to its ninth move, which is its seventeenth character."""
FAULTY = "10,11,12"


def made(path, *games):
    """Store games by the first and the second agent in turn, all after the same opening."""
    rows = []
    for number, text in enumerate(games):
        columns = [int(word) - 1 for word in text.split(",")]
        moves = tuple(decision(ply, 2, 10 + ply, 0.001 * ply, (2, 10 + ply, 0.001 * ply), column=columns[ply])
                      for ply in range(2, len(columns)))  # fmt: skip
        end = Termination.LINE if len(columns) > 3 else Termination.ILLEGAL
        rows.append((number % 2, 1 - number % 2, number // 2, text, FIRST if len(columns) % 2 else SECOND, end, moves))
    return stored(path, AGENTS, rows, openings=("10,11", "10,11,12"), rules=RULES, population=None)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = made(tmp_path_factory.mktemp("wide") / "run.sqlite", WON, LOST)
    lost = {(1, 3): (0, -1), (2, 6): (0, -1), (2, 8): (1, -1)}
    return audit_of(path, [(game, ply, *lost.get((game, ply), (0, 0)), 12, 7)
                           for game, plies in ((1, 7), (2, 10)) for ply in range(2, plies)])  # fmt: skip


def test_plies_and_blunders_are_counted_by_moves(path):
    with Store.read(path) as store:
        one, two = filtered(store, Filter(blunders=True))
        assert [each.game for each in filtered(store, Filter(), 1)] == [1]
    assert (one.moves, one.plies, two.plies) == (WON, 7, 10)
    assert one.blunders == (Blunder(3, 12, AGENTS[1], 0, -1),)
    assert [each.text for each in two.blunders] == ["ply 6: column 1, draw to loss", "ply 8: column 2, win to loss"]
    assert (one.thrown, two.thrown) == (0.5, 1.5)


def test_the_opening_of_a_game_as_pgn_ends_after_its_moves(path):
    with Store.read(path) as store:
        text, _ = as_pgn(filtered(store, Filter()))
    assert "1. P@j1 P@k1 {the opening ends here}" in " ".join(text.split())


def test_a_replay_has_the_columns_of_its_moves_and_the_opening_of_two(path):
    with Store.read(path) as store:
        found = replay(store, 2)
        assert replay(store, "1-0-0") == found
    assert [step.column for step in found.steps] == [10, 11, 1, 12, 1, 12, 1, 12, 2, 12]
    assert (found.opening, found.rules) == (2, Rules(**RULES))
    assert [step.agent for step in found.steps[:4]] == [None, None, AGENTS[1], AGENTS[0]]
    assert [(step.ply, step.lost) for step in found.steps if step.is_blunder] == [
        (6, "a draw becomes a loss; kept by 7 of 12 moves"), (8, "a win becomes a loss; kept by 7 of 12 moves"),
    ]  # fmt: skip
    assert [board.text for board in found.boards[:4]] == ["", "10", "10,11", "10,11,1"]
    assert found.boards[-1].outcome.winner == 1


def test_audits_and_costs_are_by_thirds_of_its_cells(path):
    run = frames(path)
    rows = {row.agent: (row.wins_thrown, row.draws_thrown, row.first_blunder_mean) for row in audit.agents(run)}
    assert rows == {AGENTS[0]: (0, 0, None), AGENTS[1]: (1, 2, 4.5)}
    assert {(row.agent, row.phase): row.searches for row in effort.phases(run)} == {
        (agent, "opening"): searches for agent, searches in zip(AGENTS, (7, 6), strict=True)
    }
    assert pairings.duel(run, *AGENTS).counts == (0, 0, 0, 0, 1)


def test_two_games_are_alike_up_to_the_move_that_differs(path, tmp_path):
    difference = needed("arena.plugins.diff.difference")
    old, new = frames(path), frames(made(tmp_path / "new", WON, OTHER))
    one, two = difference.changes(old, new)
    assert (one.agent, one.games, one.same_games, one.positions, one.same_moves) == (AGENTS[0], 2, 1, 6, 1.0)
    assert (two.agent, two.games, two.same_games, two.positions, two.same_moves) == (AGENTS[1], 2, 1, 6, 5 / 6)
    assert (one.score.value, one.same_nodes, two.same_nodes) == (0.0, 1.0, 1.0)


def test_a_fault_is_asked_again_on_its_board(tmp_path):
    with Store.read(made(tmp_path / "run", FAULTY)) as store:
        [found] = fault_reports(store)
    assert (found.agent, found.command) == (AGENTS[1], f"arena move {AGENTS[1]} 10,11,12 --board 12x4x4")
