"""The lines of a run's report, each in all its forms."""

import math
from dataclasses import replace
from types import SimpleNamespace as Row

import pytest
from hand_made import AGENTS, GAMES, frames, pairs_of, run_of, stored

from arena.records import Interval
from arena.statistics.pairing import Basis
from arena.store.folder import StoredRun
from arena.store.machine import Load
from arena.table.labels import Labels
from arena.table.parts import Table, cells
from arena.table.render import write
from arena.table.rows import Column
from arena.tournament import command_show, effort_tables, game_tables, pairing_tables
from arena.tournament import tables as report
from arena.tournament.effort import Phase, usual
from arena.tournament.faults import FaultReport
from arena.tournament.pairings import duels, tally
from arena.tournament.standings import GameCounts, Start


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return frames(stored(tmp_path_factory.mktemp("lines") / "run.sqlite", AGENTS, GAMES, planned=12))


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        ({}, ""), ({"nodes": 12_000}, " at 12,000 nodes a move"), ({"seconds": 0.5}, " at 0.5 s a move"),
        ({"nodes": 1, "seconds": 2.0}, " at 1 nodes and 2 s a move"), ({"clock": "60+1"}, " at 60+1 s a game"),
        ({"nodes": 9, "clock": "5"}, " at 9 nodes a move, 5 s a game"),
    ],
)  # fmt: skip
def test_the_title_names_the_limits_of_a_move_and_of_a_game(plan, said):
    assert report._limits(plan) == said


@pytest.mark.parametrize(
    ("start", "said"),
    [
        (Start(None, 1, None), "1 opening, each played twice"),
        (Start("plies:4", 20, 1120), "20 openings of the 1,120 of plies:4, each played twice"),
        (Start("book.pgn", 2000, None), "2,000 openings, each played twice"),
        (Start(None, 9, 25, 5, 1, 3),
         "9 openings, each played twice; with perfect play the first player wins 5, 1 are drawn, the second wins 3"),
    ],
)  # fmt: skip
def test_a_line_counts_the_openings_and_what_they_are_worth(start, said):
    assert report.openings_line(start) == said


@pytest.mark.parametrize(("planned", "said"), [(1200, ""), (1100, ""), (2400, ", planned 2,400")])
def test_a_line_counts_the_games_and_those_to_come(planned, said):
    assert report.games_line(GameCounts(1200, 1150, planned, ())) == f"games 1,200, distinct 1,150{said}"


LAST = Row(decision="H1", pairs=12, llr=2.999, lower=-2.944, upper=2.944)


@pytest.mark.parametrize(
    ("decision", "decided", "basis", "score", "elo", "estimate", "strength"),
    [
        ("H1", "H1 accepted", Basis.SCORE, 0.6, 70.0, Interval(49.6, 10.2, 90.0),
         "; +50 Elo [+10 … +90] allowing for the stop, which ratings and pairings do not"),
        ("H0", "H0 accepted", Basis.SCORE, 0.4, -9.0, None,
         "; ratings and pairings do not allow for the stop and are biased"),
        ("continue", "not decided", Basis.SCORE, 0.5, 0.0, None, ""),
        ("continue", "not decided", Basis.EXACT, 0.6, 70.4, None,
         "; every opening was played: exactly 60.0 %, +70 Elo"),
        ("H1", "H1 accepted", Basis.EXACT, 1.0, math.inf, None, "; every opening was played: exactly 100.0 %"),
        ("H1", "H1 accepted", Basis.EXACT, 1.0, None, None, "; every opening was played: exactly 100.0 %"),
    ],
)  # fmt: skip
def test_a_sequential_test_says_what_was_decided_and_how_strong_that_makes_the_first(
    run, monkeypatch, decision, decided, basis, score, elo, estimate, strength
):
    met = Row(basis=str(basis), score=score, elo=None if elo is None else Interval(elo, None, None))
    monkeypatch.setattr(report, "duel", lambda _, *names: met if names == AGENTS[:2] else None)
    monkeypatch.setattr(report, "sprt_estimate", lambda _: estimate)
    tested = replace(run, plan=run.plan | {"sprt": "elo0=-5.5,elo1=30,model=logistic"})
    line = report.evidence_line(tested, Row(**vars(LAST) | {"decision": decision}), Labels({AGENTS[0]: "A"}, ""))
    assert line == (
        f"sequential test of A against {AGENTS[1]}, H0 -5.5 and H1 +30 Elo: {decided} after 12 pairs, LLR 3.00, "
        f"bounds [-2.94, 2.94]{strength}"
    )


