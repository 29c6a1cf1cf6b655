"""What `arena uci` makes of the words of `go`, and when `arena engine` begins a game."""

import io
import threading
import time
from types import SimpleNamespace as Row

import pytest

from agents.agent import Iteration, Limits
from agents.board import Board
from agents.errors import InputError
from agents.process_agent import Source
from agents.processes.agent import SubprocessAgent
from agents.specs.registry import parse
from arena.plugins.engine import command_uci as module
from arena.plugins.engine.command_uci import Engine, limits
from arena.records import MoveRecord


@pytest.mark.parametrize(
    ("words", "first", "second"),
    [
        ("", Limits(), None),
        ("depth 3", Limits(depth=3), None),
        ("nodes 500", Limits(nodes=500), None),
        ("movetime 250", Limits(seconds=0.25), None),
        ("depth 0", Limits(depth=1), None),
        ("nodes 0", Limits(nodes=1), None),
        ("movetime 0", Limits(seconds=0.001), None),
        ("depth -1", Limits(depth=1), None),
        ("movetime -20", Limits(seconds=0.001), None),
        ("depth 43", Limits(depth=42), None),
        ("nodes 9223372036854775807", Limits(nodes=1 << 62), None),
        ("movetime 86400001", Limits(seconds=86400.0), None),
        ("depth 4 nodes 50 movetime 700", Limits(depth=4, nodes=50, seconds=0.7), None),
        ("wtime 40000 btime 2000", Limits(seconds=2.0), Limits(seconds=0.1)),
        ("wtime 40000", Limits(seconds=2.0), Limits()),
        ("btime 2000", Limits(), Limits(seconds=0.1)),
        ("wtime 40000 btime 2000 winc 100 binc 301", Limits(seconds=2.05), Limits(seconds=0.25)),
        ("wtime 40000 btime 2000 movestogo 4", Limits(seconds=10.0), Limits(seconds=0.5)),
        ("wtime 40000 btime 2000 movestogo 1 winc 500 binc 600", Limits(seconds=40.25), Limits(seconds=2.3)),
        ("wtime 40000 btime 2000 movestogo 0", Limits(seconds=2.0), Limits(seconds=0.1)),
        ("wtime 19 btime 19", Limits(seconds=0.001), None),
        ("wtime -500 btime -500 winc 2000", Limits(seconds=0.975), Limits(seconds=0.001)),
        ("movetime 300 wtime 40000 btime 2000", Limits(seconds=0.3), None),
        ("infinite", Limits(), None),
        ("ponder wtime 9000 btime 7000 depth 5", Limits(depth=5, seconds=0.45), Limits(depth=5, seconds=0.35)),
        ("depth", Limits(), None),
        ("depth x nodes 3", Limits(nodes=3), None),
        ("searchmoves P@d1 depth 2", Limits(depth=2), None),
    ],
)
def test_the_words_of_go_are_limits_for_either_side(words, first, second):
    """Without limits of its own the second player has those of the first."""
    assert limits(words.split(), Board()) == first
    assert limits(words.split(), Board.from_moves("4")) == (second or first)


@pytest.fixture
def engine(monkeypatch):
    """A function that begins a session with an agent, whose answers are in `out`."""
    begun = []

    def begin(agent):
        engine = Engine(agent, 1, {"nobody": True})
        engine.out = io.StringIO()
        engine.prepare([])
        begun.append(engine)
        return engine

    yield begin
    for each in begun:
        each.stop([])


def said(engine, start):
    """Return the lines so far that begin with a word."""
    return [line for line in engine.out.getvalue().splitlines() if line.startswith(start)]


def test_each_depth_has_its_line_while_the_search_goes_on(engine):
    session = engine("alphabeta:deepening=on")
    session.position(["startpos"])
    session.go(["infinite"])
    until = time.monotonic() + 20
    while len(said(session, "info")) < 3 and time.monotonic() < until:
        time.sleep(0.01)
    lines = said(session, "info")
    session.stop([])
    assert [line.split()[:3] for line in lines[:3]] == [["info", "depth", text] for text in "123"]


@pytest.mark.parametrize(("moves", "score"), [
    ("P@d1", None), ("P@d1 P@a1", None),
    ("P@d1 P@d2 P@e1 P@e2 P@f1", "mate -1"), ("P@d1 P@d2 P@e1 P@e2 P@f1 P@f2", "mate 1"),
])  # fmt: skip
def test_a_score_is_said_for_the_side_to_move(engine, moves, score):
    session = engine("alphabeta:depth=2")
    session.position(["startpos", "moves", *moves.split()])
    session.go(["depth", "2"])
    session.finish()
    board = Board.from_moves("".join(str("abcdefg".index(drop[2]) + 1) for drop in moves.split()))
    score = score or f"cp {parse('alphabeta:depth=2').build().choose(board, Limits(depth=2)).score}"
    assert f" score {score} " in said(session, "info")[-1]
    assert score != "cp 0"


