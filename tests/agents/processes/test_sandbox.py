import contextlib
import os
import socket
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from needs import needs
from samples import BAD

from agents.agent import Limits
from agents.board import Board, Rules
from agents.cache import kernel_directory
from agents.errors import InputError
from agents.failure import Failure
from agents.jit.compiler import JIT
from agents.process_agent import ProcessLimits
from agents.processes import sandbox
from agents.processes.agent import SubprocessAgent
from agents.specs import sources

POSITIONS = [Board.from_moves(moves) for moves in ("", "12", "1213", "121314")]


def columns(name, *, walls, **environment):
    """Return what the agent answers in four positions."""
    source = replace(sources.python(BAD, name, {}), environment=tuple(environment.items()))
    agent = SubprocessAgent(source, ProcessLimits(start_timeout=10.0, sandbox=walls))
    agent.prepare(Rules())
    try:
        return [agent.choose(board, Limits()).column for board in POSITIONS]
    finally:
        agent.close()


@needs("bwrap")
def test_a_sandbox_hides_the_files_of_others(tmp_path):
    secret = tmp_path / "secret"
    secret.touch()
    assert columns("ReadsOthers", walls=False, SECRET=str(secret))[-1] == 9
    assert columns("ReadsOthers", walls=True, SECRET=str(secret)) == [0, 0, 0, 0]
    assert columns("ReadsOthers", walls=True, SECRET=str(Path.home() / ".bashrc"))[-1] == 0


@needs("bwrap")
def test_a_sandbox_has_no_network():
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        address = f"127.0.0.1:{server.getsockname()[1]}"
        assert columns("OpensSockets", walls=False, ADDRESS=address)[-1] == 9
        assert columns("OpensSockets", walls=True, ADDRESS=address) == [0, 0, 0, 0]


@needs("bwrap")
def test_a_sandbox_hides_the_processes_of_others():
    victim = SubprocessAgent(sources.python(BAD, "Leftmost", {}))
    victim.prepare(Rules())
    number = str(victim._process.pid)
    assert columns("KillsOtherAgents", walls=False, VICTIM=number)[-1] == 9
    assert columns("KillsOtherAgents", walls=True, VICTIM=number) == [0, 0, 0, 0]
    assert victim.choose(Board(), Limits()).column == 0
    victim.close()


