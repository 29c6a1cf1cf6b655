import json

import arena as api
from agents.agent import Limits
from agents.board import STANDARD, Board, Rules
from agents.jit.compiler import JIT
from agents.players.searcher import Searcher
from agents.specs.registry import expand
from arena.analysis.effort import ProfileColumns, uniform_nodes
from arena.cells import turns
from arena.measure import profile
from arena.measure.depths import ProfiledCost, depth_table, means
from arena.measure.profile import Profiler
from arena.rows import names

ISSUED = [
    "inner", "leaves", "table_cutoffs", "cutoffs", "first_move_cut_rate", "probes", "hits", "minimal_nodes",
    "over_minimal",
]  # fmt: skip
EMPTY = [Board()]
DEPTHS = range(1, 7 if JIT else 4)


def table(*specs, depths=DEPTHS, boards=EMPTY, budget=60.0):
    return depth_table([each for text in specs for each in expand(text)], depths, boards, budget, why=True)


def test_the_nodes_of_a_row_are_its_inner_nodes_leaves_and_table_cutoffs():
    for row in table("minimax", "alphabeta:order=centre", "alphabeta:table=on,deepening=on", "mollerhoj"):
        assert row.inner + row.leaves + row.table_cutoffs == row.nodes
        assert row.over_minimal == row.nodes / row.minimal_nodes
        assert row.uniform_nodes == uniform_nodes(7, row.depth)
        assert len(row.cutoffs) == 7
        assert row.cut_share == sum(row.cutoffs) / row.inner
        if sum(row.cutoffs):
            assert row.first_move_cut_rate == row.cutoffs[0] / sum(row.cutoffs)
        else:
            assert row.first_move_cut_rate is None


def test_without_cuts_there_is_no_rate_of_the_first_move():
    assert {row.first_move_cut_rate for row in table("minimax")} == {None}


def test_of_agents_that_do_not_count_and_of_skipped_rows_nothing_is_known():
    for row in (*table("minimax", budget=0.0)[-1:], *table(TOLD)):
        assert isinstance(row, ProfiledCost)
        assert [getattr(row, name) for name in names(ProfileColumns)] == [None] * len(names(ProfileColumns))


TOLD = f"{__file__}:Deep"


class Deep:
    """Searches on its own."""

    def choose(self, board, limits):
        return Searcher(depth=limits.depth).choose(board, limits)


def test_a_mean_over_positions_is_that_of_the_counts_and_of_the_sums():
    boards = [Board.from_moves(moves) for moves in ("44", "1234567")]
    one, other = table("alphabeta:order=centre", depths=[3], boards=boards)
    [mean] = means([one, other])
    assert (mean.inner, mean.leaves) == ((one.inner + other.inner) / 2, (one.leaves + other.leaves) / 2)
    assert mean.over_minimal == (one.nodes + other.nodes) / (one.minimal_nodes + other.minimal_nodes)
    assert mean.inner + mean.leaves == mean.nodes


def test_a_minimal_tree_that_is_too_dear_is_none_and_the_counts_are_still_there():
    profiler = Profiler(Searcher(), "searcher")
    [(iteration, counts)] = profiler.search(Board(), Limits(depth=4))
    assert profiler.profile(Board(), iteration, counts, limit=10).minimal_nodes is None
    found = profiler.profile(Board(), iteration, counts)
    assert (found.inner + found.leaves, found.minimal_nodes) == (iteration.nodes, 173)


def test_a_search_is_looked_into_from_a_cleared_memory():
    spec, board = "alphabeta:order=centre,table=on,table-size=1", Board.from_moves("44")
    first, again = table(spec, depths=[4], boards=[board, board])
    assert (first.nodes, first.inner, first.probes, first.hits) == (again.nodes, again.inner, again.probes, again.hits)
    assert first.probes > 0


def test_whoever_counts_is_prepared_once_for_a_board_and_nobody_else(monkeypatch):
    done = []
    monkeypatch.setattr(profile, "prepare", lambda agent, rules, name: done.append((name, rules)))
    counts, other = Profiler(Searcher(), "counts"), Profiler(Deep(), "other")
    for rules in (STANDARD, STANDARD, Rules(5, 4), STANDARD):
        counts.prepare(rules)
        other.prepare(rules)
    assert done == [("counts", STANDARD), ("counts", Rules(5, 4)), ("counts", STANDARD)]
    assert (counts.rules, other.rules, other.heuristic) == (STANDARD, None, None)
    assert other.search(Board(), Limits(depth=2)) == []


def test_turns_are_shares_in_percent():
    assert turns((6, 3, 1)) == "60 30 10"
    assert turns((0, 0, 0)) == "-"


def test_the_command_names_the_fields_in_json_and_shows_a_second_table(arena):
    words = ("depths", "alphabeta:order=centre", "--depth", "4", "--quiet")
    [row] = json.loads(arena(*words, "--why", "--json").out)
    assert set(ISSUED) <= set(row)
    assert row["nodes"] == row["inner"] + row["leaves"] + row["table_cutoffs"] == 239
    [plain] = json.loads(arena(*words, "--json").out)
    assert not set(ISSUED) & set(plain)
    text = arena(*words, "--why").out
    assert "by the first" in text
    assert "× minimal" in text


def test_python_has_the_same_columns():
    found = api.depths(["alphabeta:order=centre"], 4, why=True, rules=STANDARD)
    assert list(found.columns) == names(ProfiledCost)
    assert found["inner"][0] + found["leaves"][0] == found["nodes"][0]
    assert "inner" not in api.depths(["alphabeta"], 2)
