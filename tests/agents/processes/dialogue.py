"""The referee's end of a protocol, with a script at its other end."""

import time

from agents.failure import TIME, Failure
from agents.process_agent import Source

SOON = time.perf_counter() + 1e6


class Script:
    """Stands in for a process: it gives its lines in their order, and keeps those that it is sent."""

    def __init__(self, *lines):
        self.lines, self.sent, self.cleared = [*lines], [], 0

    def send(self, line, deadline):
        self.sent += line.split("\n")

    def receive(self, deadline):
        if not self.lines:
            raise Failure(TIME)
        return self.lines.pop(0)

    def ask(self, line, deadline):
        self.send(line, deadline)
        return self.receive(deadline)

    def unasked(self):
        self.cleared += 1
        return ""


def talk(protocol, *lines, options=()):
    """Return the referee's end of a protocol, and the script at its other end."""
    script = Script(*lines)
    return protocol(Source("", ("engine",), "/", options), script), script
