"""Engines: agents for other programs."""

COMMANDS = (
    (
        "engine",
        "command_engine:command",
        "Other programs",
        "Run an agent for other programs, by lines of moves.",
        "docs/engines.md",
    ),
    (
        "uci",
        "command_uci:command",
        "Other programs",
        "Run an agent for other programs, by UCI (variant cfour).",
        "docs/engines.md",
    ),
)
