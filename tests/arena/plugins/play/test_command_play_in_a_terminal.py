"""A game that is typed into a terminal."""

import os
import pty
import re
import select
import signal
import subprocess
import time

import pytest
from command import PROGRAM, ROOT

pytestmark = pytest.mark.process


def test_bytes_that_are_no_text_are_answered_kindly():
    done = subprocess.run(
        [*PROGRAM, "play", "greedy"], cwd=ROOT, input=b"\xff\xfe\n4\n", capture_output=True, check=True
    )
    assert b"Sorry, I do not know" in done.stdout
    assert done.stderr == b""


class Terminal:
    """A terminal of 40 columns in which `arena play` runs."""

    def __init__(self, *words, **environment):
        self.leader, follower = pty.openpty()
        clean = {name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "TERM"}}
        self.process = subprocess.Popen(
            [*PROGRAM, "play", *words],
            cwd=ROOT,
            stdin=follower,
            stdout=follower,
            stderr=follower,
            env=clean | {"TERM": "xterm", "COLUMNS": "40"} | environment,
            start_new_session=True,
        )
        os.close(follower)
        self.seen = ""

    def until(self, text, seconds=120):
        """Read on until the text is seen."""
        end = time.monotonic() + seconds
        at = len(self.seen)
        while text not in self.seen[at:]:
            if time.monotonic() > end:
                self.process.kill()
                pytest.fail(f"{text!r} did not come: {self.seen!r}")
            if select.select([self.leader], [], [], 0.2)[0]:
                try:
                    self.seen += os.read(self.leader, 4096).decode()
                except OSError:  # the other side is closed
                    break
        return self.seen[at:]

    def type(self, text):
        os.write(self.leader, text.encode())

    def end(self):
        """Return the exit code, with everything read."""
        self.until("\0 nothing says this", seconds=60)
        os.close(self.leader)
        return self.process.wait(10)


def test_a_game_in_a_terminal_is_in_colour_and_ends_with_the_input():
    terminal = Terminal("greedy", "--seed", "1")
    terminal.until("Your move, X: ")
    terminal.type("4\n")
    assert "\x1b[33mX\x1b[0m" in terminal.until("Your move, X: ")
    terminal.type("\x04")
    assert terminal.end() == 0
    assert re.search(r"Your move, X: \r\nMoves: 4\d\r\n$", terminal.seen)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", terminal.seen)
    assert max(map(len, plain.splitlines())) <= 40


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_colour_is_left_out_where_it_is_not_wanted(environment):
    terminal = Terminal("greedy", **environment)
    terminal.until("Your move, X: ")
    terminal.type("4\n")
    terminal.until("Your move, X: ")
    terminal.type("quit\n")
    assert terminal.end() == 0
    assert "\x1b" not in terminal.seen


def test_ctrl_c_at_the_prompt_leaves_with_the_moves():
    terminal = Terminal("greedy", "--position", "44")
    terminal.until("Your move, X: ")
    terminal.process.send_signal(signal.SIGINT)
    assert terminal.end() == 0
    assert terminal.seen.endswith("Moves: 44\r\n")
    assert "Traceback" not in terminal.seen


def test_ctrl_c_is_heard_while_the_agent_thinks():
    terminal = Terminal("alphabeta:seconds=600", "--second")
    terminal.until("thinks")
    time.sleep(0.5)
    began = time.monotonic()
    terminal.process.send_signal(signal.SIGINT)
    assert terminal.end() == 0
    assert time.monotonic() - began < 30
    assert terminal.seen.endswith("Moves: none\r\n")
    assert "Traceback" not in terminal.seen


def test_ctrl_c_stops_the_watching():
    terminal = Terminal("greedy", "random", "--delay", "30")
    terminal.until("Getting ready")
    time.sleep(1)
    terminal.process.send_signal(signal.SIGINT)
    assert terminal.end() == 0
    assert terminal.seen.endswith("Moves: none\r\n")
