import json
import re
import shlex
import subprocess
import sys
import time
from contextlib import closing, contextmanager

import pytest
from changed import connect
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.agent import Limits
from agents.board import Board, Rules
from agents.fen import drops
from agents.process_agent import ProcessLimits
from agents.processes.agent import SubprocessAgent
from agents.score import WIN
from agents.specs import sources
from arena.plugins.engine.command_uci import from_fen

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
        ("1212121", "line 2: the game is already over (first player won at move 7)"),
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
    assert lines[:5] == [
        "id name alphabeta",
        "id author Connect4 Arena",
        "option name UCI_Variant type combo default cfour var cfour",
        "option name Ponder type check default false",
        "option name depth type string default <empty>",
    ]
    options = lines[4 : lines.index("uciok")]
    assert "option name table type string default off" in options
    assert all(line.startswith("option name ") for line in options)
    assert lines[lines.index("uciok") + 1] == "readyok"
    assert "info string position startpos moves P@a1 P@a3: P@a3 is no legal drop, such as P@a2" in lines
    assert "info string unknown command what" in lines
    assert lines[-1].endswith("only the variant cfour is played")


def test_stop_ends_a_search_that_has_no_end(arena):
    out = arena("uci", "alphabeta:depth=40", stdin="position startpos\ngo infinite\nstop\nisready\n").out
    assert out.splitlines()[-2].startswith("bestmove P@")


def answers(lines):
    """Return the best moves, and the info strings."""
    return [line[9:] for line in lines if line.startswith("bestmove")], [line for line in lines if "string" in line]


