"""Runs audited from Python."""

import itertools
import subprocess
import sys

import pytest
from audited import audit_rows
from hand_made import frames

import arena as package
from agents.errors import InputError
from arena import load, run
from arena.perfect import kept as view
from arena.perfect import solved as solving
from arena.perfect.audit import audit
from arena.perfect.judge import missing
from arena.perfect.kept import AgentAudit
from arena.store.run_file import Store
from arena.table.rows import frame
from arena.tournament.result import Result

pytestmark = pytest.mark.usefixtures("here")


def test_a_run_is_audited_from_python(unaudited, audited):
    run = load(unaudited)
    assert not run.frames.has("audit")
    found = run.audit()
    assert found.equals(frame(view.agents(frames(audited)), AgentAudit))
    assert audit_rows(unaudited) == audit_rows(audited)


def test_an_audit_solves_each_position_once(unaudited, audited):
    with Store.read(unaudited) as store:
        positions = sum(map(len, missing(store)))
    assert audit(unaudited) == positions
    assert audit_rows(unaudited) == audit_rows(audited)
    assert audit(unaudited) == 0


def test_an_audit_that_cannot_go_on_says_that_what_was_found_is_kept(unaudited, monkeypatch):
    solve = solving.solve_all

    def fails(*rest, **settings):
        answers = solve(*rest, **settings)
        yield from itertools.islice(answers, 20)
        answers.close()
        raise InputError("no memory")

    monkeypatch.setattr(solving, "solve_all", fails)
    with pytest.raises(InputError, match=r"^no memory; what was audited is kept$"):
        audit(unaudited)
    assert len(audit_rows(unaudited)) >= 20
    with Store.read(unaudited) as store:
        left = sum(map(len, missing(store)))
    monkeypatch.undo()
    assert audit(unaudited) == left


def test_a_run_or_its_file_is_audited_with_what_was_asked_for(unaudited, monkeypatch):
    monkeypatch.setattr(Result, "audit", lambda run, **asked: (run.path, asked))
    for given in (unaudited, str(unaudited), load(unaudited)):
        assert package.audit(given, workers=3, progress=True) == (unaudited, {"workers": 3, "progress": True})
        assert package.audit(given) == (unaudited, {"workers": 1, "progress": False})


@pytest.mark.parametrize("workers", [0, -1, "2"])
def test_a_number_of_processes_is_a_whole_number_from_one(unaudited, tmp_path, workers):
    with pytest.raises(InputError, match=r"is no number of processes|workers is a whole number, not '2'"):
        load(unaudited).audit(workers=workers)
    with pytest.raises(InputError, match=r"is no number of processes|workers is a whole number, not '2'"):
        package.audit(unaudited, workers=workers)
    with pytest.raises(InputError, match=r"is no number of processes|workers is a whole number, not '2'"):
        run(["random", "greedy"], workers=workers, out=tmp_path / "none.sqlite")
    assert not (tmp_path / "none.sqlite").exists()


def test_a_plain_script_without_a_guard_may_audit_on_all_cores(unaudited, tmp_path):
    script = f"import arena\nprint('begun')\nprint(len(arena.load({str(unaudited)!r}).audit(workers=2)))\n"
    (tmp_path / "script.py").write_text(script)
    done = subprocess.run([sys.executable, tmp_path / "script.py"], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["begun", "3"]
