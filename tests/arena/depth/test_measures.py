"""What the measurements of depths and of agreement are made of, by what Python asks for."""

import io
from dataclasses import astuple
from functools import partial
from types import SimpleNamespace

import pytest
from tqdm import tqdm

from agents.board import Board, Rules
from agents.errors import InputError
from agents.specs.components import ORDERINGS
from arena.depth import agreement, cost, depths, exact, figures, verify
from arena.depth.cost import Cost, CountedCost
from arena.depth.verify import Agreed
from arena.games.openings import draw
from arena.games.searches import sample
from arena.records import Interval

SMALL = Rules(5, 4)


@pytest.fixture
def table(monkeypatch):
    """A function that asks for a table of depths, with a row and a fault, and returns it with what it is made of."""
    asked, entries, specs = [], [], depths.specs

    def depth_table(*given, faults, **more):
        asked.extend((*given[:4], more))
        faults.append(InputError("it is lost"))
        return [Cost("a", "", 1)] * (given[3] > 0.0)

    monkeypatch.setattr(cost, "depth_table", depth_table)
    monkeypatch.setattr(depths, "specs", lambda *given: entries.extend(given) or specs(*given))

    def ask(*agents, **options):
        measured = depths.depths([*agents], **options)
        entered, levels, boards, budget, more = asked
        return measured, ([spec.text for spec in entered], levels, boards, budget, more["why"]), more["warn"], entries

    return ask


def test_python_measures_depths_with_all_that_was_asked_for(table):
    said, isolation = [], {"memory": 99}
    measured, asked, warn, entries = table(
        "minimax", "alphabeta:depth=9", depth=[3, 2], positions=["33", Board(SMALL)], openings="plies:2", rounds=3,
        seed=4, rules="5x4", budget=2.5, why=True, isolation=isolation, warn=said.append,
    )  # fmt: skip
    boards = [Board.from_moves("33", SMALL), Board(SMALL), *draw("plies:2", 3, 4, SMALL)]
    assert asked == (["minimax", "alphabeta:depth=9"], [3, 2], boards, 2.5, True)
    assert entries == [["minimax", "alphabeta:depth=9"], isolation, warn]
    assert (measured.kind, [str(fault) for fault in measured.faults]) == (CountedCost, ["it is lost"])
    warn("a")
    assert said == ["the depth of alphabeta:depth=9 is left aside: --depth says which are measured", "a"]


@pytest.mark.parametrize(
    ("options", "boards"),
    [
        ({"openings": "plies:2"}, draw("plies:2", 10, 1, SMALL)), ({}, [Board(SMALL)]), ({"seed": 7}, [Board(SMALL)]),
        ({"openings": "plies:2", "seed": 0}, draw("plies:2", 10, 0, SMALL)),
        ({"openings": "plies:2", "rounds": 2, "seed": 2}, draw("plies:2", 2, 2, SMALL)),
    ],
)  # fmt: skip
def test_python_measures_depths_by_default(table, options, boards):
    measured, asked, _, entries = table("minimax", rules="5x4", **options)
    assert asked == (["minimax"], [1, 2, 3, 4, 5, 6, 7, 8], boards, 10.0, False)
    assert (measured.kind, entries[1]) == (Cost, None)
    assert measured.meta["seed"] == options.get("seed")


@pytest.mark.parametrize(
    ("agent", "options", "message"),
    [
        ("minimax", {"positions": ["1212121"]}, "the game is already over"),
        ("random", {}, "'random' has no depth to vary"),
        ("minimax", {"budget": 0.0}, "it is lost"),
    ],
)
def test_what_has_no_row_is_refused(table, agent, options, message):
    with pytest.raises(InputError, match=message):
        table(agent, **options)


@pytest.mark.parametrize(("depth", "plain"), [(2, 2), (5, 3)])
def test_python_verifies_all_exact_searches_and_a_few_positions_in_plain_python(monkeypatch, depth, plain):
    asked = []
    monkeypatch.setattr(exact, "verify", lambda *given: asked.append(given[:4]) or [len(asked)])
    options = {"positions": 5, "depth": depth, "seed": 3, "heuristics": ["zero"], "rules": "5x4"}
    for orders, tried in ((["centre"], ["centre"]), ([], list(ORDERINGS))):
        asked.clear()
        verified, boards = verify.verify(**options, orderings=orders), sample(5, 3, SMALL)
        assert (verified.rows, verified.positions, verified.heuristics) == ([1, 2], 5, 1)
        assert asked == [
            (boards, depth, ["zero"], exact.searches(tried)),
            (boards[:3], plain, ["zero"], exact.plain_searches(tried)),
        ]


@pytest.mark.parametrize("function", [verify.verify, partial(verify.agreement, ["minimax", "alphabeta"])])
@pytest.mark.parametrize("asked", [{"positions": 0}, {"positions": 100_001}, {"depth": 0}, {"depth": 21}, {"seed": -1}])
def test_python_refuses_numbers_beyond_their_range(function, asked):
    with pytest.raises(InputError, match=f"^{next(iter(asked))} is a whole number from "):
        function(**asked)


