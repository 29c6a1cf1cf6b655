"""Every plugin can be deleted: the rest goes on without a line changed, also with runs that hold its tables."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from agents.errors import InputError
from arena import plugins, records
from arena.cli import options
from arena.plugins import Offer
from arena.tournament.standings import Standing

ROOT = Path(__file__).parents[2]
PLUGINS = sorted(file.parent.name for file in (ROOT / "arena" / "plugins").glob("*/__init__.py"))
FOLDERS = {name: [f"plugins/{name}"] for name in PLUGINS}
ALL = [*(folder for folders in FOLDERS.values() for folder in folders), "perfect", "page"]
SHOWN = """
import importlib, pkgutil, sys
import arena
from click.testing import CliRunner
from arena.cli import cli, commands

for module in pkgutil.walk_packages(arena.__path__, "arena."):
    if not module.name.startswith("arena.plugins.bridges."):  # each needs a package of its own
        importlib.import_module(module.name)
run, page, *gone = sys.argv[1:]
assert not set(gone) & set(commands()), gone
for words in (["--help"], ["show", run, "--wide"], ["show", run, "--json"], ["games", run], ["replay", run, "1"]):
    done = CliRunner().invoke(cli, words, catch_exceptions=False)
    assert done.exit_code == 0, (words, done.output)
if "report" in commands():
    done = CliRunner().invoke(cli, ["report", run, "--out", page], catch_exceptions=False)
    assert done.exit_code == 0, done.output
"""
PLAYED = (
    ("run", "greedy", "alphabeta:depth=2", "--rounds", "1", "-j", "1", "-q"),
    ("depths", "alphabeta", "--depth", "1..3", "-q"),
    ("compare", "smart-aware", "parity", "--depth", "1", "--rounds", "1", "-j", "1", "-q"),
)


@pytest.fixture
def copy(tmp_path):
    """Return a function that runs Python in a copy of the packages that lacks some folders of the arena."""
    for package in ("agents", "arena"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("*.nb?"))  # kernels

    def without(folders, *words):
        for folder in folders:
            shutil.rmtree(tmp_path / "arena" / folder, ignore_errors=True)
        place = os.environ | {"PYTHONPATH": str(tmp_path)}
        command = [sys.executable, "-P", *map(str, words)]
        return subprocess.run(command, cwd=tmp_path, env=place, capture_output=True, text=True, check=False)

    return without


def commands_of(folders):
    """Return the commands that folders offer."""
    from arena.plugins import offers

    packages = {f"arena.{folder.replace('/', '.')}" for folder in folders}
    return {offer.row[0] for offer in offers("COMMANDS", installed=False) if offer.folder in packages}


def test_an_offer_is_a_name_of_a_module_or_of_its_folder_or_a_module_and_no_other():
    row = ("x", "records:Interval", ":plugins", "cli.options", "records:Intervall", ":plugin", "nowhere")
    offer = Offer("arena", row)
    assert [offer.load(), offer.load(2), offer.load(3)] == [records.Interval, plugins, options]
    for place in (4, 5):
        with pytest.raises(AttributeError, match=row[place].rpartition(":")[2]):
            offer.load(place)
    with pytest.raises(ModuleNotFoundError, match="nowhere"):
        offer.load(6)


def test_a_folder_that_is_absent_is_named_and_one_that_is_there_is_asked():
    assert plugins.ask("tournament", "standings:Standing") is Standing
    with pytest.raises(InputError, match=r"^this needs arena\.nowhere, which is not installed$"):
        plugins.ask("nowhere", "standings:Standing")
    assert plugins.run_of({"format": "knockout"}) is None
    assert plugins.run_of({"heuristics": []}) is plugins.run_of({"heuristics": ""}) is None


@pytest.mark.process
@pytest.mark.parametrize("name", FOLDERS)
def test_a_folder_can_be_deleted_and_its_runs_are_shown(name, copy, audited, tmp_path):
    done = copy(FOLDERS[name], "-c", SHOWN, audited, tmp_path / "page.html", *commands_of(FOLDERS[name]))
    assert done.returncode == 0, done.stderr


def test_without_all_of_them_the_rest_shows_what_they_stored(copy, audited, tmp_path):
    done = copy(ALL, "-c", SHOWN, audited, tmp_path / "page.html", *commands_of(ALL))
    assert done.returncode == 0, done.stderr
    gone = copy([], "-m", "arena", "audit", audited)
    assert (gone.returncode, gone.stderr.count("\n")) == (2, 1)
    assert "'audit'" in gone.stderr


@pytest.mark.process
@pytest.mark.parametrize("words", PLAYED, ids=lambda words: words[0])
def test_the_core_does_its_three_jobs_alone(words, copy):
    done = copy(ALL, "-m", "arena", *words)
    assert done.returncode == 0, done.stderr
