"""What tables and the lines around them make of made-up rows, also of rows that lack whatever a row may lack."""

import itertools
import math
from dataclasses import fields, replace
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace as Row

import pytest
from filled import filled
from recorded import holds, plain

from agents.board import Board, Rules
from arena.comparison import tables as comparison_tables
from arena.comparison.ratings import HeuristicDuel, HeuristicStrength
from arena.depth import tables as depth_tables
from arena.depth.agreement import AtDepth
from arena.depth.cost import Cost, CountedCost
from arena.games.check import Checked
from arena.perfect import tables as perfect_tables
from arena.perfect.exercises import Exercise
from arena.perfect.grading import Grade, Grading, ReferenceLadder
from arena.perfect.kept import AgentAudit, Coverage, RangeAudit
from arena.plugins.counts import tables as counts_tables
from arena.plugins.diff import tables as diff_tables
from arena.plugins.diff.difference import Change
from arena.plugins.study import tables as study
from arena.plugins.study.claims import Verdict
from arena.plugins.study.differences import Difference
from arena.plugins.tune import tables as tune_tables
from arena.plugins.tune.tuning import Held, TuningResult
from arena.position import tables as position_tables
from arena.position.position import Divided, Tried, Value
from arena.records import Interval
from arena.statistics.pairing import Basis
from arena.statistics.ratings import Rating
from arena.store.folder import StoredRun
from arena.store.machine import Load
from arena.table import render
from arena.table.labels import Labels
from arena.table.render import write
from arena.tournament import check_tables, pairing_tables
from arena.tournament import game_tables as games
from arena.tournament import tables as run
from arena.tournament.faults import FaultReport
from arena.tournament.games import Blunder, Game
from arena.tournament.pairings import Duel
from arena.tournament.standings import GameCounts, Standing, Start
from arena.tournament.sweep import Swept

BUSY = Load(7.0, 8)
CREATED = "2026-01-02T03:04:05+00:00"


@pytest.fixture(autouse=True)
def busy(monkeypatch):
    """Take a machine for busy as a user's does."""
    monkeypatch.setattr("arena.store.machine.BUSY", 0.25)


def three(kind, **given):
    """Return two rows that have all that a row can have, and one that has as little as it can."""
    return [filled(kind, 1, **given), filled(kind, 2, **given), filled(kind, 3, bare=True, **given)]


def said(*parts, width=None):
    """Return parts of a report as text, the names and rows of its tables, and the columns that fit into less."""
    tables = [[part.name, part.row.__name__, len(part.rows)] for part in parts if not isinstance(part, str)]
    narrow = [write(parts, "plain", width=columns).split("\n") for columns in (34, 60, 90)]
    headers = [line for lines in narrow for line, below in pairwise(lines) if below.startswith("--")]
    return [tables, [" ".join(line.split()) for line in headers], *write(parts, "plain", width=width).split("\n")]


def test_measurements(request):
    slow = [filled(Cost, 1, call_seconds=2.0 + depth, depth=depth) for depth in (2, 1)]  # mostly the call
    quick = [filled(Cost, 2, call_seconds=0.001), filled(Cost, 3, bare=True)]
    found = {
        "values": said(position_tables.values(three(Value))),
        "orders": said(position_tables.orders(three(Tried))),
        "divided": said(position_tables.divided([filled(Divided, each) for each in (2, 9, 1)])),
        "depths": said(depth_tables.depths([*quick, *slow])),
        "depths, one call": said(depth_tables.depths([*quick, filled(Cost, 1, call_seconds=2e-5, seconds=None)])),
        "depths, quick": said(depth_tables.depths(quick)),
        "no depths": said(depth_tables.depths([])),
        "counted": said(depth_tables.depths([filled(CountedCost, 1), filled(CountedCost, 2, position="")])),
    }
    holds("report-measures", plain(found), request)


