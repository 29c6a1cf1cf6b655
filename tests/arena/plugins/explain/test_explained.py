"""What an explanation asks the judge of moves, and what becomes of the answers."""

import io
from types import SimpleNamespace as Row

import pytest
from samples import DATA
from tqdm import tqdm

from agents.board import Board, Rules
from agents.errors import InputError
from arena.plugins.explain import job
from arena.plugins.explain.explain import Explanation
from arena.plugins.explain.job import Explained, explain, explain_game, of_last

FIELD = DATA / "runs" / "field.sqlite"


@pytest.fixture
def asked(monkeypatch):
    """What is asked of a stand-in for the solver, to which plies 2, 5 and 11 of any game lost a win."""
    asked = []

    def blunders(board, plies):
        asked.append((board.text, list(plies)))
        lost = (ply for ply in plies if ply in {2, 5, 11})
        return (Explanation(ply, board.moves[ply] + 1, 1, -1, "3 6", "search", "1", "", 9, 4, 5) for ply in lost)

    def judge(rules):
        asked.append(rules)
        return Row(blunders=blunders, value=lambda board: asked.append(board.text) or 1)

    monkeypatch.setattr("arena.plugins.explain.explain.Explainer", judge)
    return asked


@pytest.fixture
def meters():
    """A function that begins a progress bar, and the bars so far with their units."""
    begun = []

    def begin(unit, total):
        begun.append((unit, tqdm(total=total, file=io.StringIO())))
        return begun[-1][1]

    begin.begun = begun
    return begin


def test_a_game_is_judged_on_its_board_beside_what_was_believed_with_a_bar_of_its_plies(asked, meters):
    explained = explain("1122335", rules="5x4", beliefs={2: (-100, 2)}, progress=meters)
    assert asked == [Rules(5, 4), ("1122335", [*range(7)]), ""]
    assert [(unit, meter.n, meter.total) for unit, meter in meters.begun] == [("move", 6, 7)]
    seen = "X's search saw −100 at depth 2; the loss shows from depth 5"
    assert [explained.lines(row)[1] == seen for row in explained.rows] == [True, False]
    rows = explained.document()
    assert [(row["ply"], row["column"], row["lines"][0].partition(":")[0]) for row in rows] == [
        (2, 2, "ply 2, X in column 2"), (5, 3, "ply 5, O in column 3")
    ]  # fmt: skip
    assert explained.story[0] == "X was winning until ply 2."


def test_the_last_move_alone_is_explained_with_what_was_believed_of_it(asked):
    lines = of_last(Board.from_moves("112"), (-100, 2))
    assert lines[0].startswith("ply 2, X in column 2: ")
    assert lines[1] == "X's search saw −100 at depth 2; the loss shows from depth 5"
    assert of_last(Board.from_moves("11"), (-100, 2)) == []
    assert [plies for _, plies in asked[1::3]] == [[2], [1]]


def test_a_stored_game_is_judged_from_its_opening_on_with_a_bar(asked, meters):
    explained = explain_game(FIELD, 10, progress=meters)
    moves = explained.board.text
    _, (text, plies), opening = asked
    assert (text, plies) == (moves, [*range(len(opening), len(moves))])
    assert moves.startswith(opening)
    assert opening
    assert "fault" not in " ".join(explained.story)
    assert [(unit, meter.n, meter.total) for unit, meter in meters.begun] == [("move", 12, len(moves))]
    with pytest.raises(InputError) as raised:
        explain_game(FIELD, 10, agent="minimax:depth=2")
    assert all(name in str(raised.value) for name in explained.names)


def test_where_most_fours_win_nothing_is_explained(asked):
    with pytest.raises(InputError, match="the solver"):
        explain("1122", rules=Rules(most_fours=True))
    assert asked == []


def test_the_command_asks_for_a_ply_or_an_agent_with_a_bar_and_answers_on_stdout(arena, monkeypatch):
    asked, explained = [], Explained([], Explanation, story=("One.", "Two."))
    for name in ("explain", "explain_game"):
        monkeypatch.setattr(
            job, name, lambda *given, progress, **more: asked.append((progress, given, more)) or explained
        )
    for words in (("1122", "--board", "5x4"), (FIELD, "3"), (FIELD, "3", "--agent", "a", "--ply", 2)):
        done = arena("explain", *words)
        assert (done.code, done.err) == (0, "")
        assert done.out == ("no move by a at ply 2 lost value\n" if "--ply" in words else "One. Two.\n")
    assert all(callable(progress) for progress, *_ in asked)
    assert [each[1:] for each in asked] == [
        (("1122",), {"ply": None, "rules": Rules(5, 4)}), ((FIELD, "3"), {"ply": None, "agent": None}),
        ((FIELD, "3"), {"ply": 2, "agent": "a"}),
    ]  # fmt: skip


def test_after_an_opening_of_an_odd_number_of_moves_the_story_begins_with_what_it_was_worth_to_o(asked):
    explained = job._explained(Board.from_moves("1122335"), range(7), opening=1)
    assert asked[1:] == [("1122335", [*range(1, 7)]), "1"]
    assert explained.story[0] == "O was winning until ply 2."