@pytest.mark.parametrize("function", [verify.verify, partial(verify.agreement, ["minimax", "alphabeta"])])
@pytest.mark.parametrize(
    "asked", [{"positions": 1}, {"positions": 100_000}, {"depth": 1}, {"depth": 20}, {"seed": 0}, {"seed": 1 << 40}]
)
def test_python_takes_numbers_at_the_ends_of_their_range(monkeypatch, function, asked):
    monkeypatch.setattr("arena.games.searches.sample", lambda number, seed, rules: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        function(**asked)


@pytest.mark.parametrize("number", [1, 3])
def test_two_searches_agree_and_no_other_number_does(number):
    with pytest.raises(InputError, match=f"takes two searches, .* not {number}$"):
        verify.agreement(["minimax", "alphabeta", "alphabeta:order=centre"][:number])


@pytest.mark.parametrize(
    ("isolation", "apart"),
    [(None, {"everyone": True}), ({"nobody": True}, {"nobody": True, "everyone": False}),
     ({"memory": 99}, {"memory": 99, "everyone": True})],
)  # fmt: skip
def test_python_compares_two_searches_and_the_first_with_ours(tmp_path, monkeypatch, isolation, apart):
    mine = f"{tmp_path / 'mine.py'}:evaluate"
    (tmp_path / "mine.py").write_text("def evaluate(own, opp):\n    return 0\n")
    entered, ours, compared, ends, specs, spec = [], [], [], [], verify.specs, verify.spec
    monkeypatch.setattr(verify, "specs", lambda *given: entered.append(given) or specs(*given))
    monkeypatch.setattr(verify, "spec", lambda *given: ours.append(given) or spec(*given))
    monkeypatch.setattr(agreement, "answers", lambda *given: compared.append(given[:4]) or [])
    monkeypatch.setattr("arena.games.endings.endings", lambda *given: given)
    monkeypatch.setattr(
        "arena.games.endings.wrong_ending", lambda search, last: ends.append(last) or (search.text == "minimax" or None)
    )
    agents, options = ["minimax:depth=3", "alphabeta"], {"positions": 4, "depth": 3, "seed": 7, "rules": "5x4"}
    agreed = verify.agreement(agents, **options, heuristics=["zero", mine], isolation=isolation)
    pairs = [("minimax", "alphabeta"), ("minimax:heuristic=zero", "minimax"), (f"minimax:heuristic={mine}", "minimax")]
    assert [(one.text, other.text, boards, [*levels]) for one, other, boards, levels in compared] == [
        (*pair, sample(4, 7, SMALL), [1, 2, 3]) for pair in pairs
    ]
    assert entered == [(agents, isolation)]
    assert ours == [
        ("minimax:heuristic=zero,compiled=no", {**(isolation or {}), "everyone": False}),
        (f"minimax:heuristic={mine},compiled=no", apart),
    ]
    assert ends == [(SMALL, 7, 3)] * 2
    assert astuple(agreed)[:3] == astuple(Agreed([], [], [True], {}))[:3]
    alone = verify.verify(positions=2, depth=1, seed=7, heuristics=["zero"])
    assert (agreed.meta["seed"], alone.meta["seed"]) == (7, 7)


def test_the_figures_of_speed_leave_out_what_is_mostly_the_call_unless_all_is(monkeypatch):
    drawn = SimpleNamespace(
        states=lambda rows, columns, labels: (rows, columns), times=lambda rows, _: rows, speed=lambda rows, _: rows
    )
    monkeypatch.setattr(figures, "effort", drawn)
    call, search = (
        cost.cost("a", "", depth, 8.0, Interval(seconds, None, None), None, call=1e-5)
        for depth, seconds in ((1, 1.9e-5), (2, 2e-5))
    )
    skipped, silent = Cost("a", "", 3), cost.cost("b", "", 1, 0.0, Interval(1.0, None, None), None)
    lacking = Cost("c", "", None, 8.0, Interval(1.0, None, None))
    assert figures.depths([call, search, skipped, lacking, silent], 5) == [
        ([call, search, silent], 5), [call, search, silent], [search, silent],
    ]  # fmt: skip
    assert figures.depths([call], 7)[2] == [call]
    with pytest.raises(InputError, match="nothing to draw"):
        figures.depths([skipped, lacking], 7)


@pytest.mark.parametrize(
    ("measure", "unit", "steps"),
    [
        (partial(depths.depths, ["minimax", "alphabeta"], [1, 2], positions=["", "44", "3"]), "search", 12),
        (partial(depths.depths, ["minimax"], [1, 3], budget=0.0), "search", 2),
        (partial(verify.verify, positions=5, depth=1, heuristics=["zero", "parity"], orderings=["centre"]),
         "position", 16),
        (partial(verify.verify, positions=2, depth=1, heuristics=["zero"], orderings=["centre"]), "position", 4),
        (partial(verify.agreement, ["minimax", "alphabeta"], positions=3, depth=2, heuristics=["zero"]),
         "position", 12),
    ],
)  # fmt: skip
def test_a_bar_ends_where_it_was_to_end(measure, unit, steps):
    bars = []

    def bar(*named):
        bars.append((*named, tqdm(total=named[1], file=io.StringIO())))
        return bars[-1][-1]

    measure(progress=bar)
    assert [(of, total, shown.n) for of, total, shown in bars] == [(unit, steps, steps)]
