"""The talk with a process as a file keeps it, what a process is given to start and to end, and its family."""

import os
import re
import signal
import sys
import threading
import time
from types import SimpleNamespace

import pytest

from agents.errors import InputError
from agents.failure import Failure
from agents.process_agent import ProcessLimits, Source
from agents.processes import process, sandbox
from agents.processes.process import Process


def soon():
    return time.perf_counter() + 10


@pytest.fixture
def shell(tmp_path):
    """A function that starts a shell on a line, within limits and with variables of its own."""
    started = []

    def start(line, own=None, **limits):
        words = ["sh", "-c", line]
        started.append(Process(words, str(tmp_path), os.environ, own or {}, ProcessLimits(**limits), own_pipe=False))
        return started[-1]

    yield start
    for each in started:
        if each._questions >= 0:
            each.close()


def test_the_file_of_a_conversation_holds_that_of_every_process_one_after_the_other(shell, tmp_path):
    talk, own = tmp_path / "talk.txt", {"KEY": "a1b2c3d4", "SHORT": "1234567"}
    talk.write_text("what was there before\n")
    said = []
    for answer in ("one", "$KEY $SHORT"):
        each = shell(
            f"read line; echo beside >&2; echo {answer}; read line; echo; echo b; read line # \udce9",
            own,
            debug=str(talk),
        )
        assert each.ask("asked\nof a1b2c3d4", soon())
        each.send("", soon())
        while len(each._buffer) < 3:
            each._wait(soon())
        assert each.unasked() == "\nb\n"
        while not each.output:
            time.sleep(0.001)
        each.close()
        said.append(each.pid)
    lines = talk.read_text().splitlines()
    assert lines.pop(0) == "what was there before"
    assert all(re.fullmatch(r"\d+\.\d{3} \d+ [-+<>!] .*", line) for line in lines)
    assert all(abs(float(line.split()[0]) - time.time()) < 60 for line in lines)
    found = {pid: [line.split(" ", 2)[2] for line in lines if line.split()[1] == str(pid)] for pid in said}
    for pid, answer, told in zip(said, ("one", "$KEY $SHORT"), ("one", "*** 1234567"), strict=True):
        began = f"+ sh -c 'read line; echo beside >&2; echo {answer}; read line; echo; echo b; read line # \\udce9'"
        assert found[pid][:3] == [began, "> asked", "> of ***"]
        assert found[pid].count("! beside") == 1
        assert [line for line in found[pid][3:-1] if line[0] != "!"] == [f"< {told}", "> ", "< ", "< b"]
        assert found[pid][-1] == "- ended"


def test_the_file_of_a_conversation_is_for_its_user_alone(shell, tmp_path):
    shell("echo", debug=str(tmp_path / "talk.txt")).close()
    assert (tmp_path / "talk.txt").stat().st_mode & 0o777 == 0o600


def test_what_a_process_writes_when_its_input_ends_is_written(shell, tmp_path, monkeypatch):
    monkeypatch.setattr(process, "QUIT_TIMEOUT", 10.0)  # a busy machine takes its time
    one = shell("while read line; do echo $line; done; sleep 0.02; echo learned > memory.txt")
    assert one.ask("4", soon()) == "4"
    one.close()
    assert (tmp_path / "memory.txt").read_text() == "learned\n"


def test_a_line_that_ends_as_in_windows_and_one_that_is_no_text_are_read(shell):
    one = shell(r"printf 'a\r\nb\r\r\n\351\n\303\251\n \tc \r\r\n\n'; read line")
    assert [one.receive(soon()) for _ in range(6)] == ["a", "b", r"\xe9", "é", " \tc ", ""]


def test_what_was_written_before_it_is_asked_is_taken_once(shell):
    one = shell(r"printf 'Hello\n\377'; read line; echo 4; read line")
    while not one._poll.poll(1000):
        pass
    assert one.unasked() == "Hello\n\\xff"
    assert one.unasked() == ""
    assert one.ask("go on", soon()) == "4"


