import io
import json
import math
from html.parser import HTMLParser
from types import SimpleNamespace

import pandas as pd
import pytest

from agents.agent import Iteration
from agents.board import Outcome
from agents.errors import InputError
from agents.registry import parse
from arena.analysis.counts import Start, counts, start
from arena.analysis.crosstable import crosstable
from arena.analysis.effort import branching_factor, effort
from arena.analysis.frames import Frames
from arena.analysis.standings import standings
from arena.report import run as report
from arena.report.column import Column, chosen, render, write
from arena.report.labels import Labels
from arena.report.numbers import count, duration, fixed, percent, rate, significant
from arena.report.styles import STYLES
from arena.store.records import GameRecord, Job, MoveRecord, Termination
from arena.store.store import Store

AGENTS = ("minimax:depth=2", "alphabeta:depth=2,order=centre", "random")
FIRST, SECOND, DRAW = Outcome.FIRST_WINS, Outcome.SECOND_WINS, Outcome.DRAW


def decision(ply, depth, nodes, seconds, *iterations):
    return MoveRecord(ply, 0, seconds, 0, depth, nodes, (0,), iterations)


def moves(*each):
    return tuple(decision(*one) for one in each)


def step(depth, nodes, seconds):
    return Iteration(depth, nodes, seconds, 0, 0)


# first, second, opening, moves, outcome, termination, decisions
GAMES = [
    (0, 1, 0, "441", FIRST, Termination.LINE, moves((2, 2, 57, 0.010), (3, 2, 21, 0.002))),
    (1, 0, 0, "442", DRAW, Termination.FULL, moves((2, 2, 31, 0.004))),
    (0, 2, 0, "443", FIRST, Termination.ILLEGAL, moves((2, 2, 57, 0.030))),
    (2, 0, 0, "443", SECOND, Termination.LINE, moves((2, 0, 1, 0.001))),
    (1, 2, 0, "445", SECOND, Termination.EXCEPTION, ()),
    (2, 1, 0, "446", FIRST, Termination.LINE, (decision(2, 0, 1, 0.003), decision(3, 2, 50, 0.006, step(1, 8, 0.001),
                                                                              step(2, 50, 0.005)))),
]  # fmt: skip


def stored(path, games=GAMES, agents=AGENTS, planned=12):
    names = [f"{name}#2" if name in agents[:place] else name for place, name in enumerate(agents)]
    plan = {"agents": list(agents), "population": 25}
    described = [(name, parse(spec)) for name, spec in zip(names, agents, strict=True)]
    with Store.create(path, plan, 1, planned, described, [("44", None), ("12", None)]) as store:
        for first, second, opening, text, outcome, termination, decisions in games:
            job = Job(first, second, opening)
            detail = "it is wrong" if termination.is_fault else ""
            store.add(job, GameRecord(job.key, text, outcome, termination, detail, 0.0, 1.0, decisions))
    return path


@pytest.fixture
def run(tmp_path):
    return stored(tmp_path / "run.sqlite")


def frames(path):
    return Frames.read(path)


def by_agent(table, *columns):
    return {row.agent: tuple(getattr(row, column) for column in columns) for row in table}


def test_standings_are_what_one_counts_by_hand(run):
    table = standings(frames(run))
    minimax, alphabeta, chance = AGENTS
    assert by_agent(table, "points", "score", "games", "wins", "draws", "losses", "faults") == {
        minimax: (3.5, 0.875, 4, 3, 1, 0, 0),
        chance: (2.0, 0.5, 4, 2, 0, 2, 1),
        alphabeta: (0.5, 0.125, 4, 0, 1, 3, 1),
    }
    assert by_agent(table, "first_wins", "first_draws", "first_losses") == {
        minimax: (2, 0, 0),
        chance: (1, 0, 1),
        alphabeta: (0, 1, 1),
    }
    assert by_agent(table, "second_wins", "second_draws", "second_losses") == {
        minimax: (1, 1, 0),
        chance: (1, 0, 1),
        alphabeta: (0, 0, 2),
    }
    assert [row.agent for row in table] == [minimax, chance, alphabeta]