SMALL = Rules(5, 4)
EXERCISES = [
    Exercise(Board.from_moves("12", SMALL), (1, -1, None, 0, 2)),
    Exercise(Board.from_moves("1234", SMALL), (-1, -2, -3, -1, -1)),
    Exercise(Board.from_moves("123", SMALL), (0, 0, -1, 0, 0)),
]
LADDER = ReferenceLadder((2, 4, 6), ((False, False, True), (True, False, True), (True, True, True)))


def grade(number, name, **given):
    """Return the grade of an agent."""
    shares = {key: Interval(0.1 * number, 0.1, 0.75) for key in ("good", "perfect", "clear_good", "clear_perfect")}
    return filled(Grade, number, agent=name, **{**shares, **given})


def test_grades(request):
    names = [f"alphabeta:depth=6,order=centre,heuristic={each}" for each in ("a", "b", "c")]
    first = grade(1, names[0], gain=None, unanswered=0, plays_like=Interval(3.25, 2.0, 5.0))
    second = grade(2, names[1], plays_like=Interval(3.25, None, 5.0), unanswered=1200)
    third = grade(3, names[2], plays_like=Interval(3.25, 2.0, None), gain=None, depth=None)
    plain_ones = Grading(EXERCISES, 7)
    found = {
        "with a ladder": said(*perfect_tables.grade_parts([first, second, third], Grading(EXERCISES, 7, LADDER))),
        "without": said(*perfect_tables.grade_parts([first, third], plain_ones)),
        "of one position": said(*perfect_tables.grade_parts([first], Grading(EXERCISES[:1], 7))),
        "bare": said(*perfect_tables.grade_parts([grade(4, "x", plays_like=None, unanswered=None)], plain_ones)),
        "none": said(*perfect_tables.grade_parts([], plain_ones)),
        "stored": said(*perfect_tables.grade_parts([first, second], None)),
    }
    for count, width in itertools.product((1, 3), (30, 60, 90)):
        parts = perfect_tables.grade_parts([first, second, third][:count], Grading(EXERCISES, 7, LADDER))
        found[f"{count} in {width}"] = write(parts, "plain", width=width).split("\n")
    labels = Labels.among(names)
    places = {"below": Interval(-math.inf, None, 2.0), "above": Interval(math.inf, 6.0, None), "nowhere": None,
              "both": Interval(4.5, 4.0, 5.5)}  # fmt: skip
    for name, given in places.items():
        for depth in (None, 3):
            row = grade(1, names[0], plays_like=given, depth=depth)
            found[f"{name} at depth {depth}"] = perfect_tables.standing(row, labels, (2, 4, 6))
    holds("report-grades", plain(found), request)


def test_checks_tunings_and_agreements(request):
    pairs = (("one", "two"), ("one", "three"), ("one", "two"))
    agreed = [filled(AtDepth, n, reference=one, search=two) for n, (one, two) in enumerate(pairs, 1)]
    counts = [{"positions": 40, "values": 40 - n, "moves": 30 - n, "share": n / 8 or None} for n in range(3)]
    agreed = [Row(**vars(row) | more) for row, more in zip(agreed, counts, strict=True)]
    tuned = TuningResult(
        "windows(1,2)", "windows(3,4)", 4, 1234, filled(Held, 1, gain=Interval(0.75, -0.5, 1.0)),
        filled(Held, 2, gain=Interval(1.0, 1.125, 1.25)),
        "a verdict", "arena compare", {},
    )  # fmt: skip
    found = {
        "agreement": said(*depth_tables.agreement_parts(agreed)),
        "checked": said(*check_tables.checked(three(Checked))),
        "checked, bare": said(*check_tables.checked([filled(Checked, 1, bare=True)])),
        "tuned": said(*tune_tables.tune_parts(tuned)),
    }
    holds("report-checks", plain(found), request)


