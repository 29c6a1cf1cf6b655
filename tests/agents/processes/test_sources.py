"""How agents of files, commands and other frameworks are started."""

import os
import signal
import sys
from pathlib import Path

import pytest

from agents.agent import Limits
from agents.board import Rules
from agents.errors import InputError, unknown
from agents.failure import Failure
from agents.process_agent import ProcessLimits, Source
from agents.processes import launch
from agents.processes.agent import SubprocessAgent
from agents.processes.python import ROOT, Python
from agents.specs import sources

BOT = "class Bot:\n    def choose(self, board, limits): pass\ndef helps(): pass\nNUMBER = 3\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    (tmp_path / "elsewhere").mkdir()
    for name, text in (("bot.py", BOT), ("two.py", BOT + BOT.replace("Bot", "Other")), ("net.onnx", ""), ("plain", "")):
        (tmp_path / "here" / name).write_text(text)
    (tmp_path / "here" / "engine").touch(0o755)
    (tmp_path / "here" / "bin").mkdir()
    (tmp_path / "here" / "bin" / "python").symlink_to(sys.executable)
    monkeypatch.chdir(tmp_path / "elsewhere")
    return str(tmp_path / "here")


def found(call, *given):
    """Return a source as its protocol, words, folder and options, or why there is none."""
    try:
        made = call(*given)
    except InputError as error:
        return str(error).partition(": did you mean /")[0]  # a file that is like it
    return made.protocol, made.words, made.folder, made.options


