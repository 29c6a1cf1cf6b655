"""A plugin of another distribution: the recipe of CONTRIBUTING.md, installed and used."""

import json
import re
import sys
from pathlib import Path

import pytest

from arena import plugins

RECIPE = re.compile(r"\*\*A plugin\*\*.*?```python\n(.*?)```", re.DOTALL)


@pytest.fixture
def lengths(tmp_path, monkeypatch):
    """Install the recipe's package until the test ends, and return the number of its lines."""
    text = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    [source] = RECIPE.findall(text)
    files = dict(re.findall(r"# (arena_lengths/\w+\.py)\n(.*?)(?=# arena_lengths/|\Z)", source, re.DOTALL))
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    info = tmp_path / "arena_lengths-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: arena-lengths\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[connect4_arena.plugins]\nlengths = arena_lengths\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield sum(len([line for line in content.splitlines() if line.strip()]) for content in files.values())
    for name in [name for name in sys.modules if name.startswith("arena_lengths")]:
        del sys.modules[name]


def test_it_takes_at_most_forty_lines(lengths):
    assert 10 < lengths <= 40


def test_it_adds_a_command_a_table_of_the_run_and_a_section_of_its_page(lengths, arena, audited, tmp_path):
    assert "lengths" in arena("--help").out.split("\nInstalled:\n")[1]
    assert "lengths" not in arena("show", audited).out
    done = arena("lengths", audited)
    assert done.code == 0, done.err
    rows = json.loads(arena("show", audited, "--table", "lengths", "--json").out)
    assert {row["agent"] for row in rows} == {
        row["agent"] for row in json.loads(arena("show", audited, "--json").out)["standings"]
    }
    assert all(1 <= row["length"] <= 42 for row in rows)
    page = tmp_path / "page.html"
    assert arena("report", audited, "--out", page).code == 0
    assert 'id="lengths"' in page.read_text(encoding="utf-8")
    assert arena("verify-nothing").err.count("'verify-nothing'") == 1


def test_a_table_of_a_plugin_has_a_name_of_its_own(audited):
    from agents.errors import InputError
    from arena.store.findings import keep

    for name in ("game", "audit", "a b", "x;--"):
        with pytest.raises(InputError, match="is no name for a table of a plugin"):
            keep(Path(audited), name, "a TEXT", [])
    assert plugins.CORE[0] == "tournament"
