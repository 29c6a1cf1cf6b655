"""What each depth costs, and searches that should agree."""

COMMANDS = (
    (
        "depths",
        "command_depths:command",
        "Measure",
        "Measure what each depth costs: the depth-vs-states table.",
        "docs/tables.md",
    ),
    (
        "verify",
        "command_verify:command",
        "Perfect play",
        "Check that your alpha-beta equals your minimax, or all of ours.",
        "docs/published.md",
    ),
)
FRAMES = (("agent depth nodes nodes_per_second", "figures:of_frame"),)
START = (("arena depths minimax alphabeta", "what each depth costs, nodes and time"),)
