import subprocess
import sys
from pathlib import Path

import pytest

from agents import errors

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
