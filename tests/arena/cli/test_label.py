"""Positions labelled on the command line."""

import json

from agents.board import Board, Rules
from arena.measure.label import read_positions

SMALL = Rules(4, 4)


def test_the_command_writes_what_a_grade_reads(arena, tmp_path):
    path = tmp_path / "labels.jsonl"
    words = ["label", "--board", "4x4", "--count", 30, "--plies", "4..10", "--table-size", 1]
    result = arena(*words, "--moves", "--out", path)
    assert (result.code, result.out) == (0, "")
    assert f"30 positions written to {path}" in result.err
    told = arena(*words, "--moves", "--json")
    assert json.loads(told.out) == [json.loads(line) for line in path.read_text().splitlines()]
    lines = arena(*words).out.splitlines()
    assert [line.split() for line in lines] == [[r["position"], str(r["score"])] for r in json.loads(told.out)]
    graded = ["grade", "alphabeta", "--depth", 2, "--board", "4x4", "--json"]
    by_file, by_seed = (
        [
            row | dict.fromkeys(("seconds", "seconds_low", "seconds_high", "meta"))
            for row in json.loads(arena(*graded, *more).out)
        ]
        for more in (("--positions", path), ("--positions", 30, "--plies", "4..10"))
    )
    assert by_file == by_seed
    again = arena(*words, "--out", path)
    assert (again.code, again.err) == (2, f"arena: {path} exists; --resume keeps its labels, --out names another\n")
    more = arena(
        "label",
        "--board",
        "4x4",
        "--table-size",
        1,
        "--count",
        40,
        "--moves",
        "--out",
        path,
        "--resume",
        "--plies",
        "4..10",
    )
    assert more.code == 0
    assert [json.loads(line) for line in path.read_text().splitlines()][:30] == json.loads(told.out)
    assert len(path.read_text().splitlines()) == 40


def test_no_position_is_another_ones_mirror_image(arena):
    rows = json.loads(arena("label", "--board", "5x4", "--count", 200, "--json").out)
    boards = [Board.from_moves(row["position"], Rules(5, 4)) for row in rows]
    assert len({min(board.key, board.mirror().key) for board in boards}) == 200


def test_ctrl_c_keeps_what_is_solved(arena, monkeypatch, tmp_path):
    asked = []

    def tire(solver, board):
        asked.append(board)
        if len(asked) > 12:
            raise KeyboardInterrupt
        return solver.score_of(board)

    monkeypatch.setattr("arena.measure.label._score", tire)
    words = ["label", "--board", "4x4", "--count", 30, "--plies", "4..10", "--out", tmp_path / "labels.txt", "-j", 1]
    result = arena(*words)
    assert (result.code, result.err) == (130, "interrupted after 12 of 30 positions; --resume adds the rest\n")
    assert len(read_positions(tmp_path / "labels.txt", SMALL)) == 12
    monkeypatch.undo()
    assert arena(*words, "--resume").code == 0
    assert len(read_positions(tmp_path / "labels.txt", SMALL)) == 30
