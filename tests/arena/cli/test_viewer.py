"""Every screen of a stored game in a terminal, as it was recorded: tests/data/recorded/cli-screens.json."""

import io
import json
import re
from types import SimpleNamespace

import click
import pytest
from recorded import holds

from agents.board import Rules
from agents.errors import InputError
from agents.jit.compiler import JIT
from agents.specs.registry import parse
from arena.analysis.games import Game, Replay, Step
from arena.cli.terminal import viewer
from arena.cli.terminal.play import Screen
from arena.play.person import Seat

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
    """Return a stored game whose moves from the opening on have what FOUND says, by turns."""
    steps = [
        Step(ply, int(word), *((None,) if ply < opening else (AGENTS[ply % 2],)), **(found if ply >= opening else {}))
        for ply, (word, found) in enumerate(zip(moves, FOUND * 6, strict=False))
    ]
    stored = Game(7, *AGENTS, moves[:opening], moves, ended, "it ended", detail, len(moves), None)
    return Replay(stored, AGENTS, rules, tuple(steps), {"memory": 99})


@pytest.fixture
def shown(monkeypatch, capsys):
    """A function that shows a game while a person presses keys, and returns all lines; keys and pauses are marked."""
    monkeypatch.setenv("COLUMNS", "70")
    monkeypatch.setattr(viewer, "MEBIBYTES", 1)
    monkeypatch.setattr("click.clear", lambda: click.echo("=== a clean screen"))
    monkeypatch.setattr("click.pause", lambda: click.echo("--- until a key is pressed"))
    monkeypatch.setattr(viewer, "SystemRandom", lambda: SimpleNamespace(randrange=lambda end: end // 3))

    def seat(name, **settings):
        click.echo(f"--- an agent {name}, {settings}")
        return Seat.of(parse(name))

    monkeypatch.setattr(viewer, "player", seat)

    def show(replay, keys=None, typed="", **how):
        pressed = iter(keys or ())

        def key():
            click.echo(f"--- the key {(found := next(pressed))!r}")
            return found

        monkeypatch.setattr("click.getchar", key)
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        found = viewer.Viewer(replay, Screen(err=False, **how.pop("screen", {"colour": False})), **how)
        found.show_all() if keys is None else found.browse()
        lines = capsys.readouterr().out.splitlines()
        return [re.sub(r"\d+ ms", "~ ms", line) if line.startswith("plays") else line for line in lines]

    return show


@pytest.mark.skipif(not JIT, reason="the scores of all positions take minutes as plain Python")
def test_the_screens_of_a_stored_game(shown, request):
    small = game(WON, Rules(5, 4), 2, "1-0")
    cut = game(HALF, Rules(5, 4), 0, "0-1", "answered 9 (columns count from 0): column 10 does not exist (1 to 5)")
    usual = game("547125662261271266215743771576315353334444", Rules(7, 6), 36, "1/2-1/2")
    most = game("1122334", Rules(4, 3, 4, most_fours=True), 1, "1-0")
    ends = ["n", " ", "\r", "\x1b[C", "\x1b[B", "b", "\x1b[D", "\x1b[A", "\x1b[F", "\x1b[H", "\x1bOF", "\x1bOH"]
    found = {
        "all of it": shown(small, solved=False),
        "all of it, solved": shown(small, solved=True),
        "all of a game that a fault ended, in colour": shown(cut, solved=False, screen={"colour": True}),
        "all of it on the usual board, solved": shown(usual, solved=True),
        "all of it under other rules": shown(most, solved=False),
        "keys to all ends": shown(cut, [*ends, "\x1b[4~", "\x1b[1~", "e", "n", "s", "b", "?", "q"], solved=False),
        "keys to blunders": shown(small, ["x", "x", "x", "n", "x", "e", "x", "\x03"], solved=True),
        "a key to blunders of a game without": shown(usual, ["e", "x", "\x04"], solved=False),
        "keys for reasons": shown(small, [*"nnnnnwnwnnnwew", "\x1b"], solved=False),
        "a key for reasons on the usual board": shown(usual, ["w", "q"], solved=False),
        "a key for reasons under other rules": shown(most, ["w", "q"], solved=False),
        "playing on against the first": shown(small, [*"nnnnp1q"], "4\nlevel random\nundo\nboard\nq\n", solved=False),
        "playing on against the second": shown(small, [*"nnnp2q"], "hint\n4\n", solved=False),
        "playing on from the end": shown(small, [*"ep2q"], "swap\n", solved=False),
        "playing on against neither": shown(small, [*"p3pqq"], solved=False),
    }  # fmt: skip
    holds("cli-screens", found, request)


def test_an_agent_that_is_gone_is_told_and_the_game_is_shown_on(shown, monkeypatch):
    def gone(name, **settings):
        raise InputError(f"there is no file {name}")

    monkeypatch.setattr(viewer, "player", gone)
    lines = shown(game(HALF, Rules(5, 4), 0, "0-1"), [*"p2q"], solved=False)
    at = lines.index("there is no file greedy")
    assert lines[at - 1 : at + 3] == [
        "--- the key '2'", "there is no file greedy", "--- until a key is pressed", "=== a clean screen"
    ]  # fmt: skip