@pytest.mark.parametrize(
    ("sessions", "said"),
    [
        ([("1", "a")], ""), ([("1", "a")] * 2, ""),
        ([("1", "a"), ("2", "a")], "played in 2 sessions, with different versions"),
        ([("1", "a"), ("1", "a"), ("1", "b")], "played in 3 sessions, with different machines"),
        ([("1", "a"), ("2", "b")], "played in 2 sessions, with different versions and machines"),
    ],
)  # fmt: skip
def test_sessions_are_counted_where_they_differ(sessions, said):
    made = {"sessions": [{"versions": versions, "machine": machine} for versions, machine in sessions]}
    assert report.sessions_line(Row(made=made)) == said


def test_numbers_of_strangers_are_called_their_own_and_silent_files_are_told_how_to_speak(run):
    minimax, alphabeta, chance = AGENTS
    assert report.claims_line(run) == report.nodes_line(run) == ""
    strangers = replace(run, agents=run.agents.assign(stranger=[1, 0, 1]))
    assert report.claims_line(strangers) == f"nodes and scores of {minimax}, {chance} are as they reported, unverified"
    quiet = replace(strangers, moves=strangers.moves.assign(nodes=0, score=None))
    assert report.claims_line(quiet) == ""
    scored = replace(
        quiet, moves=quiet.moves.assign(score=[5 if name == chance else None for name in quiet.moves["agent"]])
    )
    assert report.claims_line(scored) == f"nodes and scores of {chance} are as they reported, unverified"
    alone = replace(strangers, plan=strangers.plan | {"isolation": {"nobody": True}})
    assert report.claims_line(alone) == "--in-process: agents from files played in the arena's own process"
    files = quiet.agents.assign(kind=["a/b.py:Bot", "c.py:choose", "random"])
    how = "to show them, return Analysis(column, score, nodes=…), of agents, in place of the column"
    assert report.nodes_line(replace(quiet, agents=files)) == f"no nodes from {minimax}, {alphabeta}: {how}"
    told = quiet.moves.assign(nodes=[7 if name == minimax else 0 for name in quiet.moves["agent"]])
    assert report.nodes_line(replace(quiet, agents=files, moves=told)) == f"no nodes from {alphabeta}: {how}"
    once = told.drop(told.index[told["agent"] == minimax][1:])
    assert report.nodes_line(replace(quiet, agents=files, moves=once)) == f"no nodes from {alphabeta}: {how}"
    still = told[told["agent"] != alphabeta]
    assert report.nodes_line(replace(quiet, agents=files, moves=still)) == "", "who has not moved is not silent"


def test_a_run_that_was_extended_is_warned_of_unless_its_test_allows_looks(run):
    line = (
        "warning: this run was extended after 2 and 4 rounds: if the results decided that, the 95 % ranges and sure % "
        "err more often than stated; a fresh run with another --seed does not"
    )
    looked = run.plan | {"looks": [2, 4]}
    assert line in report.warnings(replace(run, plan=looked))
    assert line not in report.warnings(replace(run, plan=looked | {"sprt": "elo0=0,elo1=30"}))


