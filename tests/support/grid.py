"""Connect Four in the most obvious way: a dictionary of cells. Slow, and what everything faster is checked against."""

from hypothesis import strategies as st

from agents.board import STANDARD, Board, Rules

SIZES = [
    STANDARD,
    Rules(4, 4),
    Rules(5, 4),
    Rules(6, 5),
    Rules(8, 6),
    Rules(9, 6),
    Rules(7, 7),
    Rules(8, 7),
    Rules(10, 5),
    Rules(5, 4, 3),
    Rules(7, 6, 5),
    Rules(9, 6, 5),
]
"""The boards that are promised to work: small and large, 8x7 that fills the word, and lines of three and five."""
MOST_FOURS = [Rules(7, 6, 4, most_fours=True), Rules(5, 4, 3, most_fours=True), Rules(8, 7, 4, most_fours=True)]
"""Boards on which the game goes on after a four."""
FREAKS = [
    Rules(1, 5, 2),
    Rules(6, 1, 3),
    Rules(3, 15, 5),
    Rules(4, 15, 5),
    Rules(2, 31, 3),
    Rules(16, 3, 3),
    Rules(12, 3, 12),
]
"""Boards that fit as well, on which a line along one direction would be longer than a machine word."""


class Grid:
    """A game as a dictionary from (column, row) to the player, 0 or 1, and the columns played."""

    def __init__(self, rules=STANDARD, moves=()):
        self.rules = rules
        self.cells = {}
        self.moves = []
        for column in moves:
            self.play(column)

    def height(self, column):
        return sum(1 for c, _ in self.cells if c == column)

    def play(self, column):
        self.cells[column, self.height(column)] = len(self.moves) % 2
        self.moves.append(column)

    def fours(self, player):
        """Return every line of the player's, as a list of cells."""
        found = []
        for (column, row), owner in self.cells.items():
            for right, up in ((0, 1), (1, 0), (1, 1), (1, -1)):
                line = [(column + step * right, row + step * up) for step in range(self.rules.connect)]
                if owner == player and all(self.cells.get(cell) == player for cell in line):
                    found.append(line)
        return found

    def lines(self, player):
        """Return the set of cells of every line of the player."""
        return {cell for four in self.fours(player) for cell in four}

    def is_full(self):
        return len(self.cells) == self.rules.columns * self.rules.rows

    def winner(self):
        first, second = (len(self.fours(player)) for player in (0, 1))
        if first == second or (self.rules.most_fours and not self.is_full()):
            return None
        return 0 if first > second else 1

    def is_over(self):
        return self.winner() is not None or self.is_full()

    def legal(self):
        columns = range(self.rules.columns)
        return [] if self.is_over() else [column for column in columns if self.height(column) < self.rules.rows]

    def bits(self, player):
        """Return the player's discs in the layout of `agents.board`."""
        return bits_of((cell for cell, owner in self.cells.items() if owner == player), self.rules)


def bits_of(cells, rules):
    return sum(1 << column * (rules.rows + 1) + row for column, row in cells)


@st.composite
def games(draw, sizes=tuple(SIZES + FREAKS + MOST_FOURS), longest=64):
    """Draw a grid after random legal play, up to the end of the game."""
    grid = Grid(draw(st.sampled_from(sizes)))
    for choice in draw(st.lists(st.integers(0, 1 << 16), max_size=longest)):
        legal = grid.legal()
        if not legal:
            break
        grid.play(legal[choice % len(legal)])
    return grid


@st.composite
def open_boards(draw, sizes=tuple(SIZES), longest=64):
    """Draw a Board after random legal play that does not end the game."""
    board = Board(draw(st.sampled_from(sizes)))
    for choice in draw(st.lists(st.integers(0, 1 << 16), max_size=longest)):
        after = board.play(board.legal_moves()[choice % len(board.legal_moves())])
        if after.outcome is not None:
            break
        board = after
    return board


@st.composite
def nearly_full(draw, sizes, most=5):
    """Draw a Board where most fours win with at most so many empty cells, after random play."""
    rules = draw(st.sampled_from(sizes))
    chance = draw(st.randoms(use_true_random=False))
    board = Board(rules)
    for _ in range(rules.columns * rules.rows - draw(st.integers(0, most))):
        board = board.play(chance.choice(board.legal_moves()))
    return board
