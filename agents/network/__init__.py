"""Neural networks that play."""

from agents.specs.parameters import Kind

KINDS = {
    "net": Kind(
        "agents.network.player:Network", "a small neural network trained on exact values", "trained by results/network"
    ),
}
ADAPTERS = {"onnx": "agents.network.player"}
"""Prefixes of specs, see `agents.specs.kinds`."""