@pytest.mark.parametrize(("pairings", "more"), [(1, ""), (3, ""), (4, " and 1 more"), (1203, " and 1200 more")])
def test_warnings_stand_in_their_order_by_labels_and_of_many_pairings_the_first_three(run, monkeypatch, pairings, more):
    one, two = "a:depth=2", "b:depth=2"
    repeating = [Row(one=one, two=two, distinct=place, games=9) for place in range(1, pairings + 1)]
    monkeypatch.setattr(report, "counts", lambda _: Row(repeating=repeating))
    monkeypatch.setattr(report, "clones", lambda _: {})
    monkeypatch.setattr(report, "chose_alike", lambda _: set())
    kinds = [Row(agent=one, games=1, termination="it ended", detail="so")]
    monkeypatch.setattr(report, "faults", lambda _: kinds)
    monkeypatch.setattr(report, "time_warnings", lambda _: ["slow"])
    found = replace(run, agents=run.agents[:2].assign(name=[one, two]), plan=run.plan | {"looks": [2]})
    few, looks, *rest = report.warnings(found)
    worst = ", ".join(f"a v b ({place} of 9)" for place in range(1, min(pairings, 3) + 1))
    assert few == f"warning: few games are distinct: {worst}{more}"
    assert "extended after 2 rounds" in looks
    assert rest == ["fault of a (1 game): it ended: so", "slow"]


def test_a_sample_and_a_busy_machine_are_said(run, monkeypatch):
    monkeypatch.setattr(report, "slowed", lambda _: 0.25)
    slow = [Row(agent=name, limit=0.5, moves=1200, over=1100, typical=over, most=over) for name, over in
            ((AGENTS[0], None), (AGENTS[1], 0.02), (AGENTS[2], 2.0))]  # fmt: skip
    monkeypatch.setattr(report, "overruns", lambda _: slow)
    few = replace(run, pairings=run.pairings.assign(games=[1_000, 2, 3]))
    sampled, busy, *overran = report.time_warnings(few)
    assert overran == [
        f"{name} overran 500 ms a move in 1,100 of 1,200 moves, by {over} in the median and {over} at most"
        for name, over in ((AGENTS[1], "20.0 ms"), (AGENTS[2], "2.00 s"))
    ]
    assert sampled == "nodes and times come from a sample of 6 games, of 1,005"
    assert busy.startswith("warning: the machine was busy: 25% of the searches by turns took 1.5 times as long as")


def test_who_may_be_best_and_what_would_tell_more_is_said_of_as_many_as_a_line_takes():
    def said(best, games, gap=30.0, alike=()):
        rows = [
            Row(agent=str(place), may_be_best=place < best, games_to_tell=number, gap=Interval(gap, 0.0, 99.0))
            for place, number in enumerate([None, *games])
        ]
        return report.resolution(rows, [f"#{place + 1}" for place in range(len(rows))], alike)

    assert said(2, [None, None]) == ["with 95 % confidence the best is #1 or #2"]
    assert said(3, [None] * 3) == ["with 95 % confidence the best is one of the first 3"]
    assert said(3, [None] * 2) == said(0, [None] * 2) == []
    start = "a fresh match separates, with 80 % power, #1 from #2 in 1,000 games if 30 Elo apart"
    assert said(0, [1000]) == [start]
    assert said(0, [1000, None, 7, 8]) == [f"{start}, #3 from #4 in 7 (30 Elo), #4 from #5 in 8 (30 Elo)"]
    shown = f"{start}, #2 from #3 in 7 (30 Elo), #3 from #4 in 8 (30 Elo); JSON has"
    assert said(0, [1000, 7, 8, 9]) == [f"{shown} 1 more pair"]
    assert said(0, [1000, 7, 8, 9, 9]) == [f"{shown} 2 more pairs"]
    assert said(0, [1000], gap=29.9) == [], "less than the margin"
    assert said(0, [1000, 7], alike=[frozenset("12")]) == [start]
    rows = [Row(agent=str(place), may_be_best=place != 1, games_to_tell=None, gap=None) for place in range(7)]
    names = [f"#{place + 1}" for place in range(8)]
    spread = [*rows, Row(agent="7", may_be_best=False, games_to_tell=None, gap=None)]
    assert report.resolution(spread, names) == [
        "with 95 % confidence the best is one of 6 from #1 to #7, which JSON names"
    ]
    del spread[3]
    assert report.resolution(spread, [name for name in names if name != "#4"]) == [
        "with 95 % confidence the best is #1 or #3 or #5 or #6 or #7"
    ]


