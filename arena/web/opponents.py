"""The agents that may be asked over HTTP, and the form fields of their parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agents.errors import InputError, unknown
from agents.names import HEURISTICS, ORDERINGS
from agents.notation import call
from agents.players.kind import Parameter
from agents.registry import KINDS, LEVELS, Spec, parse

LARGEST = {
    "depth": 30, "cutoff": 30, "nodes": 10**8, "playouts": 10**6, "seconds": 5, "threads": 2, "table-size": 64,
    "c": 100,
}  # fmt: skip
"""Of every number that can be set, in its own unit; whatever it is, a clock ends the search."""
TABLES = {"heuristic": HEURISTICS, "order": ORDERINGS}
HIDDEN = {"compiled"}
"""Parameters of agents that no form offers."""


def allowed(text: str) -> Spec:
    """Return the built-in agent that a spec names. Raises InputError for any other, and for what costs too much."""
    name = text.strip().partition(":")[0]
    if name not in KINDS and name not in LEVELS:
        raise unknown("built-in agent", name[:40], [*KINDS, *LEVELS])
    if ".py" in text or "/" in text or len(text) > 300:
        raise InputError("only built-in agents, heuristics and orderings can be asked here")
    spec = parse(text)
    for key, value in spec.resolved().items():
        if key in TABLES and isinstance(value, str):
            _built_in(key, value)
        if key in HIDDEN and value is not True:
            raise InputError(f"{key} cannot be set here")
        if isinstance(value, (int, float)) and not isinstance(value, bool) and not value <= LARGEST[key]:
            raise InputError(f"{key} is at most {LARGEST[key]:,} here")
    return spec


def _built_in(key: str, value: str) -> None:
    name = call(value).name
    if name not in TABLES[key] and not (key == "heuristic" and f"smart-{name}" in TABLES[key]):
        raise InputError(f"{key} {name[:40]!r} is not built in")


def forms() -> list[dict[str, Any]]:
    """Return every level and every kind of agent with the fields of its form."""
    levels = [_form(name, spec, "", {}) | {"level": True} for name, spec in LEVELS.items()]
    return levels + [_form(name, kind.summary, kind.source, kind.parameters) for name, kind in KINDS.items()]


def _form(name: str, summary: str, source: str, parameters: Mapping[str, Parameter]) -> dict[str, Any]:
    shown = {key.replace("_", "-"): each for key, each in parameters.items() if key not in HIDDEN}
    fields = [_field(key, each) for key, each in shown.items()]
    return {"name": name, "summary": summary, "source": source, "fields": fields, "level": False}


def _field(key: str, parameter: Parameter) -> dict[str, Any]:
    """Return one form field: a choice where the parameter takes few words, else a text."""
    default, choices = parameter.default, parameter.choices
    if isinstance(default, bool):
        default, choices = "on" if default else "off", ("on", "off")
    meaning = f"{parameter.meaning}; at most {LARGEST[key]:,}" if key in LARGEST else parameter.meaning
    return {"key": key, "default": default, "meaning": meaning, "choices": choices}
