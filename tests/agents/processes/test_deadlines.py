"""By when a process agent has to answer: its own limits, those of the game and the clock, on a clock that stands."""

import pytest

from agents.agent import Limits
from agents.board import Board, Rules
from agents.process_agent import ProcessLimits, Source
from agents.processes import agent as ours
from agents.processes import uci
from agents.processes.agent import SubprocessAgent

NOW = 1000.0
REPLIES = {"cmd": ["4", "4"], "uci": ["uciok", "readyok", "readyok", "bestmove P@d1"]}


class StandIn:
    """Answers with its lines in place of a process, and keeps what is sent and by when it is to be answered."""

    output = ""

    def __init__(self, lines):
        self.lines, self.sent = [*lines], []

    def send(self, line, deadline):
        self.sent.append((line, deadline - NOW))

    def receive(self, deadline):
        return self.lines.pop(0)

    def ask(self, line, deadline):
        self.send(line, deadline)
        return self.receive(deadline)

    def unasked(self):
        return ""

    def pause(self):
        """Has no sandbox."""

    resume = kill = close = pause


@pytest.mark.parametrize(
    ("protocol", "own", "limits", "asked", "seconds"),
    [
        ("cmd", Limits(), Limits(), "", 5.0), ("cmd", Limits(), Limits(seconds=2.0), "", 2.25),
        ("cmd", Limits(), Limits(remaining=5.0, opponent_remaining=7.0, increment=0.5), "", 5.25),
        ("uci", Limits(nodes=70, seconds=4.0), Limits(), "go nodes 70 movetime 4000", 4.25),
        ("uci", Limits(nodes=70, seconds=4.0), Limits(nodes=9, seconds=2.0), "go nodes 9 movetime 2000", 2.25),
        ("uci", Limits(nodes=70, seconds=4.0), Limits(5, 90, 9.0), "go depth 5 nodes 70 movetime 4000", 4.25),
        ("uci", Limits(nodes=70, seconds=4.0), Limits(seconds=1.0, remaining=3.0), "go nodes 70 movetime 1000", 3.25),
        ("cmd", Limits(seconds=4.0), Limits(seconds=1.0, remaining=30.0), "", 4.25),
    ],
)  # fmt: skip
def test_an_answer_is_due_at_the_end_of_the_limit_or_else_of_its_patience(
    monkeypatch, protocol, own, limits, asked, seconds
):
    process = StandIn(REPLIES[protocol])
    for module in (ours, uci):
        monkeypatch.setattr(module.time, "perf_counter", lambda: NOW)
    monkeypatch.setattr(ours, "Process", lambda *_, **__: process)
    patience = ProcessLimits(start_timeout=5.0, margin=0.25, sandbox=False)
    agent = SubprocessAgent(Source(protocol, ("/bin/engine",), "/", (), (), own), patience)
    agent.prepare(Rules())
    assert {seconds for _, seconds in process.sent} == {5.0}
    assert agent.choose(Board(), limits).column == 3
    assert process.sent[-1] == (asked, seconds)
