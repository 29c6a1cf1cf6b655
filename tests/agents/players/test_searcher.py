import contextlib
import functools
from types import SimpleNamespace

import pytest
from grid import open_boards
from hypothesis import given
from searched import run

from agents.agent import Analysis, Iteration, Limits
from agents.board import STANDARD, Board, Rules
from agents.jit.compiler import JIT
from agents.players import searcher
from agents.players.itu_2012 import Itu2012
from agents.players.searcher import tighter
from agents.score import WIN
from agents.search.control import ABORTED, HISTORY, KILLERS, LMR, PRUNE, PVS, TERMINAL_SCORES
from agents.specs.components import HEURISTICS, ORDERINGS, complete
from agents.specs.registry import parse

DEPTH = 4 if JIT else 2
SEARCHES = (
    "minimax:",
    "alphabeta:",
    "alphabeta:table=on,table-size=1,",
    "alphabeta:deepening=on,table=on,table-size=1,",
)


@functools.cache
def agent(spec):
    return parse(spec).build()


def choice(search, order, heuristic, board):
    found = agent(f"{search}depth={DEPTH},heuristic={heuristic},order={order}").choose(board, Limits())
    return found.column, found.score


@pytest.mark.parametrize("order", ORDERINGS)
@pytest.mark.parametrize("heuristic", ["zero", "smart-simple"])
@given(board=open_boards(sizes=(Board().rules,), longest=20))
def test_all_searches_choose_alike_where_they_try_moves_in_the_same_order(order, heuristic, board):
    assert len({choice(search, order, heuristic, board) for search in SEARCHES}) == 1


def test_minimax_breaks_its_ties_by_the_order():
    chosen = {order: choice("minimax:", order, "zero", Board())[0] for order in ("left-to-right", "centre")}
    assert chosen == {"left-to-right": 0, "centre": 3}


def test_an_order_costs_minimax_no_node_and_saves_none():
    agents = [agent(f"minimax:depth=3,order={order}") for order in ORDERINGS]
    assert {each.choose(Board(), Limits()).nodes for each in agents} == {400}


@pytest.mark.parametrize(("name", "other"), [("powers-of-ten", "windows(1,10,100,1000)"),
                                             ("smart-aware", "aware(40,17,15,4,2,13)")])  # fmt: skip
def test_a_name_and_its_weights_are_the_same_search(name, other):
    boards = [Board.from_moves(moves) for moves in ("", "44", "4453", "12345")]
    found = [
        [agent(f"alphabeta:depth={DEPTH},heuristic={each}").choose(board, Limits()) for board in boards]
        for each in (name, other)
    ]
    assert [(one.column, one.score, one.nodes, one.pv) for one in found[0]] == [
        (one.column, one.score, one.nodes, one.pv) for one in found[1]
    ]


@pytest.mark.parametrize("kind", ["minimax", "alphabeta"])
def test_the_heuristic_is_powers_of_ten_unless_another_is_named(kind):
    spec = parse(kind)
    assert spec.resolved()["heuristic"] == spec.build().heuristic == "powers-of-ten"
    assert "powers-of-ten" in complete(HEURISTICS)


def test_a_new_game_begins_with_an_empty_table():
    searcher = parse(f"alphabeta:depth={DEPTH + 2},table=on,table-size=1").build()
    first, second = (searcher.choose(Board(), Limits()) for _ in range(2))
    assert second.nodes < first.nodes
    searcher.new_game(0)
    assert searcher.choose(Board(), Limits()).nodes == first.nodes


LATE = Board.from_moves("4321311144", Rules(4, 4))
"""Ten of sixteen cells are taken, and nobody has won."""


def depths(spec, limits=Limits(), board=LATE):  # noqa: B008  immutable
    return [each.depth for each in parse(f"{spec}heuristic=zero").build().choose(board, limits).iterations]


def test_without_a_limit_it_searches_six_plies_at_once_and_deepens_where_it_is_told_to():
    assert depths("alphabeta:") == [6]
    assert depths("alphabeta:deepening=on,") == [1, 2, 3, 4, 5, 6]
    assert depths("alphabeta:depth=3,") == [3]
    assert depths("alphabeta:depth=3,", Limits(depth=2)) == [2]