def test_audits_of_agents_that_share_settings(request, monkeypatch):
    names = ["minimax:depth=4,order=centre", "alphabeta:depth=4,order=centre", "minimax:depth=4,order=left"]
    found = {}
    for kind, count, drawn in ((AgentAudit, 0, 0), (AgentAudit, 2, 0), (AgentAudit, 3, 1)):
        rows = [filled(kind, n, agent=name, bare=n == 2) for n, name in enumerate(names[:count])]
        spans = [filled(RangeAudit, n, agent=name, first=first, last=first + 13, bare=n == 2)
                 for n, name in enumerate(names[:count]) for first in (14, 0)]  # fmt: skip
        done = Coverage(12, 2345, 1234, 1200, drawn)
        for name, made in {"agents": rows, "ranges": spans, "coverage": done}.items():
            monkeypatch.setattr(perfect_tables.audit, name, lambda _, made=made: made)
        frames, key = Row(agents={"name": names[: max(count, 2)]}), f"{kind.__name__} of {count}, {drawn}"
        found[key] = said(*perfect_tables.audit_parts(frames))
        found[f"{key}, whole"] = [perfect_tables.audit_document(frames), perfect_tables.audit_part(frames)]
        found[f"{key}, kept"] = [said(perfect_tables.kept(frames)), said(perfect_tables.kept(frames, rows[1:]))]
    holds("report-audited", plain(found), request)


def change(number, name, **given):
    return filled(Change, number, agent=name, positions=20, games=1200, ms=1.5, **given)


def test_strength(request):
    names = ["minimax:depth=4,order=centre", "alphabeta:depth=4,order=centre", "alphabeta:depth=4,order=left"]
    ratings = [filled(Rating, number, agent=name, plays_as=None) for number, name in enumerate(names, start=1)]
    duels = [
        filled(Duel, n, agent=names[n], against=names[n + 1], counts=(1, 2, 3, 4, n), basis=basis)
        for n, basis in enumerate((Basis.SCORE, Basis.EXACT))
    ]
    found = {
        "ratings": said(*counts_tables.pool_parts(ratings, "method")),
        "pairings": said(*pairing_tables.pairings_parts(duels)),
        "pairings, one": said(*pairing_tables.pairings_parts(duels[:1])),
        "changes": said(*diff_tables.difference_parts(
            [change(1, names[0], same_games=1200, same_nodes=1.0, same_moves=1.0),
             change(2, names[1], same_games=7, same_nodes=0.5), filled(Change, 3, bare=True, agent=names[2])],
            BUSY, None)),
        "changes, busy twice": said(*diff_tables.difference_parts([change(1, names[0])], BUSY, Load(6.0, 8))),
    }  # fmt: skip
    holds("report-strength", plain(found), request)


def test_comparisons(request, monkeypatch):
    monkeypatch.setattr(
        comparison_tables, "comparison", lambda _, anchor: Row(ratings=[], pairings=[], answer=f"of {anchor}")
    )
    duels = [
        filled(HeuristicDuel, n, heuristic=one, against=two, at="depth 4", basis=Basis.SCORE, counts=(1, 2, 3, 4, 5))
        for n, (one, two) in enumerate((("a", "b"), ("b", "c"), ("c", "a"), ("d", "b")), start=1)
    ]
    ratings = [filled(HeuristicStrength, n, heuristic=name, basis=basis) for n, (name, basis) in
               enumerate((("a", "a basis"), ("c", "")), start=1)]  # fmt: skip
    given = {"answer": "c is best", "subject": "c",  "pairings": duels, "ratings": ratings, "zero": "0 is the mean",
             "why": "why: a reason", "again": "again with more"}  # fmt: skip
    found = {
        "whole": said(*comparison_tables.comparison_parts(Row(**given), "minimax", "turns", (BUSY, None))),
        "busy games": said(*comparison_tables.comparison_parts(Row(**given), "alphabeta", loads=(None, BUSY))),
        "without an answer": said(
            *comparison_tables.comparison_parts(Row(**given | {"answer": "", "ratings": []}), "minimax")
        ),
        "no basis": said(*comparison_tables.comparison_parts(Row(**given | {"ratings": ratings[1:]}), "minimax"))[-12:],
        "document, of a run": [
            comparison_tables.comparison_part(Row(plan={"comparison": search}), anchor)
            for search in (None, "minimax")
            for anchor in (None, ("a", 5.0))
        ],
        "document": comparison_tables.comparison_document(
            Row(**given | {"pairings": duels[:1], "ratings": ratings[:1]})
        ),
    }
    holds("report-compared", plain(found), request)


