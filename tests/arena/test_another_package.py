import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from agents import errors
from arena import __main__ as command

BEGIN = "import sys; sys.path.insert(0, sys.argv.pop(1)); from arena.__main__ import main; main()"


@pytest.mark.parametrize(
    ("init", "has_errors"),
    [("", False), ("", True), ("import nothing_of_that_name", False), ("raise RuntimeError", False)],
)
def test_another_package_that_is_called_agents_is_said_in_one_line(tmp_path, init, has_errors):
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "__init__.py").write_text(init)
    if has_errors:  # then only a later import fails, such as that of agents.specs.registry
        (tmp_path / "agents" / "errors.py").write_bytes(Path(errors.__file__).read_bytes())
    words = [sys.executable, "-c", BEGIN, str(tmp_path), "move", "greedy"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f"arena: {tmp_path}/agents/__init__.py is another distribution's package agents, which hides the one of "
        "connect4-arena: install connect4-arena into an environment of its own\n"
    )


def test_errors_of_our_own_keep_their_traceback(tmp_path):
    code = "import sys; sys.modules['arena.cli'] = None; from arena.__main__ import main; main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "Traceback" in done.stderr


@pytest.mark.parametrize(("name", "code"), [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129)])
def test_a_signal_while_the_command_starts_ends_it_with_its_own_code(capfd, monkeypatch, name, code):
    ended = []
    monkeypatch.setattr(command.os, "_exit", ended.append)
    command.stop(getattr(signal, name), None)
    assert (ended, *capfd.readouterr()) == ([code], "", "arena: interrupted\n")


def test_what_a_signal_does_is_set_before_the_rest_is_imported_unless_it_is_ignored(monkeypatch):
    numbers, during = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], []
    before = [signal.getsignal(number) for number in numbers]
    monkeypatch.setattr("arena.cli.main", lambda: during.append([signal.getsignal(number) for number in numbers]))
    try:
        for ignored in numbers:
            for number in numbers:
                signal.signal(number, signal.SIG_IGN if number == ignored else signal.SIG_DFL)
            command.main()
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)
    assert during == [
        [signal.SIG_IGN if number == ignored else command.stop for number in numbers] for ignored in numbers
    ]


def test_a_package_of_whatever_form_is_named_by_its_place(tmp_path, monkeypatch):
    ours, theirs = tmp_path / "ours.py", tmp_path / "theirs.py"
    ours.write_text('"""Agents for Connect Four."""\n', encoding="utf-8")
    theirs.write_text("", encoding="utf-8")
    specs = {
        "none": None,
        "ours": SimpleNamespace(origin=str(ours), submodule_search_locations=[]),
        "theirs": SimpleNamespace(origin=str(theirs), submodule_search_locations=["elsewhere"]),
        "a folder": SimpleNamespace(origin=None, submodule_search_locations=[str(tmp_path), "another"]),
        "gone": SimpleNamespace(origin=str(tmp_path / "gone.py"), submodule_search_locations=None),
        "nowhere": SimpleNamespace(origin=None, submodule_search_locations=None),
    }
    found = {}
    for label, spec in specs.items():
        monkeypatch.setattr("importlib.util.find_spec", {"agents": spec}.get)
        found[label] = command.another()
    assert found == {
        "none": "", "ours": "", "theirs": str(theirs), "a folder": str(tmp_path), "gone": str(tmp_path / "gone.py"),
        "nowhere": "",
    }  # fmt: skip
