"""Agents that hide memory and processes, and what is left of them."""

import time
from dataclasses import replace
from pathlib import Path

from agents.process_agent import ProcessLimits
from agents.processes.agent import SubprocessAgent
from agents.specs import sources

HIDES = {
    "shared": """
    kept.append(mmap.mmap(-1, 300 << 20))
    kept[0].write(bytes(300 << 20))
""",
    "setsid": """
    for _ in range(2):
        if os.fork() == 0:
            os.setsid()
            if os.fork():
                os._exit(0)
            kept.append(bytearray(b"x") * (150 << 20))
            time.sleep(1000)
""",
    "crowd": """
    for number in range(40):
        if os.fork() == 0:
            os.setsid() if number % 2 else os.setpgid(0, 0)
            if os.fork():
                os._exit(0)
            time.sleep(1000)
""",
}
SETSID = """
    if os.fork() == 0:
        os.setsid()
        time.sleep(1000)
"""


def agent_of(folder, body, **limits):
    """Return an agent whose move begins with these lines."""
    bot = folder / "hides.py"
    end = f"    time.sleep({limits.pop('wait', 20)})\n    return 0\n"
    bot.write_text(f"import mmap, os, time\nkept = []\ndef choose(board):\n    pass{body}{end}")
    source = replace(sources.python(bot, "", {}), environment=(("MARKER", str(folder)),))
    return SubprocessAgent(source, ProcessLimits(**{"memory": 200} | limits))


def left(folder):
    """Return the processes of this folder's agent."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            state = (path / "stat").read_bytes().rpartition(b")")[2].split()[0]
            if state != b"Z" and f"MARKER={folder}".encode() in (path / "environ").read_bytes():
                found.append(path.name)
        except OSError:
            continue
    return found


def all_gone(folder):
    until = time.monotonic() + 10
    while left(folder):
        assert time.monotonic() < until, left(folder)
        time.sleep(0.05)
