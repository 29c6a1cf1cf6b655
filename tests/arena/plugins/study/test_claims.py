"""What claims come to, by the p-values that they have alone and beside others."""

import ast
import math
from dataclasses import replace
from types import SimpleNamespace

import pytest

from agents.errors import InputError
from arena.plugins.study import claims, tables
from arena.plugins.study.claims import Claim, Estimate, Quantity, Verdict, verdicts
from arena.records import Interval
from arena.table.parts import cells
from arena.table.rows import columns

ALONE = {0.0001: "stands", 0.02: "stands", 0.03: "stands", 0.049: "stands",
         0.051: "cannot tell", 0.3: "cannot tell", 0.6: "cannot tell", 0.98: "cannot tell", 0.9995: "cannot tell",
         1.0: "cannot tell"}  # fmt: skip
BESIDE = [
    ((0.03, 0.01, 0.02), "+++"),
    ((0.03, 0.01, 0.026), "?+?"),
    ((0.02, 0.017, 0.03), "???"),
    ((0.04, 0.04), "??"),
    ((0.024, 0.049), "++"),
    ((1.0, 0.024), "?+"),
    ((0.04, 1.0), "??"),
    ((0.024, 1.0, 0.98), "???"),
    ((0.016, 0.7, 0.5), "+??"),
    ((0.04, "exact"), "++"),
    (("exact", 0.06, "exact"), "+?+"),
    (("not measured", 0.04, "exact"), "?++"),
    (("not measured", "not measured"), "??"),
    ((), ""),
]


def estimate(p):
    """Return what was measured where a claim that it is above 0 has this p-value."""
    if p == "exact":
        return Estimate(1.0, None, "all games")
    return None if p == "not measured" else Estimate(0.5, lambda alpha: (alpha - p, 1.0), "some games")


def verdicts_of(chances, sign=">"):
    """Return what claims with these p-values come to."""
    agents = "abc"[: len(chances)]
    claims = [Claim.of(number, {"check": f"nodes('{agent}') {sign} 0"}) for number, agent in enumerate(agents, start=1)]
    known = {Quantity("nodes", (agent,)): estimate(p) for agent, p in zip(agents, chances, strict=True)}
    return verdicts(claims, known)


@pytest.mark.parametrize("p", ALONE)
def test_the_only_claim_of_a_study_is_told_at_5_percent(p):
    [one] = verdicts_of([p])
    assert (one.verdict, one.p) == (ALONE[p], pytest.approx(p, rel=1e-9))
    [one] = verdicts_of([p], "<")
    assert one.verdict == ("falls" if ALONE[p] == "stands" else ALONE[p])


def test_numbers_and_ends_of_a_verdict_are_read_at_a_glance():
    numbers = {None: "open", 0.0: "0.000", 9.9994: "9.999", 9.9996: "10.000", 10.0: "10", -9.5: "-9.500", 12.6: "13",
               -12.6: "-13", 1234.5: "1,234", 1235.5: "1,236", -0.0004: "0.000"}  # fmt: skip
    assert {number: claims._number(number) for number in numbers} == numbers
    ends = {(2, 2.0): "exact", (None, 3.0): "open to 3.000",
            (0.5, None): "0.500 to open", (-31.2, 12.0): "-31 to 12", (0.0, 0.0004): "0.000 to 0.000"}  # fmt: skip
    assert {each: claims._ends_shown(Interval(0.0, *each)) for each in ends} == ends
    rows = [SimpleNamespace(value=each) for each in (None, Interval(0.5, None, None), Interval(math.inf, 0.5, None))]
    [shown] = cells(rows, columns(Verdict, "value")[1:])
    assert (shown.header, shown.cells) == ("95 %", ["", "", "0.500 to open"])


def of_nodes(value, *, width=None):
    """Return an estimate with ends so far from its value at 5 % and half as far at 10 %."""
    at = None if width is None else lambda alpha: (value - width * 0.05 / alpha, value + width * 0.05 / alpha)
    return Estimate(value, at, f"of {value:g}")


