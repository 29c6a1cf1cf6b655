"""Tournaments: begun and resumed, and the tables of a stored run."""

COMMANDS = (
    (
        "run",
        "command_run:command",
        "Play a tournament",
        "Play a tournament, store it, and print its tables.",
        "docs/tournaments.md",
    ),
    ("check", "command_check:command", "Play a tournament", "Find what would fail in a tournament.", "docs/agents.md"),
    ("show", "command_show:command", "Look at it", "Print the tables of a stored run.", "docs/reports.md"),
    ("list", "command_list:command", "Look at it", "List stored runs, newest first.", "docs/reports.md"),
    ("games", "command_games:command", "Look at it", "List and filter the games of a stored run.", "docs/reports.md"),
    ("replay", "command_replay:command", "Look at it", "Show one stored game, move by move.", "docs/reports.md"),
    (
        "agents",
        "command_agents:agents",
        "What there is",
        "List the agents, their parameters and sources.",
        "docs/agents.md",
    ),
    (
        "heuristics",
        "command_agents:heuristics",
        "What there is",
        "List the heuristics and their sources.",
        "docs/heuristics.md",
    ),
    (
        "orderings",
        "command_agents:orderings",
        "What there is",
        "List the move orderings and their sources.",
        "docs/heuristics.md",
    ),
)
START = (("arena run", "a tournament: who is best, and how sure"),)
