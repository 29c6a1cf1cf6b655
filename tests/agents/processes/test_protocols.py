"""What each protocol says and takes, word by word; the lines of the other end are written down here."""

import json

import pytest

from agents.agent import Analysis, Iteration, Limits
from agents.board import Board, Rules
from agents.errors import InputError
from agents.failure import Failure
from agents.processes import uci
from agents.processes.cmd import Cmd, parse_answer
from agents.processes.pons import Pons
from agents.processes.python import Python
from agents.score import WIN

from .dialogue import SOON, talk


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("1", Analysis(0)),
        ("0", Analysis(-1)),
        ("  4\t", Analysis(3)),
        ("9 nodes=7 depth=3", Analysis(8, None, 3, 7)),
        ("3 score=+5 pondered=yes", Analysis(2, 5)),
        ("3 score=-5", Analysis(2, -5)),
        ("3 score=0.5", Analysis(2, 0.5)),
        ("3 score=1 score=2", Analysis(2, 2)),
        ("3 score=- depth=3 nodes=-", Analysis(2, None, 3, 0)),
        ("3 score=1 score=-", Analysis(2, 1)),
        ("3 depth=-1 nodes=1_000", Analysis(2, None, -1, 1000)),
        ("3 score=1e3", Analysis(2, 1000.0)),
        ("3 score=inf", Analysis(2, float("inf"))),
        ("3 name=a=b", Analysis(2)),
    ],
)
def test_a_line_begins_with_a_column_and_may_claim_more(line, answer):
    assert parse_answer(line) == answer


@pytest.mark.parametrize("line", ["", " ", "d", "4.0", "4 depth=x", "4 depth=2.5", "4 nodes=", "4 score=", "4 yes"])
def test_a_line_that_cannot_be_read_is_quoted_with_what_was_expected(line):
    with pytest.raises(Failure) as raised:
        parse_answer(line)
    assert str(raised.value) == (f"protocol error: answered {line!r}, which is not COLUMN [score=N depth=N nodes=N]")


@pytest.mark.parametrize(("rules", "moves", "answer"), [(Rules(), "4412", "2"), (Rules(12, 4), "12,1,12", "11")])
def test_a_program_is_asked_with_the_moves_and_at_first_with_none(rules, moves, answer):
    program, script = talk(Cmd, "1", answer)
    program.start(rules, SOON)
    assert program.choose(Board.from_moves(moves, rules), Limits(), SOON) == Analysis(int(answer) - 1)
    assert script.sent == ["", moves]


def test_a_long_line_is_quoted_by_its_beginning():
    for length, quoted in ((80, "x" * 80), (81, "x" * 77 + "…"), (5000, "x" * 77 + "…")):
        with pytest.raises(Failure) as raised:
            parse_answer("x" * length)
        assert raised.value.detail.startswith(f"answered '{quoted}', which")


@pytest.mark.parametrize(
    ("line", "score"), [("44 21", 21), ("44 -21", -21), ("44 0 12345 0.1", 0), ("44 -7 nodes", -7)]
)
def test_a_solver_may_say_every_score_of_the_board(line, score):
    solver, script = talk(Pons, line)
    assert solver.score(Board.from_moves("44"), SOON) == score
    assert script.sent == ["44"]


@pytest.mark.parametrize("line", ["44 22", "44 -22", "45 1", "1", "44", "", "44 1.0", "44 +1", "44 ١", "44 1e1"])
def test_a_solver_that_says_no_score_of_the_position_is_quoted(line):
    with pytest.raises(Failure) as raised:
        talk(Pons, line)[0].score(Board.from_moves("44"), SOON)
    assert str(raised.value) == f"protocol error: answered {line!r}, which is not POSITION SCORE"


def test_a_solver_says_the_score_alone_of_the_empty_board():
    assert talk(Pons, "1 8 0.2")[0].score(Board(), SOON) == 1