def test_a_program_is_found_by_its_name_or_from_the_folder_of_its_spec(folder, tmp_path, monkeypatch):
    (tmp_path / "elsewhere" / "tool").touch(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/none:{tmp_path}/elsewhere")
    assert [found(sources.command, text, folder) for text in (
        "cmd:./engine -v 'a b'", "uci:engine;Hash=1;A B=c=d", "pons:./plain", "cmd:plain", "cmd: ",
        f"cmd:{folder}/engine", "cmd:bin/../engine;x", "uci:engine;Hash=1;Clear=;Hash=2;Clear=",
        "uci:engine ; Hash=1 ; A = b ;", "uci:engine ; Hash=1 ; A = b ", "uci: engine -q 'a;b' ;C=';'",
        "cmd:engine; rm",
        "uci:engine;Hash= 1 ", "uci:tool;Hash=1", "uci:./tool",
        "pons:./engine;a=1", "uci:./plain;Hash=1", "cmd:'engine", "uci:;Hash=1",
    )] == [
        ("cmd", (f"{folder}/engine", "-v", "a b"), folder, ()),
        ("uci", (f"{folder}/engine",), folder, (("Hash", "1"), ("A B", "c=d"))),
        f"agent 'pons:./plain': '{folder}/plain' cannot be executed; chmod +x makes it so",
        "agent 'cmd:plain': there is no program 'plain' on the PATH; ./plain is one in the folder",
        "agent 'cmd: ': no command follows cmd:",
        ("cmd", (f"{folder}/engine",), folder, ()),
        f"agent 'cmd:bin/../engine;x': there is no file {folder}/bin/../engine;x",
        ("uci", (f"{folder}/engine",), folder, (("Hash", "1"), ("Clear", ""), ("Hash", "2"), ("Clear", ""))),
        "agent 'uci:engine ; Hash=1 ; A = b ;': '' is not option=value",
        ("uci", (f"{folder}/engine",), folder, (("Hash", "1"), ("A ", " b"))),
        ("uci", (f"{folder}/engine", "-q", "a;b"), folder, (("C", "';'"),)),
        "agent 'cmd:engine; rm': there is no program 'engine;' on the PATH; ./engine; is one in the folder",
        ("uci", (f"{folder}/engine",), folder, (("Hash", " 1"),)),
        ("uci", (f"{tmp_path}/elsewhere/tool",), folder, (("Hash", "1"),)),
        f"agent 'uci:./tool': there is no file {folder}/tool",
        f"agent 'pons:./engine;a=1': there is no file {folder}/engine;a=1",
        f"agent 'uci:./plain;Hash=1': '{folder}/plain' cannot be executed; chmod +x makes it so",
        'agent "cmd:\'engine": No closing quotation',
        "agent 'uci:;Hash=1': no command follows uci:",
    ]  # fmt: skip


def test_a_path_with_signs_stays_whole_in_words_and_options_and_no_program_of_the_folder_is_meant_by_its_name(
    folder, tmp_path, monkeypatch
):
    monkeypatch.setenv("PATH", f"/none:{tmp_path}/elsewhere")
    odd = "a;b=(1), c|d.bin"
    Path(folder, odd).touch()
    Path(folder, "my; bot.py").write_text(BOT)
    assert [found(sources.command, text, folder) for text in (
        f"uci:./engine {odd};Book={odd};Other=e;b.bin", f"uci:./engine;Book={odd};Log={odd}", "cmd:engine -q",
        "uci:engine;Hash=1", f"cmd:./{odd}", "kaggle:my; bot.py", "openspiel:my; bot.py:Bot;File=my; bot.py;a=b",
    )] == [
        "agent 'uci:./engine a;b=(1), c|d.bin;Book=a;b=(1), c|d.bin;Other=e;b.bin': 'b.bin' is not option=value",
        ("uci", (f"{folder}/engine",), folder, (("Book", odd), ("Log", odd))),
        "agent 'cmd:engine -q': there is no program 'engine' on the PATH; ./engine is one in the folder",
        "agent 'uci:engine;Hash=1': there is no program 'engine' on the PATH; ./engine is one in the folder",
        f"agent 'cmd:./{odd}': '{folder}/{odd}' cannot be executed; chmod +x makes it so",
        ("python", (f"{folder}/my; bot.py", "", "kaggle"), folder, ()),
        ("python", (f"{folder}/my; bot.py", "Bot", "openspiel"), folder, (("File", "my; bot.py"), ("a", "b"))),
    ]  # fmt: skip
    text = f"uci:./engine {odd} -q;Book={odd}"
    assert found(sources.command, text, folder)[1] == (f"{folder}/engine", odd, "-q")
    assert sources.words_of(text, folder) == ["./engine", odd, "-q"]
    assert sources.first(text, folder) == f"./engine {odd} -q"
    assert sources.words_of("kaggle:my; bot.py", folder) == [sources.first("kaggle:my; bot.py", folder)]


def test_players_of_other_frameworks_are_files_names_in_them_or_names_of_the_framework(folder):
    bot, net = f"{folder}/bot.py", f"{folder}/net.onnx"
    assert [found(sources.command, text, folder) for text in (
        "openspiel:mcts;simulations=9", "openspiel:bot.py:Bot;a=b", "openspiel:bot.py", "pettingzoo:bot.py:helps",
        "pettingzoo:bot.py:nobody", "pettingzoo:none.py:x", "pettingzoo:random", "kaggle:bot.py", "kaggle:none.py",
        "kaggle:bot.py:Bot", "onnx:net.onnx;side=own", "onnx:none.onnx", "onnx:net.onnx;side",
    )] == [
        ("python", ("mcts", "", "openspiel"), folder, (("simulations", "9"),)),
        ("python", (bot, "Bot", "openspiel"), folder, (("a", "b"),)),
        "agent 'openspiel:bot.py' names no function of a file: write openspiel:FILE.py:NAME",
        ("python", (bot, "helps", "pettingzoo"), folder, ()),
        f"{bot} has {unknown('class or function', 'nobody', ['Bot'])}",
        f"there is no file {folder}/none.py",
        "agent 'pettingzoo:random' names no function of a file: write pettingzoo:FILE.py:NAME",
        ("python", (bot, "", "kaggle"), folder, ()),
        f"agent 'kaggle:none.py': there is no file {folder}/none.py",
        ("python", (bot, "Bot", "kaggle"), folder, ()),
        ("python", (net, "", "onnx"), folder, (("side", "own"),)),
        f"agent 'onnx:none.onnx': there is no file {folder}/none.onnx",
        "agent 'onnx:net.onnx;side': 'side' is not option=value",
    ]  # fmt: skip


def test_an_agent_in_a_file_may_have_parameters_and_an_interpreter_of_its_own(folder, tmp_path):
    bot = Path(folder, "bot.py")
    assert found(sources.python, bot, "", {"a": 1}) == ("python", (str(bot), "Bot"), folder, (("a", 1),))
    assert found(sources.python, Path("../here/bot.py"), "Bot", {})[1] == (
        f"{tmp_path}/elsewhere/../here/bot.py",
        "Bot",
    )
    own = {"a": 1, "python": "bin/python", "b": 2}
    assert found(sources.python, bot, "Bot", own)[3] == (("a", 1), ("python", f"{folder}/bin/python"), ("b", 2))
    assert found(sources.python, bot, "Bot", own, str(tmp_path)) == (
        f"agent '{bot}': there is no file {tmp_path}/bin/python"
    )
    assert found(sources.python, Path(folder, "two.py"), "", {}).startswith(f"{folder}/two.py: which agent? write ")
    assert found(sources.python, Path(folder, "two.py"), "Othr", {}) == (
        f"{folder}/two.py has {unknown('class or function', 'Othr', ['Other'])}"
    )
    Path(folder, "folder.py").mkdir()
    for name in ("none.py", "folder.py"):
        assert found(sources.python, Path(folder, name), "", {}) == f"there is no file {folder}/{name}"
    for text in ("kaggle:folder.py", "onnx:bin", "cmd:./bin", "uci:../here/folder.py;Hash=1"):
        path = f"{folder}/{text.partition(':')[2].removeprefix('./').partition(';')[0]}"
        assert found(sources.command, text, folder) == f"agent {text!r}: there is no file {path}"
    (Path(folder) / "none.py").write_text("NUMBER = 3\n")
    assert (
        found(sources.python, Path(folder, "none.py"), "Bot", {}) == f"{folder}/none.py has no class or function 'Bot'"
    )
    assert found(sources.built_in, "minimax:depth=2", folder) == ("python", ("minimax:depth=2",), folder, ())


def test_the_interpreter_of_an_agent_reads_nothing_of_its_folder_and_is_told_where_the_arena_is():
    ours, theirs = (Python.command(Source("python", ("bot.py", "Bot"), "/", options)) for options in (
        (("a", 1),), (("python", "/opt/bin/python"), ("a", 1)),
    ))  # fmt: skip
    assert ours[0] == sys.executable
    assert theirs[0] == "/opt/bin/python"
    assert ours[1:] == theirs[1:]
    assert ours[1:7] == ["-B", "-P", "-u", "-X", "utf8", "-c"]
    assert ours[8:] == [ROOT]
    assert Path(ROOT, "agents", "processes", "child.py").is_file()


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("a;b=c", ["a", "b=c"]),
        ("a 'b;c';d", ["a 'b;c'", "d"]),
        ('a "b;c" ";";d=";"', ['a "b;c" ";"', 'd=";"']),
        ("a;", ["a", ""]),
        ("", [""]),
        ("""a "it's; so";b""", ["""a "it's; so\"""", "b"]),
    ],
)
def test_semicolons_split_outside_of_quotes_alone(text, parts):
    assert sources.semicolons(text) == parts