def test_nodes_and_time_are_means_of_a_move(run):
    table = by_agent(standings(frames(run)), "nodes_per_move", "ms_per_move")
    minimax, alphabeta, chance = AGENTS
    assert table[minimax] == pytest.approx(((57 + 57) / 2, 20.0))
    assert table[alphabeta] == pytest.approx(((21 + 31 + 50) / 3, 4.0))
    assert table[chance] == pytest.approx((1, 2.0))


def test_the_crosstable_is_what_one_counts_by_hand(run):
    table = crosstable(frames(run))
    minimax, alphabeta, chance = AGENTS
    rows = {(row.agent, row.opponent): (row.games, row.points, row.wins, row.draws, row.losses) for row in table}
    assert rows == {
        (minimax, alphabeta): (2, 1.5, 1, 1, 0),
        (alphabeta, minimax): (2, 0.5, 0, 1, 1),
        (minimax, chance): (2, 2.0, 2, 0, 0),
        (chance, minimax): (2, 0.0, 0, 0, 2),
        (alphabeta, chance): (2, 0.0, 0, 0, 2),
        (chance, alphabeta): (2, 2.0, 2, 0, 0),
    }


def test_effort_counts_every_completed_depth_from_the_beginning_of_the_move(run):
    table = effort(frames(run))
    minimax, alphabeta, _ = AGENTS
    found = {(row.agent, row.depth): row for row in table}
    assert set(found) == {(alphabeta, 1), (alphabeta, 2), (minimax, 2)}
    row = found[alphabeta, 2]
    assert (row.searches, row.nodes, row.nodes_median) == (3, 34.0, 31.0)
    assert row.ms == pytest.approx((2 + 4 + 5) / 3)
    assert row.nodes_per_second == pytest.approx((21 + 31 + 50) / 0.011)
    assert row.branching == pytest.approx((math.sqrt(1 + 4 * 33) - 1) / 2)
    assert found[alphabeta, 1].nodes == 8
    assert found[minimax, 2].branching == pytest.approx(7.0)


@pytest.mark.parametrize("depth", [1, 2, 5, 12, 64])
@pytest.mark.parametrize("factor", [2, 3, 7])
def test_the_branching_factor_of_a_uniform_tree_is_its_own(depth, factor):
    nodes = sum(factor**power for power in range(depth + 1))
    assert branching_factor(nodes, depth) == pytest.approx(factor)


def test_the_branching_factor_of_a_single_line_is_one_and_of_less_there_is_none():
    assert branching_factor(9, 8) == pytest.approx(1.0)
    assert branching_factor(8, 8) is None
    assert branching_factor(1, 0) is None
    assert branching_factor(10**15, 64) == pytest.approx(1.6916, abs=0.0001)


def test_games_are_distinct_within_their_pairing(run):
    found = counts(frames(run))
    assert (found.played, found.distinct, found.planned) == (6, 5, 12)
    assert [(each.one, each.two, each.distinct, each.games) for each in found.repeating] == [
        ("minimax:depth=2", "random", 1, 2)
    ]


def test_the_same_moves_in_two_pairings_are_two_games(tmp_path):
    games = [(a, b, 0, "443", FIRST, Termination.LINE, ()) for a, b in ((0, 1), (0, 2), (1, 2))]
    found = counts(frames(stored(tmp_path / "run.sqlite", games)))
    assert (found.played, found.distinct, found.repeating) == (3, 3, ())


