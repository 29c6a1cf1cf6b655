"""Perfect play: solved positions, audits and grades."""

COMMANDS = (
    (
        "solve",
        "command_solve:command",
        "Perfect play",
        "Solve positions: the winner, and how soon it wins.",
        "docs/solver.md",
    ),
    (
        "audit",
        "command_audit:command",
        "Perfect play",
        "Check every move of a stored run against perfect play.",
        "docs/solver.md",
    ),
    (
        "grade",
        "command_grade:command",
        "Perfect play",
        "Grade agents' moves against perfect play, by depth.",
        "docs/solver.md",
    ),
)
TABLES = (("audit", "tables:of_run", "tables:audit_part", "audit"),)
FIGURES = (("kept", "figures:audit_pictures", "audit"),)
SECTIONS = (("audit", "Audit", "tables:audit_parts", "audit"),)
FRAMES = (("agent depth clear_good", "figures:of_frame"),)
WORDS = (
    ("perfect solver", "solve"),
    ("blunders analyse analyze", "audit"),
    ("exam marks", "grade"),
    ("dataset data generate random", "solve --random N --json"),
)
HINTS = (
    ("audit", "--jobs", "-j N, or --concurrency N, shares the work"),
    ("audit", "--workers", "-j N, or --concurrency N, shares the work"),
    ("grade", "--mirror", "arena check AGENT says whether it plays the mirrored move on a mirrored board"),
)
