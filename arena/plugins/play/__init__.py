"""Play: a person against an agent, in a terminal."""

COMMANDS = (("play", "command:command", "Play a game", "Play against an agent, or watch two.", "docs/agents.md"),)
WORDS = (("human game player", "play"),)
START = (("arena play alphabeta:depth=6", "a game against you"),)