def test_lines_of_a_run(request):
    swept = [
        filled(Swept, n, agent=name, parameter=key, step=step)
        for n, (name, key, step) in enumerate((
            ("a", "depth", None), ("a", "depth", Interval(5.0, -1.0, 11.0)), ("c", "nodes", Interval(5.0, 5.0, 5.0))))
    ]  # fmt: skip
    starts = [Start("plies:4", 20, 568, 5, 6, 9), Start("plies:4", 1234, None, None, None, None),
              Start(None, 20, 568, 5, 6, 9), Start("a file", 20, 20, 0, 0, 20)]  # fmt: skip
    reports = [
        filled(FaultReport, n, games=games, traceback=traceback, output=output, detail=detail)
        for n, (games, traceback, output, detail) in enumerate((
            (1, "one\ntwo\n", "printed\n\n", "x"), (2, "", "only printed", ""), (3, "raised", "", "y"),
            (4, "", "", "")))
    ]  # fmt: skip
    found = {
        "sweeps": said(*run.sweep_parts(swept)),
        "openings": [run.openings_line(each) for each in starts],
        "games": [
            run.games_line(GameCounts(*each, ())) for each in ((1200, 1100, 1200), (5, 4, 1200), (1300, 1, 1200))
        ],
        "faults": run.paragraphs(reports).split("\n"),
        "no faults": run.paragraphs([]),
        "limits": [run._limits(plan) for plan in (
            {}, {"nodes": 5000}, {"seconds": 0.5}, {"nodes": 50, "seconds": 2.0}, {"clock": "60+1"},
            {"nodes": 1000, "seconds": None, "clock": "30"})],
    }  # fmt: skip
    agents = ["a:x=1,n=5", "b:x=1", "c:x=1"]
    for count, faults, played, basis in ((1, 0, 1, ""), (2, 0, 1200, "wide"), (2, 3, 2, "wide"), (3, 0, None, "")):
        pool = [filled(Standing, n, agent=agents[n], faults=faults * (n == 1), games=played or n, basis=basis)
                for n in range(count)]  # fmt: skip
        for anchor in (None, (agents[0], 12.5), ("another", 7.0)):
            key = f"title of {count}, {faults} faults, {played} games, {anchor}"
            found[key] = run._title("Heading", pool, Labels.among(agents[:count]), anchor)
    pools = Row(advantage=None), Row(advantage=Interval(25.4, -5.6, 50.5))
    for marks, (place, pool), anchor in itertools.product(
        ("", "0", "1", "00", "01", "11", "0=", "1="), enumerate(pools), (None, ("a", 5.25), ("x", 1.0))
    ):
        rows = [
            Row(agent="abc"[n], elo=0.0, marked=mark == "1", plays_as="a" if mark == "=" else None)
            for n, mark in enumerate(marks)
        ]
        found[f"zero of {marks}, {place}, {anchor}"] = run.zero(rows, anchor, pool)
    names = "abcdefg"
    for count in (1, 2, 3, 5, 6, 7):
        for wanted in ((), (0,), (0, 1), (0, 2), (1, 2, 3), (0, 1, 2), tuple(range(count)), (0, 1, 2, 3, 5, 6)):
            rows = [
                filled(Rating, n, may_be_best=n in wanted, gap=Interval(50.0 * n % 120, 1.0, 99.0) if n % 3 else None,
                       games_to_tell=900 * n if n % 4 else None) for n in range(count)
            ]  # fmt: skip
            found[f"of {count}, {wanted}"] = run.resolution(rows, [f"#{name}" for name in names[:count]])
    holds("report-lines", plain(found), request)


