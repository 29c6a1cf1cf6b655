"""What commands print and store, line by line: every file of tests/data/commands is played and says what it said.

A line that begins with "$ " is a command, the lines with "> " below it are its input, and what is indented is what it
prints: "! " before a line says that it stands on stderr, "= 2" is an exit code. Times, versions and machines are left
out. The commands are `arena`, in this process, and the methods of `transcript.Commands`, such as `stored FILE`, which
prints all that is stored of a run, or `get` and `post`, which ask the server. `--write-pages` writes all anew.
"""

import difflib
import functools
import itertools
import re
import shlex
from pathlib import Path
from types import SimpleNamespace

import pytest
from matplotlib.backends.backend_pdf import FigureCanvasPdf
from needs import needed
from transcript import DATA, Commands, commands, masked

from agents.jit.compiler import JIT
from agents.players import searcher
from arena.cli import cli
from arena.cli import commands as offered
from arena.depth import cost as depths
from arena.games import referee, searches

pytestmark = pytest.mark.process

FILES = sorted((DATA / "commands").glob("*.txt"))


def small(patch):
    """Let a clock measure that ticks as often as it is asked.

    A tick is of 1 to 7 ms, in an order of its own, so that times and their ratios differ and stay as they are.
    """
    ticks = itertools.accumulate(itertools.cycle((0.001, 0.003, 0.002, 0.007, 0.001, 0.002, 0.005)))
    clock = functools.partial(next, ticks)
    patch.setattr(referee.decide, "__defaults__", (referee.CONDITIONS, clock))
    patch.setattr(referee.play_game, "__kwdefaults__", {**referee.play_game.__kwdefaults__, "clock": clock})
    patch.setattr(searches.once, "__defaults__", (None, clock))
    for module in (depths, searches, searcher):
        patch.setattr(module, "time", SimpleNamespace(perf_counter=clock))
    patch.setattr(FigureCanvasPdf, "print_pdf", lambda _, to, **how: Path(to).touch())


@pytest.mark.skipif(not JIT, reason="these commands search for minutes as plain Python")
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_commands_print_and_store_what_they_did(file, arena, tmp_path, monkeypatch, request):
    monkeypatch.chdir(tmp_path)
    for patience in ("runs.PATIENCE", "searching.SECONDS"):  # a busy machine changes no answer
        module, _, name = patience.partition(".")
        monkeypatch.setattr(needed(f"arena.plugins.serve.{module}"), name, 60.0)
    if file.stem == "jobs":
        small(monkeypatch)
    kept, said, player = file.read_text(encoding="utf-8"), [], Commands(arena)
    for command, lines, above in commands(kept):
        printed = player.done(shlex.split(command), lines).replace(str(tmp_path), "~")
        said += [*above, f"$ {command}", *(f"> {line}".rstrip() for line in lines)]
        said += [f"  {line}".rstrip() for line in masked(printed).split("\n") if line.strip()]
    if request.config.getoption("--write-pages"):
        file.write_text("\n".join([*said, ""]), encoding="utf-8")
    differs = [line[:300] for line in difflib.unified_diff(kept.splitlines(), said, "kept", "now", lineterm="", n=1)]
    assert not differs, "\n".join(differs[:60])


OPTIONS = DATA / "commands" / "options.md"
SHARED = {"--quiet", "--wide", "--style", "--rules", "--help", "--version"}
"""Options that are made once for all commands."""
ELSEWHERE = {
    "--cluster", "--sandbox", "--patience", "--memory", "--debug",
    "assignment", "serve", "submission",
}  # fmt: skip
"""Options, and commands with all of theirs, that take processes, terminals or minutes; other tests have them."""


def every_option():
    """Yield every command, those of groups too, with each of its parameters."""
    for name in offered():
        command = cli.get_command(None, name)
        for each, inner in getattr(command, "commands", {"": command}).items():
            yield from ((f"{name} {each}".strip(), param) for param in inner.params)


def test_options_take_and_default_to_what_they_did(request):
    lines = []
    for name, param in every_option():
        kind = {"type": param.type.name, **{key: getattr(param.type, key, None) for key in ("min", "max", "choices")}}
        told = [f"{key} {value}" for key, value in kind.items() if value is not None]
        told += [key for key in ("required", "multiple", "is_flag") if getattr(param, key, False)]
        default = param.default if isinstance(param.default, (bool, int, float, str)) else None
        lines.append(f"{name} {'/'.join([*param.opts, *param.secondary_opts])}: {', '.join(told)}; {default}".rstrip())
    if request.config.getoption("--write-pages"):
        OPTIONS.write_text("\n".join([*lines, ""]), encoding="utf-8")
    assert lines == OPTIONS.read_text(encoding="utf-8").splitlines()


def test_every_option_stands_in_a_recorded_command():
    said = [words for file in FILES for words, *_ in commands(file.read_text(encoding="utf-8"))]
    printed = Path(__file__).with_name("test_printed.py").read_text(encoding="utf-8")
    said += [f"arena {words}" for words in re.findall(r'^    "(.+)",$', printed, re.MULTILINE)]
    typed = [words for words in map(str.split, said) if words[0] == "arena"]
    used = {(name, word) for words in typed for name in (words[1], " ".join(words[1:3])) for word in words}
    missing = [
        f"{name} {param.opts[0]}"
        for name, param in every_option()
        if param.param_type_name == "option"
        and not {name.split()[0], *param.opts, f"{name} {param.opts[0]}"} & (SHARED | ELSEWHERE)
        and not any((name, word) in used for word in (*param.opts, *param.secondary_opts))
    ]
    assert not missing, ", ".join(missing)
