"""Pages of runs, with times that nobody measured."""

import html
import json
import random
import re
from dataclasses import replace

import pytest
from changed import connect
from hand_made import DRAW, FIRST, SECOND, audit_of, decision, stored
from samples import DATA

from arena.comparison import of_run
from arena.page import page
from arena.records import Termination
from arena.store.machine import made
from arena.store.run_file import Store
from arena.store.schema import EXTRA
from arena.table.picture import Picture
from arena.tournament import effort_tables as effort
from arena.tournament import tables as runs
from arena.tournament.answer import answer
from arena.tournament.frames import Frames

MADE = (
    "UPDATE move SET nanoseconds = 1000000 * (1 + ply % 3 + game % 2)", "UPDATE game SET nanoseconds = 1000000000",
    "UPDATE game SET moment = 0", "UPDATE iteration SET nanoseconds = 1000000 * (1 + ply % 3 + game % 2)",
    """UPDATE run SET created = '2026-01-02T03:04:05', versions = '{"python": "3", "connect4-arena": "1"}',
    machine = '{"system": "A system", "machine": "", "processor": null, "processors": 2}'""",
    """UPDATE session SET begun = '2026-01-02T03:04:05', versions = '{"python": "3", "connect4-arena": "1"}',
    machine = '{"system": "A system", "machine": "", "processor": null, "processors": 2}'""", "DELETE FROM load",
)  # fmt: skip


def change(path, *statements):
    """Change a stored run, and return its path."""
    connection = connect(path)
    with connection:
        for each in statements:
            if "load" not in each or connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'load'").fetchone():
                connection.execute(each)
    connection.close()
    return path


def hand_made(path):
    """Store a run of two pools: two models, with faults, and agents that play alike."""
    model = "llm:m@http://x;temperature=0"
    agents = [model, f"{model};prompt=grid", "random", "minimax:depth=2", "alphabeta:depth=2,order=centre", "greedy"]
    games, chance = [], random.Random(1)
    for opening in range(3):
        for one, two in ((0, 2), (1, 2), (2, 0), (2, 1), (3, 4), (4, 3), (3, 5), (5, 3), (4, 5), (5, 4)):
            end = chance.choice((FIRST, SECOND, DRAW))
            moves = f"{opening + 1}{opening + 1}{one + 1}{two + 1}"
            steps = tuple(decision(2 + ply, 2, 50 * (one + 1), 0.001 * (one + 1), (1, 8, 1e-4), (2, 50, 1e-3),
                                   column=int(moves[2 + ply]) - 1) for ply in (0, 1))  # fmt: skip
            games.append((one, two, opening, moves, end, Termination.LINE, steps))
    games[4] = (*games[4][:4], SECOND, Termination.ILLEGAL, games[4][6])
    games[5] = (*games[5][:4], SECOND, Termination.TIME, ())
    return stored(path, agents, games, openings=("11", ("22", 1), ("33", -2)), planned=1200, seed=7)


@pytest.fixture
def pools(tmp_path):
    return change(hand_made(tmp_path / "pools.sqlite"), *MADE)


# Pages: their words, and their addresses, figures and scripts.


@pytest.fixture
def undrawn(monkeypatch):
    """Name figures in pages instead of drawing them."""
    monkeypatch.setattr(Picture, "svg", lambda picture, prefix="": f'<svg id="{prefix}{picture.name}"></svg>')


