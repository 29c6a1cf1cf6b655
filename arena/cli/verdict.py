"""What makes a run fail: for programs that look at the exit code, as a continuous integration does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agents.errors import InputError
from arena.cli.options import with_options
from arena.cli.width import say

if TYPE_CHECKING:
    from arena.analysis.frames import Frames

UNDECIDED = "undecided"

verdict_options = with_options(
    click.option("--fail-on-faults", is_flag=True, help="Exit with 1 if an agent lost a game by its own fault."),
    click.option(
        "--fail-if", "decisions", type=click.Choice(["H0", "H1", UNDECIDED]), multiple=True,
        help="Exit with 1 if --sprt ends with this decision. Repeatable.",
    ),
)  # fmt: skip


def judge(frames: Frames, decisions: tuple[str, ...], *, fail_on_faults: bool) -> int:
    """Say on stderr what the run fails by, and return the exit code: 1, or 0. Raises InputError without a test."""
    from arena.analysis.evidence import evidence
    from arena.analysis.faults import faulty

    failures = []
    if decisions:
        if frames.plan.get("sprt") is None:
            raise InputError("--fail-if asks what a sequential test says; --sprt elo0=0,elo1=30 makes one")
        looks = evidence(frames)
        decision = looks[-1].decision if looks else "continue"
        decision = UNDECIDED if decision == "continue" else decision
        failures += [f"the sequential test says {decision}"] if decision in decisions else []
    if fail_on_faults:
        for each in faulty(frames):
            often = f"all {each.games}" if each.faults == each.games else f"{each.faults} of {each.games}"
            failures.append(f"{each.agent} lost {often} games by its own fault: {each.first}")
    for line in failures:
        say(f"failed: {line}")
    return 1 if failures else 0