@pytest.mark.parametrize(("check", "value", "verdict", "basis"), [
    ("nodes('a') > 5", Interval(10.0, 8.0, 12.0), "stands", "of 10"),
    ("20 < nodes('a')", Interval(10.0, 8.0, 12.0), "falls", "of 10"),
    ("2 * nodes('a') - 1 > nodes('b')", Interval(13.0, 9.0, 17.0), "stands", "of 10; of 6"),
    ("nodes('b') == nodes('b') + 0", Interval(0.0, 0.0, 0.0), "stands", "of 6"),
    ("3 < nodes('b') < nodes('a')", Interval(-4.0, -6.0, -2.0), "stands", "of 6; of 10"),
    ("nodes('b') == nodes('e')", Interval(0.0, 0.0, 0.0), "stands", "of 6"),
    ("nodes('c') > 0", Interval(1.0, None, None), "cannot tell", "of 1"),
    ("nodes('a') > nodes('d')", None, "cannot tell", "not measured"),
])  # fmt: skip
def test_a_verdict_has_all_that_its_claim_says_and_the_measured_side_or_the_difference_of_two(
    check, value, verdict, basis
):
    claim = Claim.of(7, {"check": check, "text": "in words", "source": "A book", "published": 12})
    numbers = [of_nodes(10.0, width=2.0), of_nodes(6.0), of_nodes(1.0, width=math.inf), None, of_nodes(6.0)]
    estimates = {Quantity("nodes", (agent,)): number for agent, number in zip("abcde", numbers, strict=True)}
    [row] = verdicts([claim], estimates)
    p = {"nodes('a') > 5": 0.02, "20 < nodes('a')": 0.01, "2 * nodes('a') - 1 > nodes('b')": 0.2 / 13,
         "3 < nodes('b') < nodes('a')": 0.025, "nodes('c') > 0": 1.0}.get(check)  # fmt: skip
    assert row.p == (p if p is None else pytest.approx(p, rel=1e-6))
    assert row == Verdict(7, "in words", check, value, verdict, row.p, basis, "12", "A book")


SKEW = {
    "a": Estimate(10.0, lambda alpha: (10.0 - 3.0 * (0.05 / alpha), 10.0 + 6.0 * (0.05 / alpha)), "some"),
    "b": Estimate(2.0, None, "exact"),
    "c": Estimate(4.0, lambda alpha: (4.0 - 0.05 / alpha, 4.0 + 2.0 * (0.05 / alpha)), "some"),
    "d": Estimate(1.0, lambda _: (-math.inf, 5.0), "open"),
}
"""Of three agents the upper end is farther than the lower one, at 5 % 7 to 16 of a and 3 to 6 of c."""


def skewed(check):
    """Return the claim of a check in which letters in braces stand for nodes, and what was measured of them."""
    claim = Claim.of(1, {"check": check.format(**{name: f"nodes('{name}')" for name in SKEW})})
    return claim, {quantity: SKEW[quantity.agents[0]] for quantity in claim.quantities}