def test_a_little_repetition_is_no_warning(tmp_path):
    games = [
        (first, 1 - first, opening, "12" if opening == 0 else f"{first + 1}{opening}", DRAW, Termination.FULL, ())
        for opening in range(2)
        for first in range(2)
    ]
    found = frames(stored(tmp_path / "run.sqlite", games))
    assert counts(found).distinct == 3
    assert len(counts(found).repeating) == 1
    many = pd.concat([found.games] * 5, ignore_index=True)
    many["moves"] = [str(number) for number in range(1, 21)]
    many.loc[0, "moves"] = "2"
    changed = Frames(**{name: getattr(found, name) for name in Frames.__slots__} | {"games": many})
    assert (counts(changed).distinct, counts(changed).repeating) == (19, ())


def test_repeating_pairings_are_one_warning_the_worst_first(tmp_path):
    agents = [f"minimax:depth={depth}" for depth in range(1, 7)]
    games = [
        (a, b, opening, "12" if (a, b) == (0, 1) else f"{opening % 2}", DRAW, Termination.FULL, ())
        for a in range(6)
        for b in range(6)
        if a != b
        for opening in range(2)
    ]
    found = frames(stored(tmp_path / "run.sqlite", games, agents))
    lines = report.warnings(found)
    assert len(lines) == 1
    assert lines[0].startswith("warning: few games are distinct: ")
    assert "minimax:depth=1 v minimax:depth=3 (2 of 4)" in lines[0]
    assert lines[0].endswith("and 12 more")


def test_faults_are_named_with_their_agent_and_how_often(run):
    lines = report.warnings(frames(run))
    assert lines[1:] == [
        "fault of random (1 game): illegal move: it is wrong",
        "fault of alphabeta:depth=2,order=centre (1 game): exception: it is wrong",
    ]


def test_like_faults_are_counted_and_many_are_cut(tmp_path):
    games = [(a, b, o, "44", SECOND if a else FIRST, Termination.TIME, ()) for a, b in ((0, 1), (1, 0)) for o in (0, 1)]
    found = frames(stored(tmp_path / "run.sqlite", games))
    lines = report.warnings(found)
    assert lines[-1] == "fault of alphabeta:depth=2,order=centre (4 games): out of time: it is wrong"
    found.games["detail"] = ["one", "two", "three", "four"]
    many = pd.concat([found.games.assign(detail=found.games["detail"] + str(i)) for i in range(5)], ignore_index=True)
    changed = Frames(**{name: getattr(found, name) for name in Frames.__slots__} | {"games": many})
    lines = report.warnings(changed)
    assert len([line for line in lines if line.startswith("fault of")]) == 10
    assert lines[-1] == "and 10 other faults"


def test_the_document_has_the_promised_keys_and_is_json(run):
    document = report.document(frames(run))
    assert list(document)[:4] == ["standings", "crosstable", "effort", "games"]
    assert document["games"] == {"played": 6, "distinct": 5, "planned": 12}
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    assert {row["agent"] for row in document["standings"]} == set(AGENTS)


def test_openings_count_for_who_wins_them_whoever_moves(tmp_path):
    described = [(name, parse(name)) for name in ("random", "greedy")]
    openings = [("44", 1), ("443", 1), ("4435", -1), ("12", 0), ("1,2,3", -1)]
    with Store.create(tmp_path / "run.sqlite", {"openings": "mine.txt", "population": 9}, 1, 5, described, openings):
        pass
    found = start(frames(tmp_path / "run.sqlite"))
    assert found == Start(set="mine.txt", drawn=5, population=9, first_wins=2, draws=1, second_wins=2)


def test_a_run_that_is_being_played_is_shown_at_one_moment(tmp_path, monkeypatch):
    path = stored(tmp_path / "run.sqlite", GAMES[:1])
    select = Store.select
    writer = Store.resume(path)

    def selecting(store, query):
        found = select(store, query)
        if "FROM game" in query and store is not writer and len(writer.played()) == 1:
            job = Job(1, 0, 0)
            writer.add(job, GameRecord(job.key, "442", DRAW, Termination.FULL, "", 0.0, 1.0, GAMES[1][6]))
        return found

    monkeypatch.setattr(Store, "select", selecting)
    with writer:
        found = frames(path)
        assert len(writer.played()) == 2
    assert len(found.games) == 1
    assert set(found.moves["game"]) == set(found.searches["game"]) == {1}


