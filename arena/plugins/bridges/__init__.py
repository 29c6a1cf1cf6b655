"""Bridges: the game for Gymnasium, PettingZoo and OpenSpiel, agents for Kaggle."""

COMMANDS = (
    (
        "submission",
        "command:command",
        "Other programs",
        "Write an agent as one file for Kaggle's ConnectX.",
        "docs/players.md",
    ),
)
