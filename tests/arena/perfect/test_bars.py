"""Bars of what takes long: they count to their ends."""

import io
import json

import pytest
from tqdm import tqdm

import arena as package
from arena.perfect.audit import audit
from arena.perfect.grade import grade
from arena.perfect.solve import solve_random

DRAWN = {"plies": range(4, 10), "rules": "4x4"}


@pytest.fixture
def bars():
    return []


@pytest.fixture
def progress(bars):
    """What makes a bar, of which a test then sees how far it came."""

    def bar(unit, total=None, **_):
        bars.append(tqdm(total=total, file=io.StringIO()))
        return bars[-1]

    return bar


def test_an_audit_counts_its_positions(bars, progress, unaudited):
    positions = audit(unaudited, progress=progress)
    assert [(bar.n, bar.total) for bar in bars] == [(positions, positions)]


def test_random_positions_are_counted_as_they_are_drawn_and_as_they_are_solved(bars, progress):
    solve_random(5, threads=1, progress=progress, **DRAWN)
    assert [(bar.n, bar.total) for bar in bars] == [(10, 10)]


def test_a_grade_counts_what_is_drawn_or_not_known_and_each_answer_of_agents_and_rungs(bars, progress, tmp_path):
    path = tmp_path / "positions.jsonl"
    rows = package.solve_random(6, threads=1, **DRAWN).to_dict("records")
    lines = [row if place < 4 else {"position": row["position"]} for place, row in enumerate(rows)]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    for positions, counted in ((6, 6 + 6), (path, 2)):
        grade(["random", "greedy"], positions=positions, ladder=[1, 2], progress=progress, **DRAWN)
        assert (bars[-1].n, bars[-1].total) == (counted + 4 * 6,) * 2
