from dataclasses import replace

import pytest
from hand_made import frames, pairs_of, run_of

from arena.statistics.pairing import Basis, pairing
from arena.table.render import write
from arena.tournament import pairing_tables as report
from arena.tournament import pairings

FIXED = ("alphabeta:depth=2", "minimax:depth=2")
CHANCE = ("random", "greedy")


def duel(path, one=0, two=1):
    found = frames(path)
    names = list(found.agents["name"])
    return pairings.duel(found, names[one], names[two])


def test_the_five_counts_are_those_one_makes_by_hand(tmp_path):
    ends = ["00", "0=", "=0", "10", "01", "==", "1=", "=1", "11", "11"]
    run = run_of(tmp_path / "run", FIXED, pairs_of(*ends), openings=[str(number) for number in range(10)])
    met = duel(run)
    assert met.counts == (1, 2, 3, 2, 2)
    assert (met.games, met.statistics.count, met.statistics.unit) == (20, 10, "pairs")
    assert met.statistics.score == pytest.approx((0 + 0.5 * 2 + 1 * 3 + 1.5 * 2 + 2 * 2) / 20)
    assert met.statistics == pairing([1, 2, 3, 2, 2], 25)


def test_the_other_view_has_the_counts_reversed(tmp_path):
    run = run_of(tmp_path / "run", FIXED, pairs_of("11", "1=", "00"))
    assert duel(run, 0, 1).counts == (1, 0, 0, 1, 1)
    assert duel(run, 1, 0).counts == (1, 1, 0, 0, 1)


def test_an_opening_that_was_played_with_one_colour_is_no_pair(tmp_path):
    games = [*pairs_of("11", "00"), (0, 1, 2, "1"), (1, 0, 3, "1")]
    met = duel(run_of(tmp_path / "run", FIXED, games))
    assert met.counts == (1, 0, 0, 0, 1)
    assert met.games == 6


def test_agents_that_only_met_with_one_colour_have_no_statistics(tmp_path):
    met = duel(run_of(tmp_path / "run", FIXED, [(0, 1, 0, "1"), (0, 1, 1, "0")]))
    assert met.counts == (0, 0, 0, 0, 0)
    assert (met.games, met.statistics) == (2, None)
    assert (met.pairs, met.elo, met.basis, met.score) == (0, None, None, None)


def test_distinct_games_are_counted_by_their_moves(tmp_path):
    games = [(0, 1, 0, "1", "1234"), (1, 0, 0, "1", "1234"), (0, 1, 1, "1", "2234"), (1, 0, 1, "1", "2235")]
    assert duel(run_of(tmp_path / "run", FIXED, games)).distinct == 3


def test_games_with_others_and_with_oneself_do_not_count(tmp_path):
    games = [*pairs_of("11"), (0, 0, 0, "1"), *pairs_of("00", one=0, two=2), (2, 1, 1, "1")]
    met = duel(run_of(tmp_path / "run", [*FIXED, "random"], games))
    assert (met.counts, met.games, met.distinct) == ((0, 0, 0, 0, 1), 2, 2)


def test_costs_are_those_of_the_games_against_each_other(tmp_path):
    games = [
        (0, 1, 0, "1", "123456", (30, 10, 50, 10)),
        (0, 2, 0, "1", "1234", (7000, 1)),
        (0, 0, 0, "1", "1234", (9000, 9000)),
    ]
    met = duel(run_of(tmp_path / "run", [*FIXED, "random"], games, openings=["12"]))
    assert met.nodes_ratio == pytest.approx(4.0)
    assert met.time_ratio.value == pytest.approx(4.0)


def test_no_ratio_is_told_where_nothing_was_searched(tmp_path):
    met = duel(run_of(tmp_path / "run", FIXED, [(0, 1, 0, "1", "1234", (30, 0))], openings=["12"]))
    assert met.nodes_ratio is None
    assert duel(run_of(tmp_path / "none", FIXED, pairs_of("11"))).nodes_ratio is None


@pytest.mark.parametrize("silent", ["cmd:cat", "perfect"])
def test_nodes_that_one_does_not_report_give_no_ratio_from_either_side(tmp_path, silent):
    games = [(0, 1, 0, "1", "123456", (30, 0, 50, 0))]
    path = run_of(tmp_path / "run", [FIXED[0], silent], games, openings=["12"])
    assert duel(path).nodes_ratio is duel(path, 1, 0).nodes_ratio is None


