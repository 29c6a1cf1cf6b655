"""What a run shows, in a few sentences, in runs of which the answer is known by construction."""

import re
from itertools import combinations
from types import SimpleNamespace as Row

import pytest
from hand_made import frames, pairs_of, run_of
from played import played

from agents.board import Rules
from arena.page.page import page
from arena.table.labels import Labels
from arena.tournament import answer as answers
from arena.tournament.answer import MOST, _best, answer
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


SAME = ["minimax:depth=2,heuristic=zero", "minimax:depth=2,heuristic=parity"]
NEITHER = "in the same search, neither zero nor parity is shown to be better"


@pytest.mark.parametrize(
    ("specs", "ends", "population", "said"),
    [
        (SAME, ["10"] * 12, 25, [NEITHER]), (SAME, ["10"] * 12, 12, [NEITHER]),
        (SAME, ["10"] * 11 + ["11"], 12, ["in the same search, zero beats parity, by 29 Elo"]),
        (SAME, ["10"] * 11 + ["00"], 12, ["in the same search, parity beats zero, by 29 Elo"]),
        ([SAME[0], "alphabeta:depth=2,heuristic=parity"], ["00"] * 12, 25, []),
        ([*SAME, "minimax:depth=2,heuristic=smart-aware"], ["00"] * 12, 25, []),
    ],
)  # fmt: skip
def test_only_two_heuristics_of_the_same_search_are_compared(tmp_path, specs, ends, population, said):
    met = dict.fromkeys(combinations(range(len(specs)), 2), ends)
    lines = answer(run(tmp_path, met, specs, population=population))
    assert [line for line in lines if "search" in line] == said


def test_files_of_two_searches_are_not_the_same_search(tmp_path):
    for name in ("one.py", "other.py"):
        (tmp_path / name).write_text(
            "class Bot:\n def __init__(self, heuristic='zero'): pass\n def choose(self, board, limits): return 0\n"
        )
    specs = [f"{tmp_path}/one.py:Bot:heuristic=zero", f"{tmp_path}/other.py:Bot:heuristic=parity"]
    assert not [line for line in answer(run(tmp_path, {(0, 1): ["11"] * 12}, specs)) if "same search" in line]
    (tmp_path / "same").mkdir()
    specs[1] = f"{tmp_path}/one.py:Bot:heuristic=parity"
    lines = answer(run(tmp_path / "same", {(0, 1): ["11"] * 12}, specs))
    assert [line for line in lines if "in the same search, zero beats" in line]


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


def standing(name, *, best=False, score=0.5, los=None, alike=None, nodes=None, faults=0, pool=1):
    return Row(agent=name, may_be_best=best, score=score, gap_los=los, plays_as=alike, nodes_per_move=nodes,
               faults=faults, games=9, pool=pool)  # fmt: skip


FIRST = standing("a:depth=1", best=True, score=0.75)
WEAK = [standing(f"w:depth={place}") for place in range(1, 6)]


@pytest.mark.parametrize(
    ("pool", "line"),
    [
        ([FIRST], "a:depth=1 met nobody"),
        ([FIRST, standing("b:depth=1", alike="a:depth=1"), standing("c:depth=1", alike="a:depth=1")],
         "all 3 play exactly alike"),
        ([FIRST, standing("b:depth=1", best=True)],
         "neither a nor b is shown to be better: 75.0 % of the points for a"),
        ([FIRST, standing("b:depth=1", best=True), standing("c:depth=1", best=True)],
         "none of the 3 is shown to be the best; a has most points, 75.0 %"),
        ([FIRST, standing("b:depth=1", alike="a:depth=1"), standing("c:depth=1", best=True)],
         "none of the 3 is shown to be the best; a has most points, 75.0 %"),
        ([FIRST, standing("b:depth=1", alike="a:depth=1"), WEAK[0], standing("c:depth=1", best=True, los=90.0)],
         "a leads the 4: surely better than #3, not surely than #4"),
        ([FIRST, standing("b", best=True, los=95.0), *WEAK[:2], standing("c", alike="a:depth=1")],
         "a:depth=1 is best of 5: surely better than #3 and #4, probably than #2"),
        ([standing("a", score=None), *WEAK[:2]], "none of the 3 is shown to be the best"),
        ([FIRST, standing("b:depth=1")], "a is the best of 2: surely better than b"),
        ([FIRST, standing("b:depth=1", alike="a:depth=1"), standing("c:depth=1")],
         "a is the best of 3: surely better than c"),
        ([FIRST, *WEAK[:2]], "a:depth=1 is the best of 3: surely better than all others"),
        ([FIRST, standing("b", best=True, los=90.0), *WEAK[:1]],
         "a:depth=1 is best of 3: surely better than #3, probably than #2"),
        ([FIRST, standing("b", best=True, los=89.9), *WEAK[:2]],
         "a:depth=1 leads the 4: surely better than #3 and #4, not surely than #2"),
        ([FIRST, standing("b", best=True), *WEAK[:4]],
         "a:depth=1 leads the 6: surely better than #3 to #6, not surely than #2"),
        ([FIRST, WEAK[0], standing("b", best=True, los=99.0), *WEAK[1:4], standing("c", best=True)],
         "a:depth=1 leads the 7: surely better than #2, #4, #5 and #6, not surely than #3 and #7"),
    ],
)  # fmt: skip
def test_the_best_is_called_what_the_others_leave_it(pool, line):
    assert _best(pool, Labels.among(row.agent for row in pool)) == line