def test_a_solver_has_to_know_a_win_at_once_and_plays_one_board():
    talk(Pons, "121212 18")[0].start(Rules(), SOON)
    with pytest.raises(Failure, match="protocol error: has not the score 18 for 121212, which wins at once"):
        talk(Pons, "121212 -18")[0].start(Rules(), SOON)
    for rules in (Rules(8, 7), Rules(connect=5), Rules(most_fours=True)):
        with pytest.raises(InputError, match="a solver behind pons: knows the board 7x6x4 alone, not"):
            talk(Pons)[0].start(rules, SOON)


def children(text, scores):
    """Return the lines of a solver about the children of a position, from scores for the side to move there."""
    board = Board.from_moves(text)
    return [f"{board.play(move).text} {score}" for move, score in zip(board.legal_moves(), scores, strict=True)]


@pytest.mark.parametrize(
    ("scores", "answer"),
    [
        ((2, 2, 2, 1, 2, 2, 2), Analysis(3, -(WIN - 40), 40)),  # every move loses, this one latest
        ((0, -1, 0, 0, 0, -1, 0), Analysis(1, WIN - 39, 40)),
        ((0, 0, -1, 0, -1, 0, 0), Analysis(2, WIN - 39, 40)),
        ((0, 0, 3, 3, 3, 0, 3), Analysis(1, 0, 40)),
    ],
)
def test_a_solver_plays_the_move_whose_score_is_worst_for_the_other_side_and_nearest_the_centre(scores, answer):
    solver, _ = talk(Pons, *children("44", scores))
    assert solver.choose(Board.from_moves("44"), Limits(), SOON) == answer


DRAWN = "442761225377252342545563474175371666631311"
"""A game to the full board."""


@pytest.mark.parametrize(
    ("moves", "lines", "answer"),
    [
        ("7172636", 6, Analysis(3, WIN - 1, 35)),  # the second player wins with the eighth disc
        ("717263", 7, Analysis(3, 0, 36)),  # nobody wins at once, and each move is told to be a draw
        ("112233", 6, Analysis(3, WIN - 1, 36)),
        (DRAWN[:41], 0, Analysis(0, 0, 1)),  # the last disc draws, and nobody is asked
    ],
)
def test_a_move_that_ends_the_game_is_valued_without_the_solver(moves, lines, answer):
    board = Board.from_moves(moves)
    asked = [board.play(move) for move in board.legal_moves()]
    told = [f"{child.text} 0" for child in asked if child.outcome is None]
    assert len(told) == lines
    solver, script = talk(Pons, *told)
    assert solver.choose(board, Limits(), SOON) == answer
    assert script.sent == [child.text for child in asked if child.outcome is None]
    assert script.lines == []


OPTIONS = ("id name X", "option name Hash Size type spin default 16", "option name UCI_Variant type combo var cfour")


def test_an_engine_is_given_its_options_in_their_order_and_then_the_variant():
    engine, script = talk(
        uci.Uci, *OPTIONS, "uciok", "readyok", options=(("hash size", "64"), ("UCI_VARIANT", "chess"))
    )
    engine.start(Rules(), SOON)
    assert script.sent == [
        "uci",
        "setoption name hash size value 64",
        "setoption name UCI_VARIANT value chess",
        "setoption name UCI_Variant value cfour",
        "isready",
    ]


