from contextlib import nullcontext
from dataclasses import replace

import pytest

from agents.agent import Analysis, Limits
from agents.board import Board, Rules
from agents.errors import InputError
from agents.processes.agent import SubprocessAgent
from agents.specs.registry import Spec
from arena.games.entrants import entrant
from arena.games.person import Seat
from arena.position.position import decision, divided
from arena.table.extra import said


def test_a_decision_is_told_in_columns_from_1():
    found = decision(entrant("alphabeta:depth=3"), Board.from_moves("112233"))
    assert (found.agent, found.position, found.move, found.depth) == ("alphabeta:depth=3", "112233", 4, 3)
    assert (found.score, found.pv) == (999_999, (4,))
    assert found.nodes > 0 < found.seconds
    assert (found.output, found.extra, found.said) == ("", {}, [])
    told = replace(found, extra={"tries": 2, "drawn": True, "reply": "4", "note": None, "why": "x" * 99})
    assert told.said == said(told.extra)
    assert told.said[0] == "tries 2, random move true"


def test_what_an_agent_adds_and_prints_comes_along(monkeypatch):
    asked = []

    class Told:
        def prepare(self, rules):
            asked.append(str(rules))

        def new_game(self, seed):
            asked.append(seed)

        def choose(self, board, limits):
            asked.append((board.text, limits))
            return Analysis(2, None, 3, 40, (2, 0, 5), extra={"reply": "3", "price": 0.5})

    monkeypatch.setattr(Seat, "output", lambda self: f"printed by {self.name}")
    spec = type("Built", (Spec,), {"build": lambda self: Told()})("told", "told.py:Told", {})
    found = decision(spec, Board.from_moves("12", Rules(6, 5)))
    assert (found.agent, found.position, found.move, found.pv) == ("told", "12", 3, (3, 1, 6))
    assert (found.score, found.depth, found.nodes, found.output) == (None, 3, 40, "printed by told")
    assert found.extra == {"reply": "3", "price": 0.5}
    assert found.said == ["price 0.5", "reply: 3"]
    assert asked == ["6x5x4", 0, ("12", Limits())]


def test_a_game_that_is_over_and_an_agent_that_fails_are_told_in_a_line(tmp_path):
    with pytest.raises(InputError, match=r"^the game is already over \(first player won at move 7\)$"):
        decision(entrant("greedy"), Board.from_moves("1212121"))
    path = tmp_path / "odd.py"
    path.write_text("class Odd:\n    def choose(self, board, limits):\n        return 9\n")
    with pytest.raises(InputError, match=r"odd\.py:Odd': illegal move: answered 9"):
        decision(entrant(f"{path}:Odd"), Board())


@pytest.mark.parametrize("column", [2, 9])
def test_an_agent_with_a_process_is_ended_once_it_has_moved_or_failed(column):
    class Apart(SubprocessAgent):
        output, _process, closed = "", None, 0

        def __init__(self):
            pass

        def prepare(self, rules):
            pass

        def new_game(self, seed):
            pass

        def choose(self, board, limits):
            assert not self.closed
            return column

        def close(self):
            self.closed += 1

    agent = Apart()
    spec = type("Built", (Spec,), {"build": lambda self: agent})("told", "told.py:Told", {})
    with nullcontext() if column == 2 else pytest.raises(InputError, match="illegal move"):
        assert decision(spec, Board()).move == 3
    assert agent.closed


def test_what_lies_below_each_first_move_adds_up_to_the_tree():
    rows = list(divided(Board(Rules(4, 4)), 3))
    assert [row.column for row in rows] == [1, 2, 3, 4]
    assert {(row.sequences, row.nodes) for row in rows} == {(16, 1 + 4 + 16)}
    full = list(divided(Board.from_moves("11", Rules(2, 2, 2)), 1))
    assert [(row.column, row.sequences, row.nodes) for row in full] == [(2, 1, 1)]