@pytest.mark.parametrize(("check", "interval", "holds"), [
    ("{a} > 6", (10, 7, 16), True), ("-{a} < -6", (-10, -16, -7), True), ("-{a} < -8", (-10, -16, -7), None),
    ("-{a} > -17", (-10, -16, -7), True), ("-{a} > -15", (-10, -16, -7), None), ("-{a} > -6", (-10, -16, -7), False),
    ("-16 <= -{a} <= -7", (-10, -16, -7), True), ("-16 < -{a}", (-10, -16, -7), None), ("{a} <= 16", (10, 7, 16), True),
    ("{a} < 16", (10, 7, 16), None), ("{a} >= 7", (10, 7, 16), True), ("7 < {a}", (10, 7, 16), None),
    ("-(-{a}) > 6", (10, 7, 16), True), ("--{a} > 6", (10, 7, 16), True), ("2 > -{a}", (-10, -16, -7), True),
    ("0 - {a} < -6", (-10, -16, -7), True), ("20 - {a} > 3", (10, 4, 13), True),
    ("{a} / -2 < -3", (-5, -8, -3.5), True),
    ("-2 * {a} > -33", (-20, -32, -14), True), ("16 / {a} <= 16 / 7", (1.6, 1, 16 / 7), True),
    ("-(20 - {a}) < -3", (-10, -13, -4), True), ("-{a} / -{b} > 3", (5, 3.5, 8), True),
    ("{a} == 7", (10, 7, 16), None), ("{a} == 6", (10, 7, 16), False), ("-{a} == -6.5", (-10, -16, -7), False),
    ("-{a} == -17", (-10, -16, -7), False), ("{a} > {a}", (0, -9, 9), None), ("{a} > 3 * {b}", (4, 1, 10), True),
    ("{b} * 3 < {a}", (-4, -10, -1), True), ("-{b} == -2", (-2, -2, -2), True),
    ("{a} - {c} > -4.5", (6, -4, 20), True), ("{a} > {c} - 5", (11, 1, 25), True), ("{c} < {a}", (-6, -20, 4), None),
    ("-{a} - -{c} < 5", (-6, -20, 4), True), ("-{a} < 5 - {c}", (-11, -25, -1), True),
    ("-{a} > {c}", (-14, -30, -6), False), ("{b} < {c} < {a}", (-2, -6, 0), None),
    ("0 <= {c} - {b} <= 6 < 30 - {b}", (-26, -27, -24), True),
    ("{d} < 6", (1, None, 5), True), ("{d} > 6", (1, None, 5), False), ("-{d} > -6", (-1, -5, None), True),
    ("0 < {d}", (1, None, 5), None), ("-{d} < 0 < {b}", (-3, -7, None), None), ("9 > {c} > {b}", (2, 1, 4), True),
])  # fmt: skip
def test_an_interval_is_turned_round_with_its_sign_and_its_side_and_shared_with_other_measured_numbers(
    check, interval, holds
):
    claim, estimates = skewed(f" {check}\n")
    shown = claim.shown(estimates)
    assert (shown.value, shown.low, shown.high) == tuple(None if x is None else pytest.approx(x) for x in interval)
    assert claim.holds(estimates, 0.05) is holds


@pytest.mark.parametrize(("check", "p"), [
    ("{a} > 8", 0.075), ("-{a} < -8", 0.075), ("{a} < 20", 0.03), ("-{a} > -20", 0.03), ("-{a} < -20", 0.03),
    ("{a} == 20", 0.03), ("{a} == 5", 0.03), ("8 < {a} < 20", 0.075), ("2 * {c} > {a} - 18", 2 * 0.4 / 16),
    ("-{d} < 0", 1.0), ("{b} > 0", None),
])  # fmt: skip
def test_a_claim_is_decided_at_the_level_of_the_end_that_it_leans_on(check, p):
    claim, estimates = skewed(check)
    assert claim.chance(estimates) == (p if p is None else pytest.approx(p))


@pytest.mark.parametrize(("sign", "answers"), [
    ("<", "+?---?"), ("<=", "+++?-?"), (">", "---?+?"), (">=", "-?+++?"), ("==", "-?+?-?"),
])  # fmt: skip
def test_a_sign_holds_where_it_holds_at_both_ends(sign, answers):
    [kind] = Claim.of(1, {"check": f"nodes('a') {sign} 0"}).signs
    ends = (-2.0, -1.0), (-1.0, 0.0), (0.0, 0.0), (0.0, 1.0), (1.0, 2.0), (-1.0, 1.0)
    words = {True: "+", False: "-", None: "?"}
    assert "".join(words[claims._holds(kind, *pair)] for pair in ends) == answers


def test_the_table_of_verdicts_has_its_columns_in_order():
    table = tables.verdicts([])
    assert (table.name, table.title) == ("verdicts", "Claims")
    assert [(column.header, column.least, column.cuts is not None) for column in table.columns] == [
        ("#", 0, False), ("claim", 0, True), ("measured", 0, False), ("95 %", 0, False), ("p", 1, False),
        ("verdict", 0, False), ("check", 3, True), ("basis", 3, False), ("published", 2, False),
    ]  # fmt: skip
    row = Verdict(1, "words", "check", Interval(12.0, None, 13.0), "stands", 0.0009, "basis", "", "source")
    for p, published, shown in ((0.0009, "", ["< 0.001"]), (0.001, "0.5", ["0.001"]), (None, "", [])):
        lines = {
            column.header: column.cells for column in cells([replace(row, p=p, published=published)], table.columns)
        }
        assert lines.pop("p", []) == shown
        assert lines.pop("published", [""]) == [published]
        assert lines == {"#": ["1"], "claim": ["words"], "measured": ["12"], "95 %": ["open to 13"],
                         "verdict": ["stands"], "check": ["check"], "basis": ["basis"]}  # fmt: skip