def test_a_run_without_games_has_tables_too(tmp_path):
    found = frames(stored(tmp_path / "run.sqlite", []))
    document = report.document(found)
    assert [(row["points"], row["score"], row["games"]) for row in document["standings"]] == [(0.0, None, 0)] * 3
    assert (document["crosstable"], document["effort"]) == ([], [])
    assert document["games"] == {"played": 0, "distinct": 0, "planned": 12}
    json.dumps(document, allow_nan=False)
    for style in STYLES:
        expected = {"csv": f"{AGENTS[0]},,,,False,,,,,,,0.0,"}.get(style, "games 0, distinct 0, planned 12")
        assert expected in write(report.parts(found), style)
    assert report.warnings(found) == []


def test_an_agent_that_meets_itself_counts_on_both_sides(tmp_path):
    games = [(0, 0, 0, "443", FIRST, Termination.LINE, ())]
    table = standings(frames(stored(tmp_path / "run.sqlite", games, ["random"])))
    assert by_agent(table, "points", "games", "wins", "losses") == {"random": (1.0, 2, 1, 1)}


def test_points_follow_the_agents_name_where_it_plays_twice(tmp_path):
    games = [(0, 1, 0, "443", FIRST, Termination.LINE, ()), (1, 0, 0, "441", FIRST, Termination.LINE, ())]
    games.append((0, 1, 1, "121", FIRST, Termination.LINE, ()))
    table = standings(frames(stored(tmp_path / "run.sqlite", games, ["random", "random"])))
    assert by_agent(table, "points") == {"random": (2.0,), "random#2": (1.0,)}