@pytest.mark.parametrize("words", ["ponder nodes 300", "ponder depth 2", "ponder depth 2 movetime 60000"])
def test_pondering_ends_at_its_nodes_or_depth_and_its_move_waits_for_the_hit(engine, words):
    session, others = engine("alphabeta:order=centre"), threading.enumerate()
    session.go(words.split())
    assert session.decided.wait(20)
    assert said(session, "bestmove") == []
    session.ponder_hit([])
    session.finish()
    for each in {*threading.enumerate()} - {*others}:
        each.join(20)
        assert not each.is_alive()
    assert len(said(session, "bestmove P@")) == 1
    assert [line.split()[2] for line in said(session, "info depth")][-1] == ("2" if "depth" in words else "3")


@pytest.mark.parametrize("words", ["ponder depth 42 movetime 1", "ponder movetime 1", "infinite depth 2", "infinite"])
def test_no_clock_runs_while_a_search_ponders_and_nothing_bounds_an_infinite_one(engine, words):
    session = engine("alphabeta:order=centre")
    session.go(words.split())
    assert not session.decided.wait(0.1)
    (session.ponder_hit if "ponder" in words else session.stop)([])
    assert session.decided.wait(20)
    session.finish()
    assert len(said(session, "bestmove P@")) == 1


@pytest.mark.parametrize("words", ["movetime 60000", "wtime 1200000 btime 1200000", "depth 42", "nodes 4000000000", ""])
def test_a_stop_ends_any_search_which_has_its_best_move_then(engine, monkeypatch, words):
    session, began = engine("alphabeta:order=centre,depth=42"), time.monotonic()
    for end in ("stop", "quit"):
        lines = talk(session, monkeypatch, "position startpos", f"go {words}", end)
        assert [line for line in lines if line.startswith("best")] == [lines[-1]]
        assert lines[-1].startswith("bestmove P@")
    assert session.search is None
    assert time.monotonic() - began < 20


def test_from_the_hit_on_a_search_has_the_time_of_its_go(engine):
    session = engine("alphabeta:order=centre")
    session.go(["ponder", "movetime", "300"])
    assert not session.decided.wait(0.1)
    session.ponder_hit([])
    assert not session.decided.wait(0.15)
    assert session.decided.wait(20)
    session.finish()
    assert len(said(session, "bestmove P@")) == 1


def test_a_hit_without_a_search_and_a_stop_without_one_say_nothing(engine):
    session = engine("greedy")
    for order in (session.ponder_hit, session.stop, session.new_game):
        order([])
    assert session.out.getvalue() == "readyok\n"


def test_a_search_that_nothing_can_stop_still_holds_its_move_until_it_is_asked_for(engine):
    session = engine("greedy")
    session.go(["infinite"])
    assert session.decided.wait(20)
    assert said(session, "bestmove") == []
    session.go(["depth", "1"])  # ends the first, which answers
    session.finish()
    assert len(said(session, "bestmove P@")) == 2


@pytest.mark.parametrize(
    ("moves", "said"),
    [
        ("d1 e1", "d1 is no legal drop, such as P@a1"),
        ("P@d1 P@d2 P@h1", "P@h1 is no legal drop, such as P@a1"),
        ("P@d1 P@d1", "P@d1 is no legal drop, such as P@a1"),
        ("P@d1 P@e1 P@d2 P@e2 P@d3 P@e3 P@d4 P@a1", "P@a1 is no legal drop: the game is over"),
    ],
)
def test_a_drop_that_is_none_is_quoted_with_one_that_is(engine, moves, said):
    with pytest.raises(InputError) as raised:
        engine("random").position(["startpos", "moves", *moves.split()])
    assert str(raised.value) == said


@pytest.mark.parametrize("name", ["Ponder", "ponder"])
def test_the_names_of_options_mind_no_capitals(engine, name):
    session = engine("greedy")
    for value, ponders in (("true", True), ("", False), ("on", False)):
        session.option(["name", name, "value", value])
        assert session.ponders == ponders


@pytest.mark.parametrize("order", ["option", "new_game"])
def test_a_search_has_its_answer_before_a_new_game_or_another_agent(engine, order):
    session = engine("alphabeta:order=centre,depth=40")
    session.go(["infinite"])
    getattr(session, order)(["name", "depth", "value", "2"])
    assert (len(said(session, "bestmove P@")), session.search) == (1, None)


