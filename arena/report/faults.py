"""The faults of a run as text: what happened, where, and how to see it again."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from arena.analysis.fault_reports import FaultReport


def paragraphs(found: Sequence[FaultReport]) -> str:
    """Return a paragraph for each kind of fault."""
    return "\n\n".join(map(_paragraph, found)) or "no faults"


def _paragraph(fault: FaultReport) -> str:
    often = f"{fault.games} game{'s' if fault.games > 1 else ''}"
    lines = [f"{fault.agent}: {fault.termination}, {often}"]
    if fault.detail:
        lines.append(f"  {fault.detail}")
    for title, said in (("", fault.traceback), ("the end of its output:", fault.output)):
        if said:
            lines += [f"  {title}"] if title else []
            lines.append(textwrap.indent(said.rstrip("\n"), "    "))
    lines.append(f"  first in game {fault.game}; again: {fault.command}")
    return "\n".join(lines)