@pytest.mark.parametrize(
    ("position", "reason"),
    [
        ("startpos moves P@a3", "P@a3 is no legal drop"),
        ("fen 8/8/8/8/8/8/8/8 w - - 0 1", "a FEN is six ranks of seven cells"),
        ("fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "a FEN is six ranks"),
        ("fen 7/7/7/7/3p3/P6 w - - 0 1", "no game leads to this position"),
        ("fen 7/7/7/7/7/PpPp3 b - - 0 1", "2 discs of the first player and 2 of the second"),
        ("fen 7/7/7/7/ppppppp/PPPPPPP w - - 0 1", "no game leads to this position"),
        ("fen 7/7/7/7/7/7[Pp] w - - 0 1", "the hand of the FEN does not hold the discs"),
        ("somewhere", "a position is startpos or fen FEN"),
        ("", "a position is startpos or fen FEN"),
    ],
)
def test_a_position_that_cannot_be_read_is_answered_by_the_null_move(arena, position, reason):
    said = f"position startpos moves P@d1\nposition {position}\ngo depth 2\nposition startpos\ngo depth 2\n"
    best, strings = answers(arena("uci", "alphabeta", stdin=said).out.splitlines())
    assert (best[0], len(best)) == ("0000", 2)
    assert reason in strings[0]


@pytest.mark.parametrize(
    ("fen", "moves"),
    [
        ("7/7/7/7/7/7[PPPPPPPPPPPPPPPPPPPPPppppppppppppppppppppp] w - - 0 1", ""),
        ("7/7/7/7/3p3/P2P3[PPPPPPPPPPPPPPPPPPPpppppppppppppppppppp] b - - 0 2", "441"),
        ("7/7/7/7/3p3/P2P3 b - - 0 2 moves P@b1 P@b2", "44122"),
        ("7/7/7/7/7/PPPPppp b - - 0 1", "1526374"),
    ],
)
def test_a_position_is_read_as_fairy_stockfish_writes_it(arena, fen, moves):
    out = [
        arena("uci", "alphabeta:depth=4,heuristic=parity", stdin=f"position {position}\ngo\n").out
        for position in (f"fen {fen}", " ".join(["startpos", "moves", *drops(Board.from_moves(moves))]))
    ]
    best, found = zip(*(answers(text.splitlines()) for text in out), strict=True)
    assert best[0] == best[1] != ["0000"]
    assert not any(found)


@settings(max_examples=50)
@given(st.lists(st.integers(0, 6), max_size=42))
def test_a_position_that_a_game_leads_to_is_read_back_from_its_fen(columns):
    board = Board()
    for column in columns:
        if column in board.legal_moves():
            board = board.play(column)
    ranks = ["".join(".Pp"[cell] for cell in row) for row in board.grid()]
    written = [re.sub(r"\.+", lambda empty: str(len(empty[0])), rank) for rank in ranks]
    found = from_fen(f"{'/'.join(written)} {'wb'[board.mover]} - - 0 1")
    assert (found, found.ply, found.outcome) == (board, board.ply, board.outcome)


def test_the_keys_of_a_spec_are_options(arena):
    said = "position startpos\nsetoption name Depth value 3\nsetoption name order value centre\ngo\n"
    lines = arena("uci", "alphabeta:depth=2", stdin=said).out.splitlines()
    assert [line.split()[2] for line in lines if line.startswith("info depth")] == ["3"]
    for name, reason in (("dept", "did you mean depth"), ("depth value x", "must be a whole number"), ("", "NAME")):
        done = arena("uci", "alphabeta", stdin=f"setoption name {name}\nposition startpos\ngo depth 1\n")
        assert reason in done.out.splitlines()[0]
        assert answers(done.out.splitlines())[0] != []
    assert "option name" not in arena("uci", "cmd:cat", stdin="uci\n").out.replace(
        "option name UCI_Variant", ""
    ).replace("option name Ponder", "")


@contextmanager
def talking(*words):
    """Yield functions that say a line to `arena uci` and wait for one that begins as given."""
    with subprocess.Popen(
        [*shlex.split(ARENA), "uci", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as process:
        heard = []

        def until(start):
            while not heard or not heard[-1].startswith(start):
                line = process.stdout.readline()
                assert line, heard
                heard.append(line.rstrip())
            return heard

        yield lambda line: process.stdin.write(f"{line}\n"), until
        process.stdin.close()
        process.wait(20)


@pytest.mark.process
def test_each_depth_is_told_as_it_ends_and_what_is_asked_meanwhile_is_answered():
    with talking("alphabeta:order=centre") as (say, until):
        say("isready\nposition startpos\ngo infinite")
        heard = until("info depth 5 ")
        say("isready")
        heard.append("")
        until("readyok")
        say("stop")
        heard = until("bestmove P@")
    assert [line.split()[2] for line in heard if line.startswith("info depth")][:5] == ["1", "2", "3", "4", "5"]
    assert all(" pv P@" in line for line in heard if line.startswith("info depth"))


@pytest.mark.parametrize("agent", ["greedy", "alphabeta:depth=2", "cmd:sh -c 'while read m; do echo 4; done'"])
@pytest.mark.process
def test_at_go_infinite_the_best_move_waits_for_stop(agent):
    with talking(agent) as (say, until):
        say("position startpos moves P@d1\ngo infinite")
        until("info depth")
        say("isready")
        heard = until("readyok")
        assert not any(line.startswith("bestmove") for line in heard)
        say("stop")
        assert until("bestmove P@")


@pytest.mark.parametrize("end", ["ponderhit", "stop"])
@pytest.mark.parametrize(
    ("agent", "words"),
    [("alphabeta:order=centre", "movetime 100"), ("alphabeta", "depth 2"), ("greedy", "wtime 1000 btime 1000")],
)
@pytest.mark.process
def test_while_it_ponders_the_best_move_waits_for_the_opponents(agent, words, end):
    with talking(agent) as (say, until):
        say(f"setoption name Ponder value true\nposition startpos moves P@d1\ngo ponder {words}")
        until("info depth")
        time.sleep(0.3)
        say("isready")
        assert not any(line.startswith("bestmove") for line in until("readyok"))
        say(end)
        found = until("bestmove P@")[-1].split()
    assert found[2:3] == (["ponder"] if len(found) > 2 else [])
    assert (len(found) == 4) == (agent != "greedy")


@pytest.mark.process
def test_a_hit_ends_no_later_search():
    with talking("alphabeta:order=centre") as (say, until):
        say("position startpos\ngo ponder movetime 300")
        until("info depth 2 ")
        say("ponderhit\nstop\nposition startpos moves P@d1\ngo infinite")
        until("bestmove")
        time.sleep(0.6)
        say("isready")
        heard = until("readyok")
        assert sum(line.startswith("bestmove") for line in heard) == 1
        say("stop")
        until("bestmove P@")


@pytest.mark.parametrize("words", ["depth 2 movetime {}", "depth 2 nodes {}", "nodes 50 depth {}", "depth 2 wtime {}"])
@pytest.mark.parametrize("digits", ["1234567890" * 2, "9" * 5000, "-" + "9" * 30, "--5", "٣"])
def test_numbers_of_any_length_are_limits(arena, words, digits):
    said = f"position startpos\ngo {words.format(digits)}\n"
    best, strings = answers(arena("uci", "alphabeta:nodes=1000", stdin=said).out.splitlines())
    assert (len(best), strings) == (1, [])


def test_every_search_with_an_end_is_answered_before_the_program_ends(arena):
    said = "isready\nposition startpos\ngo depth 11\nposition startpos moves P@d1\ngo depth 11\n"
    lines = arena("uci", "alphabeta:order=centre", stdin=said).out.splitlines()
    assert [line.split()[2] for line in lines if line.startswith("info depth")] == ["11", "11"]
    assert len(answers(lines)[0]) == 2


@pytest.mark.parametrize("end", ["stop\n", "quit\n"])
def test_only_stop_and_quit_end_a_search(arena, end):
    out = arena("uci", "alphabeta:order=centre", stdin=f"isready\nposition startpos\ngo depth 42\n{end}").out
    assert answers(out.splitlines())[0] != []
    assert "info depth 42 " not in out


def test_a_finished_game_has_no_best_move(arena):
    moves = "P@a1 P@b1 P@a2 P@b2 P@a3 P@b3 P@a4"
    assert arena("uci", "greedy", stdin=f"position startpos moves {moves}\ngo depth 1\n").out == "bestmove (none)\n"


@pytest.mark.parametrize("protocol", ["cmd", "uci"])
@pytest.mark.process
def test_an_agent_behind_a_protocol_answers_as_it_does_at_home(protocol, tmp_path):
    command = {"cmd": "engine", "uci": "uci"}[protocol]
    engine = SubprocessAgent(
        sources.command(f"{protocol}:{ARENA} {command} alphabeta:depth=3", str(tmp_path)), ProcessLimits()
    )
    own = SubprocessAgent(sources.built_in("alphabeta:depth=3", str(tmp_path)))
    for moves in ("", "4453", "112233", "11223"):
        board = Board.from_moves(moves)
        mine, theirs = own.choose(board, Limits(depth=3)), engine.choose(board, Limits(depth=3))
        assert (theirs.column, theirs.score, theirs.depth) == (mine.column, mine.score, mine.depth)
    engine.close()
    own.close()


@pytest.mark.process
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
@pytest.mark.process
def test_what_an_engine_wrote_comes_with_its_fault(arena, program, text, words):
    agent = program(text)
    done = arena(*(agent if word == "AGENT" else word for word in words), stdin="\n\n")
    assert done.code in (1, 2)
    assert "    no book found" in done.err.splitlines()
    assert "line 3" in done.err
    assert "line 2" not in done.err
    assert "Traceback" not in done.err


@pytest.mark.process
def test_an_engine_that_does_not_start_is_asked_once_and_loses_every_game(arena, program, tmp_path):
    agent = program("echo no book found >&2; exit 4")
    done = arena("run", agent, "greedy", "--rounds", 3, "-j", 1, "--out", "r.sqlite", "--json")
    assert done.code == 0, done.err
    assert {row["agent"]: row["faults"] for row in json.loads(done.out)["standings"]} == {agent: 6, "greedy": 0}
    assert (tmp_path / "starts").read_text() == "started\n"
    assert "no book found" in arena("show", "r.sqlite", "--table", "faults").out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (";Hush=1", "'Hush': did you mean Hash?"),
        ("", "engine engine: it does not list the variant cfour"),
    ],
)
def test_a_run_refuses_an_engine_without_the_option_or_the_variant_before_its_first_game(
    arena, program, tmp_path, options, message
):
    program("echo option name Hash type spin; echo option name UCI_Variant type combo var chess; echo uciok; read line")
    done = arena("run", f"uci:./engine{options}", "greedy", "--rounds", 1, "-j", 1, "--out", "r.sqlite")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert message in done.err
    assert not (tmp_path / "r.sqlite").exists()
    assert (tmp_path / "starts").read_text() == "started\n"


@pytest.mark.parametrize(
    "claim",
    ["depth=1000000000000 nodes=9000000000000000000", "depth=1000 nodes=50", f"score={10**12} nodes={10**30}"],
)
@pytest.mark.process
def test_what_an_engine_claims_beyond_reason_is_not_kept_and_said(arena, program, tmp_path, claim):
    agent = program(f"while read line; do echo $(( ${{#line}} % 7 + 1 )) {claim}; done")
    done = arena("run", agent, "greedy", "--rounds", 2, "-j", 1, "--out", "r.sqlite")
    assert done.code == 0, done.err
    assert "not kept" in done.err
    for words in (["show", "r.sqlite"], ["report", "r.sqlite", "--out", "r.html"], ["run", "--resume", "r.sqlite"]):
        done = arena(*words)
        assert done.code == 0, done.err
    done = arena("check", agent, "--json")
    [problem] = json.loads(done.out)[0]["problems"][:1]
    assert "not kept" in problem


ODD = """
from agents.agent import Analysis, Iteration
def choose(board):
    column = board.legal_moves()[0]
    steps = Iteration(1, 1, 1e11, 0, column), Iteration({0}, {1}, 0.0, 0, column)
    return Analysis(column, 0, {0}, {1}, (column,), steps)
"""


@pytest.mark.parametrize("numbers", [("10**12", "10**30"), ("10**5000", "1 << 63"), ("1", "7")])
@pytest.mark.process
def test_iterations_that_no_file_can_store_stop_no_run(arena, tmp_path, monkeypatch, numbers):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot.py").write_text(ODD.format(*numbers))
    done = arena("run", "bot.py", "greedy", "--rounds", 1, "-j", 1, "--out", "r.sqlite", "--json")
    assert done.code == 0, done.err
    assert [row["faults"] for row in json.loads(done.out)["standings"]] == [0, 0]
    assert "not kept" in done.err


@pytest.mark.process
def test_a_file_that_tells_of_impossible_depths_is_shown(arena, tmp_path):
    path = tmp_path / "r.sqlite"
    assert arena("run", "alphabeta:depth=1", "greedy", "--rounds", 1, "-j", 1, "--out", path).code == 0
    with closing(connect(path)) as file:
        for table in ("move", "iteration"):
            file.execute(f"UPDATE {table} SET depth = 1000000000000, nodes = 9000000000000000000 WHERE depth = 1")
        file.commit()
    for words in (["show", path], ["report", path, "--out", tmp_path / "r.html"]):
        done = arena(*words)
        assert done.code == 0, done.err
