"""A stored run that is to be merged with others: what its file says of it, and what others must have as well."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agents.errors import InputError
from arena.play.course import Listed
from arena.play.plan import Plan
from arena.store.machine import made
from arena.store.store import Store

KEPT = ("name", "spec", "kind", "parameters", "deterministic", "stranger", "author", "digest")
"""What is stored of an agent."""


@dataclass(frozen=True, slots=True)
class Part:
    """One of the runs, as its file describes it."""

    path: Path
    """As it was named."""
    file: Path
    """What is read: the same, or a copy of it in this format."""
    plan: Plan
    document: Mapping[str, Any]
    """The plan as it is stored."""
    agents: Mapping[str, Mapping[str, Any]]
    """What is stored of each, by name."""
    openings: Sequence[tuple[str, int | None]]
    """Moves and, where known, value."""
    made: Mapping[str, Any]
    games: int

    @classmethod
    def read(cls, path: Path, file: Path) -> Part:
        """Read it. Raises InputError where it cannot be merged with any other."""
        with Store.read(file) as store, store.snapshot():
            document = store.plan()
            plan = Plan.from_document(document)
            agents = store.select(f"SELECT {', '.join(KEPT)} FROM agent ORDER BY id")[1]  # noqa: S608
            openings = store.select("SELECT moves, value FROM opening ORDER BY id")[1]
            games = int(store.value("SELECT count(*) FROM game"))
            known = {row[0]: dict(zip(KEPT, row, strict=True)) for row in agents}
            part = cls(path, file, plan, document, known, [(str(moves), value) for moves, value in openings],
                       made(store), games)  # fmt: skip
        if list(known) != plan.names() or len(openings) != plan.rounds:
            raise InputError(f"{path}: its plan has other agents or openings than are stored with it")
        if plan.sprt is not None:
            raise InputError(f"{path} cannot be merged: its sequential test would have seen other games")
        if not isinstance(plan.course(), Listed):
            name = "the order uncertain" if plan.order == "uncertain" else f"a {plan.format.partition(':')[0]}"
            raise InputError(f"{path} cannot be merged: in {name} results decide who meets next")
        return part

    def terms(self) -> dict[str, object]:
        """Return what must be the same in all runs, by how a message calls it."""
        plan, apart = self.plan, self.plan.isolation
        return {
            "board": str(plan.rules),
            "openings": plan.openings,
            "seed": plan.seed,
            "nodes for a move": plan.nodes,
            "seconds for a move": plan.seconds,
            "margin": plan.margin,
            "patience": apart.patience,
            "memory": apart.memory,
            "sandbox": apart.sandbox,
            "isolation": "everyone" if apart.everyone else "nobody" if apart.nobody else "strangers",
            "comparison": self.document.get("comparison"),
        }


def refuse_others(one: Part, other: Part) -> None:
    """Raise InputError where two runs were not played under the same terms."""
    theirs = other.terms()
    for what, own in one.terms().items():
        if own != theirs[what]:
            said = " and ".join("no limit" if value is None else str(value) for value in (own, theirs[what]))
            raise InputError(f"{one.path} and {other.path} cannot be merged: they differ in {what}, {said}")
    if any(moves != others for (moves, _), (others, _) in zip(one.openings, other.openings, strict=False)):
        raise InputError(f"{one.path} and {other.path} cannot be merged: {one.plan.openings} had other openings then")


def refuse_another(part: Part, agent: Mapping[str, Any], known: Part, other: Mapping[str, Any]) -> None:
    """Raise InputError where an agent of a run is not the one that has its name in another."""
    own = "digest", "deterministic", "stranger", *(("kind", "parameters") if agent["digest"] is None else ())
    if any(agent[name] != other[name] for name in own):
        raise InputError(
            f"{known.path} and {part.path} cannot be merged: {agent['name']} is not the same in both"
            + (", its files have changed" if agent["digest"] != other["digest"] else "")
        )