def test_intervals_take_the_ends_that_are_worst():
    every, open_up, none = (-math.inf, math.inf), (1.0, math.inf), (0.0, 0.0)
    for sign, one, other, found in (
        (ast.Add, (1.0, 2.0), (-3.0, 5.0), (-2.0, 7.0)), (ast.Sub, (1.0, 2.0), (-3.0, 5.0), (-4.0, 5.0)),
        (ast.Mult, (1.0, 2.0), (-3.0, 5.0), (-6.0, 10.0)), (ast.Mult, (-4.0, 2.0), (-3.0, 5.0), (-20.0, 12.0)),
        (ast.Div, (1.0, 2.0), (4.0, 5.0), (0.2, 0.5)), (ast.Div, (-1.0, 2.0), (-5.0, -4.0), (-0.5, 0.25)),
        (ast.Div, (1.0, 2.0), (-1.0, 1.0), every), (ast.Div, (1.0, 2.0), (0.0, 1.0), every),
        (ast.Div, (1.0, 2.0), (-1.0, 0.0), every), (ast.Div, none, none, every), (ast.Div, none, (1.0, 2.0), none),
        (ast.Mult, none, every, none), (ast.Mult, every, none, none), (ast.Mult, (0.0, 1.0), every, every),
        (ast.Sub, every, every, every), (ast.Sub, open_up, open_up, every),
        (ast.Add, open_up, open_up, (2.0, math.inf)), (ast.Add, (-math.inf, 1.0), open_up, every),
        (ast.Div, open_up, open_up, every),
    ):  # fmt: skip
        assert claims._of_two(sign, one, other) == found, (sign, one, other)


@pytest.mark.parametrize(("chances", "expected"), BESIDE)
def test_of_several_the_surest_is_told_at_its_share_of_5_percent_and_each_next_one_at_more(chances, expected):
    words = {"+": "stands", "?": "cannot tell"}
    assert [each.verdict for each in verdicts_of(chances)] == [words[each] for each in expected]


def test_every_side_of_a_chain_is_measured():
    chain = Claim.of(1, {"check": "0 < nodes('a') < nodes('b')"})
    assert chain.quantities == (Quantity("nodes", ("a",)), Quantity("nodes", ("b",)))
    few, many = (Estimate(value, None, "all games") for value in (10.0, 20.0))
    assert chain.holds(dict(zip(chain.quantities, (few, many), strict=True)), 0.05) is True
    assert chain.holds(dict(zip(chain.quantities, (many, few), strict=True)), 0.05) is False
    wide = Estimate(10.0, lambda _: (-30.0, 30.0), "some games")
    for numbers, holds in (((many, wide), None), ((wide, few), None), ((wide, wide), None), ((few, many), True)):
        assert chain.holds(dict(zip(chain.quantities, numbers, strict=True)), 0.05) is holds
    for check in ("20 < nodes('a') < nodes('b')", "nodes('b') > nodes('a') > 20", "0 < nodes('b') <= 5 > nodes('a')"):
        refuted = Claim.of(1, {"check": check})
        estimates = {Quantity("nodes", ("a",)): few, Quantity("nodes", ("b",)): wide}
        assert refuted.holds(estimates, 0.05) is False