@pytest.mark.parametrize(("agent", "limits"), [
    (Row(), Limits(depth=3)), (Row(stop=None), Limits(nodes=1 << 62)),
    (SubprocessAgent(Source("cmd", ("x",), "/")), Limits(depth=3)),
])  # fmt: skip
def test_only_a_search_that_can_be_stopped_here_is_without_limits(engine, agent, limits):
    asked, session = [], engine("greedy")
    scripted(session, lambda board, bounds: asked.append(bounds) or MoveRecord(board.ply, 3, 0.1)).seat.agent = agent
    session.go(["infinite", "depth", "3"])
    session.stop([])
    assert asked == [limits]


def test_a_fault_is_told_and_there_is_no_best_move(engine):
    def fails(*_):
        raise InputError("it crashed")

    session = scripted(engine("greedy"), fails)
    session.go([])
    session.finish()
    assert session.out.getvalue().splitlines()[1:] == ["info string it crashed", "bestmove (none)"]


def test_each_depth_is_told_once_the_last_one_too(engine):
    session = engine("alphabeta:order=centre,deepening=on")
    session.go(["depth", "3"])
    session.finish()
    assert [line.split()[2] for line in said(session, "info depth")] == ["1", "2", "3"]


def talk(session, monkeypatch, *lines):
    """Return what a session answers to some lines of a tester."""
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines)))
    session.out = io.StringIO()
    session.serve()
    return session.out.getvalue().splitlines()


def test_it_names_itself_and_its_options_until_it_is_told_to_quit(engine, monkeypatch):
    lines = talk(engine("alphabeta:depth=3"), monkeypatch, "uci", "", "quit", "uci")
    assert lines[:4] == [
        "id name alphabeta:depth=3", "id author Connect4 Arena",
        "option name UCI_Variant type combo default cfour var cfour", "option name Ponder type check default false",
    ]  # fmt: skip
    assert {"option name depth type string default 3", "option name nodes type string default <empty>",
            "option name pvs type string default off"} <= {*lines[4:-1]}  # fmt: skip
    assert lines.index("uciok") == len(lines) - 1


@pytest.mark.parametrize(("line", "why"), [
    ("setoption name UCI_Variant value chess", "only the variant cfour is played"),
    ("setoption name UCI_Variant", "only the variant cfour is played"),
    ("setoption name UCI_Varient", "'UCI_Varient': did you mean UCI_Variant?"),
    ("setoption name dept value 1", "'dept': did you mean depth?"),
    ("setoption depth 3", "setoption takes name NAME value VALUE"),
    ("setoption name depth value deep", "depth"),
    ("position 4453", "a position is startpos or fen FEN"),
    ("position startpos P@d1", "a position is startpos or fen FEN"),
    ("position startpos fen moves P@d1", "a position is startpos or fen FEN"), ("position", "a position is startpos"),
    ("setoption name depth value Deep", "'Deep'"),
    ("position startpos moves P@h1", "P@h1 is no legal drop"),
])  # fmt: skip
def test_a_line_that_makes_no_sense_is_told_and_the_next_is_obeyed(engine, monkeypatch, line, why):
    told, ready = talk(engine("alphabeta:depth=1"), monkeypatch, line, "isready")
    assert (told.startswith(f"info string {line}: "), why in told, ready) == (True, True, "readyok")


def test_an_unknown_word_is_told(engine, monkeypatch):
    assert talk(engine("greedy"), monkeypatch, "xyzzy 3") == ["info string unknown command xyzzy 3"]


def test_options_change_the_agent_and_an_empty_value_is_the_default(engine, monkeypatch):
    session = engine("alphabeta:depth=2,order=centre")
    assert talk(session, monkeypatch, "setoption name Depth value 1", "setoption name UCI_Variant value cfour") == []
    assert session.seat.spec.text == "alphabeta:depth=1,order=centre"
    lines = talk(session, monkeypatch, "isready", "position startpos", "go")
    assert [line.split()[2] for line in lines if line.startswith("info depth")] == ["1"]
    assert session.ready
    talk(session, monkeypatch, "setoption name order value", "setoption name depth value 2")
    assert (session.seat.spec.text, session.ready) == ("alphabeta:depth=2", False)
    for value, text in (("4", "alphabeta:depth=2,table=on,table-size=4"), ("<empty>", "alphabeta:depth=2,table=on")):
        session = engine("alphabeta:depth=2,table=on,table-size=1")
        assert talk(session, monkeypatch, f"setoption name Table-Size value {value}") == []
        assert session.seat.spec.text == text


