"""The first line of a comparison."""

import pytest
from hand_made import frames, pairs_of, run_of

from arena.analysis.comparison import comparison
from arena.measure.comparison import Level, fielded, spec

SEARCH = "alphabeta:order=centre"
OPENINGS = [str(number) for number in range(20)]
EVEN, BETTER, BEST = ["10"] * 20, [*["11"] * 12, *["10"] * 8], ["11"] * 20


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


def test_the_readers_own_heuristic_beats_all_others_by_their_pooled_points(mine):
    found = told(mine, games(BETTER, BETTER, EVEN))
    start = "mine.py:evaluate beats zero and smart-aware, by 241 Elo ["
    assert found.answer.startswith(start)
    assert found.answer.endswith("], over depths 2 and 3: 80.0 % of the points in 80 pairs of games")
    assert (found.subject, found.void) == ("mine.py:evaluate", ())


def test_where_the_others_differ_each_has_its_own_number(mine):
    worse = [result.translate(str.maketrans("01", "10")) for result in BETTER]
    answer = told(mine, games(BETTER, worse, EVEN)).answer
    assert answer.startswith("mine.py:evaluate beats zero, by 241 Elo [")
    assert "; mine.py:evaluate loses to smart-aware, by 241 Elo [" in answer
    assert answer.endswith("], over depths 2 and 3: 50.0 % of the points in 80 pairs of games")


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
    assert "no difference shows" in answer or "(the other way round at depth 3 against zero)" in answer
    three = [*both, *pairs_of(*BEST, one=5, two=4), *pairs_of(*BEST, one=7, two=6)]
    assert (
        "over depths 2 to 5 (the other way round at depth 3 against zero): "
        in told(mine.with_name("three"), three, ("zero", "mine.py:evaluate"), (2, 3, 4, 5)).answer
    )


def test_what_is_not_clear_has_the_command_that_would_tell(mine):
    found = told(mine, games(BEST, EVEN, BETTER), seed=7)
    unclear = [row for row in found.pairings if row.more is not None]
    assert {(row.heuristic, row.against) for row in unclear} == {("mine.py:evaluate", "smart-aware")}
    rounds = max(row.more for row in unclear)
    assert found.again == (
        "to see whether the 2 pairings that are not clear differ by 30 Elo: "
        f"arena compare mine.py:evaluate smart-aware --depth 2,3 --rounds {rounds} --seed 8"
    )
    assert told(mine.with_name("clear"), games(BEST, BEST, BEST)).again == ""


def test_an_opening_that_was_not_played_everywhere_says_nothing(mine):
    assert told(mine, pairs_of(*BEST, one=1, two=0)).answer == ""


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
