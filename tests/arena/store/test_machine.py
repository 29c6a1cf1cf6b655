"""What is stored of the machine, the versions and the load that a run was played with."""

import json
import os
import platform
import re
import shutil
import sqlite3
import sys
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import SimpleNamespace

import pytest
from changed import update

from agents.errors import InputError
from arena.store import findings, machine
from arena.store.machine import Load

from .created import created, rows

QUARTER = machine.BUSY
"""As it is where no test has put another in its place."""
CPUS = "processor\t: 0\nmodel\t\t: 85\nmodel name\t: Xeon: Fast  @ 2 GHz \nmodel name\t: Second\n"


@pytest.fixture
def run(tmp_path):
    """The open store of a new run."""
    with created(tmp_path / "run.sqlite") as store:
        yield store


def test_a_machine_is_told_by_what_times_depend_on_and_by_no_name_of_its_own(monkeypatch):
    monkeypatch.setattr(machine, "_processor", lambda: "Fast")
    monkeypatch.setattr(os, "cpu_count", lambda: 12)
    assert machine.machine() == {
        "system": platform.system(), "machine": platform.machine(), "processor": "Fast", "processors": 12,
    }  # fmt: skip
    assert platform.node() not in machine.machine().values()


def test_a_processor_is_called_by_its_model_as_far_as_the_system_tells(monkeypatch):
    monkeypatch.setattr(platform, "processor", lambda: "other")
    monkeypatch.setattr(Path, "read_text", lambda path, **_: {"/proc/cpuinfo": CPUS}[str(path)])
    assert machine._processor() == "Xeon: Fast  @ 2 GHz"
    monkeypatch.setattr(Path, "read_text", lambda *_, **__: "vendor_id : ARM\n\n")
    assert machine._processor() == "other"

    def missing(*_, **__):
        raise FileNotFoundError

    monkeypatch.setattr(Path, "read_text", missing)
    assert machine._processor() == "other"


def test_versions_are_those_of_what_searches_and_of_packages_with_agents_and_their_parts(monkeypatch):
    asked = []

    def offered(group):
        asked.append(group)
        dist = SimpleNamespace(name=f"my-{group}", version="7")
        return {"a": SimpleNamespace(dist=dist), "b": SimpleNamespace(dist=None)}

    monkeypatch.setattr(machine, "installed", offered)
    assert machine.versions() == {
        "python": ".".join(map(str, sys.version_info[:3])), "sqlite": sqlite3.sqlite_version,
        "connect4-arena": version("connect4-arena"), "numba": version("numba"), "numpy": version("numpy"),
        "my-agents": "7", "my-heuristics": "7", "my-orderings": "7",
    }  # fmt: skip
    assert asked == ["agents", "heuristics", "orderings"]

    def none(_):
        raise PackageNotFoundError

    monkeypatch.setattr("importlib.metadata.version", none)
    monkeypatch.setattr(machine, "_version", machine._version.__wrapped__)
    assert [machine.versions()[name] for name in ("connect4-arena", "numba")] == ["not installed"] * 2


def test_the_meta_of_a_measurement_says_what_repeats_it(monkeypatch):
    monkeypatch.setattr(machine, "machine", lambda: {"system": "S"})
    monkeypatch.setattr(machine, "versions", lambda: {"connect4-arena": "1.2", "numba": "3"})
    shared = {"version": "1.2", "versions": {"connect4-arena": "1.2", "numba": "3"}, "machine": {"system": "S"}}
    assert machine.meta(4, "arena depths", Load(0.5, 2)) == {
        **shared, "seed": 4, "command": "arena depths", "load": {"other_seconds_per_second": 0.5, "cores": 2},
    }  # fmt: skip
    assert machine.meta(None, "", None) == {**shared, "seed": None, "command": None, "load": None}


