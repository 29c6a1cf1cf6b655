"""The process of an agent: start it, exchange lines with it under deadlines, and kill it.

The process leads a process group. It shares only pipes with the referee: one for questions, one for answers, and one
for its other output, which keeps the last 4 KB.
"""

from __future__ import annotations

import os
import select
import shlex
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from agents.errors import InputError
from agents.failure import PROTOCOL, TIME, Failure, ended, quoted
from agents.masking import Mask
from agents.process_agent import ProcessLimits
from agents.processes import watchdog
from agents.processes.launch import CANNOT_START, MARK, kill
from agents.processes.pause import pause, resume

LONGEST_LINE = 1 << 17
KEPT_OUTPUT = 4096
SECRET = 8
"""Values of variables from this length on are hidden: they may be keys."""
QUIT_TIMEOUT = 0.2
"""Seconds that a process has to end after its input ends."""
_TICK = 0.05
_LAUNCH = str(Path(__file__).with_name("launch.py"))


def _debug_file(path: str) -> int:
    """Open a file to append lines to. Raises InputError."""
    try:
        return os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    except OSError as error:
        raise InputError(f"--debug {path}: {error.strerror}") from error


class Process:
    """A running agent. Every method that may wait takes a deadline on `time.perf_counter` and raises Failure."""

    def __init__(
        self, command: Sequence[str], folder: str, variables: Mapping[str, str], extra: Mapping[str, str],
        process_limits: ProcessLimits, *, own_pipe: bool,
    ) -> None:  # fmt: skip
        """Start the process.

        command, folder: the words of the program, and the folder that it runs in.
        variables: the environment of the launcher and of the agent.
        extra: more variables of the agent. They reach it through a pipe, because other users can read command lines.
        own_pipe: append two descriptors, for questions and answers, to the command; otherwise use stdin and stdout.
        """
        self.mask = Mask(extra.values(), shortest=SECRET)
        self._debug = _debug_file(process_limits.debug) if process_limits.debug else -1
        # The other ends of the pipes are the process's: it reads questions, variables and the end of the guard.
        their_questions, self._questions = os.pipe()
        self._answers, their_answers = os.pipe()
        self._log, their_log = os.pipe()
        their_guard, self._guard = os.pipe()
        their_variables, variables_pipe = os.pipe()
        theirs = [their_questions, their_answers, their_log, their_guard, their_variables]
        stdin, stdout, passed, words = their_questions, their_answers, [their_guard, their_variables], [*command]
        if own_pipe:
            stdin, stdout = subprocess.DEVNULL, their_log
            passed += [their_questions, their_answers]
            words += [str(their_questions), str(their_answers)]
        self.process_limits = process_limits
        self._buffer = bytearray()
        self._output, self._waiting = b"", b""
        """The end of its other output, and bytes that may be the beginning of a secret."""
        self._verdict: Failure | None = None
        self._stopped: list[int] = []
        self.most_memory = process_limits.memory << 20
        self._mark = "" if process_limits.sandbox else os.urandom(8).hex()
        """What the environment of all that it starts holds, so that no group or session hides it; not in a sandbox."""
        if process_limits.sandbox:
            texts = [text for pair in extra.items() for text in ("--setenv", *pair)]
        else:
            texts = [text for pair in {**extra, MARK: self._mark}.items() for text in pair]
        try:
            self._process = subprocess.Popen(  # noqa: S603  it is what the user named
                self._launch(folder, words, their_guard, their_variables), stdin=stdin, stdout=stdout,
                stderr=their_log, pass_fds=passed, cwd="/", env=dict(variables), start_new_session=True,
            )  # fmt: skip
        except BaseException:
            os.close(variables_pipe)
            self._close()
            raise
        finally:
            for descriptor in theirs:
                os.close(descriptor)
        with suppress(BrokenPipeError), open(variables_pipe, "wb") as file:  # noqa: PTH123  a descriptor
            file.write(b"".join(os.fsencode(text) + b"\0" for text in texts))
        os.set_blocking(self._questions, False)
        self._poll = select.poll()
        for descriptor in (self._answers, self._log):
            os.set_blocking(descriptor, False)
            self._poll.register(descriptor, select.POLLIN)
        self._lock = threading.RLock()
        """Held while the process is killed or reaped, so that `pid` still belongs to it."""
        self.pid = self._process.pid
        """The id of the process and of its group."""
        watchdog.watch(self)
        self._note("+", shlex.join(command))

    def _launch(self, folder: str, words: Sequence[str], guard: int, variables: int) -> list[str]:
        """Return the command of the launcher, which starts the program; guard, variables: descriptors to read."""
        launch = [sys.executable, "-I", "-S", _LAUNCH, str(guard), str(self.process_limits.memory), self._mark]
        if self.process_limits.sandbox:
            return [*launch, "/", "-", words[0], "--args", str(variables), *words[1:]]
        return [*launch, folder, str(variables), *words]

    def _note(self, mark: str, text: str) -> None:
        """Append lines to the debug file, with marks: `>` sent, `<` received, `!` other output, `+` start, `-` end."""
        if self._debug < 0:
            return
        text = self.mask.text(text)
        lines = [f"{time.time():.3f} {self.pid} {mark} {line}\n" for line in text.split("\n")]
        os.write(self._debug, "".join(lines).encode(errors="backslashreplace"))

    @property
    def output(self) -> str:
        """The last 4 KB of its other output."""
        self._read_log()
        kept = (self._output + self.mask.end(self._waiting))[-KEPT_OUTPUT:]
        return kept.decode(errors="backslashreplace")

    def taken_output(self) -> str:
        """Return the last 4 KB of its other output, and clear them."""
        self._read_log()
        output, self._output = self._output, b""  # what waits may yet become a secret
        return output.decode(errors="backslashreplace")

    def ask(self, line: str, deadline: float) -> str:
        """Write a line and return the line that answers it. Output before the question is a fault."""
        if early := self.unasked():
            raise Failure(PROTOCOL, f"wrote {quoted(early)} before it was asked")
        self.send(line, deadline)
        return self.receive(deadline)

    def unasked(self) -> str:
        """Return what it wrote since its last received line, and clear it."""
        with suppress(OSError):
            self._buffer += os.read(self._answers, LONGEST_LINE)
        early = self.mask.text(self._buffer.decode(errors="backslashreplace"))
        if early:
            self._note("<", early.removesuffix("\n"))
        self._buffer.clear()
        return early

    def send(self, line: str, deadline: float) -> None:
        """Write a line."""
        self._note(">", line)
        data = memoryview(line.encode() + b"\n")
        while data:
            try:
                data = data[os.write(self._questions, data) :]
            except BlockingIOError:
                self._wait(deadline)
            except OSError:
                raise self._gone() from None

    def receive(self, deadline: float) -> str:
        """Return the next line of its answers."""
        while (end := self._buffer.find(b"\n")) < 0:
            if len(self._buffer) > LONGEST_LINE:
                line = self.mask.text(self._buffer.decode(errors="replace"))
                raise Failure(PROTOCOL, f"its line has no end: {quoted(line[:100])}")
            self._wait(deadline)
        line = self.mask.words(self._buffer[:end].decode(errors="backslashreplace"))
        del self._buffer[: end + 1]
        self._note("<", line)
        return line.rstrip("\r")

    def _wait(self, deadline: float) -> None:
        """Read for a moment. Raises Failure if time is up, or the process has ended or exceeds a limit."""
        now = time.perf_counter()
        if now > deadline:
            watchdog.look()  # an exceeded limit is reported before a missed deadline
            raise self._verdict or Failure(TIME)
        events = self._poll.poll(max(1.0, min(deadline - now, _TICK) * 1000))
        for descriptor, _ in events:
            if descriptor == self._log:
                self._read_log()
                continue
            with suppress(BlockingIOError):
                data = os.read(descriptor, LONGEST_LINE)
                if not data:
                    raise self._gone()
                self._buffer += data
        if not events and self._ended() is not None:
            raise self._gone()

    def _read_log(self) -> None:
        with suppress(BlockingIOError, KeyError):  # KeyError: the end of the pipe was read before
            data = os.read(self._log, LONGEST_LINE)
            if data:
                data, self._waiting = self.mask.feed(self._waiting, data)
                if data:
                    self._note("!", data.decode(errors="backslashreplace").removesuffix("\n"))
                self._output = (self._output + data)[-KEPT_OUTPUT:]
            else:
                self._poll.unregister(self._log)
                rest, self._waiting = self.mask.end(self._waiting), b""
                if rest:
                    self._note("!", rest.decode(errors="backslashreplace"))
                self._output = (self._output + rest)[-KEPT_OUTPUT:]

    def _gone(self) -> Failure:
        """Return the failure that ended the process, or that it closed its pipe."""
        code = self._ended(1.0)
        if code is None:
            return Failure(PROTOCOL, "closed its pipe")
        if self._verdict is not None:
            return self._verdict
        if code == CANNOT_START:
            return Failure(ended(code), self.output.strip().rpartition("\n")[2] or "it cannot be started")
        if self.process_limits.sandbox and code > 128:  # bubblewrap adds 128 to the number of a signal
            code = 128 - code
        return Failure(ended(code))

    def _ended(self, seconds: float = 0.0) -> int | None:
        """Return the exit code if it ends within so many seconds; do not reap it, so that its id stays reserved."""
        until, pause = time.perf_counter() + seconds, 0.0005
        while (code := self._code()) is None and (left := until - time.perf_counter()) > 0:
            time.sleep(min(pause, left))
            pause = min(2 * pause, _TICK)
        return code

    def _code(self) -> int | None:
        if hasattr(os, "waitid"):
            with suppress(ChildProcessError):  # where SIGCHLD is ignored
                status = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
                return status and (status.si_status if status.si_code == os.CLD_EXITED else -status.si_status)
        with self._lock:  # macOS has no waitid before Python 3.13, and `poll` reaps: kill the rest of the group at once
            if self._process.returncode is None and self._process.poll() is not None:
                kill(self.pid, self._mark)
            return self._process.returncode

    def pause(self) -> None:
        """Stop what runs in its sandbox until `resume`; without a sandbox do nothing."""
        if self.process_limits.sandbox and not self._stopped:
            self._stopped = pause(self.pid)

    def resume(self) -> None:
        """Let what runs in its sandbox go on."""
        stopped, self._stopped = self._stopped, []
        resume(stopped)

    def kill(self) -> None:
        """Kill its group and all that it started; safe while another thread waits for an answer."""
        with self._lock:
            if self._process.returncode is None:  # otherwise the id may belong to another process
                kill(self.pid, self._mark)

    def condemn(self, verdict: Failure) -> None:
        """Kill its whole group; a waiting caller raises the verdict."""
        self._verdict = verdict
        self.kill()

    def close(self) -> None:
        """End its input, wait up to QUIT_TIMEOUT, and kill what is left of its group. It cannot be used again."""
        watchdog.leave(self)
        self.resume()  # it can only end by itself while it runs
        os.close(self._questions)
        self._questions = -1
        self._ended(QUIT_TIMEOUT)
        with self._lock:
            self.kill()
            with suppress(OSError):
                os.write(self._guard, b".")
            self._process.wait()
        self._note("-", "ended")
        self._close()

    def _close(self) -> None:
        for descriptor in (self._questions, self._answers, self._log, self._guard, self._debug):
            with suppress(OSError):
                os.close(descriptor)