def test_the_title_of_standings_says_what_all_agents_share():
    def title(*rows, anchor=None, names=("a:depth=2", "b:depth=2")):
        pool = [Row(agent=name, games=games, faults=faults, elo=elo)
                for name, (games, faults, elo) in zip(names, rows, strict=True)]  # fmt: skip
        return report._title("Standings", pool, Labels.among(names), anchor)

    assert title((1, 0, 1), (1, 0, 1)) == "Standings: 1 game each, no faults, all agents have depth=2"
    assert title((1200, 1, 1), (1200, 0, 1)) == "Standings: 1,200 games each, all agents have depth=2"
    assert title((1, 0, 1), (2, 0, 1), names=("a", "b")) == "Standings: no faults"
    assert title((1, 1, 1), (2, 0, 1), names=("a", "b")) == "Standings"
    anchor = ("b:depth=2", 1500.0)
    assert title((1, 1, 1), (2, 0, 1), anchor=anchor) == "Standings: b is 1500, all agents have depth=2"
    assert title((1, 1, 1), (2, 0, None), anchor=anchor) == "Standings: all agents have depth=2"


FAULT = FaultReport("bot", "exception", "it is wrong", 1, 7, "44", "", "", "arena move bot 44")


def test_a_fault_is_a_paragraph_of_what_is_known_of_it():
    last = "  first in game 7; again: arena move bot 44"
    assert report.paragraphs([]) == "no faults"
    assert report.paragraphs([FAULT]) == f"bot: exception, 1 game\n  it is wrong\n{last}"
    more = replace(FAULT, detail="", games=2, traceback="one\ntwo\n", output="three\n\n")
    assert report.paragraphs([FAULT, more]).split("\n\n")[1:] == [
        f"bot: exception, 2 games\n    one\n    two\n  the end of its output:\n    three\n{last}"
    ]
    assert report.paragraphs([replace(FAULT, output="a\n  b\n")]) == (
        f"bot: exception, 1 game\n  it is wrong\n  the end of its output:\n    a\n      b\n{last}"
    )
    header, row = report.fault_rows([FAULT], "csv").splitlines()[:2]
    assert header == "agent,termination,detail,games,game,position,traceback,output,command"
    assert row == "bot,exception,it is wrong,1,7,44,,,arena move bot 44"


def test_rounds_and_places_are_a_table_a_line_and_data(tmp_path):
    games = pairs_of("1=", "11", one=1, two=0)
    path = run_of(tmp_path / "run", ["alphabeta:depth=1", "minimax:depth=1"], games, format="knockout", rounds=2)
    table, places = report.rounds_parts(frames(path))
    assert (table.name, table.title) == ("rounds", "Rounds: knockout, in the order of play")
    assert [(column.header, *column.cells) for column in cells(table.rows, table.columns)] == [
        ("round", "1"), ("agent", "minimax:depth=1"), ("points", "3.5"), ("points", "0.5"),
        ("against", "alphabeta:depth=1"), ("pairs", "2"),
    ]  # fmt: skip
    assert places == "Places by the knockout: 1. minimax, 2. alphabeta"
    data = report.rounds_document(frames(path))
    assert data["places"] == ["minimax:depth=1", "alphabeta:depth=1"]
    assert [(row["one"], row["points_one"], row["points_two"]) for row in data["rounds"]] == [
        ("minimax:depth=1", 3.5, 0.5)
    ]
    assert report.document(frames(path))["places"] == data["places"]
    some = frames(run_of(tmp_path / "some", ["greedy", "random"], games[:2], format="knockout", rounds=2))
    assert [part.name for part in report.rounds_parts(some)] == ["rounds"], "no places before the end"
    assert (len(report.rounds_document(some)["rounds"]), report.rounds_document(some)["places"]) == (1, [])
    other = frames(run_of(tmp_path / "other", ["greedy", "random"], games))
    assert (report.rounds_parts(other), report.rounds_document(other)) == ([], {})


