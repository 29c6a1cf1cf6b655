"""`theaigames:` bots of the 2015 Four in a Row competition, which read settings, a field and `action move`.

Source: TheAIGames, "Four in a Row: getting started", 2015.
"""

from __future__ import annotations

from agents.agent import Analysis, Limits
from agents.board import Board, Rules
from agents.errors import InputError
from agents.remote.conversation import Conversation
from agents.remote.failure import PROTOCOL, Failure, quoted

TIME_PER_MOVE = 500
"""Milliseconds that the competition gave for a move, told where the run has no limit."""
TIMEBANK = 10_000


class TheAiGames(Conversation):
    """The referee's end."""

    _player = -1

    def start(self, rules: Rules, deadline: float) -> None:
        """Tell the size of the field."""
        rules.refuse_most_fours("a Four in a Row bot")
        if rules.connect != 4:
            raise InputError(f"a Four in a Row bot connects four, not {rules.connect}")
        self._say(
            deadline, f"settings timebank {TIMEBANK}", f"settings time_per_move {TIME_PER_MOVE}",
            "settings player_names player1,player2", f"settings field_columns {rules.columns}",
            f"settings field_rows {rules.rows}",
        )  # fmt: skip

    def choose(self, board: Board, limits: Limits, deadline: float) -> Analysis:
        """Return its answer."""
        player = board.mover + 1
        if player != self._player:
            self._say(deadline, f"settings your_bot player{player}", f"settings your_botid {player}")
            self._player = player
        field = ";".join(",".join(map(str, row)) for row in board.grid())
        milliseconds = TIMEBANK if limits.seconds is None else round(limits.seconds * 1000)
        self._say(deadline, f"update game round {board.ply + 1}", f"update game field {field}")
        line = self._process.ask(f"action move {milliseconds}", deadline)
        words = line.split()
        if len(words) != 2 or words[0] != "place_disc" or not words[1].isdecimal():
            raise Failure(PROTOCOL, f"answered {quoted(line)}, which is not place_disc COLUMN")
        return Analysis(int(words[1][:9]))

    def _say(self, deadline: float, *lines: str) -> None:
        for line in lines:
            self._process.send(line, deadline)
