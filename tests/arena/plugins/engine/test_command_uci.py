"""What `arena uci` makes of the words of `go`; its whole sessions are tests/data/commands/engines.txt."""

import io
import threading

import pytest
from recorded import holds, plain

from agents.board import Board
from agents.errors import InputError
from arena.plugins.engine.command_uci import Engine, limits

GO = (
    "", "depth 3", "nodes 500", "movetime 250", "depth 0", "nodes 0", "movetime 0", "depth -1", "movetime -20",
    "depth 43", "nodes 9223372036854775807", "movetime 86400001", "depth 4 nodes 50 movetime 700",
    "wtime 40000 btime 2000", "wtime 40000", "btime 2000", "wtime 40000 btime 2000 winc 100 binc 301",
    "wtime 40000 btime 2000 movestogo 4", "wtime 40000 btime 2000 movestogo 1 winc 500 binc 600",
    "wtime 40000 btime 2000 movestogo 0", "wtime 40000 btime 2000 movestogo -3", "wtime 19 btime 19",
    "wtime -500 btime -500 winc 2000", "movetime 300 wtime 40000 btime 2000", "winc 100 binc 100", "movestogo 3",
    "infinite", "ponder wtime 9000 btime 7000 depth 5", "depth", "depth x nodes 3", "depth 1.5",
    "searchmoves P@d1 depth 2",
)  # fmt: skip


def test_the_words_of_go_are_limits_for_either_side(request):
    boards = {"first": Board(), "second": Board.from_moves("4")}
    found = {
        f"{side}: go {words}": plain(limits(words.split(), board)) for words in GO for side, board in boards.items()
    }
    holds("cli-limits", found, request)


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
