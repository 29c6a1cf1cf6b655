import io
import itertools
import json
import re
from dataclasses import replace

import pandas as pd
import pytest
from command import STYLES
from hand_made import AGENTS, DRAW, FIRST, GAMES, SECOND, decisions, frames, pairs_of, run_of, stored

from agents.errors import InputError
from arena.records import Interval, Termination
from arena.statistics.pool import PoolGame, Total
from arena.statistics.ratings import rate, rate_totals
from arena.table.parts import named_tables
from arena.table.render import write
from arena.tournament import tables as report
from arena.tournament.answer import answer
from arena.tournament.standings import chose_alike, standings


@pytest.fixture
def run(tmp_path):
    return stored(tmp_path / "run.sqlite", AGENTS, GAMES, planned=12)


def test_repeating_pairings_are_one_warning_the_worst_first(tmp_path):
    agents = [f"minimax:depth={depth}" for depth in range(1, 7)]
    games = [
        (a, b, opening, "12" if (a, b) == (0, 1) else f"{opening % 2}", DRAW, Termination.FULL, ())
        for a in range(6)
        for b in range(6)
        if a != b
        for opening in range(2)
    ]
    found = frames(stored(tmp_path / "run.sqlite", agents, games))
    lines = report.warnings(found)
    assert [row.plays_as is None for row in standings(found)].count(False) == 3
    assert len(lines) == 1
    assert lines[0].startswith("warning: few games are distinct: ")
    assert "minimax:depth=1 v minimax:depth=3 (2 of 4)" in lines[0]
    assert lines[0].endswith("and 6 more"), "of 15 pairings 6 are of agents that the tables name as alike"


def test_two_agents_that_make_the_same_moves_from_every_opening_need_no_warning(tmp_path):
    pairs = [(0, 1), (1, 0)]
    alike = [(*pair, opening, f"{opening}", DRAW, Termination.FULL, ()) for pair in pairs for opening in (0, 1)]
    assert report.warnings(frames(stored(tmp_path / "alike", AGENTS[:2], alike))) == []
    again = [(*pair, opening, f"{pair[0]}", DRAW, Termination.FULL, ()) for pair in pairs for opening in (0, 1)]
    [line] = report.warnings(frames(stored(tmp_path / "again", AGENTS[:2], again)))
    assert line.endswith("(2 of 4)")


def test_two_that_choose_alike_and_differ_by_the_chance_of_others_are_named_and_no_match_is_proposed(tmp_path):
    games = [(*pair, o, f"{o}", FIRST, Termination.LINE, ()) for pair in ((0, 1), (1, 0)) for o in range(4)]
    ends = (FIRST, SECOND), (FIRST, DRAW), (DRAW, FIRST), (FIRST, DRAW)
    chance = [(a, 2, o, f"{o}{a}", ends[o][a], Termination.LINE, ()) for a in (0, 1) for o in range(4)]
    found = frames(stored(tmp_path / "run", AGENTS, games + chance, openings=("1", "2", "3", "4")))
    assert chose_alike(found) == {frozenset(AGENTS[:2])}
    assert not any("distinct" in line for line in report.warnings(found))
    said = "\n".join(answer(found))
    assert "#1 (minimax) and #2 (alphabeta) made the same moves in all games with each other: " in said
    rows, names = standings(found), ["#1", "#2", "#3"]
    assert "#1 from #2" in " ".join(report.resolution(rows, names))
    assert "#1 from #2" not in " ".join(report.resolution(rows, names, chose_alike(found)))
    assert not any("#1 from #2" in part for part in report.whole(found) if isinstance(part, str))
    few = frames(stored(tmp_path / "few", AGENTS, games[:2] + games[4:6]))
    assert chose_alike(few) == set(), "two openings may end alike by chance"
    enough = frames(stored(tmp_path / "enough", AGENTS, games[:3] + games[4:7], openings=("1", "2", "3")))
    assert chose_alike(enough) == {frozenset(AGENTS[:2])}
    once = frames(stored(tmp_path / "once", AGENTS, games[:4], openings=("1", "2", "3", "4")))
    assert chose_alike(once) == set(), "one colour alone"


def test_faults_are_named_with_their_agent_and_how_often(run):
    lines = report.warnings(frames(run))
    assert lines[1:] == [
        "fault of random (1 game): illegal move: it is wrong",
        "fault of alphabeta:depth=2,order=centre (1 game): exception: it is wrong",
    ]


def test_like_faults_are_counted_and_many_are_cut(tmp_path):
    games = [(a, b, o, "44", SECOND if a else FIRST, Termination.TIME, ()) for a, b in ((0, 1), (1, 0)) for o in (0, 1)]
    found = frames(stored(tmp_path / "run.sqlite", AGENTS, games))
    lines = report.warnings(found)
    assert lines[-1] == "fault of alphabeta:depth=2,order=centre (4 games): out of time: it is wrong"
    many = pd.concat([found.faults[:1].assign(detail=str(number), games=1) for number in range(20)], ignore_index=True)
    lines = report.warnings(replace(found, faults=many))
    told = [line for line in lines if line.startswith("fault of")]
    assert told == [f"fault of alphabeta:depth=2,order=centre (1 game): out of time: {each.detail}" for each in
                    report.faults(replace(found, faults=many))[:10]]  # fmt: skip
    assert len(told) == 10
    assert lines[-1] == "and 10 other faults"
    for number in (10, 11):
        rest = report.fault_lines(replace(found, faults=many[:number]))[10:]
        assert rest == ([] if number == 10 else ["and 1 other faults"])


