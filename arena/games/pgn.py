"""Games in PGN, as Fairy-Stockfish and cutechess write them for `cfour`: read leniently, and written.

Source: Edwards, "Portable Game Notation Specification and Implementation Guide", 1994, with what programs write beside
it: no tags, no move numbers, `1 P@d1`, `1. ... P@d2`, `1. … P@d2`, and texts in Latin-1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from agents import fen
from agents.board import STANDARD, Board, Rules
from agents.errors import InputError
from arena.table.cells import after

RESULTS = {"1-0": "1-0", "0-1": "0-1", "1/2-1/2": "1/2-1/2", "½-½": "1/2-1/2", "*": "*"}
_TOKEN = re.compile(
    r"(?P<escape>^%.*$)"
    r"|(?P<comment>\{[^}]*\})"
    r"|(?P<rest>;.*$)"
    r'|(?P<tag>\[\s*(?P<name>\w+)\s+"(?P<value>(?:\\.|[^"\\])*)"\s*\])'
    r"|(?P<open>\()|(?P<close>\))"
    r"|(?P<glyph>\$\d+|[!?]+|[+#]+(?=\s|$))"
    r"|(?P<result>1-0|0-1|1/2-1/2|½-½|\*)(?=[\s\[{;]|$)"
    r"|(?P<number>\d+\s*(?:\.+|…)|\d+(?=\s|$)|\.+|…)"
    r"|(?P<move>[^\s{}()\[\];$]+)"
    r"|(?P<space>\s+)",
    re.MULTILINE,
)


@dataclass(slots=True)
class Game:
    """A game of a file."""

    line: int
    """The number of its first line."""
    tags: dict[str, str] = field(default_factory=dict)
    start: Board = field(default_factory=Board)
    board: Board = field(default_factory=Board)
    """The last position."""
    result: str = "*"
    """1-0 where the first player won, 0-1, 1/2-1/2, or * where it is not known."""
    began: bool = False
    """Whether a move has been read."""

    def cut(self, plies: int | None) -> Board:
        """Return the position after so many plies from the game's start, or the last one."""
        if plies is None:
            return self.board
        board = self.start
        for move in self.board.moves[self.start.ply :][:plies]:
            board = board.play(move)
        return board


def read_text(path: Path) -> str:
    """Return the text of a file, in UTF-8 or, as the standard has it, in Latin-1. Raises InputError."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
    if b"\0" in raw:
        raise InputError(f"{path}: it is not a text file")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def games(path: Path) -> Iterator[Game]:
    """Yield the games of a PGN file. Raises InputError, with file and line, for what is no game of Connect Four.

    Comments, variations, annotations and lines that begin with % are left out. A game without tags begins where the
    result of the one before stands.
    """
    game, line = Game(1), 1
    for line, token in _tokens(path):
        try:
            if token["tag"] and game.began:
                yield game
                game = Game(line)
            elif not (game.began or game.tags):
                game.line = line
            if token["tag"]:
                _tag(game, token["name"], re.sub(r"\\(.)", r"\1", token["value"]))
            elif token["move"]:
                game.board, game.began = _played(game.board, token["move"]), True
            else:
                game.result = _result(game, RESULTS[token["result"]])
                yield game
                game = Game(line)
        except InputError as error:
            raise InputError(f"{path}, line {line}: {error}") from None
    if game.began or "FEN" in game.tags:
        yield game


def _tokens(path: Path) -> Iterator[tuple[int, re.Match[str]]]:
    """Yield the tags, moves and results of a file that stand in no variation, with their lines. Raises InputError."""
    text, place, line, depth = read_text(path), 0, 1, 0
    while place < len(text):
        token = _TOKEN.match(text, place)
        if token is None:
            fault = "a comment has no }" if text[place] == "{" else f"{text[place:].split()[0]!r:.40} is no PGN"
            raise InputError(f"{path}, line {line}: {fault}")
        depth = max(0, depth + bool(token["open"]) - bool(token["close"]))
        if depth == 0 and (token["tag"] or token["move"] or token["result"]):
            yield line, token
        line += token[0].count("\n")
        place = token.end()
    if depth:
        raise InputError(f"{path}, line {line}: a variation has no )")


def _tag(game: Game, name: str, value: str) -> None:
    """Keep a tag; a position or a board to start from becomes the game's."""
    game.tags[name] = value
    if name == "FEN":
        game.start = game.board = fen.from_fen(value)
    elif name == "Variant" and re.fullmatch(r"\d+x\d+(x\d+)?(:[\w-]+)?", value):
        game.start = game.board = Board(Rules.parse(value))
    elif name == "Result" and value in RESULTS:
        game.result = RESULTS[value]


def _played(board: Board, word: str) -> Board:
    """Return the board after a drop, `P@d1`, `@d1` or `d1`. Raises InputError."""
    drop = re.fullmatch(r"(?:p?@)?([a-p])([1-9]\d?)", word.lower().rstrip("#+!?"))
    column = -1 if drop is None else ord(drop[1]) - ord("a")
    if drop is not None and column in board.legal_moves():
        height = ((board.own | board.opp) & board.rules.columns_of_cells[column]).bit_count()
        if int(drop[2]) == height + 1:
            return board.play(column)
    raise InputError(f"{word} is no legal drop {after(board.text)}")


def _result(game: Game, result: str) -> str:
    """Return the result of a game that ends; one that the moves show must be the same. Raises InputError."""
    if result == "*" and game.result != "*":
        result = game.result
    outcome = game.board.outcome
    shown = None if outcome is None else {0: "1-0", 1: "0-1", None: "1/2-1/2"}[outcome.winner]
    if shown not in {None, result} and result != "*":
        raise InputError(f"the result is {result}, but the moves end in {shown}")
    return shown or result


ENDINGS = {"line completed": "normal", "board full": "normal", "out of time": "time forfeit",
           "illegal move": "rules infraction", "protocol error": "rules infraction"}  # fmt: skip
"""The standard's words for the ends of games; any other is `abandoned`."""
WIDTH = 80
_IN_COMMENTS = str.maketrans("{[]}", "(())")
"""Ordo takes a tag for one also where it stands in a comment."""


def written(
    moves: Board, tags: Mapping[str, str], result: str, termination: str, detail: str = "", opening: int = 0
) -> str:
    """Return a game as PGN, with a blank line after it.

    moves: its last position. tags: those before the result, such as White. termination: the arena's word. opening: the
    plies that the players did not choose.
    """
    rules = moves.rules
    words = []
    for ply, drop in enumerate(fen.drops(moves)):
        words.append(f"{ply // 2 + 1}. {drop}" if ply % 2 == 0 else drop)
    if 0 < opening <= len(words):
        words[opening - 1] += " {the opening ends here}"
    ended = ": ".join(filter(None, (termination, detail))).translate(_IN_COMMENTS)
    words += [f"{{{ended}}}", result]
    head = {**tags, "Result": result, "Variant": "cfour" if rules == STANDARD else str(rules)}
    head |= {"PlyCount": str(moves.ply), "Termination": ENDINGS.get(termination, "abandoned")}
    lines = [f'[{name} "{_quoted(value)}"]' for name, value in head.items()]
    body, row = [], ""
    for word in " ".join(words).split():
        if row and len(row) + 1 + len(word) > WIDTH:
            body.append(row)
            row = ""
        row = f"{row} {word}" if row else word
    return "\n".join([*lines, "", *body, row, "", ""])


def _quoted(value: str) -> str:
    return " ".join(value.split()).replace("\\", "\\\\").replace('"', '\\"')
