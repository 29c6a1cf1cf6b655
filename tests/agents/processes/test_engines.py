import os
import shlex
import signal
import sys

import pytest
from samples import ENGINES

from agents.agent import Analysis, Iteration, Limits
from agents.board import Board, Rules
from agents.errors import InputError
from agents.failure import Failure
from agents.score import WIN
from agents.specs import sources

PYTHON = shlex.quote(sys.executable)


def ours(protocol, name, words=""):
    return f"{protocol}:{PYTHON} {shlex.quote(str(ENGINES / name))} {words}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("cmd:", "no command follows cmd:"),
        ("cmd:./missing", "there is no file"),
        ("cmd:nosuchprogram --x", r"no program 'nosuchprogram' on the PATH; \./nosuchprogram"),
        ("cmd:'open", "No closing quotation"),
        ("uci:sh;Hash", "'Hash' is not option=value"),
    ],
)
def test_a_command_that_cannot_be_started_is_one_line(engine, text, message):
    with pytest.raises(InputError, match=message):
        engine(text)


def test_a_file_that_is_no_program_is_one_line(engine, tmp_path):
    (tmp_path / "plain").write_text("4\n")
    with pytest.raises(InputError, match=r"cannot be executed; chmod \+x"):
        engine("cmd:./plain")


def test_words_are_split_as_a_shell_does_and_nothing_is_expanded(tmp_path):
    source = sources.command("""cmd:sh -c 'a, b=1..3|4' "c;d" $HOME *""", str(tmp_path))
    assert source.words[1:] == ("-c", "a, b=1..3|4", "c;d", "$HOME", "*")


def test_options_of_an_engine_keep_their_order(tmp_path):
    source = sources.command("uci:sh -c 'x;y';VariantPath=a b.ini;Hash=16", str(tmp_path))
    assert source.words[1:] == ("-c", "x;y")
    assert source.options == (("VariantPath", "a b.ini"), ("Hash", "16"))


UCI_OPTIONS = ";VariantPath=variants.ini"


def test_an_engine_speaks_uci(engine):
    agent = engine(ours("uci", "uci_engine.py") + UCI_OPTIONS)
    agent.prepare(Rules())
    agent.new_game(1)
    board = Board.from_moves("1111112")
    answer = agent.choose(board, Limits(depth=3))
    assert answer.column == 1
    assert answer.score == 4 - WIN
    assert (answer.depth, answer.nodes, answer.pv) == (3, 30, (1, 3))
    assert answer.iterations[0] == Iteration(1, 10, 0.005, 17, 1)


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        (Limits(), "go movetime 1000"),
        (Limits(seconds=0.25), "go movetime 250"),
        (Limits(nodes=9), "go nodes 9"),
        (Limits(depth=2, nodes=9, seconds=1.0), "go depth 2 nodes 9 movetime 1000"),
    ],
)
def test_limits_become_words_of_go(engine, limits, words):
    agent = engine(ours("uci", "uci_engine.py") + UCI_OPTIONS)
    agent.prepare(Rules())
    heard = []
    receive = agent._process.receive
    agent._process.receive = lambda deadline: heard.append(receive(deadline)) or heard[-1]
    agent.choose(Board(), limits)
    assert f"info string {words}" in heard


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("full", "protocol error: answered 'bestmove P@a9', which names no legal drop"),
        ("none", r"protocol error: answered 'bestmove \(none\)'"),
        ("empty", "protocol error: answered 'bestmove'"),
        ("sleeps", "out of time: no answer within 0.5 s"),
        ("chatters", "out of time|protocol error: wrote 100000 lines"),
        ("dies", r"left \(exit code 7\)"),
        ("mute", "out of time"),
    ],
)
def test_an_engine_that_misbehaves_is_named(engine, fault, message):
    agent = engine(ours("uci", "uci_engine.py", fault) + UCI_OPTIONS, 0.5)
    with pytest.raises(Failure, match=message):
        agent.choose(Board(), Limits())
    assert not agent.running


@pytest.mark.parametrize("fault", ["garbled", "chess", "negative", "endless", "several"])
def test_an_info_line_that_tells_no_score_costs_nothing(engine, fault):
    answer = engine(ours("uci", "uci_engine.py", fault) + UCI_OPTIONS).choose(Board(), Limits())
    assert (answer.column, answer.score, answer.depth, len(answer.iterations)) == (0, 4 - WIN, 3, 3)


def test_a_second_best_move_is_no_answer_to_the_next_question(engine):
    agent = engine(ours("uci", "uci_engine.py", "twice") + UCI_OPTIONS)
    assert [agent.choose(Board.from_moves(moves), Limits()).column for moves in ("", "4", "44")] == [0, 0, 0]


@pytest.mark.parametrize(
    ("fault", "options", "message"),
    [
        ("", ";HashSize=64", "uci_engine.py: .*'HashSize': did you mean Hash Size"),
        ("", ";Hush=64", "'Hush': there are Hash Size, VariantPath|did you mean Hash Size"),
        ("chess-alone", "", "it does not list the variant cfour; VariantPath=FILE names the file that defines it"),
        ("stockfish", "", "it does not list the variant cfour"),
        ("lists", "", "it does not list the variant cfour"),
    ],
)
def test_an_engine_without_the_option_or_the_variant_is_refused(engine, fault, options, message):
    agent = engine(ours("uci", "uci_engine.py", fault) + options)
    with pytest.raises(InputError, match=message):
        agent.prepare(Rules())
    assert not agent.running


def test_a_variant_that_an_option_brings_is_listed_when_the_engine_is_asked_again(engine):
    engine(ours("uci", "uci_engine.py", "lists") + UCI_OPTIONS).prepare(Rules())


def test_an_engine_that_has_ended_is_closed_without_a_word(engine):
    agent = engine(ours("uci", "uci_engine.py") + UCI_OPTIONS)
    agent.prepare(Rules())
    os.kill(agent._process.pid, signal.SIGKILL)
    os.waitid(os.P_PID, agent._process.pid, os.WEXITED | os.WNOWAIT)
    agent.close()
    assert agent._process is None


def test_uci_knows_one_board(engine):
    agent = engine(ours("uci", "uci_engine.py") + UCI_OPTIONS)
    with pytest.raises(InputError, match="UCI knows the board 7x6x4 alone, not 8x7x4"):
        agent.prepare(Rules(8, 7))
    agent.prepare(Rules())
    assert agent.running


def test_a_line_that_begins_with_another_move_than_the_best_is_not_its_line(engine):
    answer = engine(ours("uci", "uci_engine.py", "changes") + UCI_OPTIONS).choose(Board(), Limits())
    assert (answer.column, answer.pv, answer.depth) == (1, (1,), 3)


def test_a_solver_plays_by_its_scores(engine):
    agent = engine(ours("pons", "solver.py"))
    assert agent.choose(Board.from_moves("112233"), Limits()) == Analysis(3, WIN - 1, 36)
    assert agent.choose(Board.from_moves("1213747"), Limits()) == Analysis(4, WIN - 1, 35)
    assert agent.choose(Board(), Limits()).column == 3


def test_a_solver_with_impossible_scores_is_found_out(engine):
    with pytest.raises(Failure, match="protocol error: answered '121212 99', which is not POSITION SCORE"):
        engine(ours("pons", "solver.py", "boasts")).prepare(Rules())
