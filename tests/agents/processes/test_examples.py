import re
import subprocess
from pathlib import Path

import pytest
from needs import needed

from agents.agent import Limits
from agents.board import Board
from agents.processes.agent import SubprocessAgent
from agents.specs import sources

PAGE = (Path(__file__).parents[3] / "docs" / "engines.md").read_text(encoding="utf-8")
EXAMPLES = {
    "c": ("engine.c", "cc", ["cc", "-O2", "-o", "engine", "engine.c"], "cmd:./engine"),
    "rust": ("engine.rs", "rustc", ["rustc", "-O", "engine.rs"], "cmd:./engine"),
    "javascript": ("engine.js", "node", [], "cmd:node engine.js"),
    "java": ("Engine.java", "javac", ["javac", "Engine.java"], "cmd:java Engine"),
    "bash": ("engine.sh", "sh", ["chmod", "+x", "engine.sh"], "cmd:./engine.sh"),
}


def example(kind):
    return re.search(rf"^```{kind}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)[1]


@pytest.mark.parametrize(
    "language", [pytest.param(name, marks=[pytest.mark.process] * (name == "java")) for name in EXAMPLES]
)
def test_the_examples_of_the_page_play(language, tmp_path):
    file, tool, build, text = EXAMPLES[language]
    needed(tool)
    (tmp_path / file).write_text(example(language))
    if build:
        subprocess.run(build, cwd=tmp_path, check=True)
    agent = SubprocessAgent(sources.command(text, str(tmp_path)))
    columns = [agent.choose(Board.from_moves(moves), Limits()).column for moves in ("", "1", "1234", "1123344")]
    agent.close()
    empty = [set(range(7)), set(range(1, 7)), {4, 5, 6}, {4, 5, 6}]
    assert all(column in least for column, least in zip(columns, empty, strict=True)), columns


def test_the_python_example_of_the_page_plays(tmp_path):
    (tmp_path / "bot.py").write_text(example("python"))
    agent = SubprocessAgent(sources.python(tmp_path / "bot.py", "", {}))
    assert agent.choose(Board.from_moves("111111"), Limits()).column == 1
    agent.close()
