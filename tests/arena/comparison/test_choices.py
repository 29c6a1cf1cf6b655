"""What the heuristics of a comparison choose in the same positions."""

import pytest
from hand_made import frames

from agents.board import Board, Rules
from agents.specs.registry import parse
from arena.comparison import asked as choices
from arena.comparison import plan as comparison
from arena.comparison.asked import compare_choices
from arena.comparison.choices import compare_choices as counted
from arena.comparison.choices import why
from arena.comparison.plan import Level
from arena.games.run import Run
from arena.games.workers import InProcess

SMALL = Rules(4, 4)
ONE, TWO = "zero", "powers-of-ten"


@pytest.fixture(params=["depth", "nodes"])
def played(request, tmp_path):
    levels = [Level(request.param, value) for value in {"depth": "12", "nodes": ("9", "40")}[request.param]]
    plan = comparison.plan([ONE, TWO], "alphabeta", levels, openings="plies:2", rounds=4, rules=SMALL)
    run = Run.begin(plan, tmp_path / "run.sqlite")
    run.play(InProcess())
    return run


def value(board):
    """Return the value of a position for the side to move, by all moves that follow."""
    if board.outcome is not None:
        return 0 if board.outcome.winner is None else 1 if board.outcome.winner == board.mover else -1
    return max(-value(board.play(column)) for column in board.legal_moves())


def test_both_are_asked_about_the_same_positions_and_perfect_play_judges_where_they_differ(played, monkeypatch):
    monkeypatch.setattr(choices, "POSITIONS", 12)
    compare_choices(played)
    levels = played.plan.comparison["levels"]
    found = frames(played.store.path)
    moves = found.games.set_index("game")["moves"]
    agents = {name: parse(name).build() for names in levels.values() for name in names}
    assert set(found.table("choices")["agent"]) == set(agents)
    expected = {ONE: 0, TWO: 0}
    different = 0
    for (game, ply), rows in found.table("choices").groupby(["game", "ply"]):
        board = Board.from_moves(moves[game][:ply], SMALL)
        columns = dict(zip(rows["agent"], rows["column"] - 1, strict=True))
        for name, column in columns.items():
            agents[name].new_game(played.plan.seed)
            assert agents[name].choose(board, played.setting.conditions.limits).column == column
        if len(set(columns.values())) == 1:
            assert rows["lost"].isna().all()
            continue
        different += 1
        if board.ply < 6:  # the slow value takes long
            continue
        lost = {name: int(-value(board.play(column)) < value(board)) for name, column in columns.items()}
        assert dict(zip(rows["agent"], rows["lost"], strict=True)) == lost
    told = counted(found, levels, ONE, TWO)
    assert told.positions == sum(len(rows) == 2 for _, rows in found.table("choices").groupby(["game", "ply"]))
    assert told.different == different > 0
    heuristic = {agent: name for names in levels.values() for agent, name in names.items()}
    for _, rows in found.table("choices").dropna().groupby(["game", "ply"]):
        losers = [heuristic[agent] for agent in rows["agent"][rows["lost"] == 1]]
        for name in losers if len(losers) == 1 else []:
            expected[name] += 1
    assert told.lost == (expected[ONE], expected[TWO])
    compare_choices(played)
    played.store.close()
    assert len(frames(played.store.path).table("choices")) == len(found.table("choices")), (
        "earlier choices are replaced"
    )


def test_agents_that_move_by_the_clock_are_not_asked(tmp_path):
    plan = comparison.plan(
        [ONE, TWO], "alphabeta", [Level("seconds", "0.001")], openings="plies:2", rounds=1, rules=SMALL
    )
    run = Run.begin(plan, tmp_path / "run.sqlite")
    run.play(InProcess())
    compare_choices(run)
    run.store.close()
    assert frames(run.store.path).table("choices").empty


def test_a_position_that_takes_too_long_has_no_judgement(played, monkeypatch):
    monkeypatch.setattr(choices, "NODES", 0)
    compare_choices(played)
    played.store.close()
    found = frames(played.store.path)
    told = counted(found, played.plan.comparison["levels"], ONE, TWO)
    assert told.different > 0
    assert told.judged < told.different
    assert f"they chose differently in {told.different} of {told.positions} positions" in why(told, ONE, TWO, "f")


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ((9, 0, 0, (0, 0), None), "why: both chose the same move in all 9 positions that they were asked about"),
        ((9, 2, 0, (0, 0), None), "why: they chose differently in 2 of 9 positions"),
        (
            (9, 2, 2, (0, 0), None),
            "why: they chose differently in 2 of 9 positions, and neither gave a win or a draw away there",
        ),
        (
            (9, 4, 4, (1, 2), (12, 9)),
            (
                "why: they chose differently in 4 of 9 positions; where one of them gave a win or a draw away, "
                "it was a 1 time and b 2 times; look at: arena replay 'my run.sqlite' 12 --ply 9"
            ),
        ),
    ],
)
def test_the_reason_is_one_sentence(counts, words):
    from arena.comparison.choices import Choices

    assert why(Choices(*counts), "a", "b", "my run.sqlite") == words
    assert why(None, "a", "b", "f") == ""
