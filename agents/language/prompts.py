"""Prompts for language models: how a position is shown."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from agents.board import STANDARD, Board, Rules
from agents.errors import InputError, no_file, unknown

if TYPE_CHECKING:
    from jinja2 import Template

_MARKS = "X", "O"
"""Of the first and the second player."""


@dataclass(frozen=True, slots=True)
class Rendering:
    """How a prompt shows a board."""

    labels: tuple[str, ...]
    """What each column is called, from left to right."""
    name: str
    """What the game is called."""

    @classmethod
    def of(cls, rules: Rules, prompt: str) -> Rendering:
        """Return the rendering of a prompt: its columns are numbers, or letters in `coordinates` of 26 at most."""
        letters = prompt == "coordinates" and rules.columns <= 26
        labels = tuple(chr(97 + column) if letters else str(column + 1) for column in range(rules.columns))
        return cls(labels, "Connect Four" if rules == STANDARD else f"Connect {rules.connect}")

    def variables(self, board: Board, *, legal: bool) -> dict[str, object]:
        """Return what a template is given of a position: see docs/players.md."""
        rules, grid, free = board.rules, board.grid(), board.legal_moves()
        cells = [
            [f"{label}{rules.rows - row}" for column, label in enumerate(self.labels)
             for row in reversed(range(rules.rows)) if grid[row][column] == player]
            for player in (1, 2)
        ]  # fmt: skip
        shown = (".", *_MARKS)
        return {
            "name": self.name, "columns": list(self.labels), "rows": rules.rows,
            "connect": rules.connect, "me": _MARKS[board.mover], "other": _MARKS[1 - board.mover],
            "first": _MARKS[0], "moves": [self.labels[column] for column in board.moves],
            "grid": "\n".join(" ".join(shown[cell] for cell in row) for row in grid),
            "mine": cells[board.mover], "theirs": cells[1 - board.mover],
            "legal": [self.labels[column] for column in free] if legal else [],
        }  # fmt: skip


def text_of(prompt: str) -> str:
    """Return the name of a prompt as it is, and of a file the template in it, which is then kept in its place.

    Raises InputError where there is no such prompt or file, or the template cannot show a position.
    """
    if prompt in PROMPTS:
        return prompt
    if "/" not in prompt and "." not in prompt and not Path(prompt).exists():
        raise unknown("prompt", prompt, PROMPTS)
    text = in_file(Path(prompt))
    if "{" not in text:
        raise InputError(f"{prompt} shows no position: a template has {{{{ grid }}}} or {{{{ moves }}}}")
    render(text, Rendering.of(STANDARD, text).variables(Board.from_moves("4453"), legal=True))
    return text


def in_file(path: Path) -> str:
    """Return what is in a text file. Raises InputError."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise no_file(path) from None
    except (OSError, ValueError) as error:
        raise InputError(f"{path!s:.80} cannot be read: {error}") from None


@functools.lru_cache(maxsize=32)
def _template(text: str) -> Template:
    from jinja2 import StrictUndefined
    from jinja2.sandbox import SandboxedEnvironment

    return SandboxedEnvironment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True).from_string(text)


def render(prompt: str, variables: dict[str, object]) -> str:
    """Return a prompt, by its name or as a template, with these variables in it. Raises InputError."""
    try:
        return _template(PROMPTS.get(prompt, prompt)).render(variables).strip()
    except Exception as error:
        raise InputError(f"the prompt's template fails: {type(error).__name__}: {error}") from error


_BEGIN = """\
We play {{ name }}.
Two players, {{ first }} and {{ other if me == first else me }}, take turns. \
The board has {{ columns | length }} columns and {{ rows }} rows. A piece put into a column falls to its lowest free \
cell. The first player with {{ connect }} own pieces in a line (across, up or diagonally) wins.
The columns from left to right are {{ columns | join(', ') }}.
"""
_MOVES = """\
{% if moves %}
The moves so far, {{ first }} first: {{ moves | join(', ') }}
{% else %}
The board is empty.
{% endif %}
"""
_GRID = """\
The board ({{ me }} you, {{ other }} the other player, . empty):
{{ grid }}
{{ columns | join(' ') }}
"""
_CELLS = """\
A cell is its column and its row, which counts from 1 at the bottom.
Pieces of {{ me }} (you): {{ mine | join(', ') or 'none' }}
Pieces of {{ other }}: {{ theirs | join(', ') or 'none' }}
"""
_END = """\
You are {{ me }}, and it is your turn.
{% if legal %}
Columns that are not full: {{ legal | join(', ') }}
{% endif %}
Into which column do you put your piece? End your reply with one line:
move: COLUMN
"""
PROMPTS = {
    name: _BEGIN + shown + _END for name, shown in {"moves": _MOVES, "grid": _GRID, "coordinates": _CELLS}.items()
}
"""The templates of the prompts that come with the program."""
