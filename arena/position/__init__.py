"""Questions about one position."""

COMMANDS = (
    ("move", "command_move:command", "Play a game", "Ask an agent for one move.", "docs/agents.md"),
    ("perft", "command_perft:command", "Measure", "Count the tree of all moves to a depth.", "docs/solver.md"),
    ("eval", "command_eval:command", "Measure", "Value positions by every heuristic.", "docs/heuristics.md"),
    ("order", "command_order:command", "Measure", "Show how every ordering sorts the moves.", "docs/heuristics.md"),
)