def test_a_load_is_busy_beyond_a_quarter_of_the_cores_and_said_in_words(monkeypatch):
    monkeypatch.setattr(machine, "BUSY", QUARTER)
    loads = [Load(0.5, 2), Load(0.51, 2), Load(2.0, 16), Load(4.05, 16)]
    assert [load.busy for load in loads] == [False, True, False, True]
    said = "rough: other programs used"
    assert [load.note for load in loads] == ["", f"{said} 0.5 of 2 cores", "", f"{said} 4.0 of 16 cores"]
    assert [Load.of(load.document()) for load in loads] == loads


def test_a_load_is_measured_between_its_two_ends_and_taken_from_the_average_where_that_is_too_short(monkeypatch):
    clock = iter([10.0, 14.0, 20.0, 20.05, 30.0, 34.0, 40.0, 40.125, 50.0, 54.0])
    used = iter([100.0, 103.0, 100.0, 103.0, None, 5.0, 100.0, 103.0, 103.0, 102.0])
    monkeypatch.setattr(machine.time, "monotonic", lambda: next(clock))
    monkeypatch.setattr(machine, "_others", lambda: next(used))
    monkeypatch.setattr(os, "getloadavg", lambda: (1.256, 9.0, 9.0))
    monkeypatch.setattr(os, "cpu_count", lambda: 4)
    measured = [machine.load()() for _ in range(5)]
    assert measured == [Load(others, 4) for others in (0.75, 1.26, 1.26, 4, 0.0)]


STAT = "cpu  1000 20 300 5000 600 7 8 9 40 50\ncpu0 1 1 1 1 1 1 1 1\n"


def test_the_time_of_others_leaves_out_idling_and_this_program_with_all_that_it_started(monkeypatch, tmp_path):
    own = os.getpid()
    parents = {own: (1, 50), 900_001: (own, 30), 900_002: (900_001, 20), 900_003: (1, 700), 900_004: (900_003, 5)}
    for process, (parent, ticks) in parents.items():
        place = tmp_path / str(process)
        place.mkdir()
        fields = [parent, *[0] * 9, ticks, 1, 2, 3, 99]
        (place / "stat").write_text(f"{process} (a (b) c) S {' '.join(map(str, fields))}")
    (tmp_path / "900005").mkdir()  # it has ended meanwhile
    shutil.copytree(tmp_path / str(own), tmp_path / "self")
    (tmp_path / "stat").write_text(STAT)
    monkeypatch.setattr(machine, "PROC", tmp_path)
    monkeypatch.setattr(os, "sysconf", {"SC_CLK_TCK": 100}.__getitem__)
    whole = 1000 + 20 + 300 + 7 + 8 + 9
    assert machine._others() == (whole - (50 + 30 + 20 + 3 * 6)) / 100
    (tmp_path / "stat").write_text("cpu many ticks\n")
    assert machine._others() is None
    (tmp_path / "stat").unlink()
    assert machine._others() is None


def test_a_time_is_in_utc_and_to_the_millisecond(monkeypatch):
    monkeypatch.setattr(machine.time, "time", lambda: 1_750_000_000.1239)
    assert machine.now() == "2025-06-15T15:06:40.123+00:00"
    monkeypatch.undo()
    assert abs((datetime.fromisoformat(machine.now()) - datetime.now(UTC)).total_seconds()) < 60