@pytest.mark.parametrize(
    ("listed", "value", "problem"),
    [
        ("spin default 1 min 1", "0", "Own is a whole number, not '0'"),
        ("spin default 1 min 1", "1", ""),
        ("spin default 1 max 9", "10", "Own is a whole number, not '10'"),
        ("spin default 1 max 9", "-5", ""),
        ("spin default 0 min -9 max 0", "1", "Own is a whole number from -9 to 0, not '1'"),
        ("spin default 0 min -9 max 0", "-10", "Own is a whole number from -9 to 0, not '-10'"),
        ("spin default 0 min -9 max 0", "-9", ""),
        ("spin default 0 min 0 max 0", "3", "Own is a whole number from 0 to 0, not '3'"),
        ("spin", "9" * 18, ""),
        ("spin", "9" * 19, f"Own is a whole number, not '{'9' * 19}'"),
        ("spin", "1.0", "Own is a whole number, not '1.0'"),
        ("spin", "", "Own is a whole number, not ''"),
        ("spin default 1 minimum 5 max 7", "1", ""),
        ("check default true", "True", "Own is true or false, not 'True'"),
        ("check", "false", ""),
        ("check", "", "Own is true or false, not ''"),
        ("combo default a", "anything", ""),
        ("combo default a var a var b  var c d", "c d", ""),
        ("combo default a var a var b var c d", "C D", ""),
        ("combo default a var a var b var c d", "c", "'c': did you mean c d?"),
        ("combo default x var a var variant", "x", "'x': there are a, variant"),
        ("combo default x var a var variant", "variant", ""),
        ("string default <empty>", "", ""),
        ("string default min 1 max 2", "7", ""),
        ("button", "", ""),
        ("button", "now", ""),
    ],
)
def test_a_value_is_held_against_what_the_engine_lists_of_its_option(listed, value, problem):
    kind, _, rest = listed.partition(" ")
    refusal = uci.Option("Own", kind, rest).refuse(value)
    assert (bool(refusal), refusal.endswith(problem)) == (bool(problem), True)
    lines = (f"option name Own type {listed}", "uciok", "readyok")
    engine, script = talk(uci.Uci, *lines, options=(("own", value),))
    if problem:
        with pytest.raises(InputError) as raised:
            engine.start(Rules(), SOON)
        assert str(raised.value).startswith("engine engine: ")
        assert str(raised.value).endswith(problem)
    else:
        engine.start(Rules(), SOON)
        assert script.sent[1] == f"setoption name own value {value}"


def test_depths_are_told_in_their_order_and_each_by_its_last_line_however_they_came():
    told = [f"info nodes {place} score cp {depth} depth {depth} pv P@d1" for place, depth in enumerate((3, 1, 2, 1))]
    engine, _ = talk(uci.Uci, "readyok", *told, "bestmove P@a1")
    found = engine.choose(Board(), Limits(), SOON)
    assert [(each.depth, each.nodes) for each in found.iterations] == [(1, 3), (2, 2), (3, 0)]
    assert (found.column, found.score, found.depth, found.nodes, found.pv) == (0, 3, 3, 0, (0,))


def test_an_engine_is_called_by_what_it_said_last_and_told_to_quit_also_while_it_ponders(monkeypatch):
    monkeypatch.setattr(uci.time, "perf_counter", lambda: 50.0)
    lines = ("id name One", "option name Ponder type check", "uciok", "id name Two", "readyok", "readyok")
    engine, script = talk(uci.Uci, *lines, "bestmove P@d1 ponder P@d2", options=(("Ponder", "true"),))
    engine.start(Rules(), SOON)
    assert engine.name == "Two"
    until = []
    monkeypatch.setattr(script, "send", lambda line, deadline: until.append((line, deadline)))
    engine.choose(Board(), Limits(), SOON)
    engine.quit()
    assert until[-2:] == [("go ponder movetime 1000", SOON), ("quit", 50.2)]


def test_an_option_that_is_given_twice_is_set_twice_in_its_order():
    options = (("Clear Hash", ""), ("Hash Size", "64"), ("clear hash", ""), ("Hash Size", "32"))
    engine, script = talk(uci.Uci, "option name Clear Hash type button", *OPTIONS, "uciok", "readyok", options=options)
    engine.start(Rules(), SOON)
    assert script.sent[1:-2] == [f"setoption name {name} value {value}" for name, value in options]


def test_an_engine_that_never_ends_its_list_is_cut(monkeypatch):
    monkeypatch.setattr(uci, "MOST_LINES", 5)
    with pytest.raises(Failure, match="protocol error: wrote 5 lines and no uciok"):
        talk(uci.Uci, *["so"] * 5, "uciok")[0].start(Rules(), SOON)
    with pytest.raises(Failure, match="protocol error: wrote 5 lines and no bestmove"):
        talk(uci.Uci, "readyok", *["so"] * 5, "bestmove P@d1")[0].choose(Board(), Limits(), SOON)


def test_of_an_engines_options_so_many_are_kept_and_no_more(monkeypatch):
    monkeypatch.setattr(uci, "MOST_OPTIONS", 1)
    engine, _ = talk(uci.Uci, *OPTIONS, "uciok", options=(("UCI_Variant", "x"),))
    with pytest.raises(InputError, match="'UCI_Variant'"):
        engine.start(Rules(), SOON)


