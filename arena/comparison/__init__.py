"""Heuristics compared in the same search."""

COMMANDS = (
    (
        "compare",
        "command:command",
        "Play a tournament",
        "Compare heuristics, with everything else equal.",
        "docs/heuristics.md",
    ),
)
RUNS = (("comparison", "of_run"),)
START = (("arena compare smart-aware parity", "two heuristics in the same search"),)