def test_a_run_is_shown_although_the_file_of_an_agent_is_gone(tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text("class Bot:\n    def choose(self, board, limits):\n        return 0\n")
    games = [(0, 1, 0, "443", FIRST, Termination.LINE, ()), (1, 0, 0, "443", DRAW, Termination.FULL, ())]
    path = stored(tmp_path / "run.sqlite", games, [f"{bot}:Bot", "random"])
    bot.unlink()
    assert f"{bot}:Bot" in write(report.parts(frames(path)), "plain")


def test_a_damaged_run_is_told_in_one_line(tmp_path):
    path = stored(tmp_path / "run.sqlite", GAMES)
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    path.write_bytes(data)
    with pytest.raises(InputError, match=r"run\.sqlite"):
        frames(path)


# Styles


class Tables(HTMLParser):
    def __init__(self):
        super().__init__()
        self.rows, self.open = 0, []

    def handle_starttag(self, tag, attributes):
        self.open.append(tag)
        self.rows += tag == "tr"

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_html_is_well_formed(run):
    parser = Tables()
    parser.feed(write(report.parts(frames(run)), "html"))
    assert parser.open == []
    assert parser.rows == 4 + 4 + 4


@pytest.mark.parametrize("name", ["standings", "crosstable", "effort"])
def test_csv_is_one_table_with_the_documents_fields_and_full_numbers(run, name):
    parts = report.parts(frames(run))
    table = pd.read_csv(io.StringIO(write(parts, "csv", name)))
    rows = report.document(frames(run))[name]
    assert list(table.columns) == list(rows[0])
    assert [dict(row) for _, row in table.astype(object).where(table.notna(), None).iterrows()] == rows
    assert write(parts, "csv") == write(parts, "csv", "standings")


def test_an_unknown_table_gets_the_near_names(run):
    with pytest.raises(InputError, match="no table 'standing': did you mean standings"):
        chosen(report.parts(frames(run)), "standing")


def test_latex_has_one_environment_for_each_table_and_escapes(run):
    text = write(report.parts(frames(run)), "latex")
    assert text.count(r"\begin{tabular}") == text.count(r"\end{tabular}") == 3
    assert r"87.5 \%" in text
    assert r"\#" in text
    body = text[text.index(r"\begin{tabular}") :]
    assert "#" not in body.replace(r"\#", "")


def test_github_tables_have_rows_of_equal_cells(run):
    for part in write(report.parts(frames(run)), "github").split("\n\n"):
        cells = [line.count("|") for line in part.splitlines() if line.startswith("|")]
        assert cells == cells[:1] * (len(AGENTS) + 2) or not part.startswith("|")


def test_the_plain_tables_say_once_what_all_agents_share(tmp_path):
    agents = ["minimax:depth=2,heuristic=zero", "alphabeta:depth=2,heuristic=zero,order=centre"]
    games = [(0, 1, 0, "443", FIRST, Termination.LINE, moves((2, 2, 57, 0.01)))]
    text = write(report.parts(frames(stored(tmp_path / "run.sqlite", games, agents))), "plain")
    assert "Standings: 1 game each, " in text.splitlines()[2]
    assert ", all agents have depth=2,heuristic=zero" in text.splitlines()[2]
    assert "alphabeta:order=centre" in text
    assert "1  minimax " in text
    assert text.count("depth=2") == 1


@pytest.mark.parametrize(
    ("names", "texts", "shared"),
    [
        (["a:depth=6", "b:depth=6"], ["a", "b"], "depth=6"),
        (["a:x=1,depth=6", "b:depth=6,y=2"], ["a:x=1", "b:y=2"], "depth=6"),
        (["a:depth=6", "b"], ["a:depth=6", "b"], ""),
        (["a", "b"], ["a", "b"], ""),
        (["a:depth=6", "a:depth=6#2"], ["a:depth=6", "a:depth=6#2"], ""),
        (["a:depth=6"], ["a:depth=6"], ""),
        (["a:depth=2,h=f.py:g", "f.py:C:depth=2,h=f.py:g"], ["a", "f.py:C"], "depth=2,h=f.py:g"),
        (["x/f.py:C:n=1", "x/f.py:C:n=2"], ["x/f.py:C:n=1", "x/f.py:C:n=2"], ""),
    ],
)
def test_labels_leave_out_what_all_names_have(names, texts, shared):
    labels = Labels.among(names)
    assert [labels.of(name) for name in names] == texts
    assert labels.shared == shared


def test_no_labels_are_needed_for_nobody():
    assert Labels.among([]).texts == {}


def test_numbers_stand_to_the_right_and_words_to_the_left():
    rows = [SimpleNamespace(name="1, 2, 3", words="4 of 5", n="5", w="3-1-0")]
    rows.append(SimpleNamespace(name="b", words="x", n="1,000", w=None))
    lines = render(rows, [Column(name, name) for name in ("name", "words", "n", "w")], "plain").splitlines()
    assert lines[2:] == ["1, 2, 3  4 of 5      5  3-1-0", "b        x       1,000      -"]


@pytest.mark.parametrize(
    ("write", "value", "text"),
    [
        (count, 7, "7"),
        (count, 7.75, "7.8"),
        (count, 1234567.8, "1,234,568"),
        (rate, 12_345_678, "12.3 M"),
        (rate, 45_600, "45.6 k"),
        (rate, 999, "999"),
        (fixed(2), 3.14159, "3.14"),
        (significant(3), 0.00123456, "0.00123"),
        (significant(3), 1234.5, "1,234"),
        (significant(3), 0, "0"),
        (percent, 0.4567, "45.7 %"),
        (duration, 12.3456, "12.3 s"),
        (duration, 0.0123456, "12.3 ms"),
        (duration, 0.0000123456, "12.3 µs"),
        (duration, 1e-9, "0.00100 µs"),
    ],
)
def test_numbers_are_written_for_readers(write, value, text):
    assert write(value) == text
