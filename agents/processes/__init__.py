"""Agents in processes of their own: Python files, programs and engines."""

from agents.specs.parameters import Program

PROGRAMS = {
    "cmd": Program("agents.processes.cmd:Cmd"),
    "uci": Program("agents.processes.uci:Uci", options=True),
    "pons": Program("agents.processes.pons:Pons"),
}
"""Protocols by the prefix of their specs, see `agents.specs.kinds`."""
