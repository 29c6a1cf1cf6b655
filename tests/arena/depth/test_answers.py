"""What searches beside each other are asked, with agents that answer as they are told."""

from contextlib import contextmanager, nullcontext
from dataclasses import replace

import pytest

from agents.agent import Analysis, Iteration
from agents.board import STANDARD, Board, Rules
from agents.errors import InputError
from agents.failure import Failure
from agents.processes.agent import SubprocessAgent
from agents.search import compiled
from agents.specs.registry import Spec, parse
from arena.depth import agreement
from arena.depth.agreement import (
    Answers,
    AtDepth,
    DifferentAnswer,
    answers,
    at_depth,
    by_depth,
    first_difference,
)
from arena.depth.tables import agreement_parts
from arena.games.check import Checked
from arena.games.searches import answer_at
from arena.position import position
from arena.records import MoveRecord

SMALL = Rules(5, 4)
BOARDS = [Board.from_moves(moves, SMALL) for moves in ("", "3", "33", "12", "4", "45")]


class Scripted:
    """Answers with what a function of board and depth says, and keeps what it was asked."""

    def __init__(self, says):
        self.says, self.asked = says, []

    def prepare(self, rules):
        self.asked.append(f"prepare {rules}")

    def new_game(self, seed):
        self.asked.append(seed)

    def choose(self, board, limits):
        self.asked.append((board.text, limits.depth))
        return self.says(board, limits.depth)


class Apart(Scripted, SubprocessAgent):
    """The same as a process agent without a process."""

    _process, output, closed = None, "", 0

    def close(self):
        self.closed += 1


def right(board, depth):
    return Analysis(0, 10 * depth + board.ply, depth, 7 * depth)


def after(board, asked, *, fails=None, **changes):
    if fails == asked:
        raise Failure("crashed (SIGSEGV)", "exit code 3")
    return replace(right(board, asked), **changes)


SEARCHES = {
    "right": right,
    "another move": lambda board, depth: after(board, depth, column=1),
    "another value": lambda board, depth: after(board, depth, score=depth),
    "no value": lambda board, depth: after(board, depth, score=None),
    "no number": lambda board, depth: after(board, depth, score="much"),
    "too shallow": lambda board, depth: after(board, depth, depth=1),
    "too deep": lambda board, depth: after(board, depth, depth=depth + 1),
    "proven": lambda board, depth: after(board, depth, depth=1, score=999_990),
    "no depth": lambda board, depth: after(board, depth, depth=0),
    "iterations": lambda board, depth: after(board, depth, depth=0, iterations=(Iteration(depth, 1, 0.0, 1, 0),)),
    "wrong iterations": lambda board, depth: after(board, depth, depth=0, iterations=(Iteration(5, 1, 0.0, 1, 0),)),
    "the same": lambda board, depth: Analysis(0, board.ply, 0, 9),
    "the same without nodes": lambda board, depth: Analysis(depth, board.ply),
    "the same with nodes once": lambda board, depth: Analysis(0, board.ply, 0, 9 * (board == BOARDS[0])),
    "the same values": lambda board, depth: Analysis(0, board.ply, 0, depth),
    "fails": lambda board, depth: after(board, depth, fails=2),
}


ALIKE, MOVE, VALUE, NEITHER = (True, True, True), (True, False, False), (False, True, False), (False, False, False)
TOLD = {
    "right": ALIKE, "another move": MOVE, "another value": VALUE, "no value": "reports no value",
    "no number": "its score 'much' is no number", "too shallow": "searched to depth 1 when asked for 2",
    "too deep": "ignores the depth: it searched to depth 2 when asked for 1", "proven": VALUE, "no depth": ALIKE,
    "iterations": ALIKE, "wrong iterations": "it searched to depth 5 when asked for 1",
    "the same": "it answers alike at depths 1 and 2", "the same without nodes": "it answers alike at depths 1 and 2",
    "the same values": VALUE, "fails": "on the empty board: exit code 3",
}  # fmt: skip
"""Whether value, move and answer are the same at every depth, or why a search is refused."""


