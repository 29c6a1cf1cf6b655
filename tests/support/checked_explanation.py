"""Check explanations without any search: follow each through all replies. Shares no code with what finds them.

`check(row)` takes one of the rows that `arena explain --json` prints, and returns how many positions it visited. A cell
is the number `column * rows + row`, from 0; discs are words with a bit for each cell, without the empty row on top that
the product's boards have.
"""

from functools import cache


class Wrong(Exception):  # noqa: N818  a finding
    """An explanation that does not hold."""


class Checker:
    def __init__(self, columns=7, rows=6, connect=4):
        self.columns, self.rows, self.size = columns, rows, columns * rows
        self.lines = [[] for _ in range(self.size)]  # for each cell, the other cells of each line through it
        for column in range(columns):
            for row in range(rows):
                for right, up in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    line = [(column + step * right, row + step * up) for step in range(connect)]
                    if all(c < columns and 0 <= r < rows for c, r in line):
                        cells = [c * rows + r for c, r in line]
                        for cell in cells:
                            self.lines[cell].append(sum(1 << each for each in cells if each != cell))

    def check(self, row):
        """Return the positions visited. Raises Wrong."""
        discs = [0, 0]
        words = row["position"].split(",") if "," in row["position"] else row["position"]
        for number, word in enumerate(words):
            discs[number % 2] |= 1 << self.landing(discs[0] | discs[1], int(word) - 1)
        holder = len(words) % 2
        self.must_win, self.visited, self.seen = row["after"] < 0, 0, set()
        self.follow(row["strategy"], discs[holder], discs[1 - holder], None)
        return self.visited

    def landing(self, taken, column):
        """Return the cell that a disc in a column falls into, or None where the column is full."""
        height = (taken >> column * self.rows & (1 << self.rows) - 1).bit_length()
        return column * self.rows + height if height < self.rows else None

    def playable(self, taken):
        cells = [self.landing(taken, column) for column in range(self.columns)]
        return [cell for cell in cells if cell is not None]

    def above(self, cell):
        return cell + 1 if (cell + 1) % self.rows else None

    def completes(self, discs, cell):
        """Return whether a disc in an empty cell completes a line of these discs."""
        return cell is not None and any(line & discs == line for line in self.lines[cell])

    def follow(self, strategy, own, other, last):
        """Let the holder, who is to move and has `own`, follow a strategy. Raises Wrong."""
        if "forced" in strategy:
            self.force(strategy["forced"], strategy["wins"], own, other)
        elif "marks" in strategy:
            self.keep(own, other, last, strategy["marks"])
        else:
            known = {reply: branch["then"] for branch in strategy["branches"] for reply in branch["replies"]}
            for reply, mine, theirs in self.replies(own, other, self.landing(own | other, strategy["play"] - 1)):
                if (column := reply // self.rows + 1) in known:
                    self.follow(known[column], mine, theirs, reply)
                elif not self.wins(mine, theirs):
                    raise Wrong(f"nothing is said of the reply {column} to {strategy['play']}")

    def wins(self, own, other):
        """Return the columns in which the holder completes a line at once, from 1."""
        return [cell // self.rows + 1 for cell in self.playable(own | other) if self.completes(own, cell)]

    def replies(self, own, other, cell):
        """Let the holder play a cell, and yield each reply with the discs after it, unless the game is over."""
        self.visited += 1
        if cell is None:
            raise Wrong("a column is full")
        won, own = self.completes(own, cell), own | 1 << cell
        playable = self.playable(own | other)
        if not won and not playable and self.must_win:
            raise Wrong("the board is full")
        for reply in playable if not won else ():
            if self.completes(other, reply):
                raise Wrong(f"the other side wins in column {reply // self.rows + 1}")
            if own | other | 1 << reply != (1 << self.size) - 1:
                yield reply, own, other | 1 << reply
            elif self.must_win:
                raise Wrong("the board is full")

    def force(self, moves, wins, own, other):
        """Follow a forced line: a reply other than the one that is said leaves a win at once."""
        if not moves:
            if not set(self.wins(own, other)) & set(wins):
                raise Wrong("the last threat does not win")
            return
        for reply, mine, theirs in self.replies(own, other, self.landing(own | other, moves[0] - 1)):
            if len(moves) > 1 and reply // self.rows + 1 == moves[1]:
                self.force(moves[2:], wins, mine, theirs)
            elif not set(self.wins(mine, theirs)) & (set(wins) if len(moves) == 1 else set(range(self.columns + 1))):
                raise Wrong(f"the reply {reply // self.rows + 1} is not answered")

    def keep(self, own, other, last, marks):
        """Let the holder, who is to move, keep to its marks to the end."""
        cell = self.choice(own, other, last, marks)
        if cell is not None and (id(marks), own | 1 << cell, other) not in self.seen:
            self.seen.add((id(marks), own | 1 << cell, other))
            for reply, mine, theirs in self.replies(own, other, cell):
                self.keep(mine, theirs, reply, marks)

    def choice(self, own, other, last, marks):
        """Return the cell that the marks choose; None where the holder wins at once or by a double threat."""
        playable = self.playable(own | other)
        if any(self.completes(own, cell) for cell in playable):
            return None
        for cell in playable:
            if self.completes(other, cell):
                return cell
        safe = [cell for cell in playable if not self.completes(other, self.above(cell))]
        if any(self.doubles(own, cell, playable) for cell in safe):
            return None
        safe = safe or playable
        for mark in marks:
            found = self.named(mark["cell"]) if "cell" in mark else self.above(last)
            terms = ("challenger", other, 1), ("holder", own, 1), ("empty", own | other, 0)
            fits = all(discs >> self.named(mark[term]) & 1 == wanted for term, discs, wanted in terms if term in mark)
            if fits and found in safe and mark.get("on_top", "last") in {"last", found // self.rows + 1}:
                return found
        return safe[0]

    def doubles(self, own, cell, playable):
        """Return whether a disc in a cell makes two playable wins or two on top of each other; none was there."""
        own |= 1 << cell
        rest = [line & ~own for line in self.lines[cell]]
        made = {each.bit_length() - 1 for each in rest if each & (each - 1) == 0}
        wins = [each for each in playable if each in made and each != cell]
        wins += [self.above(cell)] if self.completes(own, self.above(cell)) else []
        return len(wins) > 1 or any(self.completes(own, self.above(each)) for each in wins)

    @cache  # noqa: B019  a checker lives as long as its test
    def named(self, cell):
        """Return the cell of a name such as d2."""
        return (ord(cell[0]) - ord("a")) * self.rows + int(cell[1:]) - 1


def check(row, columns=7, rows=6, connect=4):
    """Return how many positions a row's strategy was followed through; 0 where it has none. Raises Wrong."""
    return Checker(columns, rows, connect).check(row) if row["strategy"] else 0