SPECS = ["minimax:depth=3,order=centre", "minimax:depth=3,order=left-to-right", "alphabeta:depth=3", "greedy", "random"]


@pytest.fixture
def said(tmp_path, monkeypatch):
    """Return the lines after those on the best, of a run with these standings and pairs that chose alike."""

    def lines(rows, alike=(), specs=SPECS):
        path = run_of(tmp_path / f"{len([*tmp_path.iterdir()])}.sqlite", specs, [(0, 1, 0, "1")])
        monkeypatch.setattr(answers, "standings", lambda *_: rows)
        monkeypatch.setattr(answers, "chose_alike", lambda _: set(map(frozenset, alike)))
        return answer(frames(path))[len({row.pool for row in rows}) :]

    return lines


def test_at_most_two_lines_name_agents_that_play_alike_the_cheaper_first_and_one_their_orderings(said):
    one, other, pruned, greedy, chance = SPECS
    rows = [
        standing(one, nodes=800.0), standing(pruned, alike=one, nodes=200.0), standing(other, nodes=900.0),
        standing(greedy, alike=other, faults=1), standing(chance, faults=1200),
    ]  # fmt: skip
    orderings = "differ in their ordering alone: it changes no value, but which of equally good moves they play"
    assert said(rows, [(one, chance), (greedy, other)]) == [
        "#2 (alphabeta) plays exactly like #1 (minimax), with 25.0 % of its nodes",
        "#4 (greedy) plays exactly like #3 (minimax)",
        f"#1 (minimax) and #3 (minimax) {orderings}",
        "greedy lost 1 game by a fault of its own", "random lost 1,200 games by a fault of its own",
    ]  # fmt: skip
    rows[3] = standing(greedy)
    chance_alone = "made the same moves in all games with each other: what sets them apart are opponents that play by"
    assert said(rows, [(chance, one), (pruned, one)])[1] == f"#1 (minimax) and #5 (random) {chance_alone} chance"
    assert said(rows, [(chance, other)])[1] == f"#3 (minimax) and #5 (random) {chance_alone} chance"
    apart = [standing(name) for name in SPECS]
    for alike in ([(other, chance), (pruned, greedy), (one, chance)], [(chance, one), (greedy, pruned)]):
        assert [line.partition(" made ")[0] for line in said(apart, alike)[:2]] == [
            "#3 (alphabeta) and #4 (greedy)", "#1 (minimax) and #5 (random)",
        ], "in the order of their names"  # fmt: skip
    rows[2] = standing(other, alike=one, nodes=800.0)
    assert said(rows)[1:] == [
        "#3 (minimax) plays exactly like #1 (minimax)", "random lost 1,200 games by a fault of its own",
    ]  # fmt: skip
    three = [f"minimax:depth=3,order={order}" for order in ("centre", "left-to-right", "open-windows")]
    assert said([standing(name) for name in three], specs=three) == [f"#1 (minimax) and #2 (minimax) {orderings}"]


def test_in_several_pools_agents_go_by_their_labels_and_lines_are_at_most_six(said):
    specs = ["minimax:depth=3,order=centre", "minimax:depth=3,order=left-to-right",
             *(f"alphabeta:depth=3,order={order}" for order in ("centre", "left-to-right"))]  # fmt: skip
    one, other, *rest = specs
    rows = [
        standing(one, nodes=100.0), standing(other, alike=one, nodes=90.0),
        *(standing(name, pool=2, faults=2) for name in rest),
    ]  # fmt: skip
    lines = said(rows, specs=specs)
    assert lines[0] == "minimax:order=left-to-right plays exactly like minimax:order=centre, with 90.0 % of its nodes"
    assert lines[1].startswith("alphabeta:order=centre and alphabeta:order=left-to-right differ in their ordering")
    labels = ("alphabeta:order=centre", "alphabeta:order=left-to-right")
    assert lines[2:] == [f"{label} lost 2 games by a fault of its own" for label in labels]
    rows = [standing(name, pool=pool, faults=1) for pool, name in enumerate(specs, start=1)]
    assert len(said(rows, specs=specs)) == MOST - len(specs)


def test_a_comparison_has_no_answer_of_a_tournament(tmp_path):
    assert answer(run(tmp_path, {(0, 1): ["11"] * 20}, comparison={"search": "minimax"})) == []
