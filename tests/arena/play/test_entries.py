from pathlib import Path

import pytest

from agents.errors import InputError
from arena.play.entries import Entry, holds_entries, read


@pytest.fixture
def folder(tmp_path):
    """A class's folder with one of each kind."""
    (tmp_path / "alice.py").write_text('"""Alice, 3rd year.\n\nMore."""\ndef choose(board):\n    return 0\n')
    (tmp_path / "kate.py").write_text("import helper\ndef agent(observation, configuration):\n    return 0\n")
    (tmp_path / "bob.py").write_text(
        "class Base:\n    def choose(self, board, limits):\n        pass\n\nclass Bot(Base):\n    pass\n"
    )
    (tmp_path / "helper.py").write_text("def evaluate(own, opp):\n    return 0\n")
    (tmp_path / "carl.py").write_text("def choose(:\n")
    (tmp_path / "twice.py").write_text("class A:\n def choose(self, b): pass\nclass B:\n def choose(self, b): pass\n")
    (tmp_path / "shelly").write_text("#!/bin/sh\n")
    (tmp_path / "shelly").chmod(0o755)
    (tmp_path / "notes.txt").write_text("nothing")
    (tmp_path / "fish.toml").write_text('command = "./shelly --uci"\nprotocol = "uci"\nnodes = 9\n')
    return tmp_path


def test_a_folder_holds_agents_of_every_kind_and_says_which_are_broken(folder):
    found = read(str(folder))
    assert {entry.name: entry.spec for entry in found.agents} == {
        "alice": f"{folder}/alice.py:choose",
        "kate": f"{folder}/kate.py:agent",
        "bob": f"{folder}/bob.py:Bot",
        "shelly": f"cmd:{folder}/shelly",
        "fish": "uci:./shelly --uci",
    }
    assert [line.split(str(folder))[1] for line in found.broken] == [
        "/carl.py, line 1: invalid syntax",
        "/twice.py: which agent? write ",
    ]


def test_an_author_stands_in_the_first_line_of_the_file(folder):
    assert [entry.author for entry in read(str(folder)).agents if entry.author] == ["Alice, 3rd year."]


def test_an_entry_may_read_itself_and_what_helps_but_no_other_entry(folder):
    alice = next(entry for entry in read(str(folder)).agents if entry.name == "alice")
    assert [Path(file).name for file in alice.files] == ["alice.py", "helper.py", "notes.txt"]


ROSTER = """
[[agent]]
name = "deep"
spec = "alphabeta:depth=9"

[[agent]]
name = "fish"
command = "./fish -v"
protocol = "uci"
folder = "engines"
environment = {EvalFile = "x", Threads = 1}
seconds = 0.5
author = "The Fish Team"
"""


def test_a_roster_names_its_agents(tmp_path):
    (tmp_path / "engines").mkdir()
    (tmp_path / "roster.toml").write_text(ROSTER)
    deep, fish = read(str(tmp_path / "roster.toml")).agents
    assert deep == Entry("deep", "alphabeta:depth=9", str(tmp_path))
    environment = (("EvalFile", "x"), ("Threads", "1"))
    assert fish == Entry(
        "fish", "uci:./fish -v", str(tmp_path / "engines"), environment, None, 0.5, author="The Fish Team"
    )
    assert Entry.from_document(fish.document()) == fish


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[agent]", "Expected"),
        ('[[agent]]\nspec = "greedy"\n[[agent]]\nname = "x"\nspec = "greedy"', "an agent has a name, and either"),
        ('name = "x"', "either a spec or a command"),
        ('spec = "a"\ncommand = "b"', "either a spec or a command"),
        ('command = "b"\nprotocl = "uci"', "no key 'protocl': did you mean protocol"),
        ('command = "b"\nprotocol = "uc"', "no protocol 'uc': did you mean uci"),
        ('command = "b"\nnodes = "many"', "nodes cannot be 'many'"),
        ('command = "b"\nfolder = "nowhere"', "there is no folder"),
    ],
)
def test_a_roster_that_cannot_be_read_is_broken_in_one_line(tmp_path, text, message):
    (tmp_path / "roster.toml").write_text(text)
    (line,) = read(str(tmp_path / "roster.toml")).broken
    assert message in line
    assert "\n" not in line
    assert "roster.toml" in line


def test_two_agents_of_one_name_are_told_apart_by_leaving_one_out(tmp_path):
    for name in ("x.py", "x.toml"):
        (tmp_path / name).write_text('"""x"""\ndef choose(board): pass\n' if name == "x.py" else 'spec = "greedy"')
    found = read(str(tmp_path))
    assert [entry.name for entry in found.agents] == ["x"]
    assert "there is another agent named 'x'" in found.broken[0]


def test_an_empty_folder_holds_nobody(tmp_path):
    with pytest.raises(InputError, match="holds no agent"):
        read(str(tmp_path))


def test_words_that_name_no_folder_are_specs(tmp_path):
    assert holds_entries(str(tmp_path))
    assert not any(map(holds_entries, ("", " ", "greedy", "bot.py:Bot")))
