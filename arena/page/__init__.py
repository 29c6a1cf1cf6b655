"""A run as one HTML page."""

COMMANDS = (("report", "command:command", "Look at it", "Write a run as one HTML page.", "docs/reports.md"),)
WORDS = (("html page", "report"),)
