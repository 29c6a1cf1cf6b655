"""`kaggle:FILE.py`: an agent for Kaggle's ConnectX."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from agents.specs.parameters import Parameter
from agents.specs.user_agents import last_callable


def spec_parameters(target: str, name: str) -> Mapping[str, Parameter]:  # noqa: ARG001  there are none
    """Return the parameters of a spec."""
    return {}


def build(target: str, name: str, options: Mapping[str, Any]) -> Any:  # noqa: ANN401, ARG001  an agent
    """Return the callable that the file defines last. Errors of the user's code pass through."""
    return last_callable(Path(target))
