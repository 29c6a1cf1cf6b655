"""A game in a terminal: a person against an agent, or two agents."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from agents.board import Board, IllegalMove, column_text, moves_text
from agents.errors import InputError
from agents.score import in_words
from arena.cli.drawing import MARKS, Screen, thoughts
from arena.cli.output import KEPT_LINES

if TYPE_CHECKING:
    from arena.games.person import Seat

WORDS: dict[str, str] = {
    "undo": "take your last move back",
    "hint": "the agent's score of each column",
    "new": "start again",
    "help": "show this",
    "quit": "leave",
}
"""The words that a person can type, or begin to type, beside a column; each with its meaning."""


def parse_order(line: str, board: Board) -> int | str:
    """Return the order in a typed line, a column from 0 or one of WORDS. Raises InputError with a helpful answer."""
    text = line.strip()
    if text.isascii() and text.isdigit():
        if board.outcome is not None:
            raise InputError("The game is over. Type new, undo or quit.")
        column = int(text[:9]) - 1
        try:
            board.play(column)
        except IllegalMove as error:
            open_columns = ", ".join(str(column + 1) for column in board.legal_moves())
            raise InputError(f"Sorry, {error}. You can play {open_columns}.") from None
        return column
    for word in WORDS:
        if text and word.startswith(text.lower()):
            return word
    sorry = f"Sorry, I do not know {text[:20]!r}. " if text else ""
    raise InputError(f"{sorry}Please type a column from 1 to {board.rules.columns}, or help.")


YOU = "you"


class Dialogue:
    """A game of a person against an agent, or of two agents, the first player first."""

    def __init__(self, board: Board, person: int | None, agents: list[Seat], screen: Screen, seed: int) -> None:
        """Begin at a position. person: 0 for the first player, 1 for the second, None if two agents play."""
        self.board = board
        self.person = person
        self.agents = agents
        self.screen = screen
        self.seed = seed

    def names(self) -> tuple[str, str]:
        """Return the names of the first and of the second player."""
        one, other = self.agents[0].name, self.agents[-1].name
        if self.person is None:
            return one, other
        return (YOU, one) if self.person == 0 else (one, YOU)

    def begin(self) -> None:
        """Print the players, show the board, and prepare the agents."""
        for mark, name in zip(MARKS, self.names(), strict=True):
            self.screen.say(f"{mark}: {name}")
        self.show()
        self.screen.say("Getting ready ...")
        self.seed += 2
        for place, seat in enumerate(self.agents):
            seat.ready(self.board, self.seed + place)

    def watch(self, wait: Callable[[], None]) -> None:
        """Let two agents play to the end, and wait before each move."""
        self.begin()
        while self.board.outcome is None:
            wait()
            self.move()

    def converse(self) -> None:
        """Play with the person until the input ends or says quit."""
        self.begin()
        self.screen.say(f"Type a column, 1 to {self.board.rules.columns}, or help.")
        while True:
            over = self.board.outcome is not None
            if not over and self.board.mover != self.person:
                self.move()
                continue
            line = self.screen.ask("new, undo or quit: " if over else f"Your move, {MARKS[self.board.mover]}: ")
            if line is None:
                return
            try:
                order = parse_order(line, self.board)
                if order == "quit":
                    return
                self.obey(order)
            except InputError as error:
                self.screen.say(str(error))

    def move(self) -> None:
        """Play the move of the agent to move, and print its search."""
        seat = self.agents[self.board.mover if self.person is None else 0]
        self.screen.say(f"{seat.name} thinks")
        record = seat.decide(self.board)
        self.board = self.board.play(record.column)
        for printed in seat.output().splitlines()[-KEPT_LINES:]:
            self.screen.say(f"{seat.name} prints: {printed}")
        line = f", line {' '.join(map(column_text, record.pv))}" if record.pv else ""
        self.screen.say(thoughts(record.column + 1, record.score, record.depth, record.nodes, record.seconds) + line)
        self.show()

    def show(self) -> None:
        """Draw the board, count the fours under most-fours rules and, at the end of the game, print the result."""
        board = self.board
        self.screen.show(board)
        if board.rules.most_fours:
            self.screen.say("Fours: {} to {}.".format(*board.fours))
        if board.outcome is None:
            return
        winner = board.outcome.winner
        if winner is None:
            self.screen.say("A draw.")
        elif winner == self.person:
            self.screen.say("You win!")
        else:
            self.screen.say(f"{MARKS[winner]} wins: {self.names()[winner]}")

    def obey(self, order: int | str) -> None:
        """Carry out an order. Raises InputError with a helpful answer if that is impossible."""
        if isinstance(order, int):
            self.board = self.board.play(order)
            if self.board.outcome is not None:
                self.show()
        elif order == "undo":
            self.undo()
        elif order == "new":
            self.board = Board(self.board.rules)
            self.begin()
        elif order == "hint":
            self.hint()
        else:
            self.screen.say(f"1 to {self.board.rules.columns}: play that column")
            for word, meaning in WORDS.items():
                self.screen.say(f"{word}: {meaning}")

    def undo(self) -> None:
        """Take the person's last move back. Raises InputError if there is none."""
        plies, rules = self.board.ply - 1, self.board.rules
        plies -= (plies - (self.person or 0)) % 2
        if plies < 0:
            raise InputError("There is no move of yours to take back.")
        self.board = Board.from_moves(moves_text(self.board.moves[:plies], rules), rules)
        self.show()

    def hint(self) -> None:
        """Print the agent's score of every column, and mark the best.

        If some columns have no score, one of these may be the best: then mark the agent's move.
        """
        if self.board.outcome is not None:
            raise InputError("The game is over.")
        views = self.agents[0].views(self.board)
        scores = [score for score in views.values() if score is not None]
        if not scores:
            raise InputError(f"{self.agents[0].name} reports no scores.")
        silent = len(scores) < len(views)
        chosen = self.agents[0].decide(self.board).column if silent else -1
        for column, score in views.items():
            best = " <- best" if column == chosen or (not silent and score == max(scores)) else ""
            self.screen.say(f"column {column_text(column)}: {in_words(score)}{best}")

    def leave(self) -> None:
        """Print the moves, from which `--position` continues the game."""
        self.screen.say(f"Moves: {self.board.text or 'none'}")

    def record(self) -> dict[str, object]:
        """Return the record of the game."""
        board = self.board
        first, second = self.names()
        return {
            "first": first,
            "second": second,
            "moves": board.text,
            "outcome": None if board.outcome is None else str(board.outcome),
            **({"fours": board.fours} if board.rules.most_fours else {}),
        }