@pytest.mark.parametrize(("last", "told"), [("a1b2", "a1b2"), ("a1b2c", "***"), ("a1b2c3d", "***")])
def test_the_last_words_of_a_process_are_kept_where_they_may_have_begun_a_key(shell, tmp_path, last, told):
    one = shell(f"printf 'so {last}' >&2; exit 3", {"KEY": "a1b2c3d4"}, debug=str(tmp_path / "talk.txt"))
    with pytest.raises(Failure, match=r"left \(exit code 3\)"):
        one.receive(soon())
    assert [one.output for _ in range(3)] == [f"so {told}"] * 3
    lines = [line.split(" ", 2)[2] for line in (tmp_path / "talk.txt").read_text().splitlines()]
    assert lines[1:] == ["! so ", f"! {told}"]


@pytest.mark.parametrize(
    ("code", "walls", "kind"),
    [
        (3, False, "left (exit code 3)"),
        (139, False, "left (exit code 139)"),
        (139, True, "crashed (SIGSEGV)"),
        (128, True, "left (exit code 128)"),
        (129, True, "crashed (SIGHUP)"),
        (-9, True, "crashed (SIGKILL)"),
        (None, False, "protocol error: closed its pipe"),
        (127, False, "left (exit code 127): the last line"),
    ],
)
def test_how_a_process_has_ended_is_told_also_through_the_walls_of_a_sandbox(code, walls, kind):
    ended = SimpleNamespace(
        _ended=lambda seconds: code, _verdict=None, process_limits=ProcessLimits(sandbox=walls),
        output="first\nthe last line\n",
    )  # fmt: skip
    assert str(Process._gone(ended)) == kind
    ended.output = ""
    if code == 127:
        assert str(Process._gone(ended)) == "left (exit code 127): it cannot be started"
    ended._verdict = Failure("out of memory", "so")
    assert str(Process._gone(ended)) == (kind if code is None else "out of memory: so")


@pytest.mark.parametrize(
    ("left", "ended", "waited", "told"),
    [
        (3.0, None, 50.0, None),
        (0.05, None, 50.0, None),
        (0.02, None, 20.0, None),
        (0.0001, None, 1.0, None),
        (0.0, None, 1.0, None),
        (-0.001, None, None, "out of time"),
        (3.0, 3, 50.0, "gone"),
    ],
)
def test_it_is_waited_for_by_the_twentieth_of_a_second_and_not_beyond_the_deadline(
    monkeypatch, left, ended, waited, told
):
    looks, polls, verdicts = [], [], [None, Failure("out of memory", "so")]
    monkeypatch.setattr(process.time, "perf_counter", lambda: 1000.0)
    # The watchdog of processes that other tests have started looks by itself, in a thread of its own.
    monkeypatch.setattr(process.watchdog, "look", lambda: looks.append(threading.current_thread()))
    for verdict in verdicts:
        one = SimpleNamespace(
            _poll=SimpleNamespace(poll=lambda length: polls.append(length) or []), _verdict=verdict,
            _ended=lambda: ended, _gone=lambda: Failure("gone"),
        )  # fmt: skip
        if told is None:
            Process._wait(one, 1000.0 + left)
        else:
            with pytest.raises(Failure) as raised:
                Process._wait(one, 1000.0 + left)
            assert str(raised.value) == ("out of memory: so" if verdict and told == "out of time" else told)
    assert polls == ([] if waited is None else [pytest.approx(waited, abs=1e-6)] * 2)
    assert looks.count(threading.current_thread()) == (2 if told == "out of time" else 0)


