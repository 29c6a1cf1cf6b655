"""The keys of a study's file are those of a run, and documented."""

import dataclasses
from pathlib import Path

import pytest

from arena.games.isolation import Isolation
from arena.games.plan import SETTINGS
from arena.plugins.study.file import KEYS

PAGE = (Path(__file__).parents[4] / "docs" / "study.md").read_text(encoding="utf-8")


def test_the_keys_are_the_settings_of_a_run():
    assert KEYS["games"].keys() - {"name", "agents"} == SETTINGS.keys()
    assert KEYS["isolation"].keys() == {field.name for field in dataclasses.fields(Isolation)} - {"folder", "entries"}


@pytest.mark.parametrize("name", [name for name, setting in SETTINGS.items() if setting.range])
def test_a_number_out_of_range_is_refused_by_its_name(name, arena, tmp_path):
    file = tmp_path / "study.toml"
    file.write_text(f"title = 'A'\n[agents]\na = 'greedy'\nb = 'random'\n[games]\n{name} = -1\n")
    done = arena("study", "check", file)
    line = f"{name} is a {'whole ' * (SETTINGS[name].type is int)}number from {SETTINGS[name].range.low:g}"
    assert done.code != 0
    assert f"[games] games: {line}" in done.out + done.err


def test_the_keys_are_documented():
    for table, keys in KEYS.items():
        missing = [key for key in keys if not any(word in PAGE for word in (f"`{key}`", f"{key} = ", f"[{key}]"))]
        assert (table, missing) == (table, [])