def test_an_engine_hears_the_moves_as_drops_and_what_it_says_before_it_is_ready_is_of_an_earlier_question():
    line = "info depth 9 score cp 5 nodes 8 time 2 pv P@a1"
    engine, script = talk(uci.Uci, line, "bestmove P@a1", "readyok", "info depth 1 score cp 3 pv P@d2", "bestmove P@d2")
    found = engine.choose(Board.from_moves("4"), Limits(), SOON)
    assert found == Analysis(3, 3, 1, 0, (3,), (Iteration(1, 0, 0.0, 3, 3),))
    assert script.sent == ["position startpos moves P@d1", "isready", "go movetime 1000"]
    engine, script = talk(uci.Uci, "readyok", "bestmove P@g1 ponder P@a1")
    assert engine.choose(Board(), Limits(seconds=1e-9), SOON) == Analysis(6)
    assert script.sent == ["position startpos", "isready", "go movetime 1"]


EARLY = "bestmove P@a1"


@pytest.mark.parametrize(
    ("lines", "detail"),
    [
        ((EARLY, "readyok"), f"it wrote '{EARLY}' before its go, and nothing after it"),
        ((EARLY, "bestmove", "so", "readyok"), "it wrote 'bestmove' before its go, and nothing after it"),
        ((EARLY, "readyok", "info depth 1 score cp 3 pv P@d1", "so"),
         f"it wrote '{EARLY}' before its go, and nothing after it"),
        (("readyok",), ""), (("bestmoves P@a1", "readyok"), ""),
        ((EARLY, "readyok", "bestmove P@b1", "readyok"), ""),
        (("readyok", "bestmove P@b1", EARLY, "readyok"), f"it wrote '{EARLY}' before its go, and nothing after it"),
    ],
)  # fmt: skip
def test_out_of_time_an_engine_hears_what_it_wrote_too_early_in_this_move_alone(lines, detail):
    engine, _ = talk(uci.Uci, EARLY, "readyok", *lines)
    engine.new_game(1, SOON)
    for _ in range(lines.count("bestmove P@b1")):
        assert engine.choose(Board(), Limits(), SOON).column == 1
    with pytest.raises(Failure) as raised:
        engine.choose(Board(), Limits(), SOON)
    assert (raised.value.kind, raised.value.detail) == ("out of time", detail)


def test_a_new_game_is_announced_and_waited_for():
    engine, script = talk(uci.Uci, "late", "readyok", "kept")
    engine.new_game(1, SOON)
    assert (script.sent, script.lines) == (["ucinewgame", "isready"], ["kept"])


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        (Limits(depth=2), "depth 2"),
        (Limits(depth=2, nodes=9), "depth 2 nodes 9"),
        (Limits(nodes=9, seconds=0.0015), "nodes 9 movetime 2"),
    ],
)
def test_every_limit_is_a_word_of_go(limits, words):
    assert uci._go(limits) == words


def test_a_clock_that_has_run_out_is_a_clock():
    spent = Limits(seconds=0.001, remaining=0.0, opponent_remaining=2.0, increment=None)
    assert uci._go(spent, 0) == "wtime 0 winc 0 btime 2000 binc 0"
    assert uci._go(Limits(seconds=1.0, remaining=3.0, opponent_remaining=0.0, increment=0.0004), 1) == (
        "btime 3000 binc 0 wtime 0 winc 0"
    )


@pytest.mark.parametrize(
    ("moves", "clocks"),
    [("", "wtime 3000 winc 250 btime 9000 binc 250"), ("4", "btime 3000 binc 250 wtime 9000 winc 250")],
)
def test_an_engine_hears_whose_clock_is_whose(moves, clocks):
    program, script = talk(uci.Uci, "readyok", "bestmove P@a1")
    limits = Limits(depth=5, seconds=0.5, remaining=3.0, opponent_remaining=9.0, increment=0.25)
    program.choose(Board.from_moves(moves), limits, SOON)
    assert script.sent[-1] == f"go depth 5 {clocks}"


