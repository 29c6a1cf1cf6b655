"""Why moves lost: forced lines against every reply, perfect play, and the story of a game."""

import pytest
from samples import DATA

from agents.board import STANDARD, Board
from agents.jit.compiler import JIT
from arena.games.searches import sample
from arena.plugins.explain import explain as measure
from arena.plugins.explain.explain import Explainer
from arena.plugins.explain.job import explain, explain_game, of_game
from arena.store.run_file import Store
from arena.tournament.games import replay

pytestmark = pytest.mark.skipif(not JIT, reason="far too many nodes for plain Python")
FIELD = DATA / "runs" / "field.sqlite"


@pytest.fixture(scope="module")
def explainer():
    return Explainer(STANDARD, 8)


def wins_at_once(board):
    """Return the columns that end the game with a line of the side to move."""
    return {column for column in board.legal_moves() if board.play(column).outcome is not None
            and board.play(column).outcome.winner == board.mover}  # fmt: skip


def check_forced(board, line):
    """Play every reply to a forced line: all but the named one lose at once, and after the named ones the line wins."""
    for place, column in enumerate(line.moves):
        if place % 2 == 0:
            board = board.play(column)
            assert not wins_at_once(board)
            for reply in board.legal_moves():
                if [reply] != list(line.moves[place + 1 : place + 2]):
                    assert wins_at_once(board.play(reply))
        else:
            board = board.play(column)
    assert (line.moves and len(line.moves) % 2) or set(line.wins) <= wins_at_once(board)
    assert len(line.moves) % 2 == 0 or len(line.wins) > 1


def test_forced_lines_are_the_shortest_and_hold_against_every_reply(explainer):
    """In 150 positions: so many have a forced line within a bound, of so many moves in sum, after so many positions."""
    boards = sample(150, 7, STANDARD)
    for most, number in ((20_000, 44), (60, 44), (5, 41)):
        lines = [(board, explainer.forced(board.own, board.opp, most)) for board in boards]
        lines = [(board, line) for board, line in lines if line is not None]
        for board, line in lines:
            check_forced(board, line)
            assert line.positions <= most + 7
        assert len(lines) == number
        if most == 20_000:
            assert (sum(len(line.moves) for _, line in lines), sum(line.positions for _, line in lines)) == (19, 83)


def test_a_forced_line_may_be_long(explainer):
    board = Board.from_moves("676516163734")
    line = explainer.forced(board.own, board.opp)
    check_forced(board, line)
    assert (len(line.moves), line.wins) == (14, (4,))


GAMES = ("1322326362244443", "3134415533442414113317677", "434555", "126532335362215335766755444",
         "166571376473557652771452", "54712566226127126621574377157631535", "4453171772236553")  # fmt: skip


@pytest.mark.parametrize("moves", GAMES)
def test_what_an_explanation_says_is_what_perfect_play_does(explainer, moves):
    rows = list(explainer.blunders(Board.from_moves(moves), range(12 if len(moves) > 12 else 5, len(moves))))
    assert rows
    for row in rows:
        before = Board.from_moves(moves[: row.ply])
        board = before.play(row.column - 1)
        values = {c + 1: -explainer.value(before.play(c)) for c in before.legal_moves()}
        assert values[row.column] == row.after < row.before == max(values.values())
        assert row.keepers.split() == [str(column) for column, value in values.items() if value == row.before]
        distance = explainer.solver.score_of(before if row.after == 0 else board)
        score = measure.from_solver_score(distance, board if row.after else before)
        assert row.depth == measure.plies_to_end(score) + bool(row.after)
        assert row.plies == (row.depth - 1 if row.after else None)
        if row.kind == "search":
            scores = []
            for place, column in enumerate(map(int, row.moves.split())):
                worth = explainer.solver.column_scores(board.own, board.opp)
                assert worth[column - 1] == max(score for score in worth if score is not None)
                scores.append(worth[column - 1] * (-1) ** place)
                board = board.play(column - 1)
            assert (len(set(scores)), scores[0] > 0) == (1, row.after < 0)
        else:
            assert row.wins


@pytest.mark.compiles
def test_games_are_explained_alike_as_a_whole_and_move_by_move():
    for moves in GAMES:
        rows = list(Explainer(STANDARD, 8).blunders(Board.from_moves(moves), range(len(moves))))
        assert rows == [
            row for ply in range(len(moves)) for row in Explainer(STANDARD, 8).blunders(Board.from_moves(moves), [ply])
        ]


def test_a_search_beyond_its_bound_still_shows_moves_that_keep_the_value(explainer, monkeypatch):
    monkeypatch.setattr(measure, "MOST_NODES", 1000)
    game = Board.from_moves("126532335362215335766755444"[:19])
    rows = [row for row in explainer.blunders(game, range(10, 19)) if row.kind == "search"]
    beyond = [row for row in rows if row.after and row.plies is None]
    assert beyond
    for row in beyond:
        assert (row.depth, len(row.moves.split())) == (None, 3)
        board = Board.from_moves(game.text[: row.ply + 1])
        for column in row.moves.split():
            after = board.play(int(column) - 1)
            assert explainer.value(after) == -explainer.value(board)
            board = after
    assert explainer.solver.outcome_of(Board.from_moves("44")) == 1  # it may search on


def test_a_small_board_is_explained_too():
    (row,) = explain("112233", rules="4x4").rows[-1:]
    assert (row.ply, row.kind, row.moves, row.wins, row.plies) == (5, "forced line", "", "4", 1)


@pytest.mark.parametrize(
    ("moves", "says"),
    [
        ("445571", "X was winning until ply 2. Column 1 at ply 5 let X win at once by playing column 6."),
        ("44", "X was winning from the first move to the last: no move changed the outcome."),
    ],
)  # fmt: skip
def test_a_game_is_told_in_three_sentences(moves, says):
    assert " ".join(explain(moves).story).startswith(says)


def test_a_stored_game_names_its_agents_and_what_they_believed():
    told = explain_game(FIELD, 10)
    assert told.names == ("greedy", "alphabeta:depth=1,order=centre")
    lines = {row.ply: told.lines(row) for row in told.rows}
    assert lines[11][1] == "O's search saw +13 at depth 1; the loss shows from depth 2"
    assert lines[11][2] == "X wins at once by playing column 5."
    assert lines[4][1].startswith("By search: O plays 4, X best answers 4, O plays 4, and so on: O wins in 37 plies")
    assert told.story[-1] == "It was the last of 3 moves that changed the outcome."  # and no fault
    with Store.read(FIELD) as store:
        assert of_game(replay(store, 10), [4, 11]) == {ply: lines[ply] for ply in (4, 11)}
    mine = explain_game(FIELD, 10, agent="alphabeta:d")
    assert [row.ply for row in mine.rows] == [3, 11]
    assert mine.story == told.story
    assert mine.lines(mine.rows[1])[1] == "your search saw +13 at depth 1; the loss shows from depth 2"