def test_a_run_says_how_it_was_made_with_each_session_and_load_in_the_order_of_time(run):
    assert run.has("session")
    update(run, "DELETE FROM session")
    for begun, command in (("2026-02", ""), ("2026-01", "arena run"), ("2026-02", "again")):
        update(run, "INSERT INTO session (begun, command, versions, machine) VALUES (?, ?, ?, ?)", begun, command,
                   json.dumps({"numba": begun}), json.dumps({"cores": 2}))  # fmt: skip
    machine.add_loads(run, [("c", "games", Load(0.5, 2)), ("a", "times", Load(1.5, 4))])
    update(run, "UPDATE run SET command = '', versions = '{\"numba\": \"1\"}', machine = '{\"cores\": 8}'")
    found = machine.made(run)
    assert found == {
        "created": found["created"], "seed": 3, "versions": {"numba": "1"}, "machine": {"cores": 8}, "command": None,
        "sessions": [
            {"begun": begun, "command": command, "versions": {"numba": begun}, "machine": {"cores": 2}}
            for begun, command in (("2026-01", "arena run"), ("2026-02", None), ("2026-02", "again"))
        ],
        "loads": [
            {"begun": "a", "what": "times", "other_seconds_per_second": 1.5, "cores": 4},
            {"begun": "c", "what": "games", "other_seconds_per_second": 0.5, "cores": 2},
        ],
    }  # fmt: skip
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00", found["created"])
    update(run, "UPDATE run SET command = 'arena run'")
    update(run, "DROP TABLE session")
    update(run, "DROP TABLE load")
    assert machine.made(run) == {**found, "command": "arena run", "sessions": [], "loads": []}
    update(run, "UPDATE run SET machine = '[]'")
    assert machine.made(run)["machine"] == {}
    for column, wrong in (("versions", "3"), ("machine", "{"), ("versions", "null")):
        update(run, f"UPDATE run SET versions = '{{}}', machine = '{{}}', {column} = ?", wrong)
        with pytest.raises(InputError, match=r"run\.sqlite is damaged: it does not say how it was made: "):
            machine.made(run)


def test_a_session_is_stored_with_its_start_its_command_the_versions_and_the_machine(run, monkeypatch):
    monkeypatch.setattr(machine, "now", lambda: "then")
    monkeypatch.setattr(machine, "machine", lambda: {"system": "S"})
    monkeypatch.setattr(machine, "versions", lambda: {"numba": "3"})
    machine.begin_session(run, "arena run")
    assert machine.made(run)["sessions"][-1] == {
        "begun": "then", "command": "arena run", "versions": {"numba": "3"}, "machine": {"system": "S"},
    }  # fmt: skip


def test_the_first_session_of_a_run_is_the_one_that_it_was_begun_in(run):
    said = machine.made(run)
    [first] = said["sessions"]
    assert (first["versions"], first["machine"]) == (said["versions"], said["machine"])
    assert first["versions"] != first["machine"]


def interrupted(run):
    findings.set_times(run, [("44", 1, 0, 5, 0.5)])
    raise KeyboardInterrupt


def test_the_load_of_what_changed_a_run_is_stored_also_where_it_ended_in_an_error(run, monkeypatch):
    times = iter(["one", "two", "three", "four"])
    monkeypatch.setattr(machine, "now", lambda: next(times))
    monkeypatch.setattr(machine, "load", lambda: lambda: Load(0.5, 2))
    with machine.watched(run, "games"):
        pass
    with machine.watched(run, "games"):
        run.set_planned(8)
    with pytest.raises(KeyboardInterrupt), machine.watched(run, "times"):
        interrupted(run)
    with pytest.raises(ValueError, match="no"), machine.watched(run, "games"):
        raise ValueError("no")
    assert rows(run.path, "SELECT * FROM load") == [("two", "games", 0.5, 2), ("three", "times", 0.5, 2)]


def test_changes_are_held_against_the_last_session_or_else_the_start(run, monkeypatch):
    monkeypatch.setattr(machine, "machine", lambda: {"cores": 8, "new": 1})
    monkeypatch.setattr(machine, "versions", lambda: {"numba": "3", "numpy": "2"})
    update(run, "DELETE FROM session")
    update(run, "UPDATE run SET versions = ?, machine = ?", '{"numba": "2", "numpy": "2", "old": "1"}', '{"cores": 4}')
    assert machine.changes(run) == {"numba": ("2", "3"), "cores": (4, 8)}
    machine.begin_session(run, "")
    assert machine.changes(run) == {}