@pytest.mark.parametrize("name", TOLD)
def test_both_searches_are_asked_at_each_depth(monkeypatch, name):
    made, steps, found = {"one": Apart(right), "other": Apart(SEARCHES[name])}, [], []

    @contextmanager
    def at_depth(spec, depth, rules):
        made[spec.text].asked.append((spec.text, depth, str(rules)))
        yield made[spec.text]

    monkeypatch.setattr(agreement, "at_depth", at_depth)
    specs = [replace(parse("greedy"), text=text) for text in made]

    def ask():
        found.extend(answers(*specs, BOARDS, (1, 2, 3), lambda: steps.append(1)))

    if isinstance(TOLD[name], str):
        with pytest.raises(InputError, match=TOLD[name]):
            ask()
        return
    ask()
    assert {(each.same_value, each.same_move, each.same) for each in found} == {TOLD[name]}
    assert [(each.depth, each.board) for each in found] == [(depth, board) for depth in (1, 2, 3) for board in BOARDS]
    assert len(steps) == 18
    games = [step for board in BOARDS for step in (0, (board.text, 1))]
    assert made["other"].asked[:13] == [("other", 1, "5x4x4"), *games]


def test_of_few_positions_alike_answers_at_several_depths_tell_nothing(monkeypatch):
    made = {"one": Apart(right), "other": Apart(SEARCHES["the same"])}
    monkeypatch.setattr(agreement, "at_depth", lambda spec, depth, rules: nullcontext(made[spec.text]))
    specs = [replace(parse("greedy"), text=text) for text in made]
    assert len(list(answers(*specs, BOARDS[:4], (1, 2, 3)))) == 12
    with pytest.raises(InputError, match="ignores the depth"):
        list(answers(*specs, BOARDS[:5], (1, 2, 3)))


@pytest.mark.parametrize(("name", "trusted"), [
    ("the same without nodes", True), ("the same with nodes once", False), ("the same", False),
])  # fmt: skip
def test_a_search_that_is_made_with_its_depth_is_trusted_where_it_reports_no_nodes(monkeypatch, name, trusted):
    agents = {"one": Apart(right), "other": Apart(SEARCHES[name])}
    monkeypatch.setattr(agreement, "at_depth", lambda spec, depth, rules: nullcontext(agents[spec.text]))
    monkeypatch.setattr(agreement, "takes_depth", lambda spec: True)
    specs = [replace(parse("greedy"), text=text) for text in agents]
    with nullcontext() if trusted else pytest.raises(InputError, match="other ignores the depth"):
        assert len(list(answers(*specs, BOARDS, (1, 2, 3)))) == 18


def pair(board, depth, one, other):
    """Return what two searches answered, each as (column, score, nodes)."""
    return Answers(board, depth, *(MoveRecord(0, column, 0.0, score, depth, nodes, (column,))
                                   for column, score, nodes in (one, other)))  # fmt: skip


AGREED = [
    pair(BOARDS[1], 1, (0, 7, 10), (0, 7, 10)), pair(BOARDS[3], 1, (1, 7, 10), (2, 7, 5)),
    pair(BOARDS[1], 2, (1, 7, 40), (3, -7, 10)), pair(BOARDS[3], 2, (1, 7, 40), (1, 7, 30)),
]  # fmt: skip


def test_a_row_for_each_depth_counts_what_two_have_in_common():
    assert by_depth(AGREED, "m", "a") == [
        AtDepth("m", "a", 1, 2, 2, 1, 20, 15, 0.75), AtDepth("m", "a", 2, 2, 1, 1, 80, 40, 0.5),
    ]  # fmt: skip
    silent = [pair(BOARDS[1], 1, (0, 7, one), (0, 7, other)) for one, other in ((9, 0), (0, 9))]
    assert [by_depth([answer], "m", "a")[0].share for answer in silent] == [None, None]


