"""What the heuristics of a comparison choose in the same positions."""

from itertools import count
from types import SimpleNamespace

import pandas as pd
import pytest
from hand_made import frames

from agents.board import Board, Rules
from agents.specs.registry import parse
from arena.comparison import asked as choices
from arena.comparison import plan as comparison
from arena.comparison.asked import compare_choices
from arena.comparison.choices import Choices, why
from arena.comparison.choices import compare_choices as counted
from arena.comparison.plan import Level
from arena.games.referee import Fault
from arena.games.run import Run
from arena.games.workers import InProcess
from arena.records import Termination

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
    assert why(Choices(*counts), "a", "b", "my run.sqlite") == words
    assert why(None, "a", "b", "f") == ""


THREE = (ONE, TWO, "line-runs")


@pytest.fixture
def asked(tmp_path, monkeypatch):
    """A function that asks three agents, of which the second fails, and returns the run and what was asked."""

    def ask():
        search, levels = "alphabeta:compiled=no", [Level("depth", "1")]
        plan = comparison.plan(THREE, search, levels, openings="plies:2", rounds=2, seed=5, rules=SMALL)
        run, begun, boards, steps = Run.begin(plan, tmp_path / "run.sqlite"), [], [], []
        run.play(InProcess())
        decide = choices.decide

        def begin(agent, seed):
            begun.append(seed)
            if len(begun) % 3 == 2:
                raise Fault(Termination.EXCEPTION, "it is lost")

        monkeypatch.setattr(choices, "begin", begin)
        monkeypatch.setattr(choices, "decide", lambda *given: boards.append(given[1]) or decide(*given))
        monkeypatch.setattr(choices.Judge, "lost", lambda *_: {})
        compare_choices(run, lambda: steps.append(1))
        run.store.close()
        return frames(run.store.path), set(begun), boards, len(steps)

    return ask


def test_all_agents_of_a_level_are_asked_about_each_position_that_any_moved_in_but_for_one_that_fails(asked):
    run, seeds, boards, steps = asked()
    moved = {}
    for game, text in zip(run.games["game"], run.games["moves"], strict=True):
        for ply in range(2, len(text)):
            moved.setdefault(Board.from_moves(text[:ply], SMALL).key, (game, ply))
    rows = run.table("choices")
    assert (seeds, steps, len(boards)) == ({5}, len(moved), 2 * len(moved))
    assert {board.key for board in boards} == moved.keys()
    first, third = (f"alphabeta:compiled=no,heuristic={name},depth=1" for name in (ONE, "line-runs"))
    assert set(rows[["game", "ply", "agent"]].itertuples(index=False, name=None)) == {
        (*place, agent) for place in moved.values() for agent in (first, third)
    }


def test_the_seed_of_the_run_draws_the_positions_until_their_time_is_over(asked, monkeypatch):
    monkeypatch.setattr(choices, "POSITIONS", 12)
    monkeypatch.setattr(choices, "time", SimpleNamespace(monotonic=count().__next__))
    run, _, boards, steps = asked()
    drawn = [[board.text for _, board in choices.sample(run, seed, SMALL)] for seed in (5, 1)]
    assert ([board.text for board in boards[::2]], steps) == (drawn[0][:10], choices.SECONDS)
    assert len(drawn[0]) == 12
    assert drawn[0] != drawn[1]


def test_the_solver_judges_for_ten_seconds_and_not_by_rules_that_it_does_not_know(monkeypatch):
    allowed = []
    perfect = SimpleNamespace(allow=allowed.append, outcome_of=lambda board: board.ply)
    monkeypatch.setattr(choices, "Solver", lambda rules, book: perfect)
    monkeypatch.setattr(choices, "time", SimpleNamespace(monotonic=count(0, 4).__next__))
    judge = choices.Judge(SMALL)
    assert [judge.lost(Board(SMALL), {0, 2}) for _ in range(4)] == [{0: 1, 2: 1}] * 3 + [{}]
    assert choices.Judge(Rules(4, 4, most_fours=True)).lost(Board(SMALL), {0, 2}) == {}
    assert allowed == [choices.NODES] * 3


def test_what_two_chose_is_counted_with_the_first_example_of_the_one_that_gave_more_away():
    rows = [(1, 2, "a", 3, 1), (1, 2, "b", 4, 0), (1, 3, "a", 3, 0), (1, 3, "b", 4, 1), (2, 4, "b", 1, 1),
            (2, 4, "a", 2, 0), (2, 5, "a", 3, None), (2, 5, "b", 3, None), (3, 2, "a", 3, None), (3, 2, "b", 4, None),
            (3, 3, "a", 3, 1), (3, 4, "a", 1, 1), (3, 4, "b", 2, 1)]  # fmt: skip
    table = pd.DataFrame(rows, columns=["game", "ply", "agent", "column", "lost"])
    tables, levels = SimpleNamespace(table=lambda name: table), {"depth 1": {"a": ONE, "b": TWO}, "depth 2": {"c": ONE}}
    assert counted(tables, levels, ONE, TWO) == Choices(6, 5, 4, (1, 2), (1, 3))
    assert counted(tables, levels, TWO, ONE) == Choices(6, 5, 4, (2, 1), (1, 3))
    one_alone = SimpleNamespace(table=lambda name: table[(table["game"] == 1) & (table["ply"] == 3)])
    assert counted(one_alone, levels, ONE, TWO) == Choices(1, 1, 1, (0, 1), (1, 3))
    assert counted(tables, {"depth 2": {"c": ONE, "d": TWO}}, ONE, TWO) is None