@pytest.mark.parametrize(("early", "told"), [("", None), ("so\n", r"'so\n'"), ("x" * 5000, f"'{'x' * 77}…'")])
def test_what_was_said_too_early_is_quoted_by_its_beginning_and_nothing_is_asked(early, told):
    sent = []
    one = SimpleNamespace(
        unasked=lambda: early, send=lambda *given: sent.append(given), receive=lambda until: f"until {until}"
    )
    if told is None:
        assert Process.ask(one, "a\nb", 7.0) == "until 7.0"
        assert sent == [("a\nb", 7.0)]
    else:
        with pytest.raises(Failure) as raised:
            Process.ask(one, "a", 7.0)
        assert str(raised.value) == f"protocol error: wrote {told} before it was asked"
        assert sent == []


@pytest.mark.skipif(not hasattr(os, "waitid"), reason="it is reaped at once there")
@pytest.mark.parametrize(
    ("how", "status", "code"),
    [("CLD_EXITED", 0, 0), ("CLD_EXITED", 139, 139), ("CLD_KILLED", 9, -9), ("CLD_DUMPED", 11, -11), (None, 0, None)],
)
def test_a_signal_has_ended_a_process_with_a_core_or_without(monkeypatch, how, status, code):
    found = how and SimpleNamespace(si_code=getattr(os, how), si_status=status)
    asked = []
    monkeypatch.setattr(process.os, "waitid", lambda *given: asked.append(given) or found)
    assert Process._code(SimpleNamespace(pid=77)) == code
    assert asked == [(os.P_PID, 77, os.WEXITED | os.WNOHANG | os.WNOWAIT)]


def test_a_launcher_is_given_all_that_it_needs_and_the_walls_their_variables(shell, monkeypatch, tmp_path):
    began, plain = [], process.subprocess.Popen

    def popen(words, **rest):
        began.append((words, rest))
        return plain(["true"], **rest)

    monkeypatch.setattr(process.subprocess, "Popen", popen)
    monkeypatch.setattr(process.os, "urandom", bytes)
    for walls in (False, True):
        for own_pipe in (False, True):
            limits = ProcessLimits(memory=99, sandbox=walls)
            one = Process(["bwrap", "x"], str(tmp_path), {"A": "b"}, {"KEY": "v"}, limits, own_pipe=own_pipe)
            assert one.most_memory == 99 << 20
            one.close()
    for number, (words, rest) in enumerate(began):
        passed = [str(each) for each in rest["pass_fds"]]
        place = (
            ["/", "-", "bwrap", "--args", passed[1], "x"] if number > 1 else [str(tmp_path), passed[1], "bwrap", "x"]
        )
        head = [sys.executable, "-I", "-S", process._LAUNCH, passed[0], "99", "" if number > 1 else "00" * 8]
        assert words == [*head, *place, *(passed[2:] if number % 2 else [])]
        assert (rest["cwd"], rest["env"], rest["start_new_session"]) == ("/", {"A": "b"}, True)
        assert len(passed) == (4 if number % 2 else 2)


@pytest.fixture
def machine(monkeypatch):
    """Walls, and a machine with these programs and folders."""
    monkeypatch.setattr(sandbox, "bubblewrap", lambda: ["bwrap"])
    monkeypatch.setattr(sandbox.sys, "path", ["", "/x/site-packages", "/y/lib", "/z/dist-packages"])
    monkeypatch.setattr(sandbox.sys, "prefix", "/venv")
    monkeypatch.setattr(sandbox.sys, "base_prefix", "/base")
    monkeypatch.setattr(sandbox.sys, "executable", "/base/bin/python")
    monkeypatch.setattr(sandbox, "_AGENTS", "/ours/agents")
    monkeypatch.setattr(sandbox, "kernel_directory", lambda: "/kept/kernels")


def readable(command, source):
    """Return what an agent may read beside what all may, and that the latter comes first."""
    found = [path for path in sandbox._readable(command, source) if path != "/kept/kernels"]
    shared = [*sandbox._SYSTEM, *sorted({"/venv", "/base"}), "/x/site-packages", "/z/dist-packages", "/ours/agents"]
    assert sorted(found[: len(shared)]) == sorted(shared)
    return found[len(shared) :]


