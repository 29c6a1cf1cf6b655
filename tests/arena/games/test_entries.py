import json
import shlex
import time
from pathlib import Path

import pytest

from agents.errors import InputError
from agents.specs.registry import parse
from arena.games.entrants import entrant
from arena.games.entries import RULE, Entry, holds_entries, invited, of_file, read_entries


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
    for hidden in ("_draft.py", ".draft.py"):
        (tmp_path / hidden).write_text("def choose(board):\n    return 0\n")
    return tmp_path


def test_a_folder_holds_agents_of_every_kind_and_says_which_are_broken(folder):
    found = read_entries(str(folder))
    assert {entry.name: entry.spec for entry in found.agents} == {
        "alice": f"{folder}/alice.py:choose",
        "kate": f"{folder}/kate.py:agent",
        "bob": f"{folder}/bob.py:Bot",
        "shelly": f"cmd:{folder}/shelly",
    }
    assert [line.split(str(folder))[1] for line in found.broken] == [
        "/carl.py, line 1: invalid syntax",
        f"/twice.py defines A, B: which plays? {RULE}",
    ]


def test_a_program_in_a_folder_whose_path_has_blanks_and_quotes_is_started_from_it(tmp_path):
    place = tmp_path / "our class; 'b'"
    place.mkdir()
    for name in ("my bot", "it's.exe"):
        (place / name).touch(0o755)
    agents = read_entries(str(place)).agents
    assert [(each.name, shlex.split(each.spec.removeprefix("cmd:")), each.folder) for each in agents] == [
        ("it's", [f"{place}/it's.exe"], str(place)), ("my bot", [f"{place}/my bot"], str(place)),
    ]  # fmt: skip
    assert [parse(each.spec).source().words for each in agents] == [(f"{place}/it's.exe",), (f"{place}/my bot",)]


def test_one_file_is_an_agent_named_after_it_and_only_a_python_file_is(folder):
    for name, said in {
        "none.py": "there is no file", "none.txt": "there is no file", "notes.txt": "is no Python file",
        "shelly": "is no Python file", "twice.py": "defines A, B: which plays?", "helper.py": "defines no agent",
    }.items():  # fmt: skip
        with pytest.raises(InputError, match=said) as raised:
            of_file(folder / name)
        assert str(folder / name) in str(raised.value)
    (folder / "two  words.py").write_text('"""Me\x07."""\nimport helper\ndef choose(board): pass\n')
    assert of_file(folder / "two  words.py") == Entry(
        "two words", f"{folder}/two  words.py:choose", str(folder), author="Me\\x07.",
        files=(f"{folder}/helper.py", f"{folder}/two  words.py"),
    )  # fmt: skip


def test_an_author_stands_in_the_first_line_of_the_file(folder):
    assert [entry.author for entry in read_entries(str(folder)).agents if entry.author] == ["Alice, 3rd year."]


def test_an_entry_may_read_its_own_files_and_what_it_imports(folder):
    for name in ("alice.json", "alice_book.txt", "alice-2.py", "alice-2.json", "alicette.txt", "numpy.py", "kate_.txt"):
        (folder / name).write_text("")
    (folder / "alice-2.py").write_text("def choose(board):\n    return 0\n")
    (folder / "bob.py").write_text("import alice, numpy, tools.deep\ndef choose(board):\n    return 0\n")
    (folder / "tools").mkdir()
    (folder / "tools" / "deep.py").write_text("import shared\n")
    (folder / "shared.py").symlink_to(folder / "alice.py")
    (folder / "alice").mkdir()
    (folder / "bob_all").symlink_to(folder.parent)
    (folder / "_all").symlink_to(folder.parent)
    entries = read_entries(str(folder))
    assert "_all" not in str(entries.remarks)
    files = {entry.name: [Path(file).name for file in entry.files] for entry in entries.agents}
    assert files["alice"] == ["alice", "alice.json", "alice.py", "alice_book.txt"]
    assert files["alice-2"] == ["alice-2.json", "alice-2.py"]
    assert files["kate"] == ["helper.py", "kate.py", "kate_.txt"]
    assert files["bob"] == ["bob.py", "tools"]
    assert files["shelly"] == ["shelly"]


