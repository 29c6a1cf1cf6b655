"""What a run shows, in a few sentences, in runs of which the answer is known by construction."""

import re

from hand_made import frames, pairs_of, run_of
from played import played

from agents.board import Rules
from arena.page.page import page
from arena.tournament.answer import answer
from arena.tournament.standings import standings

THREE = ["alphabeta:depth=4", "minimax:depth=2", "greedy"]
OPENINGS = tuple(str(number) for number in range(11, 51) if number % 10 not in (0, 8, 9))


def run(path, scores, agents=THREE, **more):
    """Store a run in which `scores` has the results of each pair of agents, openings by openings."""
    games = [game for (one, two), text in scores.items() for game in pairs_of(*text, one=one, two=two)]
    return frames(run_of(path / "run.sqlite", agents, games, openings=OPENINGS, **more))


def test_the_best_is_named_where_the_games_show_it(tmp_path):
    clear = ["11"] * 18 + ["10", "1="] * 3
    found = answer(run(tmp_path, {(0, 1): clear, (0, 2): clear, (1, 2): ["10"] * 24}))
    assert found == ["alphabeta:depth=4 is the best of 3: surely better than all others"]


def test_a_leader_that_others_may_beat_is_called_no_more_than_that(tmp_path):
    level, won = ["11", "00", "1="] + ["10"] * 9, ["11"] * 9 + ["10"] * 3
    [line] = answer(run(tmp_path, {(0, 1): level, (0, 2): won, (1, 2): won}))
    assert re.fullmatch(
        "alphabeta:depth=4 (leads the|is best of) 3: surely better than #3, (not surely|probably) than #2", line
    )


def test_where_nothing_is_shown_nobody_is_called_the_best(tmp_path):
    [line] = answer(run(tmp_path, {(0, 1): ["10", "1="], (0, 2): ["10", "=0"], (1, 2): ["10", "01"]}))
    assert line.startswith("none of the 3 is shown to be the best; greedy has most points, ")


def test_agents_that_play_the_same_games_are_named_with_the_share_of_the_nodes(tmp_path):
    made = frames(
        played(tmp_path / "run.sqlite", "minimax:depth=3", "alphabeta:depth=3", "alphabeta:depth=1", rules=Rules(5, 4))
    )
    nodes = {row.agent: row.nodes_per_move for row in standings(made)}
    share = 100 * nodes["alphabeta:depth=3"] / nodes["minimax:depth=3"]
    assert re.search(
        rf"#\d \(alphabeta\) plays exactly like #\d \(minimax\), with {share:.1f} % of its nodes", answer(made)[1]
    )


def test_two_heuristics_are_compared_over_all_pairings_of_the_same_search(tmp_path):
    specs = [
        f"{search},heuristic={name}"
        for search in ("minimax:depth=2", "alphabeta:depth=3")
        for name in ("zero", "parity")
    ]
    ends = {(0, 1): ["00"] * 12, (2, 3): ["00"] * 11 + ["10"], (0, 2): ["10"] * 12, (1, 3): ["10"] * 12}
    lines = answer(run(tmp_path, ends, specs))
    assert any(line.startswith("over 2 searches with both heuristics, parity beats zero, ") for line in lines)


def test_a_heuristic_is_called_what_the_names_of_the_agents_call_it(tmp_path):
    specs = ["minimax:heuristic=40-17-15-4-2", "minimax:heuristic=zero"]
    lines = answer(run(tmp_path, {(0, 1): ["11"] * 12}, specs))
    assert any(line.startswith("in the same search, 40-17-15-4-2 beats zero, ") for line in lines)


def test_two_that_differ_in_their_ordering_are_said_to_play_other_moves_of_equal_value(tmp_path):
    specs = ["alphabeta:depth=2", "alphabeta:depth=2,order=centre", "random"]
    ends = {(0, 1): ["10", "11"], (0, 2): ["11", "1="], (1, 2): ["10", "11"]}
    said = "differ in their ordering alone: it changes no value, but which of equally good moves they play"
    assert any(line.endswith(said) for line in answer(run(tmp_path, ends, specs)))


def test_a_page_begins_with_the_answer_and_a_run_without_games_has_none(tmp_path):
    made = run(tmp_path, {(0, 1): ["11"] * 20, (0, 2): ["11"] * 20, (1, 2): ["10"] * 20})
    text = page(tmp_path / "run.sqlite")
    shown = re.sub("<[^>]*>", "", text[text.index('id="standings">') + len('id="standings">') :]).split()
    words = answer(made)[0].split()
    assert shown[: 1 + len(words)] == ["Standings", *words]
    (tmp_path / "none").mkdir()
    assert answer(run(tmp_path / "none", {})) == []
