"""The first line of a comparison."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
from hand_made import frames, pairs_of, run_of

from agents.board import Rules
from arena.comparison import ratings
from arena.comparison.answer import _over, again
from arena.comparison.plan import Level, fielded, spec
from arena.comparison.ratings import _nothing, comparison
from arena.comparison.tables import comparison_parts

SEARCH = "alphabeta:order=centre"
OPENINGS = [str(number) for number in range(20)]
EVEN, BETTER, BEST = ["10"] * 20, [*["11"] * 12, *["10"] * 8], ["11"] * 20
WORSE = [*["00"] * 12, *["10"] * 8]
CHANCE = [*["11"] * 4, *["10"] * 16]
"""Shown to be better by itself, not among several."""


def told(path, games, heuristics=("zero", "mine.py:evaluate", "smart-aware"), depths=(2, 3), **plan):
    levels = [Level("depth", str(depth)) for depth in depths]
    agents = [spec(SEARCH, heuristic, level) for level in levels for heuristic in heuristics]
    asked = {"search": SEARCH, "levels": fielded(heuristics, SEARCH, levels)}
    run = run_of(path, agents, games, openings=OPENINGS, comparison=asked, **{"population": 568} | plan)
    return comparison(frames(run))


@pytest.fixture
def mine(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text("def evaluate(own, opp):\n    return 0\n")
    return tmp_path / "run"


def games(first, second, others):
    """Return the games of mine against zero and smart-aware, and of these two, at both depths."""
    levels = ((0, 1, 2), (3, 4, 5))
    return [
        game
        for zero, own, smart in levels
        for game in (
            *pairs_of(*first, one=own, two=zero),
            *pairs_of(*second, one=own, two=smart),
            *pairs_of(*others, one=zero, two=smart),
        )
    ]


def test_of_several_heuristics_the_best_one_is_named_where_it_beats_all_others(mine):
    best = told(mine, games(BETTER, BETTER, EVEN))
    assert best.answer.startswith("mine.py:evaluate is the best of 3 over depths 2 and 3: it beats zero by 241 Elo [")
    assert " and smart-aware by 241 Elo [" in best.answer
    assert (best.subject, best.void) == ("mine.py:evaluate", ())


def test_where_the_leader_does_not_beat_all_others_none_is_shown_to_be_the_best(mine):
    assert told(mine, games(BETTER, EVEN, EVEN)).answer == (
        "none of the 3 is shown to be the best over depths 2 and 3: mine.py:evaluate leads with 65.0 % of the points, "
        "zero is last with 35.0 %; mine.py:evaluate surely beats zero"
    )
    assert told(mine.with_name("even"), games(EVEN, EVEN, EVEN)).answer.endswith(" is last with 50.0 %")
    assert told(mine.with_name("beaten"), games(BEST, WORSE, BETTER)).answer.endswith(
        " leads with 60.0 % of the points, zero is last with 40.0 %; mine.py:evaluate surely beats zero"
    )


def test_of_several_the_one_of_a_file_is_asked_about_only_where_it_leads(mine):
    assert told(mine, games(WORSE, WORSE, EVEN)).subject == "zero"


@pytest.mark.parametrize(
    ("zero", "smart", "words", "points"),
    [
        (BETTER, EVEN, "beats zero by 241 Elo [127 to 362] and is not shown to differ from smart-aware", "65.0"),
        (BETTER, WORSE, "beats zero by 241 Elo [127 to 362] and loses to smart-aware by 241 Elo [127 to 362]", "50.0"),
        (BETTER, ["11"], "beats zero by 241 Elo [127 to 362] and is not shown to differ from smart-aware", "100.0"),
        (CHANCE, EVEN, "is not shown to differ from zero and is not shown to differ from smart-aware", "55.0"),
    ],
)
def test_where_the_others_did_not_meet_it_is_told_how_one_did_against_each(mine, zero, smart, words, points):
    met = [*pairs_of(*zero, one=1, two=0), *pairs_of(*smart, one=1, two=2)]
    assert (
        told(mine, met, depths=(2,)).answer == f"mine.py:evaluate {words} at depth 2: it has {points} % of the points"
    )


@pytest.mark.parametrize(("second", "rival"), [(EVEN, "smart-aware"), (BEST, "zero")])
def test_the_reason_is_looked_for_against_the_one_that_does_best_against_it(mine, monkeypatch, second, rival):
    monkeypatch.setattr(ratings, "why", lambda choices, *names: names)
    assert told(mine, games(BETTER, second, EVEN)).why == ("mine.py:evaluate", rival, str(mine))


def test_at_a_level_where_two_are_the_same_player_nothing_would_tell_them_apart(tmp_path, monkeypatch):
    monkeypatch.setattr(ratings, "why", lambda choices, *names: "why")
    same = [(*sides, opening, "1", "1234567") for opening in range(20) for sides in ((0, 1), (1, 0))]
    result = told(tmp_path / "run", [*same, *pairs_of(*EVEN, one=2, two=3)], ("zero", "smart-aware"))
    assert [(row.plays_alike, row.more is None) for row in result.pairings] == [(True, True), (False, False)]
    assert ("same player there" in result.pairings[0].verdict, result.why) == (True, "why")


def test_pairings_in_which_nothing_was_compared_are_counted():
    assert _nothing(["a.", "b."], 3) == "no verdict: in 2 of 3 pairings nothing was compared; a"
    assert [_nothing(["a."], pairings).partition("; ")[0] for pairings in (1, 3)] == [
        "no verdict: a", "no verdict: in 1 of 3 pairings nothing was compared"
    ]  # fmt: skip


def test_a_difference_that_may_be_chance_among_so_many_is_told_as_such(mine):
    chance = pairs_of(*["11"] * 4, *["10"] * 16, one=0, two=2)
    met = [*pairs_of(*BEST, one=1, two=0), *pairs_of(*EVEN, one=1, two=2), *chance]
    result = told(mine, met, depths=(2,))
    assert ["may be chance" in row.verdict for row in result.pairings] == [False, True, False]
    levels = [*chance, *pairs_of(*EVEN, one=4, two=6), *pairs_of(*EVEN, one=8, two=10)]
    levels = [(one // 2, two // 2, *rest) for one, two, *rest in levels]
    several = told(mine.with_name("several"), levels, ("zero", "mine.py:evaluate"), (2, 3, 4))
    assert [row.survives for row in several.pairings] == [False, False, False]


def test_heuristics_that_make_the_same_moves_everywhere_are_the_same_player(tmp_path):
    same = [
        game for opening in range(20) for game in ((0, 1, opening, "1", "1234567"), (1, 0, opening, "1", "1234567"))
    ]
    found = told(tmp_path / "run", same, ("zero", "smart-aware"), (4,))
    assert found.answer == (
        "zero and smart-aware are the same player in this search: they made the same moves in every game"
    )
    assert (found.again, found.why) == ("", "")
    assert "they are the same player there" in found.pairings[0].verdict


def test_heuristics_that_play_alike_at_one_level_of_two_are_two_players(tmp_path):
    same = [(*sides, opening, "1", "1234567") for opening in range(20) for sides in ((0, 1), (1, 0))]
    compared = told(tmp_path / "run", [*same, *pairs_of(*BETTER, one=2, two=3)], ("zero", "smart-aware"))
    assert [row.plays_alike for row in compared.pairings] == [True, False]
    assert compared.answer.startswith("zero beats smart-aware, by ")
    assert compared.answer.endswith(", over depths 2 and 3: 65.0 % of the points in 40 pairs of games")


def test_of_one_pairing_at_one_level_the_answer_has_the_numbers_of_its_pairing(tmp_path):
    found = told(tmp_path / "run", pairs_of(*BETTER, one=0, two=1), ("zero", "smart-aware"), (4,))
    numbers = "241 Elo [127 to 362]"
    assert (
        found.answer == f"zero beats smart-aware, by {numbers}, at depth 4: 80.0 % of the points in 20 pairs of games"
    )
    assert found.pairings[0].verdict.startswith(f"zero beats smart-aware by {numbers} at depth 4 (LOS")


def test_without_a_heuristic_from_a_file_it_is_about_the_one_with_the_most_points(tmp_path):
    found = told(tmp_path / "run", pairs_of(*BETTER, one=1, two=0), ("zero", "smart-aware"), (4,))
    assert found.answer.startswith("smart-aware beats zero, by ")


def test_a_level_where_it_is_the_other_way_round_is_named(mine):
    lost = ["00"] * 12 + ["10"] * 8
    both = [*pairs_of(*BEST, one=1, two=0), *pairs_of(*lost, one=3, two=2)]
    answer = told(mine, both, ("zero", "mine.py:evaluate")).answer
    assert "is shown to be better" in answer or "(the other way round at depth 3)" in answer
    three = [*both, *pairs_of(*BEST, one=5, two=4), *pairs_of(*BEST, one=7, two=6)]
    assert (
        "over depths 2 to 5 (the other way round at depth 3): "
        in told(mine.with_name("three"), three, ("zero", "mine.py:evaluate"), (2, 3, 4, 5)).answer
    )


def test_also_of_a_heuristic_that_loses_over_all_levels_the_level_it_wins_at_is_named(mine):
    lost, won = ["00"] * 20, ["11"] * 12 + ["10"] * 8
    levels = (lost, won, lost, lost)
    games = [game for level, ends in enumerate(levels) for game in pairs_of(*ends, one=2 * level + 1, two=2 * level)]
    answer = told(mine, games, ("zero", "mine.py:evaluate"), (2, 3, 4, 5)).answer
    assert answer.startswith("mine.py:evaluate loses to zero, by ")
    assert ", over depths 2 to 5 (the other way round at depth 3): 20.0 % of the points" in answer


def test_levels_where_it_is_the_other_way_round_are_named_in_order(mine):
    lost = [*["00"] * 14, *["10"] * 6]
    levels = (BEST, BEST, lost, lost, BEST, BEST)
    games = [game for level, ends in enumerate(levels) for game in pairs_of(*ends, one=2 * level + 1, two=2 * level)]
    found = told(mine, games, ("zero", "mine.py:evaluate"), (2, 3, 5, 4, 6, 7))
    turned = "(the other way round at depth 4 and depth 5)"
    assert f", over depths 2, 3, 5, 4, 6 and 7 {turned}: " in found.answer


def test_of_equal_heuristics_it_is_about_the_first(tmp_path):
    even = told(tmp_path / "even", pairs_of(*EVEN, one=0, two=1), ("parity", "zero"), (2,))
    assert even.subject == "parity"
    assert even.answer.endswith(": parity has 50.0 % of the points in 20 pairs of games, -55 to +55 Elo")


def test_where_all_together_show_nothing_no_level_is_the_other_way_round(mine):
    both = [*pairs_of(*BEST, one=1, two=0), *pairs_of(*["00"] * 19, "10", one=3, two=2)]
    found = told(mine, both, ("zero", "mine.py:evaluate"))
    assert [row.survives for row in found.pairings] == [True, True]
    assert found.answer == (
        "neither mine.py:evaluate nor zero is shown to be better over depths 2 and 3: mine.py:evaluate has "
        "51.2 % of the points in 40 pairs of games, -47 to +62 Elo"
    )


def test_only_openings_that_were_played_everywhere_count(mine):
    points = [*pairs_of(*["00"] * 12, *["11"] * 8, one=1, two=0), *pairs_of(*["11"] * 8, one=1, two=2, start=12)]
    assert told(mine, [*points, *pairs_of(*["10"] * 20, one=0, two=2)], depths=(2,)).answer.startswith(
        "none of the 3 is shown to be the best at depth 2: mine.py:evaluate leads with 100.0 % of the points"
    )


def test_over_all_openings_a_small_difference_is_a_fact(tmp_path):
    zero = [*pairs_of("11", *["10"] * 19), *pairs_of("00", *["10"] * 19, one=0, two=2)]
    games = [*zero, *pairs_of(*["10"] * 20, one=1, two=2)]
    found = told(tmp_path / "all", games, ("zero", "parity", "smart-aware"), (2,), population=20)
    assert found.answer.endswith(
        ": smart-aware leads with 51.2 % of the points, parity is last with 48.8 %; smart-aware surely beats zero"
    )


def test_an_anchor_holds_at_the_levels_that_have_it(tmp_path):
    asked = {"depth 2": ("zero", "parity"), "depth 3": ("parity", "powers-of-ten")}
    levels = {level: {f"minimax:depth={level[-1]},heuristic={each}": each for each in names}
              for level, names in asked.items()}  # fmt: skip
    agents = [agent for names in levels.values() for agent in names]
    games = [*pairs_of(*BETTER), *pairs_of(*BETTER, one=2, two=3)]
    path = run_of(tmp_path / "run", agents, games, openings=OPENINGS, comparison={"levels": levels})
    found = comparison(frames(path), ("zero", 100.0))
    elo = {(row.at, row.heuristic): round(row.elo.value) for row in found.ratings}
    assert elo == {
        ("depth 2", "zero"): 100, ("depth 2", "parity"): -141, ("depth 3", "parity"): 120,
        ("depth 3", "powers-of-ten"): -120,
    }  # fmt: skip


def test_what_is_not_clear_has_the_command_that_would_tell(mine):
    found = told(mine, games(BEST, EVEN, BETTER), seed=7)
    unclear = [row for row in found.pairings if row.more is not None]
    assert {(row.heuristic, row.against) for row in unclear} == {("mine.py:evaluate", "smart-aware")}
    rounds = max(row.more for row in unclear)
    assert found.again == (
        f"more openings may tell ({rounds:,} tell a difference of 30 Elo): "
        f"arena compare mine.py:evaluate smart-aware --depth 2,3 --rounds {rounds} --seed 8"
    )
    assert told(mine.with_name("clear"), games(BEST, BEST, BEST)).again == ""


def test_an_opening_that_was_not_played_everywhere_says_nothing_and_what_is_unclear_is_to_be_played_again(mine):
    assert told(mine, pairs_of(*BEST, one=1, two=0)).answer == ""
    apart = [*pairs_of(*CHANCE[12:], one=1, two=0), *pairs_of(*EVEN[:8], one=4, two=3, start=12)]
    result = told(mine.with_name("apart"), apart, ("zero", "mine.py:evaluate", "parity"))
    assert (result.answer, [row.pairs for row in result.pairings]) == ("", [8, 8])
    assert result.again.endswith(" --seed 2")
    parts = comparison_parts(result, SEARCH)
    assert (parts[0], parts[5]) == ("", result.again)


def test_a_level_that_is_the_other_way_round_by_chance_is_not_named(mine):
    lost = ["00"] * 2 + ["10"] * 18
    levels = (BEST, lost, BEST, BEST)
    both = [game for level, ends in enumerate(levels) for game in pairs_of(*ends, one=2 * level + 1, two=2 * level)]
    found = told(mine, both, ("zero", "mine.py:evaluate"), (2, 3, 4, 5))
    turned = next(row for row in found.pairings if row.at == "depth 3")
    assert (turned.score, turned.survives) == (pytest.approx(0.55), False)
    assert " over depths 2 to 5: " in found.answer


def test_the_command_that_would_tell_can_be_pasted_into_a_shell(mine):
    names = ("zero", "windows(1,2,3,4)")
    again = told(mine, pairs_of(*EVEN, one=0, two=1), names, (2,)).again
    assert "arena compare zero 'windows(1,2,3,4)' --depth 2" in again


HEURISTICS = ("zero", "parity", "smart-aware")
FRESH = "arena compare parity smart-aware --depth"


def asked(*unclear, kind="depth", **plan):
    """Return the command of a fresh run for what is not clear: level, more rounds and the two heuristics of each."""
    levels = {f"{kind} {at}" if kind == "depth" else f"{at} {kind}": dict(enumerate(HEURISTICS)) for at in (2, 3, 5)}
    plan = {"rules": {"columns": 7, "rows": 6, "connect": 4}, "comparison": {}, "rounds": 20, "population": 568} | plan
    met = [SimpleNamespace(at=at, more=more, heuristic=one, against=two) for at, more, one, two in unclear]
    return again(SimpleNamespace(plan=plan), levels, met, 25.0)


CLEAR = ("depth 2", None, "zero", "parity")
OPEN = ("depth 3", 40, "smart-aware", "parity")


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        ({}, f"{FRESH} 3 --rounds 40 --seed 2"),
        ({"seed": 7}, f"{FRESH} 3 --rounds 40 --seed 8"),
        ({"comparison": {"search": "alphabeta:order=centre"}}, f"{FRESH} 3 --rounds 40 --seed 2"),
        ({"comparison": {"search": "minimax"}}, f"{FRESH} 3 --search minimax --rounds 40 --seed 2"),
        ({"openings": "plies:4"}, f"{FRESH} 3 --rounds 40 --seed 2"),
        ({"openings": "plies:6"}, f"{FRESH} 3 --openings plies:6 --rounds 40 --seed 2"),
        ({"population": 40}, f"{FRESH} 3 --rounds 40 --seed 2"),
        ({"population": 39}, f"{FRESH} 3 --openings plies:8 --rounds 40 --seed 2"),
        ({"population": 39, "openings": "plies:2"}, f"{FRESH} 3 --openings plies:8 --rounds 40 --seed 2"),
        ({"rules": {"columns": 5, "rows": 4, "connect": 4}}, f"{FRESH} 3 --rounds 40 --seed 2 --board 5x4x4"),
        (
            {"rules": {"columns": 7, "rows": 6, "connect": 4, "most_fours": True}},
            f"{FRESH} 3 --rounds 40 --seed 2 --board 7x6x4 --rules most-fours",
        ),
    ],
)
def test_a_fresh_run_is_as_the_run_was_but_for_its_rounds_and_its_seed(plan, words):
    said = asked(CLEAR, OPEN, **plan)
    assert said == f"more openings may tell (40 tell a difference of 25 Elo): {words}"
    if "--board" in words:
        size = Rules.parse(words.split()[words.split().index("--board") + 1])
        assert replace(size, most_fours="most-fours" in words) == Rules(**plan["rules"])


def test_a_fresh_run_has_the_levels_and_heuristics_that_are_not_clear_and_rounds_enough_for_all():
    assert asked(OPEN, ("depth 5", 90, "smart-aware", "zero"), ("depth 3", 7, "zero", "parity"), CLEAR) == (
        "more openings may tell (90 tell a difference of 25 Elo): "
        "arena compare zero parity smart-aware --depth 3,5 --rounds 90 --seed 2"
    )
    for kind, option in (("nodes", "nodes"), ("s", "seconds")):
        words = asked((f"2 {kind}", 40, "zero", "parity"), (f"5 {kind}", 40, "zero", "parity"), kind=kind)
        assert words.endswith(f"arena compare zero parity --{option} 2,5 --rounds 40 --seed 2")
    assert asked(CLEAR) == asked() == ""


@pytest.mark.parametrize(
    ("levels", "words"),
    [
        (["depth 4"], "at depth 4"), (["100 nodes"], "at 100 nodes"), (["depth 4", "depth 5"], "over depths 4 and 5"),
        (["depth 4", "depth 5", "depth 6"], "over depths 4 to 6"),
        (["depth 2", "depth 4", "depth 6"], "over depths 2, 4 and 6"),
        (["depth 6", "depth 5", "depth 4"], "over depths 6, 5 and 4"),
        (["1000 nodes", "2000 nodes"], "over 1000 nodes and 2000 nodes"),
        (["0.1 s", "0.2 s", "1 s"], "over 0.1 s, 0.2 s and 1 s"),
    ],
)  # fmt: skip
def test_levels_are_told_in_few_words(levels, words):
    assert _over(levels) == words
