"""The numbers of one row compute: nodes, time and nodes a second, by one mean and one clock in every table."""

from dataclasses import is_dataclass

import pytest
from hand_made import FIRST, decision, frames, stored

from agents.board import Board
from agents.specs.registry import parse
from arena.depth.cost import Cost, depth_table, means
from arena.records import Interval, Termination
from arena.table.rows import names
from arena.tournament.effort import effort
from arena.tournament.standings import standings


def test_the_rows_that_print_nodes_a_second_are_those_of_this_file():
    import arena.depth.tables
    import arena.tournament.tables  # noqa: F401  all rows are known once what prints them is

    rows, known = [object], set()
    while rows:
        below = [kind for kind in type.__subclasses__(rows.pop()) if kind.__module__.startswith("arena")]
        known |= {kind.__name__ for kind in below if is_dataclass(kind) and "nodes_per_second" in names(kind)}
        rows += below
    assert known - {"SearchCost"} == {"Effort", "Cost", "CountedCost"}


def searched(number):
    """Return the moves of an agent whose clock shows half of the referee's time, with a pause of the machine in one."""
    nodes = [1000 * (1 + place % 9) for place in range(number)]
    seconds = [count / 1e6 for count in nodes[:-1]] + [20.0]
    return tuple(
        decision(2 + 2 * place, 3, count, 2.0 * spent, (3, count, spent))
        for place, (count, spent) in enumerate(zip(nodes, seconds, strict=True))
    )


def test_effort_and_standings_of_a_search_have_the_same_nodes_and_time(tmp_path):
    games = [(0, 1, opening, f"4{opening}", FIRST, Termination.LINE, searched(20)) for opening in (0, 1)]
    seen = frames(stored(tmp_path / "run", ("alphabeta:depth=3", "random"), games))
    [row] = effort(seen)
    [own] = [standing for standing in standings(seen) if standing.agent == row.agent]
    assert row.nodes_per_second == pytest.approx(row.nodes / row.ms.value * 1000)
    assert row.nodes_per_second == pytest.approx(1e6), "a pause of the machine is left out"
    assert (own.nodes_per_move, own.ms_per_move) == (row.nodes, row.ms)


def test_a_move_whose_search_broke_off_within_a_depth_is_timed_by_the_referee(tmp_path):
    broken = (decision(2, 3, 900, 0.010, (3, 400, 0.004)), decision(4, 3, 300, 0.006, (3, 300, 0.002)))
    seen = frames(
        stored(tmp_path / "run", ("alphabeta:depth=3", "random"), [(0, 1, 0, "4", FIRST, Termination.LINE, broken)])
    )
    [own, _] = standings(seen)
    assert (own.nodes_per_move, own.ms_per_move.value) == pytest.approx((600.0, 6.0))


def test_depths_compute_in_one_position_and_in_the_mean_of_several():
    boards = [Board.from_moves(text) for text in ("", "4", "44", "4455", "1234567")]
    rows = depth_table([parse("alphabeta")], (2, 4), boards, 1.0)
    for row in [*rows, *means(rows)]:
        assert isinstance(row.seconds, Interval)
        assert row.nodes_per_second == pytest.approx(row.nodes / row.seconds.value)
    slow = [Cost("a", str(place), 1, 10.0, Interval(1.0 if place else 100.0, None, None)) for place in range(40)]
    [row] = means(slow)
    assert (row.seconds.value, row.nodes_per_second) == pytest.approx((139 / 40, 400 / 139)), "a dear position counts"
