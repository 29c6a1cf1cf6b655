"""Agents checked before they play."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agents.board import Rules
from agents.errors import InputError
from arena.games.progress import bar
from arena.games.settings import rules_of, whole
from arena.table.measured import Progress

if TYPE_CHECKING:
    from agents.specs.registry import Spec
    from arena.games.check import Checked

# Checks of agents before they play, and of searches against each other.


@dataclass(frozen=True, slots=True)
class Checks:
    """The results of `check`."""

    rows: list[Checked]
    remarks: list[str]
    """Lines about other files in folders."""
    interrupted: str = ""
    """The place where Ctrl-C ended it, in words; the check of the agent in the last row is then incomplete."""


def check(
    agents: Sequence[str],
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    margin: float = 0.1,
    patience: float = 60.0,
    memory: int = 1024,
    sandbox: bool = False,
    debug: str = "",
    positions: int = 200,
    rules: Rules | str = "7x6x4",
    progress: Progress = False,
) -> Checks:
    """Start agents, also those of folders and rosters, ask each for moves in many positions, and return a row for each.

    An agent is ok if it would forfeit no game: it loads, starts, and answers with legal moves in time. seconds, nodes:
    the limits of a move, with a `margin` past the seconds. patience: seconds to start, and for a move without a limit.
    memory: megabytes of each process. sandbox: whether to use a sandbox. debug: a file to append all lines sent and
    received to. positions: their number. rules: the board. Raises InputError if a sandbox is not available.
    """
    from agents.agent import Limits
    from agents.process_agent import check_sandbox
    from arena.games.check import Checked, check
    from arena.games.entrants import specs_of
    from arena.games.entries import invited

    whole("positions", positions, 1, 100_000)
    if sandbox:
        check_sandbox()
    apart = {"patience": patience, "memory": memory, "sandbox": sandbox, "everyone": True, "debug": debug}
    named: list[tuple[Checked, Spec | None]] = []
    comments: list[str] = []
    for text in agents:
        try:
            names, entries, unfit, remarks = invited([text])
            specs = specs_of([(name, entry, None) for name, entry in zip(names, entries, strict=True)], apart)
        except InputError as error:
            named.append((Checked(text, ok=False, problems=[str(error)]), None))
            continue
        named += [(Checked(line.name, ok=False, problems=[line]), None) for line in unfit]
        named += zip(map(Checked, names), specs, strict=True)
        comments += remarks
    board = rules_of(rules)
    rows: list[Checked] = []
    with bar(progress, "position", positions * len(named)) as shown:
        for row, spec in named:
            rows.append(row)
            shown.set_postfix_str(row.agent)
            try:
                if spec is not None:
                    check(row, spec, Limits(nodes=nodes, seconds=seconds), margin, board, positions, shown.update)
            except KeyboardInterrupt:
                return Checks(rows, comments, f"at {row.agent}, after {row.positions} of {positions} positions")
            shown.update(positions * len(rows) - shown.n)  # the positions that were skipped
    return Checks(rows, comments)


def limits_in_force() -> str:
    """Return a phrase that says how this machine limits memory and processes of remote agents."""
    from agents.process_agent import limits_in_force

    return limits_in_force()