def test_the_document_has_the_promised_keys_and_is_json(run):
    document = report.document(frames(run))
    assert list(document)[:4] == ["standings", "crosstable", "effort", "games"]
    assert document["games"] == {"played": 6, "distinct": 5, "planned": 12}
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    assert {row["agent"] for row in document["standings"]} == set(AGENTS)


def test_a_run_without_games_has_tables_too(tmp_path):
    found = frames(stored(tmp_path / "run.sqlite", AGENTS, [], planned=12))
    document = report.document(found)
    assert [(row["points"], row["score"], row["games"]) for row in document["standings"]] == [(0.0, None, 0)] * 3
    assert (document["crosstable"], document["effort"]) == ([], [])
    assert document["games"] == {"played": 0, "distinct": 0, "planned": 12}
    json.dumps(document, allow_nan=False)
    for style in STYLES:
        expected = {"csv": f"{AGENTS[0]},,,,False,,,,,,,,False,0.0,"}.get(style, "games 0, distinct 0, planned 12")
        assert expected in write(report.parts(found), style)
    assert report.warnings(found) == []


def test_a_run_is_shown_although_the_file_of_an_agent_is_gone(tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text("class Bot:\n    def choose(self, board, limits):\n        return 0\n")
    games = [(0, 1, 0, "443", FIRST, Termination.LINE, ()), (1, 0, 0, "443", DRAW, Termination.FULL, ())]
    path = stored(tmp_path / "run.sqlite", [f"{bot}:Bot", "random"], games)
    bot.unlink()
    assert f"{bot}:Bot" in write(report.parts(frames(path)), "plain")


@pytest.mark.parametrize("name", ["standings", "crosstable", "effort"])
def test_csv_is_one_table_with_the_documents_fields_and_full_numbers(run, name):
    parts = report.parts(frames(run))
    table = pd.read_csv(io.StringIO(write(parts, "csv", name)))
    rows = report.document(frames(run))[name]
    assert list(table.columns) == list(rows[0])
    assert [dict(row) for _, row in table.astype(object).where(table.notna(), None).iterrows()] == rows
    assert write(parts, "csv") == write(parts, "csv", "standings")


def test_an_unknown_table_gets_the_near_names(run):
    with pytest.raises(InputError, match="'standing': did you mean standings"):
        named_tables(report.parts(frames(run)), "standing")


def test_latex_has_one_environment_for_each_table_and_escapes(run):
    text = write(report.parts(frames(run)), "latex")
    assert text.count(r"\begin{tabular}") == text.count(r"\end{tabular}") == 3
    assert r"87.5 \%" in text
    assert r"\#" in text
    body = [line for line in text.splitlines() if not line.startswith("%")]  # comments need no escapes
    assert "#" not in "\n".join(body).replace(r"\#", "")


def test_github_tables_have_rows_of_equal_cells(run):
    parts = write(report.parts(frames(run)), "github").split("\n\n")
    tables = [part.splitlines() for part in parts if part.startswith("|")]
    assert [len(lines) for lines in tables] == [len(AGENTS) + 2] * 3
    for lines in tables:
        assert {line.count("|") for line in lines} == {lines[0].count("|")}


def test_the_plain_tables_say_once_what_all_agents_share(tmp_path):
    agents = ["minimax:depth=2,heuristic=zero", "alphabeta:depth=2,heuristic=zero,order=centre"]
    games = [(0, 1, 0, "443", FIRST, Termination.LINE, decisions((2, 2, 57, 0.01)))]
    text = write(report.parts(frames(stored(tmp_path / "run.sqlite", agents, games))), "plain")
    assert "Standings: 1 game each, " in text.splitlines()[3]
    assert ", all agents have depth=2,heuristic=zero" in text.splitlines()[3]
    assert "alphabeta:order=centre" in text
    assert "1  minimax " in text
    assert text.count("depth=2") == 1


def test_lines_say_which_may_be_best_and_which_games_tell_more():
    def said(*draws):
        pool = rate_totals([Total(*pair, wins, 0, losses) for pair, wins, losses in draws])
        return report.resolution(pool.ratings, [f"#{each.agent}" for each in pool.ratings])

    best, games = said(("AB", 30, 25), ("AC", 50, 5), ("BC", 48, 7), ("DA", 5, 50), ("DB", 8, 47), ("DC", 20, 35))
    assert best == "with 95 % confidence the best is #A or #B"
    assert re.fullmatch(
        r"a fresh match separates, with 80 % power, #A from #B in [\d,]+ games if \d\d Elo apart, "
        r"#C from #D in \d+ \(\d+ Elo\)", games
    )  # fmt: skip
    pairs = list(itertools.combinations("ABCDE", 2))
    assert said(*((pair, 50, 50) for pair in pairs)) == [], "no match of those that are level"
    places = [(pair, ord(pair[1]) - ord(pair[0])) for pair in pairs]
    *_, games = said(*((pair, 10 + apart, 10 - apart) for pair, apart in places))
    assert games.endswith("; JSON has 1 more pair")
    assert said(("AB", 60, 4)) == ["with 95 % confidence the best is #A"]


def test_a_line_counts_agents_that_may_be_best_where_they_are_many():
    strong, weak = "ABCDEF", "xyz"
    games = [Total(*pair, 40, 0, 40) for pair in itertools.combinations(strong, 2)]
    games += [Total(*pair, 80, 0, 20) for pair in itertools.product(strong, weak)]
    ratings = rate_totals(games).ratings
    names = [each.agent for each in ratings]
    assert report.resolution(ratings, names)[0] == "with 95 % confidence the best is one of the first 6"
    apart = [*ratings[:5], ratings[6], ratings[5]]
    names = [each.agent for each in apart]
    said = f"with 95 % confidence the best is one of 6 from {names[0]} to {names[-1]}, which JSON names"
    assert report.resolution(apart, names)[0] == said


def test_an_anchor_moves_the_standings_and_leaves_strength_by_parameter_as_it_is(tmp_path):
    """Slopes, steps and errors are of differences, which an anchor does not change; the anchored has no error."""
    agents = [f"alphabeta:depth={depth}" for depth in (1, 2, 3)] + [f"minimax:depth={depth}" for depth in (1, 2, 3)]
    ends = ("11", "10", "1=", "=1", "00", "1=")
    games = [
        (*game, "", (4 ** (game[0] % 3 + 1), 4 ** (game[1] % 3 + 1)))  # the nodes of a move each
        for start in (0, 3)
        for one, two in itertools.combinations(range(start, start + 3), 2)
        for game in pairs_of(*ends[one:], *ends[:one], one=two, two=one)
    ]
    found = frames(run_of(tmp_path / "run.sqlite", agents, games, openings=[str(place) for place in range(1, 7)]))
    free = report.parts(found)
    for anchor in (("alphabeta:depth=2", 1000.0), ("minimax:depth=1", -50.0), ("minimax:depth=3", 0.0)):
        parts = report.parts(found, anchor)
        assert swept(parts) == swept(free)
        for own, other in zip(rated(parts), rated(free), strict=True):
            moved = anchor[0] in own
            assert list(own) == list(other)
            assert (own == other) is not moved
            if moved:
                assert own[anchor[0]] == (anchor[1],) * 3
                shift = anchor[1] - other[anchor[0]][0]
                assert [elo for elo, *_ in own.values()] == pytest.approx([elo + shift for elo, *_ in other.values()])


def swept(parts):
    """Return the rows of the tables of strength by parameter."""
    found = [part.rows for part in parts if getattr(part, "name", "") == "sweep"]
    assert [len(rows) for rows in found] == [3, 3]
    return found


def rated(parts):
    """Return the rating and its ends of each agent of each pool."""
    tables = [part for part in parts if getattr(part, "name", "") == "standings"]
    return [{row.agent: (row.elo.value, row.elo.low, row.elo.high) for row in table.rows} for table in tables]


def test_a_line_says_what_0_elo_is_and_what_moving_first_is_worth():
    def said(*draws, anchor=None):
        pool = rate_totals([Total(*pair, wins, 0, losses) for pair, wins, losses in draws], anchor=anchor)
        return report.zero(pool.ratings, anchor, pool)

    assert said(("AB", 3, 2)) == ["Elo: 0 is the mean of all agents"]
    assert said(("AB", 3, 2), ("AC", 5, 0), ("BC", 5, 0)) == ["Elo: 0 is the mean of the agents without a mark"]
    assert said(("AB", 3, 2), anchor=("A", 100.0)) == ["Elo: A is 100"]
    alike = [PoolGame(one, "c", str(o), float(o % 2), f"{o}") for o in range(6) for one in "ab"]
    twins = rate(alike)
    assert report.zero(twins.ratings, None, twins)[0] == (
        "Elo: 0 is the mean of all agents, those that play the same games counted once"
    )
    games = [PoolGame(*pair, str(o), float(o < 9)) for o in range(12) for pair in ("ab", "ba")]
    pool = rate(games)
    assert re.fullmatch(
        r"no advantage of moving first is shown \(-\d+ to \+\d+ Elo\)", report.zero(pool.ratings, None, pool)[1]
    )
    for advantage, line in (
        (Interval(191.4, 90.2, 280.0), "moving first is worth +191 Elo [+90 to +280]"),
        (Interval(-50.2, -80.4, -20.0), "moving first is worth -50 Elo [-80 to -20]"),
    ):
        assert report.zero(pool.ratings, None, replace(pool, advantage=advantage))[1] == line