@pytest.mark.parametrize(("check", "said"), [
    ("elo('a', 'b' > 0", "cannot be read; write a check as"),
    ("elo('a', 'b')", "is no comparison by <, <=, >, >= or =="),
    ("0 < elo('a', 'b') != 1", "is no comparison by"), ("elo('a', 'b') in 1 < 2", "is no comparison by"),
    ("share('a', of='') > 0", "no share '': "), ("share('a', of='games') > 0", "no share 'games': "),
    ("elo('a', 'b') != 0", "is no comparison by"), ("1 > 0", "'1 > 0' measures nothing; write"),
    ("speed('a') > 0", "no quantity 'speed': there are"), ("nodes('a', 'b') > 0", "nodes is written nodes('a'): names"),
    ("elo('a') > 0", "elo is written elo('a', 'b'): names of agents in quotes"),
    ("elo(a, b) > 0", "elo is written elo('a', 'b')"), ("nodes('a', games=x) > 0", "nodes is written nodes('a')"),
    ("nodes('a', depth=3) > 0", "no setting of nodes 'depth': "),
    ("states('a') > 0", "states needs a depth: states('a'"),
    ("states('a', depth='6') > 0", "states: depth cannot be '6'; it is written states('a', depth=6)"),
    ("states('a', depth=True) > 0", "depth cannot be True"), ("share('a', of='best') > 0", "no share 'best': "),
    ("nodes('a') > 2 ** 3", "'2 ** 3' has no meaning here; write"), ("nodes('a') > True", "'True' has no meaning here"),
    ("nodes('a') > 1e15", "has no meaning here"), ("nodes('a') > +1", "'+1' has no meaning here"),
    *[(f"{side} < nodes('a')", "has no meaning here; write") for side in (
        "-1e15", "~1", "(not 1)", "7 // 2", "7 % 2", "7 & 2", "'a'", "1j", "None", "b", "(1, 2)", "(1 if 2 else 3)",
    )],
    ("score('a', 'b', 'c') > 0", "score is written"), ("score() > 0", "score is written"),
    ("elo('a', 'b', 'c') > 0", "elo is written"), ("nodes(1) > 0", "nodes is written"),
    ("elo('a', 'b', games=3) > 0", "elo: games cannot be 3"), ("share('a', of=1) > 0", "share: of cannot be 1"),
    ("elo('a', 'b', of='good') > 0", "no setting of elo 'of'"), ("wins('a', **'b') > 0", "no setting of wins 'None'"),
    ("share('a', games='x') > 0", "no setting of share 'games'"),
    ("states('a:maxdepth=3') > 0", "states needs a depth"),
    ("states('a', depth=6.0) > 0", "states: depth cannot be 6.0"), ("nodes('a').x > 0", "has no meaning here"),
])  # fmt: skip
def test_a_check_that_says_nothing_is_refused_with_how_it_is_written(check, said):
    with pytest.raises(InputError) as raised:
        Claim.of(1, {"check": check})
    assert said in str(raised.value)


@pytest.mark.parametrize(("sign", "below", "at", "above"), [
    ("<", True, False, False), ("<=", True, True, False), (">", False, False, True), (">=", False, True, True),
    ("==", False, True, False),
])  # fmt: skip
def test_exact_numbers_are_compared_as_they_are(sign, below, at, above):
    claim = Claim.of(3, {"check": f"nodes('a') {sign} 2 * 5 - -1"})
    found = [claim.holds({claim.quantities[0]: Estimate(value, None, "")}, 0.05) for value in (10.5, 11.0, 11.5)]
    assert found == [below, at, above]
    assert (claim.number, claim.text) == (3, f"nodes('a') {sign} 2 * 5 - -1"), "without words it is its check"
    assert claim.chance({claim.quantities[0]: Estimate(11.0, None, "")}) is None


def test_the_depth_of_states_may_stand_in_the_agents_name_and_a_setting_in_the_call():
    for check, quantity in {
        "states('a:order=centre,depth=3') > 1": Quantity("states", ("a:order=centre",), 3),
        "states('a:depth=4,order=centre', depth=6) > 1": Quantity("states", ("a:order=centre",), 6),
        "states('a', depth=12) > 1": Quantity("states", ("a",), 12), "share('a') > 1": Quantity("share", ("a",)),
        "states('a:depth=12') > 999999999999999": Quantity("states", ("a",), 12),
        "score('a') > 1": Quantity("score", ("a",)), "score('b', 'a') > 1": Quantity("score", ("b", "a")),
        "1 < wins('a', games='x')": Quantity("wins", ("a",), games="x"), "1 < -nodes('a')": Quantity("nodes", ("a",)),
        "elo('b', 'a', games='y') > 1": Quantity("elo", ("b", "a"), games="y"),
        "share('a', of='good') / 2 > 1": Quantity("share", ("a",), of="good"),
        "share('a', of='clear_perfect') > 1": Quantity("share", ("a",), of="clear_perfect"),
        "share('a', of='perfect') > 1": Quantity("share", ("a",), of="perfect"),
        "wins('a', 'b', games='x') > 1": Quantity("wins", ("a", "b"), games="x"),
    }.items():  # fmt: skip
        assert Claim.of(1, {"check": check}).quantities == (quantity,)