def test_times_have_a_note_where_the_machine_was_busy(monkeypatch):
    monkeypatch.setattr("arena.store.machine.BUSY", 0.25)
    columns = [
        Column("ms", "ms", note="mean"),
        Column("time ×", "time", note=""),
        Column("nodes", "nodes", note="mean"),
    ]
    busy, other, quiet = Load(1.5, 2), Load(3.0, 4), Load(0.1, 2)
    assert [column.note for column in effort_tables.busy(columns, busy, None, quiet, other, busy)] == [
        "mean, rough: other programs used 1.5 of 2 cores, rough: other programs used 3.0 of 4 cores", "", "mean",
    ]  # fmt: skip
    assert effort_tables.busy(columns, quiet, None) == columns


def test_effort_and_phases_are_tables_with_short_names(run):
    [table] = effort_tables.parts(run)
    assert (table.name, table.title) == ("effort", "Effort: what a search of each depth costs")
    assert [column.header for column in table.columns] == [
        "agent", "depth", "searches", "nodes", "median", "ms", "nodes/s", "branching", "a ply ×", "95 %",
    ]  # fmt: skip
    shown = effort_tables.by_phase(run)
    assert (shown.name, shown.lines) == ("phases", usual(shown.rows))
    assert shown.title == (
        "Effort by phase: opening, middle and end are thirds of the cells; of several depths the most frequent"
    )
    assert [column.header for column in shown.columns] == ["agent", "depth", "phase", "searches", "nodes", "ms"]
    rows = [
        Phase("a", depth, "end", searches, 1.0, Interval(1.0, 1.0, 1.0)) for depth, searches in ((1, 8), (2, 4), (3, 3))
    ]
    assert usual(rows) == rows[1:2]


def test_pairings_are_a_table_with_the_method_and_how_many_show_a_difference(tmp_path):
    ends = {(0, 1): ["11"] * 20, (0, 2): ["10", "1="] * 10, (1, 2): ["10"] * 20}
    games = [game for (one, two), pairs in ends.items() for game in pairs_of(*pairs, one=one, two=two)]
    openings = [f"{one}{two}" for one in range(1, 8) for two in range(1, 4)]
    agents = ["alphabeta:depth=1,order=centre", "minimax:depth=1", "alphabeta:depth=1"]
    met = duels(frames(run_of(tmp_path / "run", agents, games, openings=openings)))
    table, method, counted, shared = pairing_tables.pairings_parts(met)
    assert (table.name, [column.header for column in table.columns]) == (
        "pairings",
        ["agent", "against", "LL-LD-even-WD-WW", "score", "Elo", "95 %", "nElo", "sure %", "Holm", "games", "distinct"],
    )
    assert method == f"95 %: {', '.join(dict.fromkeys(row.basis for row in met))}"
    assert (counted, shared) == (tally(met), "all agents have depth=1")
    assert pairing_tables.pairings_parts([])[1] == ""


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([], ""), ([(True, True)], ""), ([(None, None), (False, False)], "0 of 2 pairings show a difference"),
        ([(True, True), (False, False)],
         "1 of 2 pairings shows a difference; allowing for chance among so many, 1 of them counts (Holm's test)"),
        ([(True, True), (True, True), (True, False)],
         "3 of 3 pairings show a difference; allowing for chance among so many, 2 of them count (Holm's test)"),
        ([(True, False), (False, True)],
         "1 of 2 pairings shows a difference; allowing for chance among so many, 0 of them count (Holm's test)"),
    ],
)  # fmt: skip
def test_a_line_counts_the_pairings_that_show_a_difference(rows, said):
    met = [Row(statistics=None if clear is None else Row(clear=clear), survives=survives) for clear, survives in rows]
    assert tally(met) == said