@pytest.mark.parametrize(
    ("text", "command", "whole"),
    [
        ("llm:m", False, True),
        ("onnx:x", True, True),
        ("kaggle:x", True, True),
        ("llm", False, False),
        ("x:llm:", False, False),
    ],
)
def test_specs_of_one_form_are_whole_and_only_some_are_commands(text, command, whole):
    assert (sources.is_command(text), sources.is_whole(text)) == (command, whole)


def test_variables_are_read_as_pairs_and_limits_only_become_lower(monkeypatch):
    reader, writer = os.pipe()
    os.write(writer, b"A\0b=c\0EMPTY\0\0\xc3\xa9\0\xff\0")
    os.close(writer)
    assert launch.read_variables(reader) == {"A": "b=c", "EMPTY": "", "é": "\udcff"}
    resource, made = launch.resource, []
    hard = {resource.RLIMIT_CORE: resource.RLIM_INFINITY, resource.RLIMIT_FSIZE: 5, resource.RLIMIT_DATA: 1 << 40}
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (1, hard[kind]))
    monkeypatch.setattr(resource, "setrlimit", lambda kind, limits: made.append((kind, limits)))
    launch.confine(99 << 20, sandbox=False)
    assert made == [
        (resource.RLIMIT_CORE, (0, 0)), (resource.RLIMIT_FSIZE, (5, 5)), (resource.RLIMIT_DATA, (99 << 20,) * 2),
    ]  # fmt: skip