@pytest.mark.parametrize(
    ("agents", "plan", "basis"),
    [
        (FIXED, {"population": 4}, Basis.EXACT),
        (FIXED, {"population": 5}, Basis.SCORE),
        (FIXED, {"population": None}, Basis.SCORE),
        (FIXED, {"population": 4, "seconds": 0.1}, Basis.SCORE),
        ((FIXED[0], "random"), {"population": 4}, Basis.SCORE),
        (("random", FIXED[0]), {"population": 4}, Basis.SCORE),
        ((FIXED[0], "alphabeta:seconds=0.1"), {"population": 4}, Basis.SCORE),
        ((FIXED[0], "alphabeta:nodes=100"), {"population": 4}, Basis.EXACT),
    ],
)
def test_a_result_is_exact_where_two_deterministic_agents_played_the_whole_set(tmp_path, agents, plan, basis):
    met = duel(run_of(tmp_path / "run", agents, pairs_of("11", "10", "1=", "00"), **plan))
    assert met.statistics.basis is basis


def test_a_whole_set_with_a_pair_unfinished_is_not_exact(tmp_path):
    games = pairs_of("11", "10", "1=", "00")[:-1]
    assert duel(run_of(tmp_path / "run", FIXED, games, population=4)).statistics.basis is Basis.SCORE


def test_openings_drawn_from_few_make_deterministic_agents_surer(tmp_path):
    games = pairs_of("11", "10", "1=", "00")
    few = duel(run_of(tmp_path / "few", FIXED, games, population=5)).statistics
    many = duel(run_of(tmp_path / "many", FIXED, games, population=5000)).statistics
    chance = duel(run_of(tmp_path / "chance", CHANCE, games, population=5)).statistics
    assert few.high - few.low < 0.7 * (many.high - many.low)
    assert chance == pairing([1, 0, 1, 1, 1])


def test_agents_whose_file_is_gone_are_still_known_to_be_deterministic(tmp_path):
    mine = tmp_path / "mine.py"
    mine.write_text("def evaluate(own, opp):\n    return 0\n")
    agents = (FIXED[0], f"alphabeta:depth=1,heuristic={mine}:evaluate")
    run = run_of(tmp_path / "run", agents, pairs_of("11", "10", "1=", "00"), population=4)
    assert duel(run).statistics.basis is Basis.EXACT
    mine.unlink()
    assert duel(run).statistics.basis is Basis.EXACT


def test_every_two_that_met_are_listed_in_the_order_of_the_agents(tmp_path):
    games = [(2, 0, 0, "1"), (1, 2, 0, "="), (0, 0, 0, "1")]
    found = frames(run_of(tmp_path / "run", ["random", "greedy", "random", "minimax"], games))
    assert [(met.agent, met.against) for met in pairings.duels(found)] == [
        ("random", "random#2"),
        ("greedy", "random#2"),
    ]


def test_a_pairing_is_shown_with_open_ends_and_without_what_does_not_exist(tmp_path):
    found = frames(run_of(tmp_path / "run", FIXED, pairs_of("11", "11", "11", "11")))
    text = write(report.pairings_parts(pairings.duels(found)), "plain")
    header, _, line = text.splitlines()[:3]
    assert " ".join(header.split()) == ("agent against LL-LD-even-WD-WW score Elo 95 % nElo sure % games distinct")
    assert "0-0-0-0-4  100.0 %    -" in line
    assert "… →" in line
    assert line.endswith("8         8")
    assert "depth=2" not in line
    assert text.endswith("all agents have depth=2")


def test_pairings_beside_each_other_are_held_against_their_number(tmp_path):
    # One pairing of LOS 98.7 % differs alone, and no longer beside two that are even.
    ends = [*["11"] * 3, *["1="] * 6, *["10"] * 5, *["0="] * 2]
    openings = [str(number) for number in range(11, 27)]
    even = [*pairs_of(*["10"] * 16, one=0, two=2), *pairs_of(*["10"] * 16, one=1, two=2)]
    agents = ["alphabeta:depth=1", "alphabeta:depth=2", "random"]
    for games, survives in (([], [True]), (even, [False, False, False])):
        run = run_of(tmp_path / f"{len(games)}", agents, [*pairs_of(*ends), *games], openings=openings, population=None)
        met = pairings.duels(frames(run))
        assert met[0].statistics.clear
        assert [each.survives for each in met] == survives