def test_the_table_of_a_sweep_has_its_parameter_in_the_head():
    swept = [Row(parameter=name) for name in ("depth", "depth", "c", "nodes")]
    depths, _, nodes = report.sweep_parts(swept)
    assert [(part.name, part.title, part.rows) for part in report.sweep_parts(swept)] == [
        ("sweep", "Strength by depth", swept[:2]), ("sweep", "Strength by c", swept[2:3]),
        ("sweep", "Strength by nodes", swept[3:]),
    ]  # fmt: skip
    assert [column.header for column in depths.columns][:2] == ["agent", "depth"]
    assert [column.header for column in nodes.columns] == ["agent", "nodes", "Elo", "95 %", "step", "nodes/move"]


def test_the_whole_begins_with_the_answer(run):
    parts, whole = report.parts(run), report.whole(run)
    assert whole[0] == parts[-1]
    assert isinstance(parts[-1], str)
    assert [part.name if isinstance(part, Table) else part for part in whole[1:]] == [
        part.name if isinstance(part, Table) else part for part in parts[:-1]
    ]
    assert [part.name for part in parts if hasattr(part, "name")] == ["standings", "crosstable", "effort"]
    assert [part.detail for part in parts if hasattr(part, "detail")] == [False, True, True]


def test_the_whole_of_a_comparison_is_its_tables_for_the_anchor_and_the_margin_the_effort_and_the_games(
    run, monkeypatch
):
    asked = []
    kind = Row(parts=lambda *words: asked.append(words) or ["the answer"])
    monkeypatch.setattr(report, "run_of", lambda _: kind)
    answer, effort, games = report.whole(run, ("zero", 5.0), 40.0)
    assert (answer, effort.name, games) == ("the answer", "effort", "games 6, distinct 5, planned 12")
    report.whole(run)
    assert asked == [(run, ("zero", 5.0), 40.0), (run, None, 30.0)]


def test_the_crosstable_has_the_points_of_a_line_against_the_place_of_a_column(run):
    [table] = [part for part in report.parts(run) if getattr(part, "name", "") == "crosstable"]
    assert {column.header: column.cells for column in cells(table.lines, table.columns)} == {
        "#": ["1", "2", "3"], "agent": [AGENTS[0], AGENTS[2], AGENTS[1]],
        "1": ["", "0", "0.5"], "2": ["2", "", "0"], "3": ["1.5", "2", ""],
    }  # fmt: skip


def test_the_parts_of_a_run_stand_in_their_order_with_all_lines(run, monkeypatch):
    for name in ("sessions_line", "claims_line", "nodes_line"):
        monkeypatch.setattr(report, name, lambda _, name=name: name)
    monkeypatch.setattr(report, "rounds_parts", lambda _: ["the rounds"])
    monkeypatch.setattr(report, "sweep_parts", lambda _: ["a sweep"])
    monkeypatch.setattr(report, "answer", lambda _, anchor: ["one", f"two for {anchor}"])
    parts = [part.name if isinstance(part, Table) else part for part in report.parts(run, (AGENTS[0], 5.0))]
    counted, standings, detail, *rest = parts
    assert counted == (f"{report.openings_line(report.start(run))}\n{report.games_line(report.counts(run))}")
    assert (standings, detail.split("\n")[0]) == ("standings", f"Elo: {AGENTS[0]} is 5")
    assert rest == [
        "crosstable", "the rounds", "effort", "a sweep", "sessions_line", "claims_line", "nodes_line",
        f"one\ntwo for {(AGENTS[0], 5.0)}",
    ]  # fmt: skip


