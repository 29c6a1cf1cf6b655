"""What a class's folder may not do to those who run it, in a sandbox and without one."""

import importlib.util
import marshal
import os
import struct
import subprocess
import sys
from dataclasses import replace

import pytest
from needs import needs

from agents.agent import Limits
from agents.board import Board, Rules
from agents.errors import InputError
from agents.process_agent import ProcessLimits, Source
from agents.processes.agent import SubprocessAgent
from agents.processes.sandbox import environment
from agents.specs.registry import parse
from arena.games.entries import read_entries
from arena.games.isolation import Isolation, kept_apart

WALLS = [pytest.param(False, id="open"), pytest.param(True, id="sandbox", marks=needs("bwrap"))]
LEFTMOST = "def choose(board):\n    return board.legal_moves()[0]\n"
SEES = "import os\ndef choose(board):\n    return str(sorted(os.listdir(os.path.dirname(__file__))))\n"


def sources(text):
    """Return what starts the agents of a folder or a roster, by name."""
    entries = read_entries(str(text)).agents
    isolation = Isolation(entries=entries, everyone=True)
    places = enumerate(entries)
    return {each.name: isolation.source(place, isolation.spec(place, each.name)) for place, each in places}


def answer(source, *, walls=False):
    """Return what an agent answers on the empty board."""
    agent = SubprocessAgent(source, ProcessLimits(start_timeout=20.0, sandbox=walls))
    try:
        return agent.choose(Board(), Limits()).column
    finally:
        agent.close()


@pytest.mark.parametrize("walls", WALLS)
def test_an_agents_own_variables_reach_no_process_before_it(tmp_path, walls, monkeypatch):
    (tmp_path / "bot.py").write_text(f"import os\n{LEFTMOST}".replace("board.legal_moves()[0]", "os.environ['MINE']"))
    (tmp_path / "roster.toml").write_text('name = "bot"\nspec = "bot.py"\nenvironment = {MINE = "a value"}')
    began = []
    plain = subprocess.Popen

    def popen(words, **rest):
        began.append((words, rest))
        return plain(words, **rest)

    monkeypatch.setattr("agents.processes.process.subprocess.Popen", popen)
    assert answer(sources(tmp_path / "roster.toml")["bot"], walls=walls) == "a value"
    [(words, rest)] = [each for each in began if "launch.py" in str(each[0])]
    assert not any("a value" in word for word in words)
    assert "MINE" not in rest["env"]
    assert rest["cwd"] == "/"


@needs("cc")
@pytest.mark.parametrize("walls", WALLS)
def test_a_library_that_is_loaded_before_others_is_loaded_by_the_agent_alone(tmp_path, walls):
    source = tmp_path / "helper.c"
    source.write_text(
        "#include <stdio.h>\n#include <unistd.h>\n"
        "__attribute__((constructor)) void leaves(void) {\n"
        f'    FILE *file = fopen("{tmp_path}/loaded", "a");\n'
        '    char name[99] = ""; int length = readlink("/proc/self/exe", name, 98);\n'
        '    if (file) { fprintf(file, "%.*s\\n", length, name); fclose(file); }\n}\n'
    )
    subprocess.run(["cc", "-shared", "-fPIC", "-o", tmp_path / "helper.so", source], check=True)
    (tmp_path / "bot.py").write_text(LEFTMOST)
    variables = f'{{LD_PRELOAD = "{tmp_path}/helper.so"}}'
    (tmp_path / "evil.toml").write_text(f'name = "evil"\nspec = "bot.py"\nenvironment = {variables}')
    assert answer(sources(tmp_path / "evil.toml")["evil"], walls=walls) == 0
    loaded = tmp_path / "loaded"
    assert (loaded.read_text().splitlines() if loaded.exists() else []) == (
        [] if walls else [os.path.realpath(sys.executable)]
    )
    assert [each.name for each in read_entries(str(tmp_path)).agents] == ["bot", "helper"]


