"""What the tests run on: odd agents, worked examples, published numbers, and random positions on many boards."""

import csv
import functools
import inspect
import json
from pathlib import Path

from hypothesis import strategies as st

from agents.board import STANDARD, Rules

DATA = Path(__file__).parents[1] / "data"
ODD, BAD, ODD_HEURISTICS = (DATA / f"{name}.py" for name in ("odd_agents", "bad_agents", "odd_heuristics"))
ENGINES = DATA / "engines"
STATISTICS = json.loads((DATA / "statistics.json").read_text(encoding="utf-8"))
"""Worked examples, by what is computed."""
BOARDS = [STANDARD, Rules(4, 4), Rules(8, 7), Rules(2, 31), Rules(6, 5, 3), Rules(7, 7, 5)]
"""A small board, one that fills the word (8x7), one across which a line would not fit into it (2x31), other lines."""


def published(name):
    """Return the rows of a file of numbers that the published programs computed."""
    with (DATA / "published" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def over(argument, values, name=str):
    """Return a decorator that runs a test on each of the values in a loop; a failure notes the `name` of its value.

    As items of their own a thousand short tests take longer to collect and to hand out than to run.
    """

    def decorate(test):
        @functools.wraps(test)
        def looped(**others):
            for value in values:
                try:
                    test(**{argument: value}, **others)
                except BaseException as error:
                    error.add_note(f"{argument}: {name(value)}")
                    raise

        signature = inspect.signature(test)
        left = [each for each in signature.parameters.values() if each.name != argument]
        looped.__signature__ = signature.replace(parameters=left)
        return looped

    return decorate


def moves_of(row):
    return row["moves"]


def discs_after(columns, rules=STANDARD):
    """Return the discs of the first and of the second player, where a full column and a four stop nobody."""
    discs = [0, 0]
    heights = [0] * rules.columns
    for column in columns:
        if heights[column] < rules.rows:
            discs[sum(heights) & 1] |= 1 << column * (rules.rows + 1) + heights[column]
            heights[column] += 1
    return discs[0], discs[1]


def discs_of(moves):
    """Return the discs of both players after moves in text."""
    return discs_after([int(move) - 1 for move in moves])


@st.composite
def positions(draw, boards=tuple(BOARDS)):
    """Draw a board and the discs of both sides on it, also beyond the end of the game."""
    rules = draw(st.sampled_from(boards))
    columns = st.lists(st.integers(0, rules.columns - 1), max_size=rules.columns * rules.rows)
    own, opp = discs_after(draw(columns), rules)
    return (rules, own, opp) if draw(st.booleans()) else (rules, opp, own)


def mirrored(discs, rules):
    """Return the discs seen in a mirror."""
    height = rules.rows + 1
    columns = [discs >> column * height & (1 << height) - 1 for column in range(rules.columns)]
    return sum(bits << column * height for column, bits in enumerate(reversed(columns)))


def cells_of(own, opp, rules):
    """Return the cells with a disc as {(column, row): 1 for own, -1 for the other's}."""
    bits = {(c, r): 1 << c * (rules.rows + 1) + r for c in range(rules.columns) for r in range(rules.rows)}
    return {cell: 1 if own & bit else -1 for cell, bit in bits.items() if (own | opp) & bit}


def windows(rules):
    """Yield every window of the board as a list of cells, from its left, bottom or lower end."""
    for column in range(rules.columns):
        for row in range(rules.rows):
            for right, up in ((0, 1), (1, 0), (1, 1), (-1, 1)):
                window = [(column + step * right, row + step * up) for step in range(rules.connect)]
                if all(0 <= c < rules.columns and 0 <= r < rules.rows for c, r in window):
                    yield window
