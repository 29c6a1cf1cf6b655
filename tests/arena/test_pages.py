"""How each main command looks in a terminal of 80 columns: a page each, which `--write-pages` writes anew.

The first line of a page is its command, which plays and reads in a folder with two runs that version 0.2.0 stored:
`run.sqlite` of five agents, and `old.sqlite` of three on a small board, and the TOML files that stand beside the page.
Of a report it shows the words. What the numbers are is tested where they are computed.
"""

import functools
import itertools
import re
import shlex
import shutil
import textwrap
from html import unescape
from pathlib import Path
from types import SimpleNamespace

import pytest
from samples import DATA

from agents.jit.compiler import JIT
from agents.players import searcher
from arena.cli import commands
from arena.depth import cost
from arena.games import referee, searches

PAGES = sorted([*DATA.glob("pages/*.txt"), *Path(__file__).parent.glob("plugins/*/pages/*.txt")])
TIMES = re.compile(r"\b\d[\d,.]* ?(?:ms|µs|s|bytes)\b|\d{8}-\d{6}|\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)?")

MICROSECONDS = re.compile(r"(?m)^(\d+ -?\d+ \d+) \d+")
"""The fourth column of `arena solve`."""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The folder of the runs, with a terminal, and a clock that ticks as often as it is asked."""
    shutil.copy(DATA / "runs" / "later.sqlite", tmp_path / "run.sqlite")
    shutil.copy(DATA / "dropped.sqlite", tmp_path / "old.sqlite")
    monkeypatch.chdir(tmp_path)
    ticks = itertools.accumulate(itertools.cycle((0.001, 0.003, 0.002, 0.007, 0.001, 0.002, 0.005)))
    clock = functools.partial(next, ticks)
    monkeypatch.setattr(referee.decide, "__defaults__", (referee.CONDITIONS, clock))
    monkeypatch.setattr(referee.play_game, "__kwdefaults__", {**referee.play_game.__kwdefaults__, "clock": clock})
    monkeypatch.setattr(searches.once, "__defaults__", (None, clock))
    for module in (cost, searches, searcher):
        monkeypatch.setattr(module, "time", SimpleNamespace(perf_counter=clock))


def words(page):
    """Return the words of a page, as many in a line as fit."""
    if not page.exists():
        return ""
    bare = re.sub(
        r"<(style|script|svg|template).*?</\1>|<[^>]*>", " ", page.read_text(encoding="utf-8"), flags=re.DOTALL
    )
    return textwrap.fill(" ".join(unescape(bare).split()), 120, break_on_hyphens=False) + "\n"


@pytest.mark.skipif(not JIT, reason="some of these searches take long as plain Python")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
@pytest.mark.usefixtures("folder")
def test_a_command_prints_its_page(page, arena, monkeypatch, request):
    monkeypatch.setenv("COLUMNS", "80")
    for file in page.parent.glob("*.toml"):
        shutil.copy(file, ".")
    command, _, kept = page.read_text(encoding="utf-8").partition("\n")
    done = arena(*shlex.split(command.removeprefix("$ arena ")))
    assert done.code == 0, done.err
    printed = TIMES.sub("~", done.out + words(Path("page.html")))
    printed = MICROSECONDS.sub(r"\1 ~", printed)
    if request.config.getoption("--write-pages"):
        page.write_text(f"{command}\n{printed}", encoding="utf-8")
        kept = printed
    assert printed == kept


def test_every_command_of_the_core_has_a_page_of_a_screen_or_two():
    core = {name for name, offer in commands().items() if not offer.folder.startswith("arena.plugins")}
    assert core - {page.stem for page in PAGES} == set()
    assert all(len(page.read_text(encoding="utf-8").splitlines()) <= 60 for page in PAGES)
