"""A server: runs, and games against agents, in a browser."""

COMMANDS = (("serve", "command:command", "Look at it", "Show runs, and play, in a browser.", "docs/reports.md"),)
WORDS = (("browser web gui ui", "serve"),)
HINTS = (("serve", "--files", "--agent FILE.py and --agent FOLDER offer agents of your own"),)
