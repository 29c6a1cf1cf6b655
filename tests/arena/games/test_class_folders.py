"""A class's folder as Moodle and Canvas export it: a folder a student, and what is no agent."""

import pytest
from needs import needs

from agents.agent import Limits
from agents.board import Board
from agents.errors import InputError
from arena.games.entrants import entrant, entrants
from arena.games.entries import UNDERSCORE, read_entries
from arena.tournament.check import check

LEFTMOST = "def choose(board):\n    return board.legal_moves()[0]\n"
SEES = "import os\ndef choose(board):\n    return str(sorted(os.listdir('..')) + sorted(os.listdir('.')))\n"
WALLS = [pytest.param({}, id="open"), pytest.param({"sandbox": True}, id="sandbox", marks=needs("bwrap"))]


@pytest.fixture
def classes(tmp_path):
    folder = tmp_path / "class"
    for name, content in {
        "Jane Doe_1234_assignsubmission_file_/main.py": LEFTMOST,
        "Jane Doe_1234_assignsubmission_file_/old.py": LEFTMOST,
        "rosa/player.py": SEES,
        "rosa/weights.json": "[1]",
        "nils/notes.txt": "",
        "bob/agent.py": "def choose(board:\n",
        "mia/bot.py": "import engine\nchoose = engine.play\n",
        "carl.py": f"import common.moves\n{LEFTMOST}",
        "carl/table.py": LEFTMOST,
        "common/moves.py": "",
        "kim.c": "int main() {}",
        "lea.js": "",
        "first.sqlite": "",
        "__MACOSX/main.py": LEFTMOST,
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)
    return folder


def test_a_folder_a_student_is_one_agent_named_after_the_folder(classes):
    found = read_entries(str(classes))
    specs = {entry.name: entry.spec for entry in found.agents}
    assert specs == {
        "carl": f"{classes}/carl.py:choose",
        "Jane Doe": f"{classes}/Jane Doe_1234_assignsubmission_file_/main.py:choose",
        "rosa": f"{classes}/rosa/player.py:choose",
    }
    assert [line.partition(",")[0] for line in found.broken] == [
        f"{classes}/bob/agent.py",
        f"{classes}/mia/bot.py defines no agent: no class with choose(self",
    ]


def test_what_is_no_agent_is_said_once_with_how_a_script_is_named(classes):
    lines = []
    entrants([str(classes)], warn=lines.append)
    assert lines[-1] == f"{classes}: not agents: kim.c, lea.js (not executable: cmd:node lea.js), nils/ (folder)"
    (classes / "_draft.py").write_text(LEFTMOST)
    (classes / "_lib.py").touch()
    (classes / "_new").mkdir()
    (classes / "_new" / "bot.py").write_text(LEFTMOST)
    left_out = f"{classes}: left out: _draft.py, _new{UNDERSCORE}"
    assert read_entries(str(classes)).remarks == (lines[-1], left_out)
    (classes / "_draft.py").unlink()
    (classes / "_new" / "bot.py").unlink()
    for number in range(20):
        (classes / f"part{number}.txt").touch()
    assert read_entries(str(classes)).remarks[-1].endswith(" and 11 more")


@pytest.mark.parametrize("limits", WALLS)
def test_one_student_is_named_and_reads_all_of_the_own_folder(classes, limits):
    agent = entrant(f"{classes}/:rosa", limits).build()
    try:
        seen = agent.choose(Board(), Limits()).column
    finally:
        agent.close()
    assert "'player.py', 'weights.json'" in seen
    assert ("'kim.c'" in seen) == (not limits)
    with pytest.raises(InputError, match="bob"):
        entrant(f"{classes}/:bob", limits)


def test_a_folder_of_a_student_may_not_be_a_link(classes):
    (classes / "twin").symlink_to(classes / "rosa")
    assert f"{classes}/twin is a link; the agents of a folder are files in it" in read_entries(str(classes)).broken


def test_where_all_agents_have_folders_a_folder_without_one_is_somebodys_and_cannot_play(tmp_path):
    for name, content in {
        "Ann Lee_1_assignsubmission_file_/main.py": LEFTMOST,
        "Bob Ray_2_assignsubmission_file_/bot.c": "int main() {}",
        "Cat Low_3_assignsubmission_file_/bot.js": "",
        "Dan Two_4_assignsubmission_file_/a.py": LEFTMOST,
        "Dan Two_4_assignsubmission_file_/b.py": LEFTMOST,
        "Eve Bad_5_assignsubmission_file_/main.py": "def choose(board:\n",
        "Fay None_6_assignsubmission_file_/main.py": "",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)
    (tmp_path / "Gil Nil_7_assignsubmission_file_").mkdir()
    found = read_entries(str(tmp_path))
    assert [entry.name for entry in found.agents] == ["Ann Lee"]
    said = {line.name: line.partition("_file_")[2] for line in found.broken}
    assert said == {
        "Bob Ray": " holds no agent: bot.c",
        "Cat Low": " holds no agent: bot.js (not executable: cmd:node bot.js)",
        "Dan Two": " holds several agents: a.py, b.py; call the one that plays main.py",
        "Eve Bad": said["Eve Bad"],
        "Fay None": "/main.py defines no agent: no class with choose(self, board, limits), no function choose(board)",
        "Gil Nil": " holds no agent: no file",
    }
    assert said["Eve Bad"].startswith("/main.py, line 1: ")
    assert [row.agent for row in check([str(tmp_path)], positions=1).rows] == [*said, "Ann Lee"]
    with pytest.raises(InputError, match=r"Dan Two_4.* holds several agents"):
        read_entries(f"{tmp_path}/:Dan Two")