def test_a_toml_file_of_a_folder_is_no_agent_and_a_roster_where_it_is_named_itself(tmp_path):
    (tmp_path / "alice.py").write_text("def choose(board):\n    return 0\n")
    (tmp_path / "fish.toml").write_text('spec = "cmd:./evil"\n[environment]\nLD_PRELOAD = "x"')
    (tmp_path / "low.toml").write_text('spec = "greedy"')
    found = read_entries(str(tmp_path))
    assert ([entry.name for entry in found.agents], found.broken) == (["alice"], ())
    said = " (a roster plays where it is named itself)"
    for name in ("fish.toml", "low.toml"):
        (tmp_path / name).chmod(0o755)
    assert read_entries(str(tmp_path)) == found, "on some drives every file may be executed"
    assert found.remarks == (f"{tmp_path}: not agents: fish.toml{said}, low.toml{said}",)
    assert [entry.name for entry in read_entries(str(tmp_path / "low.toml")).agents] == ["low"]


def test_what_is_no_agent_and_what_is_left_out_for_its_name_are_told_in_a_line_each(folder):
    (folder / "_team").mkdir()
    (folder / "_team" / "bot.py").write_text("def choose(board):\n    return 0\n")
    (folder / "_data").mkdir()
    (folder / "_text.py").touch()
    (folder / "__MACOSX").mkdir()
    (folder / "__MACOSX" / "bot.py").write_text("def choose(board):\n    return 0\n")
    said = "no agent is looked for where a name begins with _"
    assert read_entries(str(folder)).remarks == (
        f"{folder}: not agents: notes.txt", f"{folder}: left out: _draft.py, _team: {said}",
    )  # fmt: skip


def test_what_sets_up_the_compiler_of_who_works_in_a_folder_is_refused(folder):
    (folder / ".numba_config.yaml").write_text("disable_jit: 1")
    with pytest.raises(InputError, match="would set up the compiler"):
        read_entries(str(folder))