def test_with_a_limit_it_deepens_to_the_end_of_the_game_or_to_its_depth():
    later = LATE.play(LATE.legal_moves()[0])
    left = 16 - later.ply
    assert depths("alphabeta:", Limits(nodes=10**6), later) == list(range(1, left + 1))
    assert depths("alphabeta:nodes=1000000,depth=2,", board=later) == [1, 2]
    assert depths("alphabeta:depth=60,deepening=on,", board=later) == list(range(1, left + 1))


def test_the_tighter_of_two_limits_holds_and_none_is_no_limit():
    assert [tighter(*pair) for pair in ((3, 5), (5, 3), (None, 3), (3, None), (None, None))] == [3, 3, 3, 3, None]


def test_deepening_ends_at_a_proven_win_and_tells_the_line_to_it():
    found = parse("alphabeta:deepening=on,depth=9").build().choose(Board.from_moves("112233"), Limits())
    assert [(each.depth, each.score, each.column) for each in found.iterations] == [(1, WIN - 1, 3)]
    assert (found.column, found.score, found.depth, found.pv) == (3, WIN - 1, 1, (3,))
    assert found.nodes == found.iterations[-1].nodes


def test_deepening_tries_the_best_move_of_the_last_depth_first():
    board, first, before = Board.from_moves("4453"), -1, 0
    for each in parse("alphabeta:deepening=on,depth=4").build().choose(board, Limits()).iterations:
        nodes = run(board, each.depth, hash_move=first)[2]
        assert each.nodes == before + nodes
        first, before = each.column, each.nodes
    assert nodes < run(board, 4)[2]


@pytest.mark.parametrize(("order", "column"), [("left-to-right", 1), ("centre", 3)])
def test_without_a_finished_depth_the_first_column_in_the_order_answers(order, column):
    found = parse(f"alphabeta:order={order},nodes=2").build().choose(Board.from_moves("111111"), Limits())
    assert (found.column, found.score, found.depth, found.pv, found.iterations) == (column, None, 0, (column,), ())
    assert found.nodes <= 2


@pytest.mark.parametrize(("own", "game"), [(5.0, 3.0), (3.0, 5.0), (None, 3.0), (3.0, None)])
def test_its_deadline_is_what_is_left_of_the_tighter_of_two_times(monkeypatch, own, game):
    asked, moments = [], iter([10.0, 10.5, *[11.0] * 99])
    monkeypatch.setattr(searcher.time, "perf_counter", lambda: next(moments))
    monkeypatch.setattr(searcher, "deadline", lambda seconds, _: asked.append(seconds) or contextlib.nullcontext())
    searcher.Searcher(seconds=own, nodes=50).choose(LATE, Limits(seconds=game))
    assert asked == [2.5]


def test_it_is_made_ready_for_each_board_and_for_each_of_its_rules_with_all_of_its_settings(monkeypatch):
    made = []

    def part(kind):
        def named(name, rules, *, compiled):
            made.append((kind, name, str(rules), compiled))
            return SimpleNamespace(columns=[1, 0], compiled=compiled, sort_moves="so")

        return named

    monkeypatch.setattr("agents.search.compiled.heuristic", part("heuristic"))
    monkeypatch.setattr("agents.search.compiled.ordering", part("ordering"))

    def search(rules, heuristic, order, *given):
        made.append((str(rules), heuristic.compiled, order.sort_moves, *given))
        return SimpleNamespace(forget=lambda: made.append("forgotten"))

    monkeypatch.setattr("agents.search.most_fours.MostFoursSearch", search)  # first: it imports the other
    monkeypatch.setattr("agents.search.negamax.NegamaxSearch", search)
    agent = searcher.Searcher(
        heuristic="h", order="o", table=True, table_size=700, history=True, points=9, pruning=False
    )
    given = (Rules(), Rules(), Rules(most_fours=True), Rules(most_fours=True), Rules(connect=5), Rules(5, 4), Rules())
    for rules in given:
        agent.prepare(rules)
    assert made == [
        each for rules in ("7x6x4", "7x6x4:most-fours", "7x6x5", "5x4x4", "7x6x4") for each in (
            ("heuristic", "h", rules, True), ("ordering", "o", rules, True),
            (rules, True, "so", HISTORY | TERMINAL_SCORES, 700, *([9] if "most" in rules else [])), "forgotten")
    ]  # fmt: skip
    for named, flags in (({}, PRUNE | TERMINAL_SCORES), ({"terminal_scores": False, "pvs": True}, PRUNE | PVS)):
        searcher.Searcher(**named).prepare(Rules())
        assert made[-2] == ("7x6x4", True, "so", flags, 0)


