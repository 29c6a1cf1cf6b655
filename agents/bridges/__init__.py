"""Players of other frameworks."""

ADAPTERS = {
    "openspiel": "agents.bridges.openspiel",
    "pettingzoo": "agents.bridges.pettingzoo",
    "kaggle": "agents.bridges.kaggle",
}
"""Prefixes of specs, see `agents.specs.kinds`."""