HOSTILE = {
    "brackets.py": (f"{'(' * 5000}0{')' * 5000}", "too many nested parentheses"),
    "signs.py": (f"x = {'-' * 30_000}1", "cannot be read"),
    "sum.py": (f"x = {'1+' * 300_000}1", "cannot be read"),
    "fields.py": (f'x = f"{"{1}" * 300_000}"', "that takes more than 1 s or 1024 MB"),
    "large.py": ("#" * (1 << 20) + "\n", "is larger than 1 MB"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_one_entry_that_cannot_be_read_is_left_out_soon_and_stops_no_other(tmp_path, name, monkeypatch):
    monkeypatch.setattr("agents.specs.outline.SECONDS", 1)
    text, message = HOSTILE[name]
    (tmp_path / name).write_text(text)
    (tmp_path / "alice.py").write_text("def choose(board):\n    return 0\n")
    began = time.process_time()
    found = read_entries(str(tmp_path))
    assert time.process_time() - began < 5.0
    assert [each.name for each in found.agents] == ["alice"]
    [line] = found.broken
    assert line.startswith(str(tmp_path / name))
    assert message in line
    assert len(line.splitlines()) == 1


def test_a_large_file_with_much_data_is_read_once_and_by_a_process_of_its_own(tmp_path, monkeypatch):
    monkeypatch.setattr("agents.specs.outline._parsed", None)
    (tmp_path / "data.py").write_text(f"def choose(board):\n    return 0\nDATA = [{'1,' * 50_000}]\n")
    for _ in range(2):
        [entry] = read_entries(str(tmp_path)).agents
        assert entry.spec == f"{tmp_path}/data.py:choose"


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
pass_environment = ["API_KEY"]
seconds = 0.5
author = "The Fish Team"
"""


@pytest.fixture
def roster(tmp_path, monkeypatch):
    monkeypatch.setenv("API_KEY", "sk-from-the-caller")
    (tmp_path / "engines").mkdir()
    (tmp_path / "engines" / "fish").write_text("#!/bin/sh\n")
    (tmp_path / "engines" / "fish").chmod(0o755)
    path = tmp_path / "roster.toml"
    path.write_text(ROSTER)
    return path


def test_a_roster_names_its_agents(roster):
    deep, fish = read_entries(str(roster)).agents
    tmp_path = roster.parent
    assert deep == Entry("deep", "alphabeta:depth=9", str(tmp_path), roster=str(roster))
    environment = (("EvalFile", "x"), ("Threads", "1"))
    assert fish == Entry(
        "fish", "uci:./fish -v", str(tmp_path / "engines"), environment, None, 0.5, author="The Fish Team",
        pass_environment=("API_KEY",), roster=str(roster),
    )  # fmt: skip
    assert fish.variables() == (*environment, ("API_KEY", "sk-from-the-caller"))


def test_the_values_of_variables_are_looked_up_again(roster, monkeypatch):
    fish = read_entries(str(roster)).agents[1]
    known = Entry.from_document(json.loads(json.dumps(fish.document())))
    assert known.environment == (("EvalFile", None), ("Threads", None))
    assert known.variables() == fish.variables()
    roster.write_text(ROSTER.replace('"x"', '"y"'))
    assert dict(known.variables())["EvalFile"] == "y"
    roster.unlink()
    monkeypatch.setenv("EvalFile", "z")
    with pytest.raises(InputError, match=r"agent 'fish': there is no Threads in .*roster.toml nor in the environment"):
        known.variables()
    monkeypatch.setenv("Threads", "2")
    assert known.variables() == (("EvalFile", "z"), ("Threads", "2"), ("API_KEY", "sk-from-the-caller"))
    old = fish.document() | {"environment": [["EvalFile", "x"], ["Threads", "1"]]}
    del old["roster"], old["pass_environment"]
    assert Entry.from_document(old).variables() == (("EvalFile", "x"), ("Threads", "1"))


def test_agents_of_a_roster_have_variables_of_their_own_also_of_the_same_name(tmp_path, monkeypatch):
    path = tmp_path / "roster.toml"
    rows = [
        f'[[agent]]\nname = "{name}"\nspec = "greedy"\nenvironment = {{KEY = "{name}", {name} = 1}}\n'
        for name in ("one", "two", "six")
    ]
    path.write_text("".join(rows))
    stored = [Entry.from_document(json.loads(json.dumps(each.document()))) for each in read_entries(str(path)).agents]
    assert [each.variables() for each in stored] == [(("KEY", name), (name, "1")) for name in ("one", "two", "six")]
    monkeypatch.setenv("KEY", "of the caller")
    assert stored[1].variables() == (("KEY", "two"), ("two", "1")), "a roster goes before the environment"
    path.write_text(rows[0] + rows[2])
    with pytest.raises(InputError) as raised:
        stored[1].variables()
    assert str(raised.value) == (f"agent 'two': there is no two in {path} nor in the environment: export two=VALUE")
    both = Entry("x", "greedy", "/", (("NONE", None),), pass_environment=("KEY", "LACKS"))
    for name, where in (("LACKS", ""), ("NONE", "in a roster nor ")):
        with pytest.raises(InputError) as raised:
            both.variables()
        assert str(raised.value) == (f"agent 'x': there is no {name} {where}in the environment: export {name}=VALUE")
        monkeypatch.setenv(name, "now")
    assert both.variables() == (("NONE", "now"), ("KEY", "of the caller"), ("LACKS", "now"))


def test_of_several_folders_and_rosters_all_that_is_broken_and_all_remarks_are_told_in_their_order(tmp_path):
    for number in range(2):
        folder = tmp_path / f"f{number}"
        folder.mkdir()
        (folder / "good.py").write_text("def choose(board): pass\n")
        (folder / "bad.py").write_text("def choose(:\n")
        (folder / "notes.txt").touch()
    roster = tmp_path / "r.toml"
    roster.write_text('[[agent]]\nname = "low"\nspec = "greedy"\n[[agent]]\nname = "no"\nspec = "nope"\n' * 2)
    texts = [str(tmp_path / "f1"), "greedy", str(roster), str(tmp_path / "f0"), "minimax:depth=1..2"]
    names, entries, broken, remarks = invited(texts)
    assert names == ("good", "greedy", "low", "low#2", "good", "minimax:depth=1", "minimax:depth=2")
    assert [each and (each.name, Path(each.folder).name) for each in entries] == [
        ("good", "f1"), None, ("low", tmp_path.name), ("low#2", tmp_path.name), ("good", "f0"), None, None,
    ]  # fmt: skip
    assert [(each.name, each.path) for each in broken] == [
        ("bad", tmp_path / "f1/bad.py"), ("no", roster), ("no", roster), ("bad", tmp_path / "f0/bad.py"),
    ]  # fmt: skip
    assert [line.split(":")[0] for line in remarks] == [str(tmp_path / "f1"), str(roster), str(tmp_path / "f0")]


def test_one_bad_entry_leaves_the_others_of_its_roster(roster, monkeypatch):
    monkeypatch.delenv("API_KEY")
    rows = [
        '[[agent]]\nname = "one"\nspec = "nope"',
        '[[agent]]\nname = "two"\ncommand = "./nope"',
        '[[agent]]\nspec = "greedy"',
        '[[agent]]\nname = "four"\nspec = "greedy"\nenvironment = {A = []}',
        '[[agent]]\nname = "five"\nspec = "bot.py:Bot:x=' + "(" * 1_200 + '"',
    ]
    roster.write_text(ROSTER + "\n".join(rows))
    found = read_entries(str(roster))
    assert [entry.name for entry in found.agents] == ["deep"]
    named = [line.removeprefix(f"{roster}: ") for line in found.broken]
    assert [line[:13] for line in named] == ["agent 'fish':", "agent 'one': ", "agent 'two': ", "agent '?': an",
                                             "agent 'four':", "agent 'five':"]  # fmt: skip
    assert named[0] == "agent 'fish': there is no API_KEY in the environment: export API_KEY=VALUE"
    assert "'nope'" in named[1]
    assert "there is no file" in named[2]
    assert all("\n" not in line for line in named)


def test_one_agent_of_a_folder_or_a_roster_is_named_after_a_colon(folder, roster):
    alice = entrant(f"{folder}/:alice")
    assert (alice.text, alice.kind) == ("alice", f"{folder}/alice.py:choose")
    assert entrant(f"{roster}:deep").parameters == {"depth": 9}
    assert holds_entries(f"{roster}:deep")
    with pytest.raises(
        InputError, match=r"roster.toml holds several agents: write .*roster.toml:deep; there are deep, "
    ):
        entrant(str(roster))
    with pytest.raises(InputError, match=r"roster.toml 'dep': did you mean deep"):
        entrant(f"{roster}:dep")
    with pytest.raises(InputError, match=r"carl.py, line 1: invalid syntax"):
        entrant(f"{folder}/:carl")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[agent]", "Expected"),
        ("a = " + "[" * 5000, "its brackets are nested too deeply"),
        ('agent = "x"', "agents stand in tables, [[agent]] each"),
        ("agent = [{}, 1]", "agents stand in tables, [[agent]] each"),
        ("[agent]", "agents stand in tables, [[agent]] each"),
        ("agent = 0", "agents stand in tables, [[agent]] each"),
        ("agent = [{}]", "agent 'roster': an agent has a name, and either"),
        ("", "agent 'roster': an agent has a name, and either"),
        ('name = "x"\nspec = "greedy"\nnodes = -5', "nodes must be a whole number from 1 to"),
        ('name = "x"\nspec = "greedy"\nseconds = nan', "seconds must be a number from 0.0001 to"),
        (f'name = "x"\nspec = "alphabeta:depth={"(" * 1200}"', "a parenthesis is not closed"),
        ('[[agent]]\nspec = "greedy"\n[[agent]]\nname = "x"\nspec = "greedy"', "an agent has a name, and either"),
        ('name = "x"', "either a spec or a command"),
        ('spec = "a"\ncommand = "b"', "either a spec or a command"),
        ('command = "b"\nprotocl = "uci"', "'protocl': did you mean protocol"),
        ('command = "b"\nprotocol = "uc"', "'uc': did you mean uci"),
        ('command = "b"\nnodes = "many"', "nodes cannot be 'many'"),
        ('command = "b"\nnodes = true', "nodes cannot be True"),
        ('command = "b"\nnodes = 1.5', "nodes cannot be 1.5"),
        ('command = "b"\nseconds = "1"', "seconds cannot be '1'"),
        ('command = "b"\nseconds = false', "seconds cannot be False"),
        ('command = ["b", "-v"]', "command cannot be ['b', '-v']"),
        ("command = 7", "command cannot be 7"),
        ("spec = 7", "spec cannot be 7"),
        ('name = 7\ncommand = "b"', "name cannot be 7"),
        ('command = "b"\nprotocol = 7', "protocol cannot be 7"),
        ('command = "b"\nfolder = 7', "folder cannot be 7"),
        ('command = "b"\nauthor = 7', "author cannot be 7"),
        ('command = "b"\nauthor = ["a"]', "author cannot be ['a']"),
        ('command = "b"\nenvironment = ["A"]', "environment cannot be ['A']"),
        ('command = "b"\npass_environment = "A"', "pass_environment cannot be 'A'"),
        ('command = "b"\nfolder = "nowhere"', "there is no folder"),
    ],
)
def test_a_roster_that_cannot_be_read_is_broken_in_one_line(tmp_path, text, message):
    (tmp_path / "roster.toml").write_text(text)
    (line,) = read_entries(str(tmp_path / "roster.toml")).broken
    assert message in line
    assert "\n" not in line
    assert "roster.toml" in line


def test_a_module_of_the_folder_is_its_own_also_where_python_would_find_it_there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in ("tools.py", "numpy.py"):
        (tmp_path / name).touch()
    (tmp_path / "ann.py").write_text("import numpy, tools\ndef choose(board): pass\n")
    [entry] = read_entries(str(tmp_path)).agents
    assert [Path(file).name for file in entry.files] == ["ann.py", "tools.py"]


def test_a_name_is_one_line_that_a_terminal_shows(tmp_path):
    (tmp_path / "a.toml").write_text('name = "two\\nlines \\u001b[31m"\nspec = "greedy"')
    (tmp_path / "b\nc.py").write_text("def choose(board): pass\n")
    assert [entry.name for entry in read_entries(str(tmp_path / "a.toml")).agents] == ["two lines \\x1b[31m"]
    assert [entry.name for entry in read_entries(str(tmp_path)).agents] == ["b c"]


def test_what_is_wrong_with_one_agent_is_said_by_its_name_and_by_its_files(tmp_path):
    (tmp_path / "good.py").write_text("def choose(board): pass\n")
    (tmp_path / "two  words.py").write_text("def choose(:\n")
    (tmp_path / "Ann Li_12_assignsubmission_file_").symlink_to(tmp_path)
    broken = f"{tmp_path}/two  words.py, line 1: invalid syntax"
    linked = f"{tmp_path}/Ann Li_12_assignsubmission_file_ is a link; the agents of a folder are files in it"
    names = {"two words": broken, "two  words": broken, "Ann Li": linked, "Ann Li_12_assignsubmission_file_": linked,
             "goo": f"no agent in {tmp_path}/ 'goo': did you mean good?", "good#2": "did you mean good?",
             "two": "'two': there are good"}  # fmt: skip
    for name, line in names.items():
        with pytest.raises(InputError) as raised:
            read_entries(f"{tmp_path}/:{name}")
        assert str(raised.value).endswith(line)
    for place in (f"{tmp_path}/nowhere/", f"{tmp_path}/none.toml"):
        for text in (place, f"{place}:good"):
            with pytest.raises(InputError, match=f"^there is no file {place.rstrip('/')}(:|$)"):
                read_entries(text)
    good = read_entries(f"{tmp_path}/:good")
    assert ([entry.name for entry in good.agents], good.broken, good.remarks) == (["good"], (), ())


def test_an_empty_folder_holds_nobody(tmp_path):
    roster = tmp_path / "all.toml"
    for place in (tmp_path, roster):
        with pytest.raises(InputError, match=f"^{place} holds no agent"):
            read_entries(str(place))
        roster.write_text("agent = []")
        with pytest.raises(InputError, match=f"^{place}"):
            read_entries(f"{place}{'' if place == roster else '/'}:ann")


def test_words_that_name_no_folder_are_specs(tmp_path, monkeypatch):
    for name in ("cmd:bots", " ", "all.toml:ann", "all/:ann"):
        (tmp_path / name).mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    for name in ("all.toml:ann", "all/:ann"):  # a folder of this very name goes before one agent of another
        with pytest.raises(InputError, match=f"^{name} holds no agent"):
            read_entries(name)
    assert all(map(holds_entries, (str(tmp_path), ".", "cmd:bots", "none.toml", "none.toml:ann", "./:ann")))
    words = ("", " ", "greedy", "none", "none/:ann", "cmd:none", "bot.py:Bot", "cmd:./bot settings.toml")
    assert not any(map(holds_entries, words))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('environment = {"" = "x"}', "'' is no name of a variable"),
        ('environment = {"A=B" = "x"}', "'A=B' is no name of a variable"),
        ('environment = {"A\\u0000" = "x"}', "'A\\x00' is no name of a variable"),
        ('pass_environment = ["HOME", "A=B"]', "'A=B' is no name of a variable"),
        ("pass_environment = [7]", "7 is no name of a variable"),
        ("environment = {A = []}", "the variable A is a text or a number"),
        ('environment = {A = "x\\u0000"}', "the variable A is a text or a number"),
    ],
)
def test_what_is_no_variable_is_said_with_its_file_and_agent(tmp_path, text, said):
    path = tmp_path / "roster.toml"
    path.write_text(f'[[agent]]\nname = "fish"\nspec = "greedy"\n{text}\n')
    assert read_entries(str(path)).broken == (f"{path}: agent 'fish': {said}",)


def test_a_roster_has_at_most_a_megabyte_and_a_variable_has_a_name_wherever_it_is_from(tmp_path):
    path = tmp_path / "all.toml"
    path.write_text("#" * (1 << 13) + '\n[[agent]]\nname = "low"\nspec = "greedy"\n')
    assert [entry.name for entry in read_entries(str(path)).agents] == ["low"]
    for size, said in ((1 << 20, ("low",)), ((1 << 20) + 1, (f"{path} is larger than 1024 kB",))):
        path.write_text('[[agent]]\nname = "low"\nspec = "greedy"\n'.ljust(size, "#"))
        found = read_entries(str(path))
        assert (*[each.name for each in found.agents], *found.broken) == said
    for text, said in (('["A", "B=C"]', "'B=C' is no name of a variable"), ("[1]", "1 is no name of a variable")):
        path.write_text(f'name = "low"\nspec = "greedy"\npass_environment = {text}\n')
        assert read_entries(str(path)).broken == (f"{path}: agent 'low': {said}",)
    path.write_bytes(b"\xff")
    [line] = read_entries(str(path)).broken
    assert line.startswith(f"{path}: 'utf-8' codec can't decode")


def test_a_file_that_may_not_be_read_is_said_with_its_reason_alone(tmp_path, monkeypatch):
    path = tmp_path / "all.toml"
    path.write_text('name = "low"\nspec = "greedy"\n')
    (tmp_path / "bot.py").write_text("def choose(board): pass\n")

    def refused(path, **given):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "read_text", refused)
    assert read_entries(str(path)).broken == (f"{path} cannot be read: Permission denied",)
    monkeypatch.setattr(Path, "iterdir", refused)
    with pytest.raises(InputError) as raised:
        read_entries(str(tmp_path))
    assert str(raised.value) == f"{tmp_path} cannot be read: Permission denied"


def test_a_folder_of_an_agent_holds_drafts_tables_and_helpers_that_are_no_agents(tmp_path):
    for name, text in {
        "ann/_old.py": "def choose(board): pass\n", "ann/.old.py": "def choose(board): pass\n",
        "ann/solo.py": "import tools\ndef choose(board): pass\n", "ann/tools.py": "",
        "ann/more.toml": 'spec = "greedy"',
        "ann/deep/other.py": "def choose(board): pass\n", "bob/bot.toml": 'spec = "greedy"', "bob/_bot.py": "",
    }.items():  # fmt: skip
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    found = read_entries(str(tmp_path))
    assert [(entry.name, entry.spec, entry.folder, entry.files) for entry in found.agents] == [
        ("ann", f"{tmp_path}/ann/solo.py:choose", f"{tmp_path}/ann", ()),
    ]  # fmt: skip
    hint = "(a roster plays where it is named itself)"
    assert found.broken == (f"{tmp_path}/bob holds no agent: bot.toml {hint}",)
    for name in ("run.sqlite", "run.sqlite-now", "run.sqlite-wal", "_notes", ".hidden", "notes"):
        (tmp_path / name).touch()
    (tmp_path / "cat.py").write_text("def choose(board): pass\n")
    found = read_entries(str(tmp_path))
    assert [entry.name for entry in found.agents] == ["cat", "ann"]
    assert (found.broken, found.remarks) == ((), (f"{tmp_path}: not agents: bob/ (folder), notes",))


@pytest.mark.parametrize(("files", "more"), [(12, ""), (14, " and 2 more")])
def test_of_many_files_that_are_no_agents_twelve_are_named(tmp_path, files, more):
    (tmp_path / "alice.py").write_text("def choose(board):\n    return 0\n")
    (tmp_path / "run.sqlite").write_text("")
    for number in range(files - 2):
        (tmp_path / f"n{number:02}.txt").write_text("")
    (tmp_path / "bot.js").write_text("")
    (tmp_path / "docs").mkdir()
    listed = [
        "bot.js (not executable: cmd:node bot.js)",
        "docs/ (folder)",
        *(f"n{number:02}.txt" for number in range(10)),
    ]
    assert read_entries(str(tmp_path)).remarks == (f"{tmp_path}: not agents: {', '.join(listed)}{more}",)


def test_agents_of_one_name_are_counted(tmp_path):
    lines = [f'[[agent]]\nname = "a"\nspec = "{spec}"' for spec in ("greedy", "random", "minimax")]
    (tmp_path / "all.toml").write_text("\n".join(lines))
    found = read_entries(str(tmp_path / "all.toml"))
    assert [(entry.name, entry.spec) for entry in found.agents] == [
        ("a", "greedy"), ("a#2", "random"), ("a#3", "minimax"),
    ]  # fmt: skip
    assert [line.rpartition("; ")[2] for line in found.remarks] == ["this one is 'a#2'", "this one is 'a#3'"]