@pytest.mark.parametrize(
    ("words", "flags"),
    [("", 0), (":killers=on", KILLERS), (":history=on", HISTORY), (":pvs=on", PVS), (":lmr=on", LMR),
     (":killers=on,history=on,pvs=on", KILLERS | HISTORY | PVS)],
)  # fmt: skip
def test_each_option_is_a_flag_of_its_own(words, flags):
    assert parse(f"alphabeta{words}").build().flags == flags | PRUNE | TERMINAL_SCORES


def test_the_tables_size_counts_where_there_is_a_table():
    sizes = [
        parse(f"alphabeta{words}").build().megabytes
        for words in ("", ":table-size=4", ":table=on", ":table=on,table-size=4")
    ]
    assert sizes == [0, 0, 16, 4]


@pytest.mark.parametrize(
    ("plies", "own", "game", "depth"),
    [(0, None, None, 7), (10, None, None, 8), (21, None, None, 12), (27, None, None, 15), (28, None, None, 14),
     (40, None, None, 2), (41, None, None, 1), (10, 0, None, 1), (10, 3, None, 4), (39, 3, None, 3), (10, None, 2, 2),
     (10, 3, 9, 4)],
)  # fmt: skip
def test_the_itu_program_searches_deeper_the_fewer_cells_are_empty(monkeypatch, plies, own, game, depth):
    asked = []
    monkeypatch.setattr(searcher.Searcher, "choose", lambda self, board, limits: asked.append(limits))
    board = Board(STANDARD, 0, 0, plies)
    Itu2012(cutoff=own).choose(board, Limits(game, 900, 2.0))
    assert asked == [Limits(depth, 900, 2.0)]


def test_a_depth_is_told_with_the_nodes_and_the_time_since_the_search_began(monkeypatch):
    moments = iter([10.0, 10.5, 12.0, 15.0])
    monkeypatch.setattr(searcher.time, "perf_counter", lambda: next(moments))
    asked, answers = [], iter([(7, 3, 8), (-2, 4, 20), (5, 2, 90), (0, ABORTED, 95)])

    class Answers:
        nodes, pv = 0, ()

        def begin(self, most):
            asked.append(most)

        def run(self, *position):
            asked.append(position)
            score, column, self.nodes = next(answers)
            self.pv = (column, 6)
            return score, column

    agent, told = searcher.Searcher(nodes=95), []
    agent.search, agent._rules, agent.completed = Answers(), STANDARD, lambda *depth: told.append(depth)
    board = Board.from_moves("4453")
    analysis = agent.choose(board, Limits(depth=9))
    iterations = (Iteration(1, 8, 0.5, 7, 3), Iteration(2, 20, 2.0, -2, 4), Iteration(3, 90, 5.0, 5, 2))
    assert analysis == Analysis(2, 5, 3, 95, (2, 6), iterations)
    assert told == list(zip(iterations, [(3, 6), (4, 6), (2, 6)], strict=True))
    assert asked == [95, *((board.own, board.opp, depth + 1, (-1, 3, 4, 2)[depth]) for depth in range(4))]


@pytest.mark.parametrize(
    "spec", ["alphabeta:depth=9", "mollerhoj:depth=9", "smart-connect4:depth=9", "minimax:depth=9"]
)
def test_every_completed_depth_is_told_with_its_line(spec):
    agent, told = parse(spec).build(), []
    agent.completed = lambda iteration, line: told.append((iteration, line))
    found = agent.choose(Board.from_moves("112233"), Limits(nodes=400))
    assert [iteration for iteration, _ in told] == [*found.iterations]
    assert told[-1][1] == found.pv
    assert all(line[0] == iteration.column for iteration, line in told)
    proven_at = [iteration.depth for iteration, _ in told if iteration.score == WIN - 1]
    assert proven_at == ([1] if not spec.startswith("mollerhoj") else [])
    assert (len(told) > 1) is spec.startswith("mollerhoj")  # only where a win is worth no more than a number


def test_what_was_learnt_in_one_move_is_not_counted_in_the_next():
    agent = parse("alphabeta:killers=on,history=on,depth=4,order=centre").build()
    first = agent.choose(Board.from_moves("44"), Limits())
    agent.choose(Board.from_moves("123"), Limits())
    again = agent.choose(Board.from_moves("44"), Limits())
    assert (again.nodes, again.pv) == (first.nodes, first.pv)
