"""Reports and pages of runs of every form, with times that nobody measured: what they say, as recorded."""

import random
from dataclasses import replace

import pytest
from changed import connect
from hand_made import DRAW, FIRST, SECOND, audit_of, decision, stored
from played import played
from recorded import holds, plain
from transcript import DATA

from agents.board import Rules
from agents.jit.compiler import JIT
from arena.page import page
from arena.perfect import tables as quality
from arena.records import Termination
from arena.store.run_file import Store
from arena.store.schema import EXTRA
from arena.table import render
from arena.table.picture import Picture
from arena.tournament import effort_tables as effort
from arena.tournament import tables as runs
from arena.tournament.frames import Frames

from .page_contents import page_of

SMALL = Rules(4, 4)
FORMATS = {
    "swiss": {"format": "swiss:2", "rounds": 1}, "knockout": {"format": "knockout", "rounds": 2},
    "gauntlet": {"format": "gauntlet", "rounds": 1, "pairs": (("greedy", "random"), ("random#2", "greedy"))},
}  # fmt: skip
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


def shown(frames):
    """Return what a report says of a run, in a wide terminal and of its lines in a narrow one."""
    parts = [*runs.warnings(frames), *runs.whole(frames), effort.by_phase(frames)]
    parts += quality.audit_parts(frames) if len(frames.audit) else []
    return {
        "wide": render.write(parts, "plain").split("\n"),
        "narrow": [line for line in render.write(parts, "plain", width=70).split("\n") if "left out" in line],
        "document": {
            key: value for key, value in runs.document(frames).items() if key in ("rounds", "order", "places")
        },
    }


@pytest.mark.parametrize("name", FORMATS)
def test_formats(name, request, tmp_path):
    agents = ("random", "greedy", "random", "greedy")
    path = played(tmp_path / "run.sqlite", *agents, openings="plies:2", rules=SMALL, **FORMATS[name])
    holds(f"report-format-{name}", plain(shown(Frames.read(change(path, *MADE)))), request, within=1e-6)


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


def test_pages_of_runs(pools, request, tmp_path, undrawn):
    sessions = [
        (
            "2026-03-04T05:06:07",
            "",
            '{"python": "4", "none": null}',
            '{"system": "B", "machine": null, "processors": 1}',
        )
    ]
    change(
        pools,
        *(
            f"INSERT INTO session (begun, command, versions, machine) VALUES {each}".replace("None", "NULL")
            for each in sessions
        ),
    )
    rows = [(1, 2, 1, -1, 7, 2, "1 2"), (1, 3, 0, 0, 7, 7, None),
            (2, 3, 1, 0, 7, 1, "4"), (11, 2, -1, -1, 7, 7, None)]  # fmt: skip
    audited = audit_of(hand_made(tmp_path / "audited.sqlite"), rows)
    change(audited, *MADE, EXTRA,
           *(f"""INSERT INTO extra VALUES ({at}, '{{"note": "an extra of {at}"}}')""" for at in (
               "3, 2", "4, 3", "5, 4", "6, 2")))  # fmt: skip
    found = {
        "pools": page_of(page.page(pools)),
        "audited, on a server": page_of(page.page(audited, "A title", whole=False)),
    }
    holds("report-page-runs", plain(found), request, within=1e-6)


def test_a_page_of_heuristics_compared(request, undrawn, monkeypatch):
    drawn = [Picture(name, name, print) for name in ("standings", "ratings", "crosstable", "cost")]
    monkeypatch.setattr(page, "pictures", lambda _: drawn)
    monkeypatch.setattr(page.run_report, "whole", lambda _: ["the answer"])
    found = page_of(page.page(DATA / "printed" / "comparison.sqlite"))
    kept = {key: found[key] for key in ("scripts", "loaded")} | {"words": found["words"][:40]}
    kept["figures"] = [part for part in found["besides"] if "figure" in part]
    holds("report-page-compared", plain(kept), request, within=1e-6)


@pytest.mark.skipif(not JIT, reason="the solver takes minutes as plain Python")
def test_audits(audited, request):
    frames = Frames.read(audited)
    found = {"document": quality.audit_document(frames), "part": len(quality.audit_part(frames).get("audit", ()))}
    found["tables"] = render.write(quality.audit_parts(frames), "plain").split("\n")
    holds("report-audits", plain(found), request, within=1e-6)


def test_notes_on_a_busy_machine(request, monkeypatch):
    monkeypatch.setattr("arena.store.machine.BUSY", 0.25)
    match = Frames.read(DATA / "printed" / "match.sqlite")
    found = {}
    for what, others in (("games", 7.0), ("times", 7.0)):
        load = {"begun": "", "what": what, "other_seconds_per_second": others, "cores": 8}
        frames = replace(match, made=match.made | {"loads": [load, load | {"other_seconds_per_second": 0.0}]})
        parts = [*runs.parts(frames), effort.by_phase(frames)]
        found[f"{others} during {what}"] = [part.meaning for part in parts if not isinstance(part, str)]
    holds("report-busy", plain(found), request)


def test_tables_of_effort_show_some_of_their_rows(monkeypatch):
    match = Frames.read(DATA / "printed" / "match.sqlite")
    monkeypatch.setattr(effort, "compact", lambda frames: ["compact", len(frames.agents)])
    monkeypatch.setattr(effort, "usual", lambda rows: ["usual", len(rows)])
    assert [part.lines for part in effort.parts(match)] == [["compact", 2]]
    phases = effort.by_phase(match)
    assert (phases.lines, len(phases.rows)) == (["usual", 3], 3)


def test_games_of_a_page_are_read_in_pieces(monkeypatch):
    with Store.read(DATA / "printed" / "field.sqlite") as store:
        whole = page.document(store)
        monkeypatch.setattr(page, "_PIECE", 50)
        assert page.document(store) == whole
