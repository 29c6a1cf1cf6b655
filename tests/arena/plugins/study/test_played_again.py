"""What differs between a part of a study and the same part played again."""

from dataclasses import replace

import pytest
from hand_made import DRAW, FIRST, SECOND, decision, stored

from arena.plugins.study import differences as verify
from arena.records import Termination
from arena.tournament.frames import Frames

CLOCKED, CHANCE = "alphabeta:seconds=0.1", "mcts:seconds=0.1"
AGENTS = ("alphabeta:depth=2", "greedy", CLOCKED, CHANCE)
LINE, FULL, ILLEGAL = Termination.LINE, Termination.FULL, Termination.ILLEGAL


def again(path, *, changed):
    """A run and, with what is `changed` in it, the same played again."""
    new = bool(changed)

    def made(ply, nodes, *iterations, column=3):
        seconds = 0.001 * nodes * (3 - ply / 2 if new else 1)
        return decision(ply, len(iterations), nodes, seconds, *iterations, column=column)._replace(score=5)

    games = [
        (0, 1, 0, "4411", FIRST, LINE, (made(2, 8, (1, 8, 0.01)), made(3, 1))),
        (1, 0, 0, "4412", DRAW, FULL, (made(2, 1), made(3, 57 + ("nodes" in changed), (1, 9, 0.1), (2, 57, 0.2)))),
        (0, 1, 1, "1213" if "moves" in changed else "1214", SECOND, ILLEGAL, (made(2, 9, column=2),)),
        (2, 0, 0, "4444", FIRST, LINE, (
            made(2, 40 + new, (1, 8, 0.01), (2, 21 + ("search" in changed), 0.02)), made(3, 8),
        )),
        (2, 0, 1, "1244" if not new else "1255", SECOND, LINE, (made(2, 30, (1, 8, 0.01)), made(3, 8))),
        (1, 3, 0, "4477", FIRST, LINE, (made(2, 1), made(3, 500 + new, (1, 100 + new, 0.1)))),
        (3, 2, 1, "1277", FIRST, LINE, (
            made(2, 9, (1, 9, 0.1)),
            made(3, 77, (1, 8, 0.02), (2, 60, 0.05), *(() if "shallow" in changed else ((3, 70, 0.1),))),
        )),
    ]  # fmt: skip
    if "lost" in changed:
        del games[1]
    if "gone" in changed:
        del games[5]
    return Frames.read(stored(path, AGENTS, games), most=None)


BY_CLOCK = [("1-3-0 ply 3", "nodes", "500", "501"), ("2-0-0 ply 2", "nodes", "40", "41"),
            ("2-0-1", "moves", "1244", "1255")]  # fmt: skip
"""What differs of agents by the clock in every game that is played anew."""
DIFFER = {
    ("new",): BY_CLOCK, ("new", "search"): BY_CLOCK,
    ("new", "nodes"): [("1-0-0 ply 3", "nodes", "57", "58"), *BY_CLOCK],
    ("new", "moves"): [*BY_CLOCK[:2], ("0-1-1", "moves", "1214", "1213"), BY_CLOCK[2]],
    ("new", "lost"): [("1-0-0", "is there", "yes", "no"), *BY_CLOCK],
    ("new", "gone"): [("1-3-0", "is there", "yes", "no"), *BY_CLOCK[1:]],
    (): [],
}  # fmt: skip


@pytest.mark.parametrize("changed", DIFFER, ids=" ".join)
def test_what_differs_of_two_runs_is_named_by_game_ply_and_field_in_either_order(tmp_path, changed):
    old, new = again(tmp_path / "old", changed=()), again(tmp_path / "new", changed=changed)
    for one, other, turned in ((old, new, False), (new, old, True)):
        rows = verify.of_run("runs", one, other)
        found = [
            (row.place, row.field, *((row.again, row.stored) if turned else (row.stored, row.again))) for row in rows
        ]
        assert sorted(found) == sorted(DIFFER[changed])
        assert {row.part for row in rows} <= {"runs"}


CHANGES = (
    ("games", "result", "1/2-1/2"), ("games", "termination", str(FULL)), ("games", "moves", "4413"),
    ("moves", "column", 6), ("moves", "depth", 4), ("moves", "nodes", 99), ("moves", "score", -5),
    ("moves", "score", None), ("searches", "nodes", 9), ("searches", "column", 5), ("searches", "score", 6),
)  # fmt: skip


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    return again(tmp_path_factory.mktemp("played") / "old", changed=())


@pytest.mark.parametrize(("table", "field", "value"), CHANGES)
def test_any_field_of_a_game_a_move_or_a_search_may_differ(played, table, field, value):
    rows = getattr(played, table).copy()
    at = rows.index[rows["game"] == 1][-1]
    was, now = rows.at[at, field], value
    rows[field] = rows[field].astype(object)
    rows.at[at, field] = now
    changed = replace(played, **{table: rows})
    place = {"games": "0-1-0", "moves": "0-1-0 ply 3", "searches": "0-1-0 ply 3 depth 0"}[table]
    kept = [None if each is None else str(each) for each in (was, now)]
    for old, new, said in ((played, changed, kept), (changed, played, kept[::-1])):
        found = verify.of_run("runs", old, new)
        assert [(each.part, each.place, each.field, each.stored, each.again) for each in found] == [
            ("runs", place, field, str(said[0]), str(said[1]))
        ]


@pytest.mark.parametrize(("table", "place"), [("moves", "0-1-0 ply 3"), ("searches", "0-1-0 ply 3 depth 0")])
def test_a_move_or_a_search_that_only_one_of_them_has_is_a_difference_in_either_order(played, table, place):
    rows = getattr(played, table)
    last = rows.index[rows["game"] == 1][-1]
    fewer, column = replace(played, **{table: rows.drop(last)}), str(rows.at[last, "column"])
    for old, new, said in ((played, fewer, (column, "None")), (fewer, played, ("None", column))):
        [row] = verify.of_run("runs", old, new)
        assert (row.part, row.place, row.field, row.stored, row.again) == ("runs", place, "column", *said)


def test_agents_by_the_clock_are_named(played):
    assert verify.clocked(played) == [CLOCKED, CHANCE]
    assert len(verify.clocked(replace(played, plan={**played.plan, "clock": "60+1"}))) == len(played.agents) > 2


def test_of_tables_times_may_differ_and_all_else_is_named_by_row_and_field():
    times = ("ms", "ms_low", "time_ratio", "nodes_per_second", "seconds", "time_ratio_low", "made_ms")
    old = [{"agent": agent, "forms": 1, "elo": elo} | dict.fromkeys(times, 1) for agent, elo in (("a", 20), ("b", 30))]
    new = [{"agent": agent, "forms": forms, "elo": elo} | dict.fromkeys(times, 2)
           for agent, forms, elo in (("a", 2, 20), ("b", 1, 31))]  # fmt: skip

    def differ(one, other):
        rows = verify.row_differences("tables/a", one, other)
        assert {row.part for row in rows} <= {"tables/a"}
        return [(row.place, row.field, row.stored, row.again) for row in rows]

    assert differ(old, new) == [("row 1", "forms", "1", "2"), ("row 2", "elo", "30", "31")]
    assert differ(new, old) == [("row 1", "forms", "2", "1"), ("row 2", "elo", "31", "30")]
    assert differ(old, new[:1]) == [("", "rows", "2", "1")]
    assert differ([], new) == [("", "rows", "0", "2")]
    assert differ(old[1:], [{"agent": "b"}]) == [("row 1", "forms", "1", "None"), ("row 1", "elo", "30", "None")]
    assert differ([], []) == []