@pytest.mark.parametrize("walls", WALLS)
def test_no_relative_folder_is_searched_for_libraries_and_programs(tmp_path, walls, monkeypatch):
    monkeypatch.setenv("LD_LIBRARY_PATH", f":{tmp_path / 'lib'}:more")
    monkeypatch.setenv("PATH", f".:{os.environ['PATH']}:")
    assert environment()["LD_LIBRARY_PATH"] == str(tmp_path / "lib")
    assert all(each.startswith("/") for each in environment()["PATH"].split(":"))
    for name in ("libc.so.6", "libm.so.6", "bwrap"):
        (tmp_path / name).write_text("no library")
    (tmp_path / "bwrap").chmod(0o755)
    (tmp_path / "bot.py").write_text(LEFTMOST)
    monkeypatch.chdir(tmp_path)
    assert answer(parse("bot.py", str(tmp_path)).source(str(tmp_path)), walls=walls) == 0


@needs("bwrap")
def test_an_agent_sees_of_a_shared_folder_what_is_its_own(tmp_path):
    for name in ("alice.py", "bob.py"):
        (tmp_path / name).write_text(SEES)
    (tmp_path / "alice_book.txt").write_text("")
    (tmp_path / "notes.txt").write_text("")
    (tmp_path / "__pycache__").mkdir()
    found = sources(tmp_path)
    assert answer(found["alice"], walls=True) == "['alice.py', 'alice_book.txt']"
    assert answer(found["bob"], walls=True) == "['bob.py']"
    named = kept_apart([parse(name, str(tmp_path)).source(str(tmp_path)) for name in ("alice.py", "bob.py")])
    assert answer(named[1], walls=True) == "['bob.py']"
    alone = kept_apart([parse("bob.py", str(tmp_path)).source(str(tmp_path)), None])
    assert "notes.txt" in answer(alone[0], walls=True)


@needs("bwrap")
def test_links_lead_out_of_no_sandbox(tmp_path):
    secret, students = tmp_path / "secret", tmp_path / "students"
    for folder in (secret, students, students / "bob"):
        folder.mkdir()
    (secret / "key").write_text("a key")
    (students / "alice.py").write_text(LEFTMOST)
    (students / "bob_all").symlink_to(secret)
    (students / "bob" / "key").symlink_to(secret / "key")
    (students / "bob" / "alice.py").symlink_to(students / "alice.py")
    (students / "bob.py").write_text(
        "import os\ndef choose(board):\n    home = os.path.dirname(__file__)\n"
        "    return str([os.path.exists(f'{home}/{name}') for name in ('bob_all/key', 'bob/key', 'bob/alice.py')])\n"
    )
    assert answer(sources(students)["bob"], walls=True) == "[False, False, False]"
    assert answer(sources(students)["bob"]) == "[True, True, True]"


def _bytecode(path):
    """Write compiled code for a helper that its source does not check, and that plays another column."""
    cache = path.parent / "__pycache__" / f"{path.stem}.{sys.implementation.cache_tag}.pyc"
    cache.parent.mkdir(exist_ok=True)
    code = compile("COLUMN = 6\n", str(path), "exec")
    cache.write_bytes(importlib.util.MAGIC_NUMBER + struct.pack("<I", 1) + bytes(8) + marshal.dumps(code))


@pytest.mark.parametrize("walls", WALLS)
def test_a_helper_is_read_from_its_source(tmp_path, walls):
    (tmp_path / "tools").mkdir()
    for helper in (tmp_path / "helper.py", tmp_path / "tools" / "deep.py"):
        helper.write_text("COLUMN = 2\n")
        _bytecode(helper)
    (tmp_path / "tools" / "__init__.py").write_text("")
    (tmp_path / "bot.py").write_text(
        "import helper\nfrom tools import deep\ndef choose(board):\n    return (helper.COLUMN + deep.COLUMN) // 2\n"
    )
    assert answer(sources(tmp_path)["bot"], walls=walls) == 2