@pytest.mark.parametrize(("position", "answer"), [
    ("startpos moves P@d1 P@e1 P@d2 P@e2 P@d3 P@e3", "bestmove P@d4"),
    ("startpos moves P@d1 P@e1 P@d2 P@e2 P@d3 P@e3 P@d4", "bestmove (none)"),
    ("startpos moves P@d7", "bestmove 0000"),
])  # fmt: skip
def test_every_go_has_its_best_move(engine, monkeypatch, position, answer):
    assert talk(engine("greedy"), monkeypatch, f"position {position}", "go depth 3")[-1] == answer


def test_the_reply_comes_along_where_it_ponders(engine, monkeypatch):
    words = "position startpos", "go depth 2"
    session = engine("alphabeta:depth=2")
    [best] = [line.split() for line in talk(session, monkeypatch, *words) if line.startswith("bestmove")]
    assert len(best) == 2
    lines = talk(session, monkeypatch, "setoption name Ponder value true", *words)
    [line] = [line.split() for line in lines if line.startswith("bestmove")]
    assert (line[:3], len(line)) == ([*best, "ponder"], 4)


@pytest.mark.parametrize(("kind", "begun"), [
    ("alphabeta", ["", "22", "4"]), ("mcts", [""]), ("mine.py:Bot", [""])
])  # fmt: skip
def test_a_line_that_does_not_go_on_from_the_last_begins_a_game_but_for_chance_and_agents_of_files(
    arena, monkeypatch, kind, begun
):
    told, records = (
        [],
        iter([Row(column=3, score=5, depth=2, nodes=90), *[Row(column=0, score=None, depth=0, nodes=0)] * 3]),
    )
    seat = Row(
        spec=Row(kind=kind), ready=lambda board, seed: told.append((board.text, seed)), decide=lambda _: next(records)
    )  # fmt: skip
    entered = []
    monkeypatch.setattr("arena.games.seats.player", lambda *given: entered.append(given) or seat)
    done = arena("engine", "x", "--seed", "7", "--patience", 3, stdin="\n41\n22\n4\n")
    assert done.out.splitlines() == ["4 score=5 depth=2 nodes=90", *["1 depth=0 nodes=0"] * 3]
    assert told == [(text, 7) for text in begun]
    assert [(agent, isolation["patience"]) for agent, isolation in entered] == [("x", 3)]


def test_a_session_has_the_seed_and_the_limits_of_the_command(arena, monkeypatch):
    entered, told = [], []
    seat = Row(name="x", agent=None, stop=lambda: False, ready=lambda board, seed: told.append(seed))
    monkeypatch.setattr(module, "player", lambda *given: entered.append(given) or seat)
    assert arena("uci", "bot.py", "--seed", 7, "--memory", 99, stdin="isready\nquit now\nisready\n").out == "readyok\n"
    assert told == [7]
    assert [(agent, isolation["memory"], isolation["nobody"]) for agent, isolation in entered] == [
        ("bot.py", 99, False)
    ]


def scripted(session, answer):
    """Let a session's agent answer with what a function of the board and its limits returns."""
    session.seat = Row(agent=None, decide=answer, on_depth=lambda _: None, stop=lambda: False, ready=lambda *_: None)
    return session


@pytest.mark.parametrize(
    ("score", "shown"),
    [
        (None, ""), (0, " score cp 0"), (-37, " score cp -37"), (999_999, " score mate 1"), (999_997, " score mate 2"),
        (999_996, " score mate 2"), (-999_998, " score mate -1"), (-999_997, " score mate -1"),
        (-999_996, " score mate -2"), (-1_000_000, " score mate 0"),
    ],
)  # fmt: skip
def test_an_answer_has_its_depth_score_nodes_milliseconds_and_line(engine, score, shown):
    iterations = Iteration(1, 8, 0.0004, 5, 0), Iteration(2, 90, 0.0126, score, 3)
    record = MoveRecord(2, 3, 0.0127, score, 2, 90, (3, 2, 3), iterations)
    session = scripted(engine("greedy"), lambda *_: record)
    session.position(["startpos", "moves", "P@d1", "P@d2"])
    session.out = io.StringIO()
    session.go(["depth", "2"])
    session.finish()
    assert session.out.getvalue().splitlines() == [
        "info depth 1 score cp 5 nodes 8 time 0 pv P@a1",
        f"info depth 2{shown} nodes 90 time 13 pv P@d3 P@c1 P@d4", "bestmove P@d3",
    ]  # fmt: skip