def info(line, moves=""):
    return uci._info(line.split(), Board.from_moves(moves))


def test_an_info_line_tells_a_depth():
    line = "info depth 2 seldepth 4 multipv 1 score cp -3 nodes 7 time 1500 pv P@d1 P@d2 string pv P@a1"
    assert info(line) == (Iteration(2, 7, 1.5, -3, 3), (3, 3))
    assert info("info depth 2 score mate -1 pv P@d2", "4") == (Iteration(2, 0, 0.0, 2 - WIN, 3), (3,))


@pytest.mark.parametrize(
    "line",
    [
        "info depth 2 multipv 2 score cp 3 pv P@d1",
        "info depth 2 score cp 3 lowerbound pv P@d1",
        "info depth 2 score cp 3 upperbound pv P@d1",
        "info depth 2 score cp 3",
        "info string depth 2 score cp 3 pv P@d1",
        "info depth 2 pv P@d1",
        "info depth 2 score cp 3 pv",
        "info depth 2 score cp 3 pv P@d2",
        "info depth 2 score cp 3 pv P@d1 P@d1",
        "info depth 0 score cp 3 pv P@d1",
        "info score cp 3 pv P@d1",
        "info depth 2 nodes -1 score cp 3 pv P@d1",
        "info depth 2 time -1 score cp 3 pv P@d1",
        pytest.param("info depth 2 time " + "9" * 400 + " score cp 3 pv P@d1", id="hours"),
        "info depth 2 score wdl 3 pv P@d1",
        "info depth two score cp 3 pv P@d1",
    ],
)
def test_an_info_line_that_completes_no_depth_of_the_best_line_is_passed_over(line):
    assert info(line) is None


def test_a_line_does_not_go_on_after_the_end_of_the_game():
    assert info("info depth 9 score mate 1 pv P@d4", "414141") == (Iteration(9, 0, 0.0, WIN - 1, 3), (3,))
    assert info("info depth 9 score mate 1 pv P@d4 P@a4", "414141") is None


@pytest.mark.parametrize(
    ("kind", "value", "score"),
    [
        ("cp", -31, -31),
        ("cp", 0, 0),
        ("mate", 1, WIN - 1),
        ("mate", 2, WIN - 3),
        ("mate", -1, 2 - WIN),
        ("mate", -3, 6 - WIN),
    ],
)
def test_an_engines_score_counts_plies_to_the_end(kind, value, score):
    assert uci.score(kind, value) == score


def test_of_many_depths_those_within_the_board_are_kept_each_as_it_was_told_last():
    told = [f"info depth {depth} score cp {depth} pv P@d1" for depth in (70, *range(1, 71))]
    engine, _ = talk(uci.Uci, "readyok", *told, "info depth 70 score cp -1 nodes 5 pv P@d1 P@a1", "bestmove P@d1")
    found = engine.choose(Board(), Limits(), SOON)
    assert [each.depth for each in found.iterations] == [*range(1, 43)]
    assert (found.score, found.depth, found.nodes, found.pv) == (-1, 42, 5, (3, 0))
    engine, _ = talk(uci.Uci, "readyok", *told, "bestmove P@d1")
    found = engine.choose(Board.from_moves("11223344"[:6]), Limits(), SOON)
    assert (found.depth, len(found.iterations)) == (36, 36)


@pytest.mark.parametrize(
    ("listed", "plays"),
    [
        ((), True),
        (("option name Hash type spin",), True),
        (("option name SyzygyPath type string",), False),
        (("option name UCI_Variant type string default x",), True),
        (("option name UCI_Variant type string default x", "option name SyzygyPath type string"), True),
        (("option name UCI_Variant type combo default chess var chess",), False),
        (("option name UCI_Variant type combo default cfour var chess",), False),
        (("option name uci_variant type combo default chess var chess var cfour",), True),
    ],
)
def test_an_engine_plays_that_lists_the_variant_or_nothing_of_chess(listed, plays):
    engine, _ = talk(uci.Uci, *listed, "uciok", "readyok")
    if plays:
        engine.start(Rules(), SOON)
    else:
        with pytest.raises(InputError, match=r"engine engine: it does not list the variant cfour$"):
            engine.start(Rules(), SOON)


