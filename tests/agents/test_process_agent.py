"""The package that makes processes: it is imported when it is needed, and may be deleted."""

import sys
from types import SimpleNamespace

import pytest

import agents
from agents.board import Rules
from agents.errors import InputError
from agents.process_agent import ProcessLimits, Source, check_sandbox, limits_in_force, start

SOURCE = Source("cmd", ("./bot",), "/bots")


def test_a_process_has_the_source_the_limits_and_the_rules_that_it_is_started_with(monkeypatch):
    asked = []
    for name, stand_in in {
        "agent": SimpleNamespace(SubprocessAgent=lambda *given: given),
        "sandbox": SimpleNamespace(bubblewrap=lambda: asked.append("sandbox")),
        "watchdog": SimpleNamespace(in_force=lambda: 64),
    }.items():
        monkeypatch.setitem(sys.modules, f"agents.processes.{name}", stand_in)
    limits, rules = ProcessLimits(memory=7), Rules(5, 4)
    assert start(SOURCE) == (SOURCE, ProcessLimits(60.0, 0.1, 1024, False, ""), None)
    assert start(SOURCE, limits, rules) == (SOURCE, limits, rules)
    assert (check_sandbox(), limits_in_force(), asked) == (None, "64", ["sandbox"])


@pytest.mark.parametrize("call", [lambda: start(SOURCE), check_sandbox, limits_in_force])
def test_where_the_package_is_deleted_no_agent_can_have_a_process(monkeypatch, call):
    for name in ("agent", "sandbox", "watchdog"):
        monkeypatch.setitem(sys.modules, f"agents.processes.{name}", None)
    with pytest.raises(ModuleNotFoundError):  # something else is missing
        call()
    for name in [name for name in sys.modules if name.startswith("agents.processes")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(agents, "__path__", [])
    with pytest.raises(InputError, match=r"process of its own: the package agents\.processes is not there$"):
        call()