def test_what_is_exact_needs_no_test_against_the_number_of_pairings(tmp_path):
    games = [*pairs_of("11", "10", one=0, two=1), *pairs_of("10", "10", one=0, two=2)]
    agents = ["alphabeta:depth=1", "alphabeta:depth=2", "alphabeta:depth=3"]
    met = pairings.duels(frames(run_of(tmp_path / "run", agents, games, openings=("11", "12"), population=2)))
    assert [(each.basis, each.survives) for each in met] == [(Basis.EXACT, True), (Basis.EXACT, False)]


def test_nodes_are_compared_as_nodes_whatever_they_took(tmp_path):
    games = [(0, 1, 0, "1", "111234", (10, 40, 10, 40)), (1, 0, 0, "0", "112345", (40, 10, 40, 10))]
    met = duel(run_of(tmp_path / "run", FIXED, games, taking=lambda nodes: 1.0 / nodes))
    assert met.nodes_ratio == pytest.approx(0.25)


def test_several_pairings_are_counted_by_what_they_show_and_what_survives(tmp_path):
    ends = ["11"] * 3 + ["1="] * 6 + ["10"] * 5 + ["0="] * 2
    openings = [str(number) for number in range(11, 27)]
    [met] = pairings.duels(frames(run_of(tmp_path / "run", CHANCE, pairs_of(*ends), openings=openings)))
    even = [*pairs_of(*["10"] * 16)]
    [level] = pairings.duels(frames(run_of(tmp_path / "even", CHANCE, even, openings=openings)))
    lost = replace(met, survives=False)
    said = pairings.tally([met, lost, lost, replace(level, survives=False)])
    assert said == (
        "3 of 4 pairings show a difference; allowing for chance among so many, 1 of them counts (Holm's test)"
    )
    assert pairings.tally([met]) == pairings.tally([]) == ""
    chance = "; allowing for chance among so many,"
    assert pairings.tally([lost, level]) == f"1 of 2 pairings shows a difference{chance} 0 of them count (Holm's test)"
    assert pairings.tally([met, met, level]) == (
        f"2 of 3 pairings show a difference{chance} 2 of them count (Holm's test)"
    )
    assert pairings.tally([level, level]) == "0 of 2 pairings show a difference"


def test_the_ratio_of_nodes_is_that_of_a_move_also_where_one_moved_more_often(tmp_path):
    games = [(0, 1, 0, "1", "12345", (30, 10, 50))]
    assert duel(run_of(tmp_path / "run", FIXED, games, openings=["12"])).nodes_ratio == pytest.approx(4.0)


def test_agents_are_level_within_the_margin_that_is_asked_for(tmp_path):
    openings = [str(number) for number in range(11, 27)]
    found = frames(run_of(tmp_path / "run", CHANCE, pairs_of(*["10"] * 15, "11"), openings=openings))
    wide, narrow = ([each.level for each in pairings.duels(found, margin)] for margin in (300.0, 0.5))
    assert (wide, narrow) == ([True], [False])


def test_two_pairings_are_several(tmp_path):
    openings = [str(number) for number in range(11, 27)]
    [met] = pairings.duels(frames(run_of(tmp_path / "run", CHANCE, pairs_of(*["11"] * 16), openings=openings)))
    assert pairings.tally([met, met]).startswith("2 of 2 pairings show a difference")


def test_exact_results_take_no_part_in_holms_test(tmp_path):
    met = duel(run_of(tmp_path / "run", CHANCE, pairs_of("11", "1=")))
    even = replace(met, basis=str(Basis.EXACT), los_score=50.0, score=0.5, survives=False)
    near = replace(met, los_score=98.0)
    assert [each.survives for each in pairings.held([near])] == [True]
    assert [each.survives for each in pairings.held([even, near])] == [False, True]
    assert [each.survives for each in pairings.held([replace(even, basis=met.basis), near])] == [False, False]