def test_an_agent_may_read_its_program_wherever_that_is_a_link_to_and_its_folder(machine, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", "/home/me")
    (tmp_path / "engine").touch(0o755)
    (tmp_path / "net").mkdir()
    (tmp_path / "net" / "big.nn").touch()
    (tmp_path / "link").symlink_to("engine")
    folder = str(tmp_path)
    words = (f"{folder}/link", "net/big.nn", "--depth", "none.txt")
    assert readable(words, Source("uci", words, folder)) == [
        f"{folder}/link", f"{folder}/engine", folder, f"{folder}/net", f"{folder}/link", f"{folder}/net/big.nn",
    ]  # fmt: skip
    assert readable(["/none"], Source("uci", ("/none",), folder, files=("/a/b", "/c"))) == ["/a/b", "/c"]
    theirs = Source("python", ("bot.py", "Bot"), folder, (("python", "link"),))
    (tmp_path / "env" / "bin").mkdir(parents=True)
    (tmp_path / "env" / "bin" / "python").symlink_to("/usr/bin/env")
    found = readable([f"{folder}/env/bin/python"], theirs)
    assert found[:2] == [f"{folder}/env/bin/python", os.path.realpath("/usr/bin/env")]
    assert {*found[2:4]} == {f"{folder}/env", str(os.path.realpath("/usr/bin/env")).removesuffix("/bin/env")}
    assert found[4:] == [folder]


@pytest.mark.parametrize("wide", ["/", "/tmp", "/home/me", "/home"])
def test_no_folder_of_many_is_read_whole_for_an_agent_in_it(machine, wide, monkeypatch):
    monkeypatch.setenv("HOME", "/home/me")
    assert readable(["/none"], Source("cmd", ("/none", "x"), wide)) == []
    below = f"{wide.rstrip('/')}/agents-of-mine"
    assert readable(["/none"], Source("cmd", ("/none", "x"), below)) == [below]


def test_what_lies_in_a_folder_that_is_there_is_not_bound_again(machine, tmp_path):
    words = sandbox.enclosed(
        ["/none", "x"], Source("cmd", ("/none",), "/w", files=("/usr/bin/x", "/w/a", "/w/a/b", "/w"))
    )
    bound = [words[place + 1 : place + 3] for place, word in enumerate(words) if word == "--ro-bind-try"]
    assert all(one == other for one, other in bound)
    assert [one for one, _ in bound][-2:] == ["/w/a", "/w"]
    end = ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/w", "--", *sandbox._FEW_PROCESSES, "/none", "x"]
    assert words[-len(end) :] == end


def test_bubblewrap_is_searched_for_where_no_agent_can_put_another(monkeypatch):
    searched = []
    monkeypatch.setattr(sandbox.shutil, "which", lambda name, path: searched.append((name, path)))
    for path in ("bin:/usr/bin::.:/opt", ""):
        monkeypatch.setenv("PATH", path)
        with pytest.raises(InputError):
            sandbox.bubblewrap.__wrapped__()
    monkeypatch.delenv("PATH")
    with pytest.raises(InputError):
        sandbox.bubblewrap.__wrapped__()
    assert searched == [("bwrap", "/usr/bin:/opt"), ("bwrap", ""), ("bwrap", sandbox.absolute(os.defpath))]


@pytest.mark.skipif(sys.platform != "linux", reason="nothing lists signals here")
def test_a_program_hears_ctrl_c_also_where_the_arena_does_not(tmp_path):
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        words = ["grep", "-E", "SigBlk|SigIgn", "/proc/self/status"]
        one = Process(words, str(tmp_path), os.environ, {}, ProcessLimits(), own_pipe=False)
        blocked, ignored = (int(one.receive(soon()).split()[1], 16) for _ in range(2))
        one.close()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        signal.signal(signal.SIGINT, before)
    assert (blocked, ignored >> signal.SIGINT - 1 & 1) == (0, 0)
