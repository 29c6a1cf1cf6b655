import json
from dataclasses import replace
from types import SimpleNamespace

import pytest
from hand_made import run_of

from agents.board import Rules
from agents.jit.compiler import JIT
from arena.cli.drawing import Screen
from arena.tournament import command_replay
from arena.tournament.command_replay import show_game
from arena.tournament.games import Game, Replay, Step


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    games = [(0, 1, 0, "1", "1212121", (5, 6, 7, 8, 9))]
    return run_of(tmp_path_factory.mktemp("runs") / "run.sqlite", ["greedy", "random"], games, openings=("12",))


def test_a_game_is_shown_all_at_once(arena, path):
    done = arena("replay", path, 1)
    assert done.code == 0
    assert "X: greedy" in done.out
    assert [line for line in done.out.splitlines() if line.startswith("ply")] == [
        "ply 2: X to move", "ply 3: O to move", "ply 4: X to move", "ply 5: O to move", "ply 6: X to move",
        "ply 7: first player won",
    ]  # fmt: skip
    assert "X plays 1, depth 1, 9 nodes, score 0, 9 ms" in done.out.replace("\n", " ")


@pytest.mark.parametrize(
    ("ply", "first", "last"),
    [
        (0, "ply 0: X to move", "opening: X plays 1"), (1, "ply 1: O to move", "opening: O plays 2"),
        (2, "ply 2: X to move", "X plays 1, depth 1, 5 nodes, score 0, 5 ms"),
    ],
)  # fmt: skip
def test_one_position_alone(arena, path, ply, first, last):
    lines = arena("replay", path, 1, "--ply", ply).out.splitlines()
    assert (lines[0], lines[-1], sum(line.startswith("ply") for line in lines)) == (first, last, 1)
    assert [move["ply"] for move in json.loads(arena("replay", path, 1, "--ply", ply, "--json").out)["moves"]] == [ply]


def test_the_end_of_a_game_has_no_move(arena, path):
    done = arena("replay", path, 1, "--ply", 7)
    assert done.out.splitlines()[0] == "ply 7: first player won"
    assert "plays" not in done.out
    assert json.loads(arena("replay", path, 1, "--ply", 7, "--json").out)["moves"] == []


def test_json_has_every_move_of_the_game(arena, path):
    found = json.loads(arena("replay", path, 1, "--json").out)
    assert {key: found[key] for key in ("game", "first", "second", "result")} == {
        "game": 1, "first": "greedy", "second": "random", "result": "1-0",
    }  # fmt: skip
    assert list(found["moves"][2]) == ["ply", "column", "agent", "score", "depth", "nodes", "seconds", "value", "after"]
    assert "".join(str(move["column"]) for move in found["moves"]) == "1212121"


def test_a_ply_beyond_the_end_is_refused(arena, path):
    done = arena("replay", path, 1, "--ply", 8)
    assert (done.code, done.out) == (2, "")
    assert "--ply goes from 0 to 7" in done.err


@pytest.mark.parametrize(
    ("columns", "lines"),
    [
        ("30", ["X plays 1, depth 1, 9 nodes, score 0, 9", "ms"]),  # 40 columns are served at least
        ("80", ["X plays 1, depth 1, 9 nodes, score 0, 9 ms"]),
    ],
)
def test_a_move_takes_the_width_of_the_terminal(arena, path, monkeypatch, columns, lines):
    monkeypatch.setenv("COLUMNS", columns)
    assert arena("replay", path, 1, "--ply", 6).out.splitlines()[-len(lines) :] == lines


WON, HALF = "51431125433145354", "2342211"
AGENTS = ("minimax:depth=2", "greedy")
EXTRA = json.dumps({"model": "m\x1b[1m", "tokens": 12, "reply": "column\n5", "none": None, "long": "so " * 40})
FOUND = (
    {"score": 4, "depth": 3, "nodes": 1234, "seconds": 0.0096, "value": 1, "after": 1, "legal": 5, "keeping": 2},
    {"score": None, "depth": None, "nodes": None, "seconds": None, "value": 0, "after": -1, "legal": 5, "keeping": 1},
    {"score": -999_993, "depth": 0, "nodes": 1, "seconds": 1.25, "extra": EXTRA},
    {"score": 999_998, "depth": 2, "nodes": 2, "seconds": 0.9996, "value": 1, "after": -1, "legal": 4, "keeping": 2,
     "keepers": "2 4"},
    {"score": 0, "depth": 12, "nodes": 10, "seconds": 61.0, "value": -1, "after": -1, "legal": 3, "keeping": 3},
    {"score": 0, "value": 1, "after": 0, "legal": 3, "keeping": 1, "keepers": "3"},
    {"score": -3, "depth": 1, "nodes": 0, "seconds": 1.0, "value": 1},
)  # fmt: skip
"""What is stored of a move, by turns."""


def game(moves, rules, opening, ended, detail=""):
    """Return a stored game whose moves from the opening on have what FOUND says, by turns; no audit of most fours."""
    left_out = {"value", "after"} if rules.most_fours else set()
    steps = [
        Step(ply, int(word), *((None,) if ply < opening else (AGENTS[ply % 2],)),
             **{name: cell for name, cell in found.items() if ply >= opening and name not in left_out})
        for ply, (word, found) in enumerate(zip(moves, FOUND * 6, strict=False))
    ]  # fmt: skip
    stored = Game(7, *AGENTS, moves[:opening], moves, ended, "it ended", detail, len(moves), None)
    return Replay(stored, rules, tuple(steps))


