"""What each command asks of the jobs, with no option and with all of them: tests/data/recorded/cli-calls.json."""

import functools
import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from needs import needed
from recorded import holds
from samples import DATA

from agents.board import Board, Rules
from agents.errors import InputError
from arena.cli import cli
from arena.cli import commands as offered

ASKED = {
    "arena.plugins.assignment.job": ("assignment",),
    "arena.plugins.explain.job": ("explain", "explain_game"),
    "arena.games.seats": ("player",),
    "arena.plugins.engine.command_uci": ("player",),
    "arena.depth.depths": ("depths",),
    "arena.depth.verify": ("verify", "agreement"),
    "arena.tournament.check": ("check",),
    "arena.position.questions": ("evaluate", "move", "order", "perft"),
    "arena.plugins.tree.job": ("tree",),
    "arena.tournament.runs": ("runs", "games", "replay", "faults", "frames"),
    "arena.plugins.counts.job": ("elo", "sprt"),
    "arena.plugins.counts.ratings": ("rate",),
    "arena.plugins.diff.job": ("diff",),
    "arena.plugins.study.job": ("new", "check", "play", "verify"),
    "arena.tournament.tournaments": ("begin", "resumed", "play"),
    "arena.comparison.compare": ("begin_comparison",),
    "arena.perfect.audit": ("audit",),
    "arena.perfect.grade": ("grade",),
    "arena.perfect.solve": ("solve", "solve_random"),
    "arena.plugins.tune.job": ("tune",),
    "arena.plugins.bridges.kaggle": ("submission",),
    "arena.page.page": ("write",),
    "arena.plugins.serve.server": ("application",),
}
"""The functions that commands ask, by module."""
BEGIN = ("begin", "begin_comparison", "resumed")
"""Those after which a command asks on."""
LINES = (DATA / "command_lines.txt").read_text(encoding="utf-8").splitlines()


def told(value):
    """Return a value that a command passes on as text."""
    if isinstance(value, Board | Rules | Path):
        return re.sub(r".*/arena-\w+/", "~/", str(value.text if isinstance(value, Board) else value))
    if isinstance(value, Mapping):
        return {str(key): "~" if key == "token" and each else told(each) for key, each in value.items()}
    if isinstance(value, list | tuple | Iterator):
        return [told(each) for each in value]
    if isinstance(value, functools.partial):
        return [told(value.func), told(value.keywords)]
    return f"the function {value.__qualname__}" if callable(value) else value


@pytest.fixture
def asked(arena, tmp_path, monkeypatch):
    """A function that runs a command until it asks something, and returns what that is, and what it printed."""
    monkeypatch.chdir(tmp_path)
    for name, copy in (("field", "run"), ("later", "old")):
        (tmp_path / f"{copy}.sqlite").write_bytes((DATA / "runs" / f"{name}.sqlite").read_bytes())
    calls = []

    def stand_in(name):
        def call(*given, **named):
            calls.append([name, *map(told, given), told(named)])
            if name.rpartition(".")[2] not in BEGIN:
                raise InputError("it was asked")
            return "the run"

        return call

    modules = [needed(module) for module in ASKED]  # all, before one imports a stand-in of another
    for module, names in zip(modules, ASKED.values(), strict=True):
        for name in names:
            monkeypatch.setattr(module, name, stand_in(f"{module.__name__}.{name}"))

    monkeypatch.setattr(
        "arena.games.progress.cluster_at", lambda address, say: address and f"{address}, {say.__name__}"
    )

    def run(line):
        calls.clear()
        done = arena(*shlex.split(line), stdin="44\n\n  3 -1\n")
        lines = [each for each in (done.out + done.err).splitlines() if each != "arena: it was asked"]
        return [*calls, *lines[:4], done.code]

    return run


def test_commands_pass_on_what_was_typed(asked, request):
    holds("cli-calls", {f"arena {line}": asked(line) for line in LINES}, request)


SHARED = {
    "--json", "--style", "--wide", "--quiet", "--table", "--cluster", "--plot", "--figure",
}  # fmt: skip
"""Options that commands do not pass on."""


def test_every_option_is_among_them():
    typed = [line.split() for line in LINES]
    used = {(name, word) for words in typed for name in (words[0], " ".join(words[:2])) for word in words}
    missing = []
    for name in offered():
        command = cli.get_command(None, name)
        for inner, each in getattr(command, "commands", {"": command}).items():
            whole = f"{name} {inner}".strip()
            options = [{*each.opts, *each.secondary_opts} for each in each.params if each.param_type_name == "option"]
            options = [names for names in options if not names & SHARED]
            missing += [f"{whole} {min(names)}" for names in options if not {(whole, name) for name in names} & used]
    assert {*missing} <= {"serve --open"}  # a test of its own has it
