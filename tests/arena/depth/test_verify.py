import dataclasses
import json

import pytest

from agents.board import STANDARD, Board, Rules
from agents.errors import InputError
from agents.jit.compiler import JIT, jit, specialize
from agents.players.searcher import Searcher
from agents.search import compiled, negamax
from agents.search.control import PRUNE
from agents.search.transpositions import fetch
from arena.depth.exact import (
    MINIMAX,
    TABLE,
    Disagreement,
    ExactSearch,
    plain_searches,
    searches,
    usable_heuristics,
    value_at_the_end,
    verify,
)
from arena.depth.verify import VerifiedSearches
from arena.games.searches import sample

DEPTH = 5 if JIT else 3
HONEST = Searcher.choose


def lie(monkeypatch, order, position, **changes):
    """Let the searchers of one order answer wrongly on one position."""

    def choose(self, board, limits):
        found = HONEST(self, board, limits)
        if self.order == order and self.flags & PRUNE and board.text == position:
            found = dataclasses.replace(found, **{key: change(found) for key, change in changes.items()})
        return found

    monkeypatch.setattr(Searcher, "choose", choose)


def test_the_sample_begins_with_the_empty_board_and_grows_with_its_size():
    boards = sample(30, 1, STANDARD)
    assert boards[0] == Board()
    assert len({board.key for board in boards}) == 30
    assert all(board.outcome is None for board in boards)
    assert {board.ply // 14 for board in boards} == {0, 1, 2}
    assert sample(10, 1, STANDARD) == boards[:10]
    assert sample(10, 2, STANDARD) != boards[:10]


def test_a_board_with_too_few_positions_is_refused():
    assert len(sample(3, 1, Rules(2, 2, 2))) == 3
    with pytest.raises(InputError, match=r"^random play finds \d+ positions on a 2x2x2 board, not 50$"):
        sample(50, 1, Rules(2, 2, 2))


def test_every_search_is_a_spec_that_says_what_it_is():
    assert MINIMAX.spec("zero", 4) == "minimax:depth=4,heuristic=zero"
    specs = [search.spec("zero", 4) for search in searches(["centre"])]
    assert specs == [
        "minimax:depth=4,heuristic=zero",
        "alphabeta:depth=4,heuristic=zero,order=centre",
        "alphabeta:depth=4,heuristic=zero,order=centre,table=on,table-size=1",
        "alphabeta:depth=4,heuristic=zero,order=centre,deepening=on",
        "alphabeta:depth=4,heuristic=zero,order=centre,table=on,table-size=1,deepening=on",
        "alphabeta:depth=4,heuristic=zero,order=centre,table=on,table-size=1,deepening=on,killers=on,history=on,pvs=on",
    ]
    assert all("compiled=no" in search.settings for search in plain_searches(["centre"])[1:])


def test_all_exact_searches_agree():
    boards, steps = sample(8, 3, STANDARD), []
    found = verify(boards, DEPTH, ["powers-of-ten", "smart-aware"], searches(), lambda: steps.append(1))
    assert (found, len(steps)) == ([], 2 * len(boards))


def test_searches_in_plain_python_agree():
    assert verify(sample(3, 4, STANDARD), 3, ["smart-simple"], plain_searches()) == []


@pytest.mark.compiles
def test_other_boards_agree():
    rules = Rules(5, 4, 3)
    found = verify(sample(10, 5, rules), 4, usable_heuristics(rules), searches(["open-windows"]))
    assert found == []


def test_heuristics_without_a_meaning_on_a_board_are_left_out():
    assert "line-runs-published" in usable_heuristics(STANDARD)
    assert usable_heuristics(Rules(5, 4, 3)) == ["powers-of-ten", "line-runs", "parity", "zero"]


def careless(table, size, key, depth, ply, alpha, beta):
    """Return what the table has of a position, at whatever depth and however bounded."""
    for stored in range(depth + 1):
        settled, value, move = fetch(table, size, key, stored, ply, 1 << 40, -(1 << 40))
        if settled:
            return settled, value, move
    return fetch(table, size, key, 0, ply, 1 << 40, -(1 << 40))


@pytest.mark.compiles  # a second search; that values are compared is tested below
def test_a_table_that_heeds_neither_depth_nor_bound_is_caught(monkeypatch):
    search = ExactSearch("alphabeta", "centre", f"{TABLE},deepening=on")
    boards = [board for board in sample(40, 1, STANDARD) if board.ply > 16][:10]  # small trees, for plain Python
    assert verify(boards, 5, ["powers-of-ten"], [MINIMAX, search]) == []
    wrong = specialize(
        negamax.negamax, "careless", negamax.SIGNATURE, fetch=jit(inline=True)(careless), COLUMNS=7, ROWS=6, CONNECT=4,
        BOTTOM=STANDARD.bottom, CELLS=STANDARD.cells, WIDTH=8,
    )  # fmt: skip
    monkeypatch.setattr(negamax, "build", lambda *size: wrong)
    found = verify(boards, 5, ["powers-of-ten"], [MINIMAX, search])
    assert "value" in {each.what for each in found}


def test_a_wrong_value_is_told_with_position_agents_and_values(arena, monkeypatch):
    position = next(board.text for board in sample(6, 1, STANDARD) if 0 < board.ply < 9)
    lie(monkeypatch, "centre", position, score=lambda found: found.score + 1)
    words = ("--positions", "6", "--depth", "3", "--heuristic", "zero", "--ordering", "centre")
    done = arena("verify", *words)
    assert done.code == 1
    assert f"disagreement at {position}: value 0 of minimax:depth=3,heuristic=zero, 1 of alphabeta:" in done.err
    assert "every search agrees" not in done.out
    document = json.loads(arena("verify", *words, "--json").out)
    assert document["agree"] is False
    assert document["disagreements"][0] == {
        "position": position,
        "what": "value",
        "one": "minimax:depth=3,heuristic=zero",
        "one_value": "0",
        "other": "alphabeta:depth=3,heuristic=zero,order=centre",
        "other_value": "1",
    }


def test_the_first_ten_disagreements_are_told_and_all_are_counted(arena, monkeypatch):
    rows = [Disagreement(str(number), "move", "one", "1", "other", "2") for number in range(12)]
    monkeypatch.setattr("arena.depth.verify.verify", lambda **_: VerifiedSearches(rows, Disagreement))
    done = arena("verify")
    *said, last = done.err.splitlines()
    assert (done.code, said, last) == (1, [f"disagreement at {row}" for row in rows[:10]], "12 disagreements")


def test_another_move_of_the_same_order_is_told(monkeypatch):
    board = Board.from_moves("44")
    lie(monkeypatch, "left-to-right", "44", column=lambda _: 6, pv=lambda _: (6, 6, 6))
    found = verify([board], 3, ["zero"], searches(["left-to-right"]))
    assert {each.what for each in found} == {"move"}
    assert str(found[0]) == (
        "44: move 1 of minimax:depth=3,heuristic=zero, 7 of alphabeta:depth=3,heuristic=zero,order=left-to-right"
    )


@pytest.mark.parametrize("line", [(0, 0), (0, 0, 0, 0, 0, 0, 0), (), (1, 0, 0)])
def test_a_line_that_does_not_lead_to_its_value_is_told(monkeypatch, line):
    lie(monkeypatch, "left-to-right", "44", pv=lambda _: line)
    found = verify([Board.from_moves("44")], 3, ["powers-of-ten"], searches(["left-to-right"]))
    assert {each.what for each in found} == {"line"}


def test_the_value_at_the_end_of_a_line_is_the_movers():
    evaluate = compiled.heuristic("powers-of-ten", STANDARD).evaluate
    board = Board.from_moves("112233")
    assert value_at_the_end(board, (3,), evaluate) == 999_999
    assert value_at_the_end(Board.from_moves("711223"), (6, 3), evaluate) == -999_998
    after = board.play(6)
    assert value_at_the_end(board, (6,), evaluate) == -evaluate(after.own, after.opp)
    assert value_at_the_end(board, (7,), evaluate) is None
    assert value_at_the_end(Board.from_moves("54712566226127126621574377157631535333444"), (3,), evaluate) == 0


def test_the_command_says_how_much_was_compared(arena):
    done = arena("verify", "--positions", 2, "--depth", 3)
    said = "every search agrees: 2 positions, 7 heuristics, depth 3\n"
    assert (done.code, done.out, done.err) == (0, said, "")


def test_a_heuristic_of_ones_own_is_verified(arena, tmp_path):
    mine = tmp_path / "mine.py"
    mine.write_text("def evaluate(own, opp):\n    return own % 7 - opp % 7\n")
    done = arena("verify", "--positions", 5, "--depth", 3, "--heuristic", f"{mine}:evaluate", "--json")
    document = json.loads(done.out)
    assert (done.code, document["agree"]) == (0, True)
    assert document["disagreements"] == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--depth", "0"], "arena verify: Invalid value for '--depth'"),
        (["--positions", "0"], "arena verify: Invalid value for '--positions'"),
        (["--heuristic", "smart-awre"], "arena: "),
        (["--ordering", "center"], "arena: agent 'alphabeta:depth=6,"),
        (["--board", "4x4", "--heuristic", "line-runs-published"], "arena: "),
        (["--table", "agreement"], "arena: --table takes two agents, a minimax and what should equal it: without them"),
        (["--board", "2x2x2", "--positions", "50"], "arena: random play finds"),
    ],
)
def test_bad_input_is_one_line(arena, words, message):
    done = arena("verify", *words)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(message)
    assert done.err.count("\n") == 1


def test_a_line_that_begins_with_another_move_is_found_though_its_end_has_the_value(monkeypatch):
    lie(monkeypatch, "centre", "", pv=lambda found: ((found.column + 1) % 7, *found.pv[1:]))
    found = verify([Board()], 2, ["zero"], searches(["centre"]))
    assert [(each.what, each.position) for each in found] == [("line", "")] * 5
    assert str(found[0]).startswith("the empty board: line 0 of alphabeta:depth=2,heuristic=zero,order=centre, 0 of ")