def shown(capsys, replay, *, colour=False):
    show_game(replay, Screen(err=False, colour=colour))
    return capsys.readouterr().out


@pytest.mark.skipif(not JIT, reason="the solver takes minutes as plain Python")
def test_a_stored_game_is_shown_from_its_opening_with_what_was_thought_said_and_audited(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "70")
    text = shown(capsys, game(WON, Rules(5, 4), 2, "1-0"))
    assert text.startswith(
        "Game 7: 1-0, it ended, 17 plies\nX: minimax:depth=2\nO: greedy\nopening 51\n\nply 2: X to move"
    )
    for line in ("X plays 4, score loss in 7, 1.2 s", "model m\\x1b[1m, tokens 12", "reply: column 5", "long: so so"):
        assert line in text
    assert "none" not in text
    assert max(map(len, text.splitlines())) <= 70


@pytest.mark.skipif(not JIT, reason="the solver takes minutes as plain Python")
def test_a_fault_is_shown_and_so_are_moves_that_kept_the_value_or_lost_it(capsys, monkeypatch):
    fault = "answered 9 (columns count from 0): column 10 does not exist (1 to 5)"
    text = shown(capsys, game(HALF, Rules(5, 4), 0, "0-1", fault), colour=True)
    for line in (fault, "X plays 2, depth 3, 1,234 nodes, score +4, 10 ms", "win kept, as by 2 of 5 moves"):
        assert line in text
    assert [f"ply {ply}: " in text for ply in range(8)] == [True] * 8
    assert "\x1b[" in text


def test_the_first_move_after_the_opening_is_explained_where_it_is_a_blunder(capsys, monkeypatch):
    monkeypatch.setattr(command_replay, "explained", lambda replay, plies: {ply: [f"so {ply}"] for ply in plies})
    text = shown(capsys, game(HALF, Rules(5, 4), 1, "0-1"))
    assert [f"so {ply}" in text for ply in range(8)] == [False, True, True, True, True, True, True, False]


def test_a_game_of_other_rules_has_no_audit(capsys):
    text = shown(capsys, game("1122334", Rules(4, 3, 4, most_fours=True), 1, "1-0"))
    assert "opening 1\n\nply 1: O to move" in text
    assert "kept" not in text


def test_one_position_is_explained_alone_and_a_document_has_what_was_said(capsys, monkeypatch):
    replay = game(HALF, Rules(5, 4), 1, "0-1")
    asked = []
    monkeypatch.setattr(command_replay, "offers", lambda kind: [
        SimpleNamespace(load=lambda place: lambda _, plies: asked.append((kind, place, plies)) or {3: ["so"]})
    ])  # fmt: skip
    assert command_replay.explained(replay, range(3, 4)) == {3: ["so"]}
    assert command_replay.explained(replay, range(2, 3)) == {} == command_replay.explained(replay, range(4, 5))
    command_replay.explained(replay, range(7))
    assert asked == [("REASONS", 0, [3]), ("REASONS", 0, [1, 3, 5])]
    whole, one = (command_replay.document(replay, ply) for ply in (None, 2))
    assert [move["ply"] for move in whole["moves"]] == list(range(7))
    assert [(move["ply"], move["extra"]["model"]) for move in one["moves"]] == [(2, "m\x1b[1m")]
    assert whole["moves"][3] == {
        "ply": 3, "column": 2, "agent": "greedy", "score": 999_998, "depth": 2, "nodes": 2, "seconds": 0.9996,
        "value": 1, "after": -1,
    }  # fmt: skip
    lost = replace(replay, extra={"reply": "no"})
    shown = [command_replay.document(lost, ply).get("extra") for ply in (None, 6, 7)]
    assert shown == [{"reply": "no"}, None, {"reply": "no"}]
    command_replay.show_position(lost, 7, Screen(err=False, colour=False), {})
    assert capsys.readouterr().out.splitlines()[-1] == "reply: no"


@pytest.mark.parametrize(
    ("step", "lines"),
    [
        (Step(0, 3, None), ["opening: X plays 3"]), (Step(1, 3, None), ["opening: O plays 3"]),
        (Step(1, 3, "a"), ["O plays 3, 0 ms"]),
        (Step(2, 3, "a", 5, 4, 1200, 0.5, value=0, after=0, legal=7, keeping=1),
         ["X plays 3, depth 4, 1,200 nodes, score +5, 500 ms", "draw kept, as by 1 of 7 moves"]),
        (Step(2, 3, "a", seconds=2.0, value=1, after=0, legal=7, keeping=1), ["X plays 3, 2.0 s"]),
    ],
)  # fmt: skip
def test_a_move_is_described_by_its_search_and_whether_it_kept_the_value(step, lines):
    assert command_replay.described(step) == lines


def test_of_one_position_its_own_move_alone_is_explained(arena, path, monkeypatch):
    monkeypatch.setattr(command_replay, "explained", lambda _, plies: {plies[0]: [f"of {list(plies)}"]})
    assert arena("replay", path, 1, "--ply", 6).out.splitlines()[-1] == "of [6]"
