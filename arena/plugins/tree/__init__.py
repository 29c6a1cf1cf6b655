"""Trees: what a search visits and what it cuts off."""

COMMANDS = (
    ("tree", "command:command", "Measure", "Show the tree that a search visits, and its cut-offs.", "docs/reports.md"),
)
ROUTES = (
    (
        "/tree",
        "served:tree",
        "Search tree",
        "Walk the positions that a search visits, and see its cut-offs.",
        "minimax alphabeta mollerhoj smart-connect4",
    ),
)
HINTS = (("tree", "--dot", "--json prints the tree as data, --html FILE writes it as a page"),)
