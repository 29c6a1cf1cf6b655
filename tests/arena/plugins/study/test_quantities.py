"""The quantities of a study's claims: of runs of each kind, of depth tables and of grades."""

import math
from dataclasses import replace

import pytest
from hand_made import decision, run_of, stored
from samples import DATA

from agents.board import Outcome
from arena.depth.cost import Cost, cost
from arena.perfect.grading import Grade
from arena.plugins.study import quantities
from arena.plugins.study.claims import Quantity
from arena.records import Interval, Termination
from arena.statistics.elo import elo_of
from arena.statistics.intervals import Counts, score_interval
from arena.table.rows import plain as documents
from arena.table.rows import restored
from arena.tournament.effort import TO_END
from arena.tournament.frames import Frames

ORDERED = "alphabeta:depth={},order=centre"


@pytest.fixture(scope="module")
def field():
    return Frames.read(DATA / "runs" / "field.sqlite", most=None)


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
    return {name: Frames.read(path, most=None) for name, path in made.items()}


def asked(frames, kind, *agents, alpha=0.05):
    """Return a quantity of agents: its value, its ends at a level and its basis."""
    quantity = Quantity(kind, agents if len(agents) < 3 else ("x",))
    found = quantities.of_run(frames, quantity, agents)
    return None if found is None else (found.value, *found.ends(alpha), found.basis)


OF_FOUR = "score interval over 4 openings"
OF_RUNS = (
    ("drawn", "score", "3 1", 0.25, 0.105743, 0.592402, OF_FOUR),
    ("drawn", "wins", "3 1", 0.125, 0.025015, 0.524452, OF_FOUR),
    ("drawn", "elo", "3 1", -190.8485, -370.8838, 64.9540, OF_FOUR),
    ("drawn", "score", "1", 0.5625, 0.197996, 0.846164, "score interval over 2 openings"),
    ("drawn", "wins", "1", 0.541667, 0.294248, 0.751040, OF_FOUR),
    ("drawn", "score", "1 2 3", 0.5, 0.175925, 0.824075, "score interval over 2 openings"),
    ("drawn", "nodes", "2", 134.7, 69.3011, 200.0989, "mean of a move, by openings"),
    ("all", "score", "3 1", 0.25, 0.25, 0.25, "exact over all 4 openings"),
    ("all", "nodes", "2", 134.7, 134.7, 134.7, "mean of a move, by openings"),
    ("strata", "score", "3 1", 0.25, 0.119679, 0.542687, OF_FOUR),
    ("by results", "score", "3 1", 0.25, 0.105743, 0.592402, OF_FOUR),
    ("by the clock", "score", "3 1", 0.25, 0.098890, 0.617361, OF_FOUR),
    ("chance", "nodes", "2", 134.7, 64.7857, 204.6143,
                                                                        "mean of a move, by openings"),
)  # fmt: skip
"""What is asked of which run and depths; by the clock and by chance, more openings could have been drawn."""


@pytest.mark.parametrize(("name", "kind", "depths", "value", "low", "high", "basis"), OF_RUNS)
def test_a_quantity_of_a_run_has_the_interval_of_its_openings(meant, name, kind, depths, value, low, high, basis):
    names = {each[-1]: each for each in meant[name].agents["name"] if not each.startswith("minimax")}
    names["1"] = meant[name].agents["name"][0]
    found = asked(meant[name], kind, *(names[depth] for depth in depths.split()))
    assert found == (pytest.approx(value, abs=1e-4), pytest.approx(low, abs=1e-4), pytest.approx(high, abs=1e-4), basis)


@pytest.mark.parametrize(("kind", "depths", "low", "high"), [
    ("score", (3, 1), 0.078300, 0.694003), ("wins", (3, 1), 0.016701, 0.642988), ("nodes", (2,), 14.6700, 254.7300),
    ("elo", (3, 1), -428.3320, 142.2575),
])  # fmt: skip
def test_the_interval_of_a_quantity_is_as_wide_as_its_level_asks_for(meant, kind, depths, low, high):
    names = [f"alphabeta:depth={depth}" for depth in depths]
    assert asked(meant["drawn"], kind, *names, alpha=0.01)[1:3] == pytest.approx((low, high), abs=1e-4)


def test_a_quantity_seen_from_the_other_side_is_turned_round(field):
    one, two = (ORDERED.format(depth) for depth in (1, 2))
    for kind, turned in (("elo", lambda end: -end), ("score", lambda end: 1 - end)):
        value, low, high, _ = asked(field, kind, one, two)
        assert asked(field, kind, two, one)[:3] == pytest.approx((turned(value), turned(high), turned(low)))


def test_who_won_or_lost_every_game_is_infinitely_stronger_or_weaker_with_one_end(tmp_path):
    ends = [(0, 1, place, "1") for place in range(4)] + [(1, 0, place, "0") for place in range(4)]
    frames = Frames.read(run_of(tmp_path / "run", ("greedy", "random"), ends), most=None)
    _, high = score_interval(Counts((4, 0, 0, 0, 0)))
    assert asked(frames, "elo", "greedy", "random") == (math.inf, pytest.approx(-elo_of(high)), math.inf, OF_FOUR)
    assert asked(frames, "elo", "random", "greedy") == (-math.inf, -math.inf, pytest.approx(elo_of(high)), OF_FOUR)
    assert [asked(frames, kind, "random", "greedy")[0] for kind in ("score", "wins")] == [0.0, 0.0]
    assert [asked(frames, kind, "greedy", "random")[0] for kind in ("score", "wins")] == [1.0, 1.0]


