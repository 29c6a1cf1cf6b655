"""Assignments: hand-ins checked, graded, played and marked."""

COMMANDS = (
    (
        "assignment",
        "command:command",
        "Play a tournament",
        "Check, grade, play and mark hand-ins, with a page for each.",
        "docs/assignment.md, docs/class.md",
    ),
)
START = (("arena assignment hw.py", "a homework: does it run, is it right"),)