@needs("bwrap")
def test_a_sandbox_is_read_only_but_for_a_private_temporary_folder(tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text(
        "import os\ndef choose(board):\n    open('/tmp/mine', 'w').write('x')\n    open('beside', 'w')\n    return 0\n"
    )
    agent = SubprocessAgent(sources.python(bot, "", {}), ProcessLimits(sandbox=True))
    with pytest.raises(Failure, match="Read-only file system: 'beside'"):
        agent.choose(Board(), Limits())
    assert not Path("/tmp/mine").exists()


SEARCH = """
from contextlib import suppress
from agents import Analysis, Limits
from agents.cache import kernel_directory
from agents.specs.registry import parse

kept = kernel_directory()
files = {*kept.parent.rglob("*.nb[ci]")}
for file in files:
    with suppress(OSError):
        file.write_text("changed")
with suppress(OSError):
    kept.with_name("new.nbi").touch()

def choose(board):
    agent = parse("alphabeta:depth=2,heuristic=zero").build()
    found = agent.choose(board, Limits())
    from agents.search.compiled import no_order
    return Analysis(found.column, extra={"seen": len(files), "loaded": sum(no_order.stats.cache_hits.values())})
"""


@needs("bwrap")
@pytest.mark.skipif(not JIT, reason="no kernel is compiled")
def test_a_sandbox_shows_compiled_kernels_to_be_read_only(tmp_path, monkeypatch):
    """A search in it compiles none anew, and what it writes reaches no other process."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "bot").mkdir()
    bot = tmp_path / "bot" / "bot.py"
    bot.write_text(SEARCH)
    subprocess.run(
        [sys.executable, "-m", "arena", "move", "alphabeta:depth=2,heuristic=zero"], check=True, capture_output=True
    )
    other = kernel_directory().with_name(f"{kernel_directory().name}-user-0") / "secret.nbi"
    other.parent.mkdir()
    other.touch()
    before = {path: path.read_bytes() for path in (tmp_path / "cache").rglob("*") if path.is_file()}
    agent = SubprocessAgent(sources.python(bot, "", {}), ProcessLimits(sandbox=True))
    found = agent.choose(Board(), Limits())
    agent.close()
    kernels = sum(path.suffix in {".nbi", ".nbc"} for path in before) - 1  # not the other's
    assert found.extra == {"seen": kernels, "loaded": 1}
    assert {path: path.read_bytes() for path in (tmp_path / "cache").rglob("*") if path.is_file()} == before


@needs("bwrap")
def test_a_sandbox_shows_of_a_folder_only_what_is_its_own(tmp_path):
    for name in ("bot.py", "other.py", "shared.py"):
        (tmp_path / name).write_text(
            "import os\ndef choose(board):\n    return ' '.join(sorted(os.listdir(os.path.dirname(__file__))))\n"
        )
    source = sources.python(tmp_path / "bot.py", "", {})
    source = replace(source, files=(str(tmp_path / "bot.py"), str(tmp_path / "shared.py")))
    agent = SubprocessAgent(source, ProcessLimits(sandbox=True))
    assert agent.choose(Board(), Limits()).column == "bot.py shared.py"
    agent.close()


@needs("bwrap")
@pytest.mark.parametrize(
    ("name", "kind"),
    [("Segfaults", "crashed (SIGSEGV)"), ("Leaves", "left (exit code 3)"), ("Loops", "out of time")],
)
def test_what_ends_a_process_agent_is_told_through_the_walls(name, kind):
    agent = SubprocessAgent(sources.python(BAD, name, {}), ProcessLimits(start_timeout=10.0, sandbox=True))
    agent.prepare(Rules())
    agent.choose(Board(), Limits())
    agent.choose(Board(), Limits())
    if kind == "out of time":
        agent.process_limits = replace(agent.process_limits, start_timeout=0.2)
    with pytest.raises(Failure) as raised:
        agent.choose(Board(), Limits())
    assert raised.value.kind == kind


@needs("bwrap")
def test_an_agent_cannot_kill_its_referee():
    agent = SubprocessAgent(sources.python(BAD, "KillsItsParent", {}), ProcessLimits(start_timeout=10.0, sandbox=True))
    agent.prepare(Rules())
    agent.process_limits = replace(agent.process_limits, start_timeout=0.2)
    with pytest.raises(Failure):
        agent.choose(Board(), Limits())
    assert os.getpid()


@needs("bwrap")
def test_a_sandbox_stands_where_nobody_knows_the_users_home(monkeypatch):
    monkeypatch.delenv("HOME")
    monkeypatch.setattr("pwd.getpwuid", lambda number: {}[number])
    assert columns("Leftmost", walls=True) == [0, 0, 0, 0]


def test_where_there_is_no_bubblewrap_one_line_says_how_to_get_it(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    sandbox.bubblewrap.cache_clear()
    with pytest.raises(InputError, match="apt-get install bubblewrap"):
        sandbox.bubblewrap()
    sandbox.bubblewrap.cache_clear()


def test_where_namespaces_are_refused_one_line_says_so(monkeypatch, tmp_path):
    refuses = tmp_path / "bwrap"
    refuses.write_text("#!/bin/sh\necho 'bwrap: No permissions to create a new namespace' >&2\nexit 1\n")
    refuses.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    sandbox.bubblewrap.cache_clear()
    with pytest.raises(InputError, match="refuses the namespaces that it needs: bwrap: No permissions"):
        sandbox.bubblewrap()
    sandbox.bubblewrap.cache_clear()


@needs("bwrap")
def test_what_leaves_its_group_ends_with_its_sandbox(tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text(
        "import os, time\ndef choose(board):\n    if os.fork() == 0:\n        os.setsid()\n        time.sleep(1000)\n"
        "    return 0\n"
    )
    source = replace(sources.python(bot, "", {}), environment=(("MARKER", str(tmp_path)),))

    def left():
        found = []
        for path in Path("/proc").glob("[0-9]*/environ"):
            with contextlib.suppress(OSError):
                if f"MARKER={tmp_path}".encode() in path.read_bytes():
                    found.append(path)
        return found

    agent = SubprocessAgent(source, ProcessLimits(sandbox=True))
    agent.choose(Board(), Limits())
    assert len(left()) >= 2
    agent.close()
    until = time.monotonic() + 5
    while left():
        assert time.monotonic() < until, left()
        time.sleep(0.05)


def test_of_proc_the_processes_and_what_programs_read_are_shown_and_all_else_is_covered(tmp_path, monkeypatch):
    for name in ("12", "bus", "sys"):
        (tmp_path / name).mkdir()
    for name in ("cpuinfo", "kcore"):
        (tmp_path / name).touch()
    (tmp_path / "self").symlink_to("12")
    monkeypatch.setattr(sandbox, "Path", lambda place: {"/proc": tmp_path}[place])
    bus, cpuinfo, kcore, system = (f"{tmp_path}/{name}" for name in ("bus", "cpuinfo", "kcore", "sys"))
    assert sandbox._masks() == [
        "--tmpfs", bus, "--remount-ro", bus, "--ro-bind", cpuinfo, cpuinfo, "--ro-bind", os.devnull, kcore,
        "--ro-bind", system, system,
    ]  # fmt: skip


def bubblewrap(monkeypatch, *ends):
    """Return what is found out of bubblewrap where its tries end so, and the tries."""
    left, tries = [*ends], []

    def run(tried, *, capture_output, text, timeout, check):
        assert (capture_output, text, timeout) == (True, True, 10)
        tries.append(tried)
        end = left.pop(0)
        if isinstance(end, Exception):
            raise end
        if end and check:
            raise subprocess.CalledProcessError(1, tried)
        return SimpleNamespace(returncode=int(bool(end)), stderr=end)

    monkeypatch.setattr(sandbox.sys, "platform", "linux")
    monkeypatch.setattr(sandbox.shutil, "which", lambda name, path: f"/usr/bin/{name}")
    monkeypatch.setattr(sandbox.subprocess, "run", run)
    try:
        return sandbox.bubblewrap.__wrapped__(), tries
    except InputError as error:
        return str(error), tries


@pytest.mark.skipif(sys.platform != "linux", reason="there is no /proc here")
def test_a_sandbox_shares_no_namespace_keeps_no_right_and_holds_little(monkeypatch):
    words, [tried] = bubblewrap(monkeypatch, "")
    folders = [f"--size {64 << 20} --tmpfs {folder}" for folder in ("/tmp", "/dev/shm")]
    shown = [f"--ro-bind /proc/{name} /proc/{name}" for name in ("cpuinfo", "loadavg", "meminfo", "stat", "uptime")]
    for wall in ("--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent", "--cap-drop ALL",
                 "--proc /proc", "--dev /dev", *folders, *shown):  # fmt: skip
        assert f" {wall} " in f"{' '.join(words)} "
    assert words[0] == "/usr/bin/bwrap"
    closed = ["--remount-ro", "/dev", "--remount-ro", "/", "true"]
    assert tried == [words[0], "--ro-bind", "/", "/", *words[1:], *closed]


def test_of_the_settings_of_the_system_only_what_finds_programs_and_libraries_is_shown():
    shown = list(sandbox._readable([sys.executable], sources.python(BAD, "Leftmost", {})))
    assert [path for path in shown if path.startswith("/etc")] == ["/etc/alternatives", "/etc/ld.so.cache"]
    assert not {"/", "/home", "/var", "/tmp"} & set(shown)


def test_bubblewrap_before_0_8_is_refused(monkeypatch):
    said, tries = bubblewrap(monkeypatch, "bwrap: Unknown option --disable-userns\n")
    assert said == "--sandbox needs bubblewrap 0.8 or later; /usr/bin/bwrap is older"
    assert len(tries) == 1


def test_why_there_are_no_sandboxes_is_said_in_one_line(monkeypatch):
    refuses = "--sandbox: this system refuses the namespaces that it needs: "
    said, tries = bubblewrap(monkeypatch, "bwrap: x\nbwrap: no permissions\n")
    assert (said, len(tries)) == (f"{refuses}bwrap: no permissions", 1)
    late = subprocess.TimeoutExpired("bwrap", 10)
    for error in (PermissionError(13, "Permission denied"), late):
        assert bubblewrap(monkeypatch, error)[0] == f"--sandbox: /usr/bin/bwrap does not run: {error}"
    monkeypatch.setattr(sandbox.shutil, "which", lambda name, path: None)
    with pytest.raises(InputError, match=r"^--sandbox needs bubblewrap on Linux: apt-get install bubblewrap$"):
        sandbox.bubblewrap.__wrapped__()