def test_the_first_difference_is_that_of_a_value_or_else_of_a_move():
    other = DifferentAnswer("m", "a", "3", 2, 7, -7, "2", "4", "2", "4", str(BOARDS[1]))
    assert first_difference(AGREED, "m", "a") == other
    assert (first_difference(AGREED[:2], "m", "a").position, first_difference(AGREED[:1], "m", "a")) == ("12", None)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [(999_997, 999_995, False), (-999_997, -999_995, False), (999_997, 999_997, True), (0, 0, True), (1, -1, False)],
)
def test_wins_of_another_length_are_other_values(one, other, same):
    compared = pair(BOARDS[1], 1, (0, one, 10), (0, other, 10))
    assert (compared.same_value, compared.same_move, compared.same) == (same, True, same)


@pytest.mark.parametrize(
    ("right", "value", "hint"),
    [
        (999_997, 5, "; a win in n plies is worth"), (-999_997, -5, "; a win in n plies"), (999_997, -5, ""),
        (999_997, 999_995, ""), (5, 999_997, ""), (5, 4, ""), (5, 5, "; the same value"), (None, 0, "; the same value"),
    ],
)  # fmt: skip
def test_what_may_have_made_the_difference_is_told(right, value, hint):
    line = str(DifferentAnswer("m", "a", "33", 2, right, value, "2", "4", "", "", "")).splitlines()[0]
    assert line.partition(";")[1:] == ("", "") if not hint else hint in line


def test_searches_that_agree_are_said_to_with_the_nodes_at_the_deepest_depth():
    alike = [AtDepth("m", "a", depth, 4, 4, 4, 100, nodes, nodes / 100) for depth, nodes in ((1, 100), (2, 40))]
    moves, values = replace(alike[0], moves=3), replace(alike[0], values=1, moves=2)
    other = replace(alike[0], values=1)
    said = [agreement_parts([*rows])[1] for rows in (alike, (moves, alike[1]), (values, alike[1]), (other, alike[1]))]
    assert said[0].endswith("in all 8 searches: a decides as m; it visits 40.0 % of the nodes at depth 2")
    assert said[1].startswith("same value in all 8 searches, another move in 1: ")
    assert said[2:] == ["another value in 3 of 8 searches, another move in 2",
                        "another value in 3 of 8 searches, another move in 0"]  # fmt: skip
    assert agreement_parts([]) == []
    assert agreement_parts([replace(row, nodes=0, share=None) for row in alike])[1].endswith(": a decides as m")


def test_each_two_searches_have_a_table_of_their_rows_and_a_sentence():
    same = [
        AtDepth(one, other, depth, 4, 4, 4, 100, 40, 0.4)
        for depth in (1, 2)
        for one, other in (("m", "a"), ("n", "m"), ("n", "a"))
    ]
    moved = [replace(row, moves=2, share=None) if row.reference == "n" and row.search == "a" else row for row in same]
    tables, lines = agreement_parts(moved)[::2], agreement_parts(moved)[1::2]
    assert [(table.name, table.title, table.row, table.rows) for table in tables] == [
        ("agreement", "a against m", AtDepth, [moved[0], moved[3]]),
        ("agreement", "m against n", AtDepth, [moved[1], moved[4]]),
        ("agreement", "a against n", AtDepth, [moved[2], moved[5]]),
    ]
    decides = "same value and same move in all 8 searches: {} decides as {}; it visits 40.0 % of the nodes at depth 2"
    assert lines[:2] == [decides.format("a", "m"), decides.format("m", "n")]
    assert lines[2].startswith("same value in all 8 searches, another move in 4: ")


@pytest.mark.parametrize("depths", [(1, 2), (2, 5), (1, 4, 9)])
def test_the_depths_at_which_a_search_answers_alike_are_named(monkeypatch, depths):
    made = {"one": Apart(right), "other": Apart(SEARCHES["the same"])}
    monkeypatch.setattr(agreement, "at_depth", lambda spec, depth, rules: nullcontext(made[spec.text]))
    one, other = (replace(parse("greedy"), text=text) for text in made)
    said = f"other ignores the depth: it answers alike at depths {depths[0]} and {depths[1]}; {agreement.OBEY}"
    for pair in ((one, other), (other, one)):
        with pytest.raises(InputError) as raised:
            list(answers(*pair, BOARDS, depths))
        assert str(raised.value) == said


