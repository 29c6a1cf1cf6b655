"""Check explanations without any search: follow each through all replies. Shares no code with what finds them.

`check(row)` takes one of the rows that `arena explain --json` prints, and returns how many positions it visited. A cell
is a pair of its column and its row, from 0; discs are sets of cells.
"""

from functools import cache


class Wrong(Exception):  # noqa: N818
    """An explanation that does not hold."""


class Checker:
    def __init__(self, columns=7, rows=6, connect=4):
        self.columns, self.rows = columns, rows
        lines = [
            [(column + step * right, row + step * up) for step in range(connect)]
            for column in range(columns)
            for row in range(rows)
            for right, up in ((0, 1), (1, 0), (1, 1), (1, -1))
        ]
        self.lines = {(column, row): [] for column in range(columns) for row in range(rows)}
        for line in lines:
            if all(cell in self.lines for cell in line):
                for cell in line:
                    self.lines[cell].append(frozenset(line) - {cell})

    def check(self, row):
        discs = [set(), set()]
        words = row["position"].split(",") if "," in row["position"] else row["position"]
        for number, word in enumerate(words):
            discs[number % 2].add(self.landing(discs, int(word) - 1))
        self.holder = len(words) % 2
        self.must_win = row["after"] < 0
        self.visited = 0
        self.follow(row["strategy"], discs, None)
        return self.visited

    def landing(self, discs, column):
        return column, sum(cell[0] == column for cell in (*discs[0], *discs[1]))

    def playable(self, discs):
        cells = (self.landing(discs, column) for column in range(self.columns))
        return [cell for cell in cells if cell[1] < self.rows]

    def completes(self, discs, cell):
        return any(line <= discs for line in self.lines[cell])

    def follow(self, strategy, discs, last):
        """Let the holder, who is to move, follow a strategy. Raises Wrong."""
        if "forced" in strategy:
            self.force([move - 1 for move in strategy["forced"]], [move - 1 for move in strategy["wins"]], discs)
        elif "marks" in strategy:
            self.seen = set()
            self.keep(discs, last, strategy["marks"])
        else:
            known = {reply - 1: branch["then"] for branch in strategy["branches"] for reply in branch["replies"]}
            for reply, after in self.replies(discs, strategy["play"] - 1):
                own = after[self.holder]
                if reply[0] in known:
                    self.follow(known[reply[0]], after, reply)
                elif not any(self.completes(own, cell) for cell in self.playable(after)):
                    raise Wrong(f"nothing is said of the reply {reply[0] + 1} to {strategy['play']}")

    def replies(self, discs, column):
        """Let the holder play a column, and yield each reply with the discs after it, unless the game is over."""
        self.visited += 1
        cell = self.landing(discs, column)
        if cell[1] >= self.rows:
            raise Wrong(f"column {column + 1} is full")
        won = self.completes(discs[self.holder], cell)
        discs = self.added(discs, self.holder, cell)
        if won:
            return
        if not self.playable(discs) and self.must_win:
            raise Wrong("the board is full")
        for reply in self.playable(discs):
            if self.completes(discs[1 - self.holder], reply):
                raise Wrong(f"the other side wins in column {reply[0] + 1}")
            after = self.added(discs, 1 - self.holder, reply)
            if self.playable(after):
                yield reply, after
            elif self.must_win:
                raise Wrong("the board is full")

    def added(self, discs, side, cell):
        return [discs[each] | {cell} if each == side else discs[each] for each in (0, 1)]

    def force(self, moves, wins, discs):
        """Follow a forced line: a reply other than the one that is said leaves a win at once."""
        if not moves:
            winning = [c for c in self.playable(discs) if self.completes(discs[self.holder], c)]
            if not any(cell[0] in wins for cell in winning):
                raise Wrong("the last threat does not win")
            return
        for reply, after in self.replies(discs, moves[0]):
            if len(moves) > 1 and reply[0] == moves[1]:
                self.force(moves[2:], wins, after)
            elif not any(self.completes(after[self.holder], cell) for cell in self.playable(after)):
                raise Wrong(f"the reply {reply[0] + 1} is not answered")

    def keep(self, discs, last, marks):
        """Let the holder, who is to move, keep to its marks to the end."""
        cell = self.choice(discs, last, marks)
        if cell is None:
            return
        key = frozenset(discs[self.holder] | {cell}), frozenset(discs[1 - self.holder])
        if key not in self.seen:
            self.seen.add(key)
            for reply, after in self.replies(discs, cell[0]):
                self.keep(after, reply, marks)

    def choice(self, discs, last, marks):
        """Return the cell that the marks choose; None where the holder wins at once or by a double threat."""
        own, other = discs[self.holder], discs[1 - self.holder]
        playable = self.playable(discs)
        if any(self.completes(own, cell) for cell in playable):
            return None
        if blocks := [cell for cell in playable if self.completes(other, cell)]:
            return blocks[0]
        safe = [c for c in playable if c[1] + 1 == self.rows or not self.completes(other, (c[0], c[1] + 1))]
        for cell in safe:
            wins = [c for c in self.playable(self.added(discs, self.holder, cell)) if self.completes(own | {cell}, c)]
            above = [(c[0], c[1] + 1) for c in wins if c[1] + 1 < self.rows]
            if len(wins) > 1 or any(self.completes(own | {cell}, c) for c in above):
                return None
        safe = safe or playable
        for mark in marks:
            if self.applies(mark, own, other):
                found = named(mark["cell"]) if "cell" in mark else (last[0], last[1] + 1)
                if found in safe and mark.get("on_top", "last") in {"last", found[0] + 1}:
                    return found
        return safe[0]

    def applies(self, mark, own, other):
        terms = ("challenger", other, True), ("holder", own, True), ("empty", own | other, False)
        return all((named(mark[term]) in discs) is wanted for term, discs, wanted in terms if term in mark)


@cache
def named(cell):
    """Return the cell of a name such as d2."""
    return ord(cell[0]) - ord("a"), int(cell[1:]) - 1


def check(row, columns=7, rows=6, connect=4):
    """Return how many positions a row's strategy was followed through; 0 where it has none. Raises Wrong."""
    return Checker(columns, rows, connect).check(row) if row["strategy"] else 0
