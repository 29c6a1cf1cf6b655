import json
import textwrap

import pytest
from samples import ODD_HEURISTICS

from agents.board import Board
from agents.jit.compiler import JIT

MIDDLE = f"{ODD_HEURISTICS}:own_words"
BOT = """
    import random

    class Edge:
        '''Plays the leftmost free column, and now and then any other.'''

        def __init__(self, daring=0.1, name="edge"):
            assert isinstance(daring, float)
            assert isinstance(name, str)
            self.daring = daring
            self.random = random.Random()

        def new_game(self, seed):
            self.random.seed(seed)

        def choose(self, board, limits):
            columns = board.legal_moves()
            return self.random.choice(columns) if self.random.random() < self.daring else columns[0]
"""


@pytest.fixture
def bot(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot.py").write_text(textwrap.dedent(BOT))
    return "bot.py:Edge"


def document(done):
    assert done.code == 0, done.err
    return json.loads(done.out)


def discs_in_the_middle(board):
    own, opp = ((discs >> 21 & 0b111111).bit_count() for discs in (board.own, board.opp))
    return own - opp


def test_a_heuristic_of_ones_own_is_valued_as_it_is_written(arena):
    rows = document(arena("eval", "444", "4453", "1", "--heuristic", MIDDLE, "--json"))
    boards = [Board.from_moves(moves) for moves in ("444", "4453", "1")]
    assert [row["mover"] for row in rows] == [3 * discs_in_the_middle(board) for board in boards]
    assert rows[0]["mover"] == -3
    assert {row["heuristic"] for row in rows} == {MIDDLE}


@pytest.mark.parametrize("compiled", ["yes", "no"])
def test_a_heuristic_of_ones_own_searches(arena, compiled):
    spec = f"minimax:depth=2,heuristic={MIDDLE},compiled={compiled}"
    decision = document(arena("move", spec, "--json"))
    assert (decision["move"], decision["score"], decision["nodes"]) == (4, 0, 57)
    rows = document(arena("depths", f"minimax:heuristic={MIDDLE},compiled={compiled}", "--depth", "1..2", "--json"))
    assert [(row["nodes"], row["move"], row["score"]) for row in rows] == [(8, 4, 3), (57, 4, 0)]


@pytest.mark.parametrize("workers", [1, 2])
def test_a_heuristic_and_an_ordering_of_ones_own_play(arena, tmp_path, workers):
    agents = f"alphabeta:depth=2,heuristic={MIDDLE}|zero"
    mirrored = f"alphabeta:depth=1,heuristic=zero,order={ODD_HEURISTICS}:rightmost"
    words = ["--rounds", 1, "-j", workers, "--out", tmp_path / "run.sqlite", "--json"]
    found = document(arena("run", agents, mirrored, *words))
    assert found["games"]["played"] == 6
    assert all(row["faults"] == 0 for row in found["standings"])
    assert f"alphabeta:depth=2,heuristic={MIDDLE}" in {row["agent"] for row in found["standings"]}


def test_an_ordering_of_ones_own_decides_between_equals(arena):
    decision = document(arena("move", f"alphabeta:depth=1,heuristic=zero,order={ODD_HEURISTICS}:rightmost", "--json"))
    assert decision["move"] == 7


def test_a_heuristic_that_fails_in_a_game_loses_it(arena, tmp_path):
    bad = f"minimax:depth=1,heuristic={ODD_HEURISTICS}:raises"
    words = ["--rounds", 2, "-j", 1, "--out", tmp_path / "run.sqlite", "--json"]
    done = arena("run", bad, "greedy", *words)
    found = document(done)
    assert found["games"]["played"] == 4
    faults = {row["agent"]: row["faults"] for row in found["standings"]}
    assert faults[bad] > faults["greedy"] == 0
    assert "exception: ValueError: not the middle" in done.err


def test_an_agent_of_ones_own_plays(arena, bot, tmp_path):
    found = document(arena("run", f"{bot}:daring=0.5,name=x", bot, "random", "--rounds", 2, "-j", 1, "--json"))
    assert found["games"] == {"played": 12, "distinct": 12, "planned": 12}
    assert {row["agent"] for row in found["standings"]} == {f"{bot}:daring=0.5,name=x", bot, "random"}
    assert all(row["faults"] == 0 for row in found["standings"])
    assert document(arena("move", bot, "1", "--json"))["move"] in range(1, 8)


def test_several_agents_of_ones_own_by_their_parameters(arena, bot):
    found = document(arena("run", f"{bot}:daring=0.1|0.9", "--rounds", 1, "-j", 1, "--json"))
    assert {row["agent"] for row in found["standings"]} == {f"{bot}:daring=0.1", f"{bot}:daring=0.9"}


def test_an_agent_of_ones_own_is_edited_between_two_commands(arena, bot, tmp_path):
    before = document(arena("move", f"{bot}:daring=0.0", "--json"))["move"]
    (tmp_path / "bot.py").write_text(textwrap.dedent(BOT).replace("columns[0]", "columns[1]"))
    after = document(arena("move", f"{bot}:daring=0.0", "--json"))["move"]
    assert (before, after) == (1, 2)


def test_a_file_leaves_nothing_beside_it(arena, bot, tmp_path, monkeypatch):
    monkeypatch.setattr("sys.dont_write_bytecode", False)
    assert arena("move", bot).code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["bot.py"]


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_what_is_compiled_says_the_same_as_plain_python(arena):
    games = ["4", "4453", "44455236", "1234567"]
    rows = [
        document(arena("eval", *games, "--heuristic", MIDDLE, f"--compiled={word}", "--json")) for word in ("yes", "no")
    ]
    assert rows[0] == rows[1]


def test_check_shows_what_an_agent_printed_that_is_not_ok_and_of_others_where_it_is_asked_for(arena, tmp_path):
    answers = {"bad": "3", "good": "board.legal_moves()[0]"}
    for name, answer in answers.items():
        (tmp_path / f"{name}.py").write_text(f"def choose(board):\n    print('{name} thinks')\n    return {answer}\n")
    bad, good = tmp_path / "bad.py", tmp_path / "good.py"
    assert "    bad thinks\n" in arena("check", bad, "--positions", 40).err
    assert "good thinks" not in arena("check", good, "--positions", 5).err
    assert "    good thinks\n" in arena("check", good, "--positions", 5, "--verbose").err
