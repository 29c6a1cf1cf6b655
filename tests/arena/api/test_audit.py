"""Runs audited from Python."""

import subprocess
import sys

import pytest
from audited import audit_rows
from hand_made import frames

from agents.errors import InputError
from agents.solver.solver import Solver
from arena import load, run
from arena.analysis import audit as view
from arena.analysis.audit import AgentDistance
from arena.api.truth import audit
from arena.measure import solve
from arena.measure.audit import missing
from arena.rows import frame
from arena.store.run_file import Store


def test_a_run_is_audited_from_python(unaudited, audited):
    found = load(unaudited).audit(strong=True)
    assert found.equals(frame(view.agents(frames(audited)), AgentDistance))
    assert audit_rows(unaudited) == audit_rows(audited)


def test_an_audit_solves_with_a_table_of_the_size_that_is_asked_for(unaudited, audited, monkeypatch):
    made = []

    class Told(Solver):
        def __init__(self, rules, mebibytes, book=None):
            made.append(mebibytes)
            super().__init__(rules, mebibytes, book)

    monkeypatch.setattr(solve, "Solver", Told)
    with Store.read(unaudited) as store:
        positions = sum(map(len, missing(store, strong=True)))
    assert audit(unaudited, strong=True, mebibytes=3) == positions
    assert made == [3]
    assert audit_rows(unaudited) == audit_rows(audited)
    assert audit(unaudited, strong=True, mebibytes=5) == 0
    assert made == [3]


@pytest.mark.parametrize("workers", [0, -1, "2"])
def test_a_number_of_processes_is_a_whole_number_from_one(unaudited, tmp_path, workers):
    with pytest.raises(InputError, match="is no number of processes"):
        load(unaudited).audit(workers=workers)
    with pytest.raises(InputError, match="is no number of processes"):
        run(["random", "greedy"], workers=workers, out=tmp_path / "none.sqlite")
    assert not (tmp_path / "none.sqlite").exists()


def test_a_plain_script_without_a_guard_may_audit_on_all_cores(unaudited, tmp_path):
    script = f"import arena\nprint('begun')\nprint(len(arena.load({str(unaudited)!r}).audit(workers=2)))\n"
    (tmp_path / "script.py").write_text(script)
    done = subprocess.run([sys.executable, tmp_path / "script.py"], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["begun", "3"]
