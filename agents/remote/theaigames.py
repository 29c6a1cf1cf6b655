"""`theaigames:` bots of the 2015 Four in a Row competition, which read settings, a field and `action move`.

Source: TheAIGames, "Four in a Row: getting started", 2015.
"""

from __future__ import annotations

from agents.agent import Analysis, Limits
from agents.board import Board, Rules
from agents.errors import InputError
from agents.remote.failure import TIME, Failure, misread
from agents.remote.protocol import Protocol

TIME_PER_MOVE = 500
"""The competition's milliseconds for a move, sent if the run has no limit."""
TIMEBANK = 10_000
MOST_LINES = 1000
"""The most lines that may precede an answer."""


class TheAiGames(Protocol):
    """The referee's side of the protocol."""

    one_game = True
    may_refuse = True

    _player = -1
    _times = (0, 0)

    def start(self, rules: Rules, deadline: float) -> None:
        """Send the size of the field. Raises InputError for other rules."""
        rules.refuse_most_fours("a Four in a Row bot")
        if rules.connect != 4:
            raise InputError(f"a Four in a Row bot connects four, not {rules.connect}")
        self._set(deadline, player_names="player1,player2", field_columns=rules.columns, field_rows=rules.rows)

    def choose(self, board: Board, limits: Limits, deadline: float) -> Analysis:
        """Return the bot's answer; first send the time limit and its player number if they have changed."""
        times = TIMEBANK, TIME_PER_MOVE
        if limits.remaining is not None:
            times = max(1, round(limits.remaining * 1000)), round((limits.increment or 0.0) * 1000)
        elif limits.seconds is not None:
            times = (max(1, round(limits.seconds * 1000)),) * 2
        if times != self._times and not (
            limits.remaining is not None and self._times[0]
        ):  # `action move` has the clock
            self._set(deadline, timebank=times[0], time_per_move=times[1])
            self._times = times
        player = board.mover + 1
        if player != self._player:
            self._set(deadline, your_bot=f"player{player}", your_botid=player)
            self._player = player
        field = ";".join(",".join(map(str, row)) for row in board.grid())
        self._process.send(f"update game round {board.ply + 1}\nupdate game field {field}", deadline)
        self._process.unasked()  # greetings
        self._process.send(f"action move {times[0]}", deadline)
        return Analysis(self._column(deadline))

    def _column(self, deadline: float) -> int:
        """Return the column of the next line that places a disc; skip the lines before it."""
        line = ""
        for _ in range(MOST_LINES):
            try:
                line = self._process.receive(deadline)
            except Failure as failure:
                if failure.kind != TIME or not line:
                    raise
                break
            words = line.split()
            if words[:1] == ["place_disc"]:
                if len(words) > 1 and words[1].isdecimal():
                    return int(words[1][:9])
                break
        raise misread(line, "place_disc COLUMN")

    def _set(self, deadline: float, **settings: object) -> None:
        for name, value in settings.items():
            self._process.send(f"settings {name} {value}", deadline)
