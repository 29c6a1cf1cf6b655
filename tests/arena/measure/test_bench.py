import pytest

from agents.agent import Analysis, Limits
from agents.board import Board
from agents.jit.compiler import JIT
from agents.solver.solver import Solver
from agents.specs.parts import HEURISTICS, ORDERINGS, complete
from agents.specs.registry import parse
from arena.measure import bench


def test_every_search_ordering_and_heuristic_is_measured_once():
    texts = [spec.text for spec in bench.benches()]
    assert len(set(texts)) == len(texts)
    assert texts[0] == "minimax:depth=7,heuristic=powers-of-ten"
    assert texts[-2:] == ["mcts:playouts=1000", "perfect"]
    for order in ORDERINGS:
        assert f"alphabeta:depth=11,order={order},heuristic=powers-of-ten" in texts
    assert "alphabeta:depth=11,order=centre,heuristic=powers-of-ten,table=on" in texts
    others = [name for name in complete(HEURISTICS) if name != "powers-of-ten"]
    assert [text for text in texts if text.startswith("alphabeta:depth=9,")] == [
        f"alphabeta:depth=9,order=centre,heuristic={name}" for name in others
    ]
    assert len(texts) == 1 + len(ORDERINGS) + 1 + len(others) + 2


def test_agents_take_turns_and_the_fastest_search_counts(monkeypatch):
    monkeypatch.setattr(bench, "ROUNDS", 3)
    monkeypatch.setattr(bench, "SECONDS", 0.0)
    done = []
    texts = ["minimax:depth=2", "alphabeta:depth=2"]
    rows = bench.bench([parse(text) for text in texts], lambda: done.append(1))
    assert len(done) == 6
    assert [row.agent for row in rows] == texts
    for row in rows:
        nodes = parse(row.agent).build().choose(Board(), Limits()).nodes
        assert (row.position, row.nodes, len(row.round_seconds)) == ("", nodes, 3)
        assert row.seconds == min(row.round_seconds) > 0.0
        assert row.nodes_per_second == pytest.approx(nodes / row.seconds)


def test_a_turn_repeats_its_search_while_there_is_time_and_keeps_the_fastest(monkeypatch):
    moments = iter([0.0, 0.01, 0.02, 0.039, 0.041])
    monkeypatch.setattr(bench.time, "perf_counter", lambda: next(moments))
    searches = iter([(5, 0.3), (6, 0.1), (7, 0.2), (8, 0.4)])
    assert bench._fastest(lambda: next(searches)) == (6, 0.1)


def test_the_fastest_turn_is_an_agents_speed_and_the_solver_has_its_own_position():
    found = bench._speed("perfect", [(10, 0.5), (8, 0.25), (9, 1.0)])
    assert found == bench.Speed("perfect", bench.MIDDLE_GAME, 8, 0.25, 32.0, (0.5, 0.25, 1.0))
    for name in ("mcts", "perfect:table-size=1"):  # the second is asked on the empty board, like any other agent
        assert bench._speed(name, [(10, 0.5)]).position == ""
    board = Board.from_moves(bench.MIDDLE_GAME)
    assert (board.ply, board.outcome) == (12, None)


def test_the_solver_is_measured_on_its_own_position_from_an_empty_table(monkeypatch):
    monkeypatch.setattr(bench, "MIDDLE_GAME", "5471256622612712662157437715763153")
    search = bench._search(parse("perfect"), None)
    (nodes, seconds), again = search(), search()
    fresh = Solver(mebibytes=1)
    fresh.score_of(Board.from_moves(bench.MIDDLE_GAME))
    assert nodes == again[0] == fresh.nodes > 1
    assert 0.0 <= seconds < 60.0
    asked = []

    class Scripted:
        def prepare(self, rules):
            asked.append(f"prepare {rules}")

        def new_game(self, seed):
            asked.append(seed)

        def choose(self, board, limits):
            asked.append((board.text, limits))
            return Analysis(0, 1, 2, 30)

    assert bench._search(parse("perfect:table-size=1"), Scripted())()[0] == 30
    assert asked == ["prepare 7x6x4", *[0, ("", Limits())] * 2]


def test_a_clock_that_stood_still_has_measured_nothing():
    turns = iter([(10, 0.0), (10, 0.5), (10, 0.0), (10, 9.0)])
    assert bench._fastest(lambda: next(turns, (10, 1.0))) == (10, 0.5)
    assert bench._speed("x", [(10, 0.0), (10, 0.5), (10, 2.0)]).nodes_per_second == 20


@pytest.mark.skipif(not JIT, reason="it measures compiled code")
def test_the_bench_measures_nodes_a_second(monkeypatch):
    monkeypatch.setattr(bench, "SECONDS", 0.01)
    [found] = bench.bench([parse("minimax:depth=4,heuristic=zero")])
    assert (found.agent, found.nodes) == ("minimax:depth=4,heuristic=zero", 2801)
    assert found.nodes_per_second == pytest.approx(2801 / found.seconds)