@pytest.mark.parametrize(("variables", "own"), [("-", {}), ("9", {"PATH": "/theirs", "KEY": "v"})])
@pytest.mark.parametrize("missing", [None, "folder", "program"])
def test_a_launcher_becomes_the_program_in_its_folder_with_its_own_variables_over_the_arenas(
    monkeypatch, capsys, variables, own, missing
):
    log = []
    for name in ("watch", "confine"):
        monkeypatch.setattr(launch, name, lambda *given, name=name, **rest: log.append((name, *given, *rest.values())))
    monkeypatch.setattr(launch, "read_variables", lambda descriptor: log.append(("read", descriptor)) or own)
    monkeypatch.setattr(launch.signal, "signal", lambda *given: log.append(given))
    monkeypatch.setattr(launch.signal, "pthread_sigmask", lambda *given: log.append(given))

    def enter(folder):
        log.append(("enter", folder))
        if missing == "folder":
            raise FileNotFoundError(2, "No such file or directory", folder)

    def become(program, words, environment):
        log.append((program, words))
        assert {name: environment[name] for name in own} == own
        assert environment["HOME"] == "/arenas"
        if missing == "program":
            raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(launch.os, "chdir", enter)
    monkeypatch.setattr(launch.os, "execvpe", become)
    monkeypatch.setattr(launch.os, "_exit", lambda code: log.append(("exit", code)))
    monkeypatch.setattr(launch.os, "environ", {"PATH": "/arenas", "HOME": "/arenas"})
    given = ["launch.py", "7", "5", "4f", "/home/bot", variables, "engine", "-q", "5"]
    monkeypatch.setattr(launch.sys, "argv", given)
    launch.main()
    assert log[:4] == [
        (signal.SIG_SETMASK, []), (signal.SIGINT, signal.SIG_DFL), ("watch", 7, "4f"),
        ("confine", 5 << 20, variables == "-"),
    ]  # fmt: skip
    end = [("exit", 127)] if missing else []
    read = [("read", 9)] if own else []
    begun = [] if missing == "folder" else [("engine", ["engine", "-q", "5"])]
    assert log[4:] == [*read, ("enter", "/home/bot"), *begun, *end]
    told = {"folder": "/home/bot: No such file or directory\n", "program": "engine: Permission denied\n", None: ""}
    assert capsys.readouterr().err == told[missing]


class Talk:
    """Stands in for a protocol that does not rest."""

    about, name = "a", "b"

    def stop_pondering(self, deadline):
        raise Failure("out of time")


def test_an_agent_that_does_not_rest_is_closed_and_that_is_no_fault(monkeypatch):
    log = []
    agent = SubprocessAgent(Source("cmd", ("/none",), "/"), ProcessLimits(), Rules())
    agent.stop_pondering()
    agent._protocol, agent._process = Talk(), type("Process", (), {
        "kill": lambda self: log.append("kill"), "close": lambda self: log.append("close"), "output": "",
        "resume": lambda self: None,
    })()  # fmt: skip
    agent.stop_pondering()
    assert (log, agent.running) == (["kill", "close"], False)
    agent.stop()
    agent.close()
    assert log == ["kill", "close"]


def test_a_start_that_failed_is_told_again_without_a_start_for_the_same_board(folder):
    agent = SubprocessAgent(Source("cmd", ("/bin/false",), folder), ProcessLimits(start_timeout=5.0), Rules())
    for _ in range(2):
        with pytest.raises(Failure, match=r"left \(exit code 1\)") as raised:
            agent.new_game(1)
    first = raised.value
    with pytest.raises(Failure) as raised:
        agent.prepare(Rules())
    assert raised.value is first
    with pytest.raises(Failure) as raised:
        agent.prepare(Rules(5, 4))
    assert raised.value is not first
    assert agent.source.limits == Limits()
