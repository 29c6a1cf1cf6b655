"""The command bench."""

import json
import re

from command import read_json

from arena.measure import bench as speeds


def test_the_bench_is_one_document(arena, monkeypatch):
    monkeypatch.setattr(speeds, "SECONDS", 0.0)
    rows = read_json(arena("bench", "minimax:depth=2,heuristic=zero", "--json"))
    assert [(row["agent"], row["position"], row["nodes"]) for row in rows] == [
        ("minimax:depth=2,heuristic=zero", "", 57)
    ]
    assert set(rows[0]) == {"agent", "position", "nodes", "seconds", "nodes_per_second", "round_seconds", "meta"}
    assert min(rows[0]["round_seconds"]) == rows[0]["seconds"]
    assert "nodes/s" in arena("bench", "minimax:depth=2,heuristic=zero", "--style", "github").out


def test_the_bench_tells_what_a_change_made_slower(arena, monkeypatch, tmp_path):
    monkeypatch.setattr(speeds, "SECONDS", 0.0)
    bench, file = ("bench", "greedy", "alphabeta:depth=4,order=centre", "-q"), tmp_path / "before.json"
    rows = read_json(arena(*bench, "--json"))
    for row, times in zip(rows, (1e-6, 1.0), strict=True):
        row["round_seconds"] = [times * each for each in row["round_seconds"]]
    file.write_text(json.dumps(rows))
    slower = arena(*bench, "--compare", file, "--limit", 50)
    assert slower.code == 0
    assert [line.split()[-1] for line in slower.out.splitlines()[2:4]] == ["slower", "alike"]
    assert "all together: " in slower.out
    failed = arena(*bench, "--compare", file, "--limit", 50, "--fail-if-slower", "--json")
    assert failed.code == 1
    assert [row["verdict"] for row in json.loads(failed.out)] == ["slower", "alike"]
    assert re.fullmatch(r"failed: greedy takes [0-9.]+ times as long as before", failed.err.strip())
    (tmp_path / "fails.py").write_text("def choose(board):\n    raise ValueError(board.ply)\n")
    both = arena(*bench, f"{tmp_path}/fails.py:choose", "--compare", file, "--limit", 50, "--fail-if-slower")
    assert both.code == 2
    assert "failed: greedy takes" in both.err
    assert "ValueError" in both.err
