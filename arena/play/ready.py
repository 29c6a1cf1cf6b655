"""What the games of a plan share, and its agents made once before the first of them."""

from __future__ import annotations

from collections.abc import Sequence

from agents.agent import Limits
from agents.board import Board
from agents.registry import Spec
from arena.play.field import Field, Setting
from arena.play.match import Conditions
from arena.play.plan import Plan


def setting_of(plan: Plan, agents: Sequence[Spec], boards: Sequence[Board]) -> Setting:
    """Return what all games of a plan share, for its agents and openings. Raises InputError."""
    conditions = Conditions(Limits(nodes=plan.nodes, seconds=plan.seconds), plan.margin)
    sources = tuple(plan.isolation.source(place, spec) for place, spec in enumerate(agents))
    terms = plan.isolation.terms(plan.margin)
    return Setting(tuple(agents), tuple(boards), plan.rules, plan.seed, conditions, sources, terms)


def make_ready(setting: Setting) -> None:
    """Make and prepare every agent once, so that what cannot play is said before the first game. Raises InputError.

    It also leaves their compiled code on disk, where the workers find it.
    """
    field = Field(setting)
    for place in range(len(setting.specs)):
        field.agent(place, 0)
