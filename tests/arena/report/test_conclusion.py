"""What a run shows, in a few sentences, in runs of which the answer is known by construction."""

import re
from types import SimpleNamespace as Row

import pytest
from hand_made import frames, pairs_of, run_of
from played import played

from agents.board import Rules
from arena.analysis.standings import standings
from arena.report.labels import Labels
from arena.report.page import page
from arena.report.tables.conclusion import _plays_like, conclusion

THREE = ["alphabeta:depth=4", "minimax:depth=2", "greedy"]
OPENINGS = tuple(str(number) for number in range(11, 51) if number % 10 not in (0, 8, 9))


def run(path, scores, agents=THREE, **more):
    """Store a run in which `scores` has the results of each pair of agents, openings by openings."""
    games = [game for (one, two), text in scores.items() for game in pairs_of(*text, one=one, two=two)]
    return frames(run_of(path / "run.sqlite", agents, games, openings=OPENINGS, **more))


def test_the_best_is_named_where_the_games_show_it(tmp_path):
    clear = ["11"] * 18 + ["10", "1="] * 3
    found = conclusion(run(tmp_path, {(0, 1): clear, (0, 2): clear, (1, 2): ["10"] * 24}))
    assert found == ["alphabeta:depth=4 is the best of 3 agents, with 95 % confidence."]


def test_a_leader_that_others_may_beat_is_called_no_more_than_that(tmp_path):
    level, won = ["11", "00", "1="] + ["10"] * 9, ["11"] * 9 + ["10"] * 3
    [line] = conclusion(run(tmp_path, {(0, 1): level, (0, 2): won, (1, 2): won}))
    assert re.fullmatch(
        r"alphabeta:depth=4 leads with \d\d\.\d % of the points, but minimax:depth=2 may be the best of the 3 agents,"
        r" too \(95 % confidence\)\.", line,
    )  # fmt: skip


def test_where_nothing_is_shown_nobody_is_called_the_best(tmp_path):
    [line] = conclusion(run(tmp_path, {(0, 1): ["10", "1="], (0, 2): ["10", "=0"], (1, 2): ["10", "01"]}))
    assert line.startswith("None of the 3 agents is shown to be the best: ")
    assert line.endswith("of the points.")


def test_agents_that_play_the_same_games_are_named_with_the_share_of_the_nodes(tmp_path):
    made = frames(
        played(tmp_path / "run.sqlite", "minimax:depth=3", "alphabeta:depth=3", "alphabeta:depth=1", rules=Rules(5, 4))
    )
    nodes = {row.agent: row.nodes_per_move for row in standings(made)}
    share = 100 * nodes["alphabeta:depth=3"] / nodes["minimax:depth=3"]
    assert (
        conclusion(made)[-1]
        == f"alphabeta:depth=3 plays exactly like minimax:depth=3, with {share:.1f} % of the nodes."
    )


@pytest.mark.parametrize(
    ("nodes", "end"),
    [((7.0, 7.0), ", with as many nodes."), ((None, 7.0), "."), ((5.0, 50.0), ", with 10.0 % of the nodes.")],
)
def test_of_agents_that_report_no_nodes_or_as_many_no_share_is_said(nodes, end):
    one, two = (Row(agent=name, nodes_per_move=number) for name, number in zip("ab", nodes, strict=True))
    assert _plays_like(one, two, Labels.among("ab")) == f"a plays exactly like b{end}"


def test_a_page_begins_with_the_answer_and_a_run_without_games_has_none(tmp_path):
    made = run(tmp_path, {(0, 1): ["11"] * 20, (0, 2): ["11"] * 20, (1, 2): ["10"] * 20})
    text = page(tmp_path / "run.sqlite")
    shown = re.sub("<[^>]*>", "", text[text.index('id="standings">') + len('id="standings">') :]).split()
    answer = conclusion(made)[0].split()
    assert shown[: 1 + len(answer)] == ["Standings", *answer]
    (tmp_path / "none").mkdir()
    assert conclusion(run(tmp_path / "none", {})) == []