def document_of(whole):
    """Return what a page holds of its games."""
    data = re.search(r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', whole, re.DOTALL)
    return json.loads(data[1])


def test_a_page_of_two_pools_has_its_sections_its_games_and_its_scripts_within_itself(pools, undrawn):
    whole = page.page(pools)
    assert "/static/" not in whole
    assert all(page.bundle((name,)) in whole for name in page.MODULES)
    document = document_of(whole)
    assert (len(document["games"]), len(document["agents"])) == (30, 6)
    sections = re.findall(r'<section class="card" id="(\w+)".*?<h2[^>]*>(.*?)</h2>', whole, re.DOTALL)
    assert sections == [
        ("standings", "Standings"), ("figures", "Figures"), ("games", "Games"), ("effort", "Effort"),
        ("openings", "Openings"), ("faults", "Faults"), ("about", "How it was made"),
    ]  # fmt: skip
    assert "pools.sqlite: 6 agents, 30 of 1,200 games" in whole
    start = html.unescape(re.sub("<[^>]*>", "", whole[whole.index('id="standings"') : whole.index("<table")]))
    lines, answers = start.split("\n\n"), answer(Frames.read(pools))
    assert lines[1 : 1 + len(answers)] == answers
    assert [line.split(" ")[0] for line in lines[1 + len(answers) :][:4]] == ["fault", "fault", "3", "games"]


def test_a_page_says_how_a_run_was_made(pools, monkeypatch):
    change(pools, "UPDATE run SET command = 'arena run x'")
    with Store.read(pools) as store:
        assert page._facts(store) == [
            ("File", "pools.sqlite"), ("Command", "arena run x"), ("Begun", "2026-01-02 03:04:05 UTC"), ("Seed", "1"),
            ("Versions", "python 3, connect4-arena 1"), ("Machine", "system A system, processors 2"),
        ]  # fmt: skip
    change(pools, "UPDATE run SET command = '', plan = json_set(plan, '$.openings', 'plies:2')")
    with Store.read(pools) as store:
        facts = dict(page._facts(store))
    assert (facts["Command"], facts["Openings"]) == ("not stored", "plies:2")
    sessions = [
        {"begun": f"2026-01-02T03:04:0{number}.5", "versions": {"python": "3"}, "machine": {"cpu": "", "cores": number}}
        for number in (1, 2, 3)
    ]
    monkeypatch.setattr(page, "made", lambda store: made(store) | {"sessions": sessions})
    with Store.read(pools) as store:
        assert page._facts(store)[-2:] == [
            (f"Session {number}", f"2026-01-02 03:04:0{number} UTC, python 3, cores {number}") for number in (2, 3)
        ]


def test_an_audited_run_on_a_server_loads_its_scripts_and_shows_notes_and_blunders(tmp_path, undrawn):
    rows = [(1, 2, 1, -1, 7, 2, "1 2"), (1, 3, 0, 0, 7, 7, "1 2 3 4 5 6 7"),
            (2, 3, 1, 0, 7, 1, "4"), (11, 2, -1, -1, 7, 7, None)]  # fmt: skip
    path = audit_of(hand_made(tmp_path / "audited.sqlite"), rows)
    change(path, *MADE, EXTRA,
           """INSERT INTO extra VALUES (3, 2, '{"note": "an extra"}'), (6, 2, '{"reply": "no"}')""")  # fmt: skip
    whole = page.page(path, "A title", whole=False)
    assert "<title>A title" in whole
    assert "/static/" in whole
    assert "an extra" in json.dumps(document_of(whole))
    first, _, third, _, _, sixth, *_ = document_of(whole)["games"]
    assert sixth["x"] == {"0": ["reply: no"]}, "in place of a move"
    assert (first["v"], first["w"], first["k"], third["x"]) == ([1, 0], [-1, 0], {"0": "1 2"}, {"0": ["note an extra"]})
    assert [f'id="{name}"' in whole for name in ("audit", "kept", "faults", "states")] == [True] * 4


def test_a_page_of_heuristics_compared_has_the_figures_of_ratings_and_cost(undrawn, monkeypatch):
    drawn = [Picture(name, name, print) for name in ("standings", "ratings", "crosstable", "cost")]
    monkeypatch.setattr(page, "pictures", lambda _: drawn)
    monkeypatch.setattr(page.run_report, "whole", lambda _: ["the answer"])
    whole = page.page(DATA / "runs" / "comparison.sqlite")
    assert "the answer" in whole
    assert f"<title>Connect4 Arena: {of_run.SUBJECT}" in whole
    assert re.findall(r'<svg id="(\w+)">', whole) == ["ratings", "cost"]


@pytest.mark.parametrize("what", ["games", "times"])
def test_times_of_games_on_a_busy_machine_are_rough(monkeypatch, what):
    monkeypatch.setattr("arena.store.machine.BUSY", 0.25)
    match = Frames.read(DATA / "runs" / "match.sqlite")
    load = {"begun": "", "what": what, "other_seconds_per_second": 7.0, "cores": 8}
    frames = replace(match, made=match.made | {"loads": [load, load | {"other_seconds_per_second": 0.0}]})
    parts = [*runs.parts(frames), effort.by_phase(frames)]
    notes = [part.meaning for part in parts if not isinstance(part, str) and "ms: mean time" in part.meaning]
    assert notes
    assert all(("rough: other programs used 7.0 of 8 cores" in note) == (what == "games") for note in notes)


def test_tables_of_effort_show_some_of_their_rows(monkeypatch):
    match = Frames.read(DATA / "runs" / "match.sqlite")
    monkeypatch.setattr(effort, "compact", lambda frames: ["compact", len(frames.agents)])
    monkeypatch.setattr(effort, "usual", lambda rows: ["usual", len(rows)])
    assert [part.lines for part in effort.parts(match)] == [["compact", 2]]
    phases = effort.by_phase(match)
    assert (phases.lines, len(phases.rows)) == (["usual", 3], 3)


def test_games_of_a_page_are_read_in_pieces(monkeypatch):
    with Store.read(DATA / "runs" / "field.sqlite") as store:
        whole = page.document(store)
        monkeypatch.setattr(page, "_PIECE", 50)
        assert page.document(store) == whole