def test_a_search_is_deep_enough_where_it_reached_the_end_of_the_game_and_no_ply_before():
    board = Board.from_moves("12", Rules(4, 1))
    for depth in (2, 5):
        assert answer_at(Scripted(lambda *_: Analysis(2, 0, 2, 7)), board, "bot", depth).depth == 2
        with pytest.raises(InputError, match=f"searched to depth 1 when asked for {depth}"):
            answer_at(Scripted(lambda *_: Analysis(2, 0, 1, 7)), board, "bot", depth)


def test_an_agent_that_cannot_prepare_is_ended(tmp_path):
    made = Apart(right)
    made.prepare = lambda rules: 1 // 0
    spec = type("Built", (Spec,), {"build": lambda self: made})("free", f"{tmp_path / 'mine.py'}:Free", {})
    with pytest.raises(InputError, match="agent 'free' cannot prepare for a 5x4x4 board"), at_depth(spec, 2, SMALL):
        pass
    assert made.closed == 1


def test_an_agent_gets_its_depth_where_it_takes_it(tmp_path):
    (tmp_path / "mine.py").write_text(
        "class Made:\n    def __init__(self, depth=1):\n        self.depth = depth\n"
        "    def choose(self, board, limits): ...\n\n\nclass Free:\n    def choose(self, board, limits): ...\n"
    )
    for text, depth in ((f"{tmp_path / 'mine.py'}:Made", 4), (f"{tmp_path / 'mine.py'}:Made:depth=2", 4)):
        with at_depth(parse(text), 4, SMALL) as agent:
            assert agent.depth == depth
    with at_depth(parse(f"{tmp_path / 'mine.py'}:Free"), 4, SMALL) as agent:
        assert not hasattr(agent, "depth")
    with at_depth(parse("alphabeta:depth=9,order=centre"), 3, STANDARD) as agent:
        assert (agent.limits.depth, agent.order) == (3, "centre")
    with at_depth(parse("greedy"), 3, SMALL) as agent:
        assert type(agent).__name__ == "Greedy"
    made = Apart(right)
    spec = type("Built", (Spec,), {"build": lambda self: made})("free", f"{tmp_path / 'mine.py'}:Free", {})
    with at_depth(spec, 2, SMALL):
        assert made.closed == 0
    assert (made.closed, made.asked) == (1, ["prepare 5x4x4"])


@pytest.mark.parametrize("moves", ["", "4453", "121"])
def test_every_heuristic_values_a_position_for_the_mover_and_for_the_first_player(moves):
    board = Board.from_moves(moves)
    rows = {row.heuristic: row for row in position.values(board, compiled=False)}
    assert len(rows) > 5
    for name, row in rows.items():
        assert row.mover == compiled.heuristic(name, STANDARD, compiled=False).evaluate(board.own, board.opp)
        assert row.first == (row.mover if board.ply % 2 == 0 else -row.mover)


@pytest.mark.parametrize("moves", ["", "4453", "444444"])
def test_every_ordering_lists_the_legal_columns_best_first(moves):
    board = Board.from_moves(moves)
    for row in position.orders(board):
        assert sorted(row.columns) == [column + 1 for column in board.legal_moves()]
        if row.scores is not None:
            score = compiled.ordering(row.ordering, STANDARD).score
            assert list(row.scores) == [score(board.own, board.opp, column - 1) for column in row.columns]
            assert list(row.scores) == sorted(row.scores, reverse=True)
        else:
            assert row.ordering in {"left-to-right", "centre"}


def test_sequences_below_a_position_are_parted_by_their_first_move():
    rows = list(position.divided(Board.from_moves("444444"), 2))
    assert [(row.column, row.sequences, row.nodes) for row in rows] == [(column, 6, 7) for column in (1, 2, 3, 5, 6, 7)]


def test_what_a_part_returns_is_a_whole_number_or_refused():
    assert position._called("ordering 'a'", Board(), lambda: 3.9) == 3
    with pytest.raises(InputError, match="heuristic 'a'"):
        position._called("heuristic 'a'", Board.from_moves("44"), lambda: "much")


def test_a_remark_is_no_fault():
    checked = Checked("a")
    checked.add("remark")
    assert (checked.ok, checked.problems, checked.output) == (True, ["remark"], "")