def test_a_game_begins_once_until_it_is_told_to_with_the_seed_of_the_command(engine, monkeypatch):
    session, told = Engine("greedy", 7, {"nobody": True}), []
    session.seat = Row(
        name="x", ready=lambda board, seed: told.append((board.text, seed)), on_depth=lambda _: None, agent=None,
        stop=lambda: False, decide=lambda board, _: MoveRecord(board.ply, 3, 0.1),
    )  # fmt: skip
    for lines, begun in (
        (["isready", "isready", "position startpos moves P@d1", "go", "isready"], [("", 7)]),
        (["ucinewgame", "isready", "isready", "ucinewgame"], [("", 7)] * 2), (["uci", "go", "isready"], []),
    ):  # fmt: skip
        del told[:]
        session._keys = dict
        assert talk(session, monkeypatch, *lines).count("readyok") == lines.count("isready")
        assert told == begun
    session.ready = False
    del told[:]
    talk(session, monkeypatch, "position startpos moves P@d1", "go", "go")
    assert told == [("4", 7)], "where it was not asked whether it is ready"


def test_a_value_keeps_its_capitals(engine, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "Mine.py").write_text("def Worth(own, opp):\n    return own & 1\n")
    session = engine("alphabeta:depth=1")
    assert talk(session, monkeypatch, "setoption name Heuristic value Mine.py:Worth") == []
    assert session.seat.spec.text == "alphabeta:depth=1,heuristic=Mine.py:Worth"


@pytest.mark.parametrize(("depth", "score", "nodes", "shown"), [
    (2, 5, 90, []), (2, 5, 91, ["info depth 2 score cp 5 nodes 91"]), (2, 6, 90, ["info depth 2 score cp 6 nodes 90"]),
    (3, 5, 90, ["info depth 3 score cp 5 nodes 90"]), (2, None, 90, ["info depth 2 nodes 90"]),
])  # fmt: skip
def test_what_an_answer_has_beyond_its_last_depth_is_told(engine, depth, score, nodes, shown):
    session, heard = engine("greedy"), []

    def decide(board, _):
        heard[-1](Iteration(2, 90, 0.01, 5, 3), (3, 2))
        return MoveRecord(0, 3, 0.02, score, depth, nodes, (3, 2))

    scripted(session, decide).seat.on_depth = heard.append
    session.go(["depth", "3"])
    session.finish()
    first, *more = said(session, "info")
    assert first == "info depth 2 score cp 5 nodes 90 time 10 pv P@d1 P@c1"
    assert more == [f"{line} time 20 pv P@d1 P@c1" for line in shown]


@pytest.mark.parametrize("end", [["stop"], ["quit"], ["go depth 1", "stop"], ["ucinewgame"], []])
def test_the_best_move_of_an_agent_that_cannot_be_stopped_is_waited_for(engine, monkeypatch, end):
    def slow(board, _):
        time.sleep(0.15)
        return MoveRecord(board.ply, 3, 0.15)

    session = scripted(engine("greedy"), slow)
    lines = talk(session, monkeypatch, "go infinite", *end)
    assert [line for line in lines if line.startswith("best")] == ["bestmove P@d1"] * (1 + ("go depth 1" in end))
    assert session.search is None


@pytest.mark.parametrize(("pv", "line", "best"), [
    ((), "P@d1", "P@d1"), ((3,), "P@d1", "P@d1"), ((3, 2), "P@d1 P@c1", "P@d1 ponder P@c1"),
    ((3, 2, 3), "P@d1 P@c1 P@d2", "P@d1 ponder P@c1"),
])  # fmt: skip
def test_an_answer_has_the_line_that_the_agent_told_of_and_its_first_reply(engine, pv, line, best):
    session = scripted(engine("greedy"), lambda *_: MoveRecord(0, 3, 0.1, None, 0, 7, pv))
    session.ponders = True
    session.go([])
    session.finish()
    assert session.out.getvalue().splitlines()[1:] == [f"info depth 0 nodes 7 time 100 pv {line}", f"bestmove {best}"]


def test_what_is_on_is_told_and_agents_of_files_have_no_options(engine, monkeypatch, tmp_path):
    (tmp_path / "mine.py").write_text(
        "class Bot:\n    def __init__(self, by=1): ...\n    def choose(self, board): ...\n"
    )
    assert "option name pvs type string default on" in talk(engine("alphabeta:pvs=on"), monkeypatch, "uci")
    lines = talk(engine(f"{tmp_path}/mine.py:Bot"), monkeypatch, "uci")
    assert [line.split()[2] for line in lines if line.startswith("option")] == ["UCI_Variant", "Ponder"]
