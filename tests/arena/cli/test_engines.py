import json
import shlex
import subprocess
import sys

import pytest

from agents.agent import Limits
from agents.board import Board, Rules
from agents.remote import spec
from agents.remote.stranger import Stranger
from agents.remote.terms import Terms
from agents.score import WIN

ARENA = f"{shlex.quote(sys.executable)} -c 'from arena.cli import main; main()'"


def test_the_line_protocol_is_spoken(arena):
    done = arena("engine", "alphabeta:depth=2", stdin="\n112233\n4453\n")
    assert done.code == 0
    assert done.out.splitlines()[1] == f"4 score={WIN - 1} depth=2 nodes=29"
    assert len(done.out.splitlines()) == 3


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("9", "line 2: move 1: column 9 does not exist"),
        ("x", "line 2: move 1: 'x' is not a column"),
        ("1212121", "line 2: the game is already over"),
    ],
)
def test_a_line_that_is_no_position_ends_the_engine_in_one_line(arena, line, message):
    done = arena("engine", "greedy", stdin=f"4\n{line}\n4\n")
    assert (done.code, len(done.out.splitlines()), len(done.err.splitlines())) == (2, 1, 1)
    assert message in done.err


UCI = """uci
setoption name UCI_Variant value cfour
isready
ucinewgame
position startpos moves P@a1 P@a3
what
setoption name UCI_Variant value chess
"""


def test_uci_is_spoken(arena):
    lines = arena("uci", "alphabeta", stdin=UCI).out.splitlines()
    assert lines[:4] == [
        "id name alphabeta",
        "id author Connect4 Arena",
        "option name UCI_Variant type combo default cfour var cfour",
        "uciok",
    ]
    assert lines[4] == "readyok"
    assert "info string position startpos moves P@a1 P@a3: P@a3 is no legal drop" in lines
    assert "info string unknown command what" in lines
    assert lines[-1].endswith("only the variant cfour is played")


def test_stop_ends_a_search_that_has_no_end(arena):
    out = arena("uci", "alphabeta:depth=40", stdin="position startpos\ngo infinite\nstop\nisready\n").out
    assert out.splitlines()[-2].startswith("bestmove P@")


def test_a_finished_game_has_no_best_move(arena):
    moves = "P@a1 P@b1 P@a2 P@b2 P@a3 P@b3 P@a4"
    assert arena("uci", "greedy", stdin=f"position startpos moves {moves}\ngo depth 1\n").out == "bestmove (none)\n"


@pytest.mark.parametrize("protocol", ["cmd", "uci"])
def test_an_agent_behind_a_protocol_answers_as_it_does_at_home(protocol, tmp_path):
    command = {"cmd": "engine", "uci": "uci"}[protocol]
    engine = Stranger(spec.command(f"{protocol}:{ARENA} {command} alphabeta:depth=3", str(tmp_path)), Terms())
    own = Stranger(spec.built_in("alphabeta:depth=3", str(tmp_path)), Terms())
    for moves in ("", "4453", "112233", "11223"):
        board = Board.from_moves(moves)
        mine, theirs = own.choose(board, Limits(depth=3)), engine.choose(board, Limits(depth=3))
        assert (theirs.column, theirs.score, theirs.depth) == (mine.column, mine.score, mine.depth)
    engine.close()
    own.close()


def test_an_engine_ends_when_its_input_ends():
    with subprocess.Popen(
        shlex.split(f"{ARENA} uci alphabeta:depth=30"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        process.stdin.write("isready\ngo infinite\n")
        process.stdin.flush()
        assert process.stdout.readline() == "readyok\n"
        process.stdin.close()
        assert process.wait(10) == 0


def test_a_wide_board_needs_commas(arena):
    assert Rules(10, 5).columns == 10
    assert arena("engine", "greedy", "--board", "10x5x4", stdin="1,10,2,10,3,9\n").out.split()[0] == "4"


@pytest.fixture
def program(tmp_path, monkeypatch):
    """A function that writes a program of shell, which notes each start in a file, and returns its spec."""
    monkeypatch.chdir(tmp_path)

    def write(text):
        (tmp_path / "engine").write_text(f"#!/bin/sh\necho started >> starts\n{text}\n")
        (tmp_path / "engine").chmod(0o755)
        return "cmd:./engine"

    return write


TELLS = "for n in 1 2 3 4 5 6 7 8 9 10 11; do echo line $n >&2; done; echo no book found >&2"


@pytest.mark.parametrize("text", [f"{TELLS}; exit 4", f"{TELLS}; read line; echo 9; read line"])
@pytest.mark.parametrize("words", [["move", "AGENT"], ["check", "AGENT"], ["engine", "AGENT"]])
def test_what_an_engine_wrote_comes_with_its_fault(arena, program, text, words):
    agent = program(text)
    done = arena(*(agent if word == "AGENT" else word for word in words), stdin="\n\n")
    assert done.code in (1, 2)
    assert "    no book found" in done.err.splitlines()
    assert "line 3" in done.err
    assert "line 2" not in done.err
    assert "Traceback" not in done.err


def test_an_engine_that_does_not_start_is_asked_once_and_loses_every_game(arena, program, tmp_path):
    agent = program("echo no book found >&2; exit 4")
    done = arena("run", agent, "greedy", "--rounds", 3, "-j", 1, "--out", "r.sqlite", "--json")
    assert done.code == 0, done.err
    assert {row["agent"]: row["faults"] for row in json.loads(done.out)["standings"]} == {agent: 6, "greedy": 0}
    assert (tmp_path / "starts").read_text() == "started\n"
    assert "no book found" in arena("show", "r.sqlite", "--faults").out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (";Hush=1", "engine engine: no option 'Hush': did you mean Hash?"),
        ("", "engine engine: it does not list the variant cfour"),
    ],
)
def test_a_run_refuses_an_engine_without_the_option_or_the_variant_before_its_first_game(
    arena, program, tmp_path, options, message
):
    program("echo option name Hash type spin; echo option name UCI_Variant type combo var chess; echo uciok; read line")
    done = arena("run", f"uci:./engine{options}", "greedy", "--rounds", 1, "-j", 1, "--out", "r.sqlite")
    assert (done.code, done.err) == (2, f"arena: {message}\n")
    assert not (tmp_path / "r.sqlite").exists()
    assert (tmp_path / "starts").read_text() == "started\n"
