"""An engine thinks on in its opponent's time only as it is asked to, and its options are held against its own list."""

import pytest

from agents.agent import Limits
from agents.board import Board, Rules
from agents.errors import InputError
from agents.processes import uci

from .dialogue import SOON, talk

LISTED = (
    "id name Deep Four 3 (dev)",
    "option name Hash type spin default 16 min 1 max 512",
    "option name Ponder type check default false",
    "option name Style type combo default Solid var Solid var Very Wild",
    "option name UCI_Variant type combo default chess var chess var cfour",
)


def started(*lines):
    engine, script = talk(uci.Uci, *LISTED, "uciok", "readyok", *lines, options=(("Ponder", "true"),))
    engine.start(Rules(), SOON)
    script.sent.clear()
    return engine, script


def test_an_engine_that_guessed_right_thinks_on():
    engine, script = started(
        "readyok", "bestmove P@d1 ponder P@d2", "info depth 3 score cp 5 time 60000 nodes 7 pv P@a1", "bestmove P@a1"
    )
    assert engine.choose(Board(), Limits(seconds=0.5), SOON).column == 3
    assert script.sent[-2:] == ["position startpos moves P@d1 P@d2", "go ponder movetime 500"]
    found = engine.choose(Board.from_moves("44"), Limits(seconds=0.5), SOON)
    assert script.sent[-1] == "ponderhit"
    assert (found.column, found.depth) == (0, 3)
    assert found.iterations[0].seconds <= 60.0


def test_one_that_guessed_wrong_is_stopped_and_its_answer_passed_over():
    engine, script = started("readyok", "bestmove P@d1 ponder P@d2", "bestmove P@g1", "readyok", "bestmove P@a1")
    engine.choose(Board(), Limits(), SOON)
    assert engine.choose(Board.from_moves("45"), Limits(), SOON).column == 0
    assert script.sent[-4:] == ["stop", "position startpos moves P@d1 P@e1", "isready", "go movetime 1000"]


def test_it_rests_after_the_game_and_before_the_next():
    engine, script = started("readyok", "bestmove P@d1 ponder P@d2", "bestmove P@g1", "readyok")
    engine.choose(Board(), Limits(), SOON)
    engine.stop_pondering(SOON)
    engine.stop_pondering(SOON)
    assert script.sent[-1] == "stop"
    engine.new_game(1, SOON)
    assert script.sent[-3:] == ["stop", "ucinewgame", "isready"]


@pytest.mark.parametrize("guess", ["P@d4", "P@d9", "none"])
def test_nobody_ponders_on_a_game_that_is_over_or_on_no_move(guess):
    engine, script = started("readyok", f"bestmove P@d4 ponder {guess}")
    engine.choose(Board.from_moves("414141"), Limits(), SOON)
    assert script.sent[-1] == "go movetime 1000"


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("Hash", "a", "Hash is a whole number from 1 to 512, not 'a'"),
        ("hash", "0", "Hash is a whole number from 1 to 512, not '0'"),
        ("Hash", "513", "Hash is a whole number from 1 to 512, not '513'"),
        ("Ponder", "on", "Ponder is true or false, not 'on'"),
        ("Style", "Very", "'Very'"),
    ],
)
def test_a_value_that_the_list_excludes_is_refused(name, value, message):
    engine, script = talk(uci.Uci, *LISTED, "uciok", "readyok", options=((name, value),))
    with pytest.raises(InputError, match=message):
        engine.start(Rules(), SOON)
    assert script.sent == ["uci"]


@pytest.mark.parametrize("option", [("Hash", "512"), ("Ponder", "false"), ("Style", "very wild")])
def test_a_value_of_the_list_is_set_and_the_engine_has_its_own_name(option):
    engine, script = talk(uci.Uci, *LISTED, "uciok", "readyok", options=(option,))
    engine.start(Rules(), SOON)
    assert script.sent[1] == f"setoption name {option[0]} value {option[1]}"
    assert engine.name == "Deep Four 3 (dev)"


def test_a_missing_file_of_variants_is_named():
    listed = ("option name VariantPath type string default x", "option name UCI_Variant type combo var chess", "uciok")
    engine, _ = talk(uci.Uci, *listed, *listed, options=(("VariantPath", "nowhere/variants.ini"),))
    with pytest.raises(InputError, match=r"does not list the variant cfour; there is no file /nowhere/variants\.ini"):
        engine.start(Rules(), SOON)


@pytest.mark.parametrize(
    ("option", "ponders"),
    [(("Ponder", "true"), True), (("PONDER", "true"), True), (("Ponder", "false"), False), (("Hash", "16"), False)],
)
def test_only_an_engine_whose_ponder_is_true_ponders(option, ponders):
    lines = (*LISTED, "uciok", "readyok", "readyok", "bestmove P@d1 ponder P@d2")
    engine, script = talk(uci.Uci, *lines, options=(option,))
    engine.start(Rules(), SOON)
    engine.choose(Board(), Limits(nodes=9), SOON)
    assert (script.sent[-1] == "go ponder nodes 9") == ponders
    assert script.sent.count("go nodes 9") == 1


def test_a_file_of_variants_that_has_not_this_one_is_named_by_its_whole_path(tmp_path):
    (tmp_path / "variants.ini").touch()
    listed = ("option name VariantPath type string default x", "option name UCI_Variant type combo var chess", "uciok")
    path = str(tmp_path / "variants.ini").removeprefix("/")
    engine, script = talk(uci.Uci, *listed, *listed, options=(("variantpath", path),))  # which runs in /
    with pytest.raises(InputError) as raised:
        engine.start(Rules(), SOON)
    assert str(raised.value) == f"engine engine: it does not list the variant cfour, also with /{path}"
    assert script.sent == ["uci", f"setoption name variantpath value {path}", "uci"]


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("id name Deep  Four\t3", "Deep Four 3"),
        ("id name a\x1b[2Jb", "a\\x1b[2Jb"),
        ("id name " + "long " * 20, ("long " * 20)[:60]),
        ("id author Nobody", ""),
        ("id named so", ""),
    ],
)
def test_the_name_of_an_engine_is_one_line_of_some_length(line, name):
    engine, _ = talk(uci.Uci, line, "uciok", "readyok")
    engine.start(Rules(), SOON)
    assert engine.name == name


def test_what_was_searched_in_the_opponents_time_took_no_time_and_the_rest_counts_from_the_hit(monkeypatch):
    times = iter([10.0, 10.5])
    monkeypatch.setattr(uci.time, "perf_counter", lambda: next(times))
    info = "info depth {0} score cp 5 time {1} nodes 7 pv P@a1"
    engine, script = started(
        "readyok", info.format(1, 20), "bestmove P@d1 ponder P@d2", info.format(2, 300), info.format(3, 900),
        "bestmove P@a1", "readyok", info.format(4, 250).replace("P@a1", "P@a2"), "bestmove P@a2",
    )  # fmt: skip
    first, hit, fresh = (
        engine.choose(Board.from_moves(moves), Limits(), SOON).iterations for moves in ("", "44", "441")
    )
    assert [each.seconds for each in first] == [0.02]
    assert [each.seconds for each in hit] == pytest.approx([0.0, 0.4])
    assert [each.seconds for each in fresh] == [0.25]
    assert [line for line in script.sent if line.startswith("go") or line == "ponderhit"] == [
        "go movetime 1000", "go ponder movetime 1000", "ponderhit", "go movetime 1000",
    ]  # fmt: skip
