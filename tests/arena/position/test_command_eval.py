"""The commands eval and move."""

import json

import pytest
from command import read_json
from samples import ODD, ODD_HEURISTICS

from agents.board import Board
from agents.jit.compiler import JIT
from agents.specs.components import HEURISTICS, complete
from arena.position.position import Decision


def test_eval_asks_every_heuristic(arena):
    rows = read_json(arena("eval", "4453", "--json"))
    assert [row["heuristic"] for row in rows] == complete(HEURISTICS)
    assert set(rows[0]) == {"position", "heuristic", "mover", "first"}
    assert {row["position"] for row in rows} == {"4453"}
    assert all(row["mover"] == row["first"] for row in rows)


def test_eval_speaks_of_the_mover_and_of_the_first_player(arena):
    rows = read_json(arena("eval", "445", "--heuristic", "powers-of-ten", "--json"))
    assert [(row["mover"], row["first"]) for row in rows] == [(rows[0]["mover"], -rows[0]["mover"])]
    assert rows[0]["mover"] != 0


def test_eval_reads_lines(arena):
    done = arena("eval", "-", "4", "--heuristic", "zero", "--json", stdin="44\n\n4453 -2\n")
    assert [row["position"] for row in read_json(done)] == ["44", "4453", "4"]
    done = arena("eval", "-", "--heuristic", "zero", "--json", stdin="44\n48\n45\n")
    assert (done.code, done.err) == (2, "arena: line 2: move 2: column 8 does not exist (1 to 7)\n")
    assert [row["position"] for row in json.loads(done.out)] == ["44", "45"]


def test_boards_stand_above_the_table_alone(arena):
    words = ("445", "4", "--heuristic", "zero", "--show-board")
    lines = [line.split() for line in arena("eval", *words).out.splitlines()]
    assert [lines[row] for row in (4, 5, 13, 16)] == [
        [*"...O..."], [".", ".", ".", "X", "[X]", ".", "."], [".", ".", ".", "[X]", ".", ".", "."],
        ["position", "heuristic", "mover", "first"],
    ]  # fmt: skip
    assert [line[0] for line in lines[18:]] == ["445", "4"]
    assert [row["position"] for row in read_json(arena("eval", *words, "--json"))] == ["445", "4"]
    assert "X" not in arena("eval", *words[:-1]).out


def test_eval_of_a_heuristic_without_meaning_on_the_board_is_empty(arena, monkeypatch):
    few = {name: HEURISTICS[name] for name in ("zero", "line-runs-published")}
    monkeypatch.setattr("arena.position.position.HEURISTICS", few)
    rows = read_json(arena("eval", "--board", "5x4", "--json"))
    assert {row["heuristic"]: row["mover"] for row in rows} == {"zero": 0, "line-runs-published": None}


def test_move_tells_the_decision(arena):
    document = read_json(arena("move", "minimax:depth=2,heuristic=zero", "4", "--json"))
    assert set(document) == {
        "agent", "position", "move", "score", "depth", "nodes", "seconds", "pv", "extra", "output", "meta",
    }  # fmt: skip
    assert (document["agent"], document["position"]) == ("minimax:depth=2,heuristic=zero", "4")
    assert (document["depth"], document["nodes"]) == (2, 57)
    assert document["pv"][0] == document["move"]
    assert len(document["pv"]) == 2


def test_move_tells_a_win_in_words(arena):
    done = arena("move", "greedy", "121212")
    assert done.out.startswith("move 1  score win in 1  depth 1  nodes ")
    assert read_json(arena("move", "greedy", "121212", "--json"))["score"] == 999_999
    assert Board.from_moves("1212121").outcome is not None


def test_a_line_has_all_that_an_agent_reports_of_its_move_a_level_score_too(arena, monkeypatch):
    decision = Decision("a", "4", 3, 0, 0, 1234, 0.0123, (3,), "it prints\n", {"reply": "three"})
    monkeypatch.setattr("arena.position.questions.move", lambda *_, **__: decision)
    done = arena("move", "a", "4")
    assert done.out == "move 3  score 0  depth 0  nodes 1,234  time 12.3 ms  line 3\nreply: three\n"
    assert done.err.endswith("    it prints\n")
    for depth, nodes, said in ((3, 0, "depth 3  nodes 0  "), (0, 0, "")):
        bare = Decision("a", "4", 3, None, depth, nodes, 0.0123, ())
        monkeypatch.setattr("arena.position.questions.move", lambda *_, bare=bare, **__: bare)
        done = arena("move", "a", "4")
        assert (done.out, done.err) == (f"move 3  {said}time 12.3 ms\n", "")


def test_the_move_is_marked_below_its_column(arena):
    lines = arena("move", "greedy", "121212", "--show-board").out.splitlines()
    [columns] = [line for line in lines if line.startswith("column ")]
    [marks] = [line for line in lines if "^" in line]
    assert marks.index("^") == columns.index("1")
    assert marks.count("^") == 1
    assert read_json(arena("move", "greedy", "121212", "--show-board", "--json"))["move"] == 1


def test_move_says_little_of_an_agent_that_tells_nothing(arena):
    move, time = arena("move", f"{ODD}:Leftmost", "44").out.split("  ")
    assert move == "move 1"
    assert time.startswith("time ")


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_the_line_that_cannot_be_compiled_is_named(arena):
    line = ODD_HEURISTICS.read_text().splitlines().index('    return len({"discs": bin(own)}["discs"])') + 1
    done = arena("eval", "--heuristic", f"{ODD_HEURISTICS}:uncompilable")
    assert f"odd_heuristics.py line {line}: " in done.err
    assert "--compiled no runs it as plain Python" in done.err
    done = arena("eval", "44", "--heuristic", f"{ODD_HEURISTICS}:uncompilable", "--compiled=no", "--json")
    assert json.loads(done.out)[0]["mover"] == len(bin(Board.from_moves("44").own))