def test_what_was_not_played_or_not_told_has_no_quantity(meant, field):
    assert asked(meant["drawn"], "elo", "alphabeta:depth=1", "alphabeta:depth=2") is None  # no pair with both colours
    assert asked(meant["drawn"], "wins", "alphabeta:depth=1", "alphabeta:depth=2")[0] == 1.0  # of the one game there is
    assert asked(meant["drawn"], "score", "minimax:depth=2", "alphabeta:depth=2") is None
    assert asked(meant["without nodes"], "nodes", "greedy") is None
    assert asked(meant["empty"], "score", "greedy", "random") is None
    assert asked(field, "nodes", "mine.py") is None
    assert asked(field, "score", "greedy", "nobody", "random") is None


def test_of_a_sequential_test_that_has_ended_elo_allows_for_the_stop(monkeypatch):
    match = Frames.read(DATA / "runs" / "match.sqlite", most=None)
    *numbers, basis = asked(match, "elo", "greedy", "random")
    assert (numbers, basis) == (
        pytest.approx([340.078, 149.733, 560.083], abs=1e-3), "score interval, allowing for the stop"
    )  # fmt: skip
    numbers = asked(match, "elo", "random", "greedy")[:3]
    assert numbers == pytest.approx([-340.078, -560.083, -149.733], abs=1e-3)
    assert asked(match, "elo", "greedy", "random", alpha=0.01)[1:3] == pytest.approx([70.529, 660.047], abs=1e-3)
    going = replace(match, evidence=match.evidence.iloc[:1].assign(decision="continue"))
    value, *_, basis = asked(going, "elo", "greedy", "random")
    assert (value, basis) == (pytest.approx(350.0245, abs=1e-3), "score interval over 17 openings")
    assert asked(match, "score", "greedy", "random")[0] == pytest.approx(15 / 17)
    monkeypatch.setattr(quantities, "sprt_estimate", lambda *_, **__: None)  # as where one made all points
    value, *_, basis = asked(match, "elo", "greedy", "random")
    assert (value, basis) == (pytest.approx(350.0245, abs=1e-3), "score interval over 17 openings")


def row(agent, depth, nodes=None, position=""):
    if nodes is None:
        return Cost(agent, position, depth)
    return cost(agent, position, depth, nodes, Interval(0.01 * nodes, 0.009 * nodes, None), None, 4, 2)


def test_states_are_exact_in_the_positions_that_were_searched_or_the_mean_of_drawn_ones():
    costs = [row("a", 1, 8), row("a", 2, 57), row("a", 3), row("b", 2, 30, "1"), row("b", 2, 34, "12"),
             row("b", 2, 41, "3"), row("b", 3, 90, "1"), row("b", 3, None, "12"), row("b", TO_END, 12)]  # fmt: skip
    rows = documents(costs)

    def states(agent, depth, *, drawn, alpha=0.05):
        found = quantities.of_depths(rows, Quantity("states", (agent,), depth), drawn=drawn)
        return None if found is None else (found.value, *found.ends(alpha), found.basis)

    exact = "exact in these positions"
    assert states("a", 2, drawn=True) == states("a", 2, drawn=False) == (57.0, 57.0, 57.0, exact)
    assert states("b", 2, drawn=False) == (35.0, 35.0, 35.0, exact)
    assert states("b", 2, drawn=True) == (35.0, pytest.approx(21.169, abs=1e-3), pytest.approx(48.831, abs=1e-3),
                                          "mean of 3 drawn positions")  # fmt: skip
    assert states("b", 2, drawn=True, alpha=0.01)[1:3] == pytest.approx((3.0961, 66.9039), abs=1e-3)
    for agent, depth in (("a", 3), ("a", 4), ("b", 3), ("c", 2), ("b", TO_END)):
        assert states(agent, depth, drawn=True) is states(agent, depth, drawn=False) is None
    assert [restored(Cost, row) for row in documents(costs)] == costs


def test_a_share_is_of_all_positions_or_of_the_clear_cut_ones():
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

    def share(name, of):
        found = quantities.of_grade(rows, Quantity("share", (name,), of=of))
        return None if found is None else (found.value, found.basis)

    for name, clear in (("a:depth=2", 20), ("a:depth=12", 16), ("a:order=centre,depth=2", 8)):
        assert share(name, "good") == (0.25, "Wilson's interval over 40 positions")
        assert share(name, "perfect") == (0.5, "Wilson's interval over 40 positions")
        assert share(name, "clear_good") == (0.75, f"Wilson's interval over {clear} positions")
        assert share(name, "clear_perfect") == (1.0, f"Wilson's interval over {clear} positions")
    for of, level, ends in (
        ("good", 0.05, (0.1382, 0.4093)), ("good", 0.01, (0.1128, 0.4663)),
        ("clear_good", 0.05, (0.5100, 0.8964)), ("clear_perfect", 0.01, (0.7509, 1.0)),
    ):  # fmt: skip
        found = quantities.of_grade(rows, Quantity("share", ("a:depth=2",), of=of))
        assert found.ends(level) == pytest.approx(ends, abs=1e-4)
    assert share("b", "good") == (0.25, "Wilson's interval over 40 positions")
    for name, of in (("a", "good"), ("a:depth=1", "good"), ("b", "clear_good"), ("b:depth=2", "good"), ("c", "good")):
        assert share(name, of) is None
    assert [restored(Grade, row) for row in rows] == grades