@pytest.mark.parametrize("walls", WALLS)
def test_files_that_python_reads_by_itself_are_not_read_from_an_agents_folder(tmp_path, walls):
    for name in ("sitecustomize.py", "usercustomize.py", "json.py", "site.py"):
        (tmp_path / name).write_text("raise SystemExit(7)\n")
    (tmp_path / "evil.pth").write_text("import os; os._exit(7)\n")
    (tmp_path / "pyvenv.cfg").write_text("home = /nowhere\n")
    (tmp_path / "bot.py").write_text(f"import json\n{LEFTMOST}")
    assert answer(sources(tmp_path)["bot"], walls=walls) == 0


@pytest.mark.parametrize("walls", WALLS)
def test_no_module_beside_it_stands_in_for_an_installed_one(tmp_path, walls):
    (tmp_path / "numpy.py").write_text("__file__ = 'mine'\n")
    (tmp_path / "helper.py").write_text("COLUMN = 3\n")
    (tmp_path / "bot.py").write_text(
        "import numpy, helper\ndef choose(board):\n    return helper.COLUMN if numpy.__file__ != 'mine' else 0\n"
    )
    assert answer(sources(tmp_path)["bot"], walls=walls) == 3
    alone = parse("bot.py", str(tmp_path)).source(str(tmp_path))
    assert answer(alone, walls=walls) == 3


@needs("bwrap")
def test_a_sandbox_hides_the_callers_variables(tmp_path, monkeypatch):
    monkeypatch.setenv("PASSWORD", "secret")
    (tmp_path / "bot.py").write_text(
        "import glob\ndef choose(board):\n    found = b''\n    for path in glob.glob('/proc/*/environ'):\n"
        "        try:\n            found += open(path, 'rb').read()\n        except OSError:\n            pass\n"
        "    return str(b'PATH=' in found and b'CALLER_KEY=' in found)\n"
    )
    caller = subprocess.Popen(["sleep", "100"], env=os.environ | {"CALLER_KEY": "secret"})
    try:
        assert answer(sources(tmp_path)["bot"]) == "True"
        assert answer(sources(tmp_path)["bot"], walls=True) == "False"
    finally:
        caller.kill()
        caller.wait()


@needs("bwrap")
def test_caches_of_compiled_code_are_not_there_to_be_written(tmp_path, monkeypatch):
    cache = tmp_path / "cache"
    cache.mkdir()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(cache))
    students = tmp_path / "students"
    students.mkdir()
    (students / "bot.py").write_text(
        "import os\ndef choose(board):\n    return str(os.path.exists(os.environ['NUMBA_CACHE_DIR']))\n"
    )
    assert answer(sources(students)["bot"], walls=True) == "False"
    assert answer(sources(students)["bot"]) == "True"


@pytest.mark.process
@pytest.mark.parametrize("walls", WALLS)
def test_long_variables_arrive_whole(tmp_path, walls):
    """They are more than a pipe holds at once, and the last byte that it holds is half of a letter."""
    (tmp_path / "bot.py").write_text(
        "import os\ndef choose(board):\n    return str([len(os.environ[name]) for name in ('LONG', 'LETTERS')])\n"
    )
    source = parse("bot.py", str(tmp_path)).source(str(tmp_path))
    long = replace(source, environment=(("LONG", "a" * 65_000), ("LETTERS", "é" * 500)))
    assert answer(long, walls=walls) == "[65000, 500]"


def test_a_folder_that_is_gone_is_said_in_a_line(tmp_path):
    agent = SubprocessAgent(Source("python", ("greedy",), str(tmp_path / "gone")), ProcessLimits(), Rules())
    with pytest.raises(InputError, match="gone: No such file or directory"):
        agent.prepare(Rules())