def python(*answers):
    return talk(Python, *[each if isinstance(each, str) else json.dumps(each) for each in answers])


FULL = {"column": 3, "score": 5, "depth": 2, "nodes": 7, "pv": [3, 4], "iterations": [[1, 2, 0.5, 4, 3]]}


def test_an_agent_in_python_is_asked_by_number():
    agent, script = python({"id": 1}, {"id": 2}, {"id": 3} | FULL, {"id": 4, "column": {"shown": "<x>"}})
    agent.start(Rules(8, 7), SOON)
    agent.new_game(11, SOON)
    board = Board.from_moves("12")
    found = agent.choose(board, Limits(5, 6, 0.5), SOON)
    assert found == Analysis(3, 5, 2, 7, (3, 4), (Iteration(1, 2, 0.5, 4, 3),))
    assert repr(agent.choose(Board(), Limits(), SOON).column) == "<x>"
    assert [json.loads(each) for each in script.sent[:3]] == [
        {"id": 1, "do": "start", "rules": [8, 7, 4, False], "words": ["engine"], "options": {}},
        {"id": 2, "do": "new_game", "seed": 11},
        {"id": 3, "do": "choose", "own": board.own, "opp": board.opp, "moves": [0, 1], "limits": [5, 6, 0.5]},
    ]


@pytest.mark.parametrize(
    "answer",
    [
        {"id": 2, "column": 3},
        {"id": 0, "column": 3},
        {"column": 3},
        [1, 3],
        "3",
        "",
        pytest.param("[" * 100_000, id="nested"),
        {"id": 1, "kind": "agent wins", "detail": ""},
        {"id": 1, "kind": "exception of ours"},
        {"id": 1, "kind": "left (exit code x)"},
        {"id": 1, "col": 3},
        {"id": 1} | {name: value for name, value in FULL.items() if name != "pv"},
        {"id": 1} | FULL | {"pv": None},
        {"id": 1} | FULL | {"iterations": [[1, 2]]},
    ],
)
def test_what_is_no_answer_to_the_question_is_a_protocol_error(answer):
    with pytest.raises(Failure, match=r"^protocol error: answered '"):
        python(answer)[0].choose(Board(), Limits(), SOON)


@pytest.mark.parametrize("kind", ["exception", "out of memory", "left (exit code -9)"])
def test_a_fault_that_a_child_may_report_comes_with_its_traceback(kind):
    with pytest.raises(Failure) as raised:
        python({"id": 1, "kind": kind, "detail": "so", "traceback": "line 1\nline 2"})[0].new_game(1, SOON)
    assert (raised.value.kind, raised.value.detail, raised.value.traceback) == (kind, "so", "line 1\nline 2")


def test_an_agent_in_python_is_given_its_parameters_but_not_its_interpreter():
    options = (("near", 4), ("python", "/opt/bin/python"), ("depth", 2))
    agent, script = talk(Python, '{"id": 1, "about": "so \\u0007"}', options=options)
    agent.start(Rules(), SOON)
    assert json.loads(script.sent[0])["options"] == {"near": 4, "depth": 2}
    assert agent.about == "so \\x07"


def test_an_agent_in_python_hears_both_clocks_and_the_increment_and_fewer_numbers_without_them():
    agent, script = python(*({"id": number, "column": 3} for number in range(1, 4)))
    for limits in (Limits(), Limits(1, 2, 3.0, 4.0, 5.0, 6.0), Limits(seconds=0.5, remaining=0.0)):
        agent.choose(Board(), limits, SOON)
    assert [json.loads(each)["limits"] for each in script.sent] == [
        [None] * 3,
        [1, 2, 3.0, 4.0, 5.0, 6.0],
        [None, None, 0.5, 0.0, None, None],
    ]


@pytest.mark.parametrize("extra", [{"a": [1]}, "shown"])
def test_the_notes_of_an_agent_in_python_come_with_its_answer(extra):
    assert python({"id": 1} | FULL | {"extra": extra})[0].choose(Board(), Limits(), SOON).extra == extra
