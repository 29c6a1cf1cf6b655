"""The quantities of a study's claims, as they were recorded: of runs of each kind, of depth tables and of grades."""

from dataclasses import replace

import pytest
from hand_made import decision, run_of, stored
from recorded import holds, plain
from samples import DATA

from agents.board import Outcome
from arena.depth.cost import Cost, cost
from arena.perfect.grading import Grade
from arena.plugins.study import quantities
from arena.plugins.study.claims import Quantity
from arena.records import Interval, Termination
from arena.table.rows import plain as documents
from arena.table.rows import restored
from arena.tournament.effort import TO_END
from arena.tournament.frames import Frames

ORDERED = "alphabeta:depth={},order=centre"


def said(estimate):
    """Return what an estimate says: number, ends at two levels, basis."""
    if estimate is None:
        return None
    ends = [estimate.ends(alpha) for alpha in (0.05, 0.001)]
    return plain([estimate.value, *ends, estimate.basis, estimate.at is None])


def asked(frames, *groups):
    """Return each quantity of these groups of agents: of two, of one against all, and of several that a name holds."""
    found = {}
    for agents in groups:
        kinds = ("elo", "score", "wins") if len(agents) == 2 else ()
        for kind in kinds:
            found[f"{kind} {agents[0]} against {agents[1]}"] = said(
                quantities.of_run(frames, Quantity(kind, agents), agents)
            )
        for kind in ("score", "wins") if len(agents) != 2 else ():
            found[f"{kind} of {', '.join(agents)}"] = said(quantities.of_run(frames, Quantity(kind, ("x",)), agents))
        if len(agents) == 1:
            found[f"nodes of {agents[0]}"] = said(quantities.of_run(frames, Quantity("nodes", agents), agents))
    return found


@pytest.fixture(scope="module")
def field():
    return Frames.read(DATA / "printed" / "field.sqlite", whole=True)


@pytest.fixture(scope="module")
def meant(tmp_path_factory):
    """Runs by what is special in them; nobody played their games."""
    folder = tmp_path_factory.mktemp("runs")
    agents = ("alphabeta:depth=1", "alphabeta:depth=2", "alphabeta:depth=3", "minimax:depth=2")
    games, nodes = [], iter(range(10, 900, 7))

    def meet(one, two, opening, first, second):
        for white, black, result in ((one, two, first), (two, one, second)):
            text = ("1133", "1233", "1333", "1433")[opening] + str(len(games) % 4 + 1) * 2
            games.append((white, black, opening, result, text, [next(nodes), 0, next(nodes), next(nodes)][:3]))

    for opening, ends in enumerate((("1", "0"), ("1", "1"), ("=", "0"), ("1", "="))):
        meet(0, 2, opening, *ends)
    for opening, ends in enumerate((("0", "="), ("1", "0"), ("=", "="))):
        meet(1, 2, opening, *ends)
    for opening, ends in enumerate((("1", "1"), ("=", "1"))):
        meet(0, 3, opening, *ends)
    games.append((0, 1, 3, "1", "143322", [5, 6]))  # which has no game with the colours swapped
    made = {
        "drawn": run_of(folder / "drawn", agents, games),
        "all": run_of(folder / "all", agents, games, population=4),
        "strata": run_of(folder / "strata", agents, games, population=8, strata=[4, 4]),
        "by results": run_of(folder / "results", agents, games, format="swiss"),
        "by the clock": run_of(folder / "clock", agents, games, seconds=0.1),
        "chance": run_of(folder / "chance", ("random", *agents[1:]), games),
    }
    silent = tuple(decision(ply, 0, 0, 0.001 * ply) for ply in (2, 3, 4))
    one = (0, 1, 0, "4412", Outcome.DRAW, Termination.FULL, silent)
    made["without nodes"] = stored(folder / "silent", ("greedy", "random"), [one])
    made["empty"] = stored(folder / "empty", ("greedy", "random"), [])
    return {name: Frames.read(path, whole=True) for name, path in made.items()}


def test_of_stored_runs(field, meant, request):
    orders = [ORDERED.format(depth) for depth in (1, 2, 3)]
    found = asked(
        field, tuple(orders[:2]), (orders[1], orders[0]), ("random", "greedy"), ("mine.py", orders[2]),
        (orders[0],), ("random",), ("mine.py",), tuple(orders), ("greedy", "nobody", "random"),
    )  # fmt: skip
    for name, frames in meant.items():
        names = list(frames.agents["name"])
        groups = [(names[0],), (names[1],), tuple(names[:2]), tuple(names[1::-1])]
        if len(names) > 2:
            groups += [tuple(names[:3]), (names[2], names[0]), (names[3], names[1]), (names[3],)]
        found |= {f"{name}: {key}": value for key, value in asked(frames, *groups).items()}
    holds("study-quantities", found, request)


def test_of_sequential_tests(request):
    match = Frames.read(DATA / "printed" / "match.sqlite", whole=True)
    found = asked(match, ("greedy", "random"), ("random", "greedy"))
    going = replace(match, evidence=match.evidence.iloc[:1].assign(decision="continue"))
    found |= {f"going on: {key}": value for key, value in asked(going, ("greedy", "random")).items()}
    holds("study-sequential", found, request)


def row(agent, depth, nodes=None, position=""):
    if nodes is None:
        return Cost(agent, position, depth)
    return cost(agent, position, depth, nodes, Interval(0.01 * nodes, 0.009 * nodes, None), None, 4, 2)


def test_of_depth_tables_and_grades(request):
    costs = [row("a", 1, 8), row("a", 2, 57), row("a", 3), row("b", 2, 30, "1"), row("b", 2, 34, "12"),
             row("b", 2, 41, "3"), row("b", 3, 90, "1"), row("b", 3, None, "12"),
             row("b", TO_END, 12)]  # fmt: skip
    rows = documents(costs)
    found = {}
    for agent, depth in (("a", 1), ("a", 2), ("a", 3), ("a", 4), ("b", 2), ("b", 3), ("c", 2), ("b", TO_END)):
        for drawn in (True, False):
            quantity = Quantity("states", (agent,), depth)
            found[f"states of {agent} to {depth}, drawn {drawn}"] = said(
                quantities.of_depths(rows, quantity, drawn=drawn)
            )
    shares = [Interval(each, each / 2, None) for each in (0.25, 0.5, 0.75, 1.0)]
    grades = [
        Grade("a", depth, 40, *shares[:2], clear, *shares[2:], None, None, None, 7.0, Interval(0.1, None, None))
        for depth, clear in ((2, 20), (12, 16))
    ]
    grades += [
        replace(grades[0], agent="b", depth=None, clear_good=None),
        replace(grades[1], agent="a:order=centre", depth=2, clear_cut=8),
    ]
    rows = documents(grades)
    names = ("a", "a:depth=2", "a:depth=12", "a:order=centre,depth=2", "a:depth=1", "b", "b:depth=2", "c")
    for name in names:
        for of in ("good", "perfect", "clear_good", "clear_perfect"):
            found[f"{of} of {name}"] = said(quantities.of_grade(rows, Quantity("share", (name,), of=of)))
    holds("study-measured", found, request)
    assert [restored(Cost, row) for row in documents(costs)] == costs
    assert [restored(Grade, row) for row in rows] == grades