def blunder(ply, value, after):
    return Blunder(ply, ply % 7 + 1, "greedy", value, after)


class Found(list):
    """Games that were asked for."""

    def count(self):
        return len(self)

    def widest(self):
        return self[:1] + self[-1:]

    def pieces(self):
        for start in range(0, len(self), 9):
            piece = self[start : start + 9]
            yield {each.name: [getattr(game, each.name) for game in piece] for each in fields(Game)}


def test_lists_of_games_and_runs(request, monkeypatch):
    names = ["minimax:depth=4", "alphabeta:depth=4"]
    many = [
        filled(Game, n, game=n, first=names[n % 2], second=names[1 - n % 2], detail="" if n % 3 else f"d {n}",
               blunders=tuple(blunder(ply, 1, (-1, 0)[(n + ply) % 2]) for ply in range(4, 5 + n % 4)))
        for n in range(1, 24)
    ]  # fmt: skip
    stored = [
        StoredRun("a/b.sqlite", CREATED, ["x", "y:depth=1", "y:depth=2", "x"], 5, 1200, False, None),
        StoredRun("c.sqlite", CREATED, ["llm:m@u;t=0", "f/b.py:C:x=1"], 1200, 1200, True, "arena x"),
    ]  # fmt: skip
    found = {
        "thrown away": said(*games.thrown(many, names, Path("a folder/run.sqlite"))),
        "few": said(*games.thrown(many[:2], names, Path("run.sqlite"))),
        **{f"the last line of {count}": games.thrown(many[:count], names, Path("run.sqlite"))[-1]
           for count in (19, 20, 21, 22)},
        "in the order of loss": [game.game for game in games.worst_first(many)],
        "runs": said(*games.runs(stored)), "one run": said(*games.runs(stored[:1])),
        "narrow": said(*games.runs(stored), width=50), "no runs": said(*games.runs([])),
        "ended by a test": said(*games.runs([
            replace(stored[0], played=played, complete=complete)
            for played, complete in ((34, True), (1200, False), (0, False), (1300, True))])),
    }  # fmt: skip
    long = [
        *stored, StoredRun("a long name of a file.sqlite", CREATED, [f"agent {n}" for n in range(9)], 3, 9, False,
                           "arena run one two three four five six --seed 7 --openings plies:4 --out here.sqlite"),
    ]  # fmt: skip
    told = Found(replace(game, detail=f"{game.game}: {'a long reason ' * (game.game % 4)}") for game in many)
    for width in (50, 64, 77, 90, 120):
        found[f"runs {width} wide"] = said(*games.runs(long), width=width)
        found[f"games {width} wide"] = said(*games.games(Found(told[:4]), names), width=width)
    whole = render.write(games.games(told, names), "csv")
    monkeypatch.setattr(games, "LONG", 23)
    assert render.write(games.games(told, names), "csv") == whole
    for style in ("plain", "html", "latex"):
        found[f"pieces in {style}"] = render.write(games.games(told, names), style).split("\n")[:12]
    holds("report-lists", plain(found), request)


def test_tables_of_studies(request):
    rows = [
        filled(Verdict, 1),
        filled(Verdict, 2, value=Interval(1.0, None, 1.25)),
        filled(Verdict, 3, bare=True),
        filled(Verdict, 4, p=1e-5),
    ]
    found = {"verdicts": said(study.verdicts(rows)), "narrow": said(study.verdicts(rows), width=70),
             "differences": said(study.differences(three(Difference)))}  # fmt: skip
    found["none"] = said(study.differences([]))
    holds("report-verdicts", plain(found), request)
