"""The agents that may be asked over HTTP, and the form fields of their parameters."""

from __future__ import annotations

from typing import Any

from agents.errors import InputError, unknown
from agents.heuristics import HEURISTICS
from agents.orderings import ORDERINGS
from agents.registry import KINDS, LEVELS, Spec, parse

LARGEST_TABLE = 64
"""Megabytes."""
TABLES: dict[str, dict[str, Any]] = {"heuristic": dict(HEURISTICS), "order": dict(ORDERINGS)}
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
        if key == "table-size" and isinstance(value, int) and value > LARGEST_TABLE:
            raise InputError(f"table-size is at most {LARGEST_TABLE} here")
    return spec


def _built_in(key: str, value: str) -> None:
    name = value.partition("(")[0]
    if name not in TABLES[key] and not (key == "heuristic" and f"smart-{name}" in TABLES[key]):
        raise InputError(f"{key} {name[:40]!r} is not built in")


def forms() -> list[dict[str, Any]]:
    """Return every kind of agent and every level with the fields of its form."""
    found: list[dict[str, Any]] = [
        {"name": name, "summary": spec, "source": "", "fields": [], "level": True} for name, spec in LEVELS.items()
    ]
    for name, kind in KINDS.items():
        fields = [
            _field(name, key.replace("_", "-"), parameter)
            for key, parameter in kind.parameters.items()
            if key not in HIDDEN
        ]
        found.append({"name": name, "summary": kind.summary, "source": kind.source, "fields": fields, "level": False})
    return found


def _field(kind: str, key: str, parameter: Any) -> dict[str, Any]:  # noqa: ANN401  a row of the registry
    """Return one form field: a choice where the parameter takes few words, else a number or a text."""
    default = parameter.default
    choices = list(TABLES.get(key, ()))
    if kind == "smart-connect4" and key == "heuristic":
        choices = ["simple", "aware"]
    if isinstance(default, bool):
        choices = ["on", "off"]
        default = "on" if default else "off"
    return {"key": key, "default": default, "meaning": parameter.meaning, "choices": choices}
