"""What a hand-in's process counts and says beside its answers."""

import sys
from pathlib import Path

import pytest

from agents.agent import Limits
from agents.board import STANDARD, Board
from arena.plugins.assignment import counted as counted_module
from arena.plugins.assignment.counted import Counted

BOT = """
from agents import Analysis

class Bot:
    def __init__(self, many=3):
        self.many, self.log = many, []
    def prepare(self, rules):
        self.log.append(str(rules))
    def new_game(self, seed):
        self.log.append(seed)
    def choose(self, board, limits):
        for column in board.legal_moves()[:limits.depth or self.many]:
            board.play(column)
        return Analysis(self.many, nodes=5)
"""


@pytest.fixture
def counted(tmp_path):
    """A function that returns the counted agent of a source."""
    file = tmp_path / "bot.py"

    def load(text=BOT, name="Bot", **options):
        file.write_text(text)
        return Counted((str(file), name), options)

    return load


def test_the_boards_of_an_answer_are_counted_and_the_answer_is_its_own(counted):
    agent = counted()
    found = agent.choose(Board(), Limits())
    assert (found.column, found.nodes, found.extra["positions"]) == (3, 5, 3)
    assert agent.choose(Board(), Limits(depth=2)).extra["positions"] == 2
    assert agent.choose(Board.from_moves("4"), Limits(depth=1)).extra["positions"] == 1
    assert counted(many=6).choose(Board(), Limits()).extra["positions"] == 6


def test_a_question_asked_again_has_the_boards_of_its_first_answer_and_boards_are_made_as_before(counted):
    agent, create = counted(), Board.__init__
    first = agent.choose(Board(), Limits())
    agent.agent.many = 5
    assert agent.choose(Board.from_moves("4"), Limits()).extra["positions"] == 5
    again = agent.choose(Board(), Limits())
    assert (first.extra["positions"], again.extra["positions"], again.column) == (3, 3, 5)
    assert Board.__init__ is create


def test_a_bare_column_is_an_answer_and_an_error_leaves_boards_as_they_were(counted):
    assert counted("def choose(board):\n    board.play(2)\n    return 4\n", "choose").choose(
        Board(), Limits()
    ).extra == {"positions": 1, "imports": []}
    agent, create = counted("def choose(board):\n    return [][board.ply]\n", "choose"), Board.__init__
    with pytest.raises(IndexError):
        agent.choose(Board(), Limits())
    assert Board.__init__ is create


def test_a_hand_in_imports_the_files_beside_it_and_none_beside_the_file_that_counts(counted, tmp_path, monkeypatch):
    ours = str(Path(counted_module.__file__).parent)
    monkeypatch.setattr(sys, "path", [ours, *sys.path])
    for module in ("marks", "site_of_mine"):
        (tmp_path / f"{module}.py").write_text("COLUMN = 5\n")
        monkeypatch.setitem(sys.modules, module, sys)
        monkeypatch.delitem(sys.modules, module)
    text = "import marks, site_of_mine\n\ndef choose(board):\n    return marks.COLUMN\n"
    for _ in range(2):  # where the folder is not on the path it is no error
        assert counted(text, "choose").choose(Board(), Limits()).column == 5
        assert ours not in sys.path


def test_what_is_asked_before_a_game_is_handed_on(counted):
    agent = counted()
    agent.prepare(STANDARD)
    agent.new_game(7)
    assert agent.owner.log == ["7x6x4", 7]


def test_engines_of_ours_that_it_imports_are_named(counted, monkeypatch):
    engines = ["agents.players", "agents.search", "agents.solver", "agents.specs.registry", "arena"]
    alike = "agents.solvers", "agents.board.more", "arena_bot", "arenas.more", "my.arena", "agents_search.more"
    for modules, named in (
        (alike, []), ([*alike, *(f"{engine}.more" for engine in reversed(engines))], engines),
        (["agents.specs.registry_of_mine", "arena", "agents.solver"], ["agents.solver", "arena"]),
    ):  # fmt: skip
        with monkeypatch.context() as patch:
            for module in modules:
                patch.setitem(sys.modules, module, sys)
                patch.delitem(sys.modules, module)
            text = f"import sys\nsys.modules |= dict.fromkeys({modules}, sys)\ndef choose(board):\n    return 0\n"
            assert counted(text, "choose").choose(Board(), Limits()).extra["imports"] == named
