import json

import pytest
from click.testing import CliRunner
from samples import DATA

from agents.jit.compiler import JIT
from arena.plugins.explain.command import command
from arena.plugins.explain.explain import Explanation
from arena.plugins.explain.job import Explained

pytestmark = pytest.mark.skipif(not JIT, reason="the solver takes minutes as plain Python")
FIELD = str(DATA / "runs" / "field.sqlite")


def explain(*words):
    return CliRunner().invoke(command, words)


def test_a_game_is_told_with_the_better_moves_and_the_forced_lines():
    lines = explain("445571", "--ply", "3").output.splitlines()
    assert lines == [
        "ply 3, O in column 5: a win becomes a loss; column 3 or 6 kept the win",
        "X plays 3; then column 2 or 6 wins.",
        " .  .  .  .  .  .  .",
        " .  .  .  .  .  .  .",
        " .  .  .  .  .  .  .",
        " .  .  .  .  .  .  .",
        " .  .  .  O [O] .  .",
        " .  *  1  X  X  *  .",
        " 1  2  3  4  5  6  7",
    ]
    assert explain("445571", "--ply", "0").output == "the move at ply 0 kept the value of its position\n"


def test_a_document_has_the_line_and_its_words():
    (row,) = json.loads(explain("445571", "--ply", "5", "--json").output)
    assert (row["before"], row["after"], row["keepers"]) == (1, -1, "6")
    assert (row["moves"], row["wins"], row["plies"], row["depth"]) == ("", "6", 1, 2)
    assert row["lines"][1] == "X wins at once by playing column 6."


def test_a_stored_game_names_x_and_o_and_tells_only_the_askers_errors_to_it():
    lines = explain(FIELD, "10").output.splitlines()
    assert lines[:2] == ["X: greedy", "O: alphabeta:depth=1,order=centre"]
    assert lines[2].startswith("O was winning until ply 3. Column 5 at ply 11 let X win at once by")
    assert [line[:9] for line in lines if line.startswith("ply ")] == ["ply 3, O ", "ply 4, X ", "ply 11, O"]
    mine = explain(FIELD, "10", "--agent", "greedy").output
    assert [line[:9] for line in mine.splitlines() if line.startswith("ply ")] == ["ply 4, X "]
    theirs = explain(FIELD, "10", "--agent", "alphabeta:depth=1").output  # where there is another alphabeta
    assert "your search saw +13 at depth 1; the loss shows from depth 2" in theirs
    assert explain(FIELD, "10", "--agent", "alphabeta").output == theirs  # only one of this game
    assert explain(FIELD, "10", "--ply", "3", "--agent", "greedy").output.endswith(
        "no move by greedy at ply 3 lost value\n"
    )


@pytest.mark.parametrize(("words", "said"), [
    ((), "One. Two.\n"), (("--agent", "a"), "One. Two.\nno move by a lost value\n"),
    (("--ply", "3"), "the move at ply 3 kept the value of its position\n"),
    (("--ply", "0", "--agent", "a"), "no move by a at ply 0 lost value\n"),
])  # fmt: skip
def test_where_no_move_lost_value_the_question_is_answered_all_the_same(monkeypatch, words, said):
    explained = Explained([], Explanation, story=("One.", "Two."), names=("a", "b"))
    monkeypatch.setattr("arena.plugins.explain.job.explain_game", lambda *_, **__: explained)
    assert explain(FIELD, "10", *words).output == f"X: a\nO: b\n{said}"


@pytest.mark.compiles
def test_a_replay_of_an_audited_game_says_the_same_of_its_blunders(arena):
    told, shown = arena("explain", FIELD, 40).out, arena("replay", FIELD, 40).out
    blunders = told.split("\n\n")[1:]
    assert len(blunders) == 3
    assert all(" ".join(blunder.split()) in " ".join(shown.split()) for blunder in blunders)  # wrapped in a terminal
    assert arena("replay", FIELD, 40, "--ply", 7).out.endswith(blunders[-1])
    assert "a win becomes" not in arena("replay", FIELD, 40, "--ply", 8).out


def test_a_game_that_ended_by_a_fault_says_so():
    words = " ".join(explain(FIELD, "21").output.split())  # wrapped in a terminal
    story = (
        "O was winning until ply 3. Column 1 at ply 3 gave X a win in 33 plies. O then lost by a fault: illegal move."
    )
    assert story in words
    assert "ply 3, O in column 1: a win becomes a loss; column 6 kept the win By search: X plays 4" in words


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("1", "2", "3"), "explain takes"),
        (("44", "--ply", "2"), "ply 2"),
        (("44", "--agent", "greedy"), "--agent needs a stored game"),
        ((FIELD, "10", "--agent", "mcts"), "'mcts'"),
        ((FIELD, "1", "--agent", "alphabeta"), "'alphabeta'"),
        ((FIELD, "10", "--agent", "minimax:depth=2"), "'minimax:depth=2'"),
    ],
)
def test_what_is_no_game_or_no_agent_of_it_is_refused_in_a_line(words, says):
    assert says in str(explain(*words).exception)