def test_of_several_loads_the_greatest_share_of_the_cores_counts(run):
    loads = [
        {"what": what, "other_seconds_per_second": others, "cores": cores}
        for what, others, cores in (("games", 3.0, 8), ("games", 2.0, 4), ("games", 0.1, 1), ("times", 0.9, 1))
    ]
    measured = replace(run, made=run.made | {"loads": loads})
    assert (measured.load(), measured.load("times")) == (Load(2.0, 4), Load(0.9, 1))
    assert replace(run, made=run.made | {"loads": loads[3:]}).load() is None


def test_an_anchor_is_of_the_agents_or_else_of_the_heuristics_of_a_comparison():
    def anchors(anchor, comparison=None):
        return command_show._anchors(Row(plan={"comparison": comparison}, agents={"name": ["a", "b"]}), anchor)

    assert anchors(None, {"search": "x"}) == (None, None)
    assert anchors(("zero", 0.0)) == (("zero", 0.0), None)
    assert anchors(("a", 0.0), {"search": "x"}) == (("a", 0.0), None)
    assert anchors(("zero", 0.0), {"search": "x"}) == (None, ("zero", 0.0))


def test_pairings_and_phases_are_shown_where_a_table_is_asked_for(run):
    def shown(name):
        return [(part.name, len(part.rows)) for part in command_show._others(run, name) if isinstance(part, Table)]

    assert (shown(""), shown("phases")) == ([], [("phases", 3), ("pairings", 0)])
    assert shown("pairings") == [("phases", 3), ("pairings", 3)]


def test_runs_are_listed_with_their_time_what_is_played_and_the_kinds_of_their_agents():
    agents = ["greedy", "minimax:depth=1", "minimax:depth=2"]
    rows = [
        StoredRun("a.sqlite", "2026-01-02T03:04:05.678+00:00", agents, 1200, 2400, False, None),
        StoredRun("b.sqlite", "2026-01-02T03:04:59.678+00:00", agents[:1], 1000, 2400, True, "arena run"),
    ]
    [table] = game_tables.runs(rows)
    assert table.name == "runs"
    assert {column.header: column.cells for column in cells(rows, table.columns)} == {
        "file": ["a.sqlite", "b.sqlite"], "when (UTC)": ["2026-01-02 03:04"] * 2, "games": ["1,200 of 2,400", "1,000"],
        "agents": ["greedy, 2 minimax", "greedy"], "command": ["-", "arena run"],
    }  # fmt: skip
    assert "command" not in {column.header for column in cells(rows[:1], table.columns)}
    many = replace(rows[1], agents=["greedy", "random", "mcts"] + ["minimax:depth=1"] * 12, command=f"arena {'x' * 99}")
    line = write(game_tables.runs([many]), "plain", width=70).splitlines()[2]
    assert line == "b.sqlite  2026-01-02 03:04  1,000  greedy, …  arena xx…xxxxxxxx"


def test_the_document_of_a_run_has_all_that_it_promises_with_the_ratings_beside_an_anchor(run):
    document = report.document(run, (AGENTS[0], 1500.0))
    assert list(document) == [
        "standings", "crosstable", "effort", "games", "openings", "phases", "seed", "versions", "machine", "command",
        "sessions", "loads",
    ]  # fmt: skip
    assert {row["agent"]: row["elo"] == 1500.0 for row in document["standings"]} == dict.fromkeys(AGENTS, False) | {
        AGENTS[0]: True
    }
    assert document["openings"] == {
        "set": None, "drawn": 2, "population": 25, "first_wins": None, "draws": None, "second_wins": None,
    }  # fmt: skip
    assert [(row["agent"], row["phase"]) for row in document["phases"]] == [
        (AGENTS[1], "opening"), (AGENTS[1], "opening"), (AGENTS[0], "opening"),
    ]  # fmt: skip
    assert {name: document[name] for name in ("seed", "command", "loads")} == {"seed": 1, "command": None, "loads": []}
