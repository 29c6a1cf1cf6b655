"""Every agent hears that a game begins before it is asked for its first move, whichever command asks."""

import pytest

BOT = """
class Careful:
    def new_game(self, seed):
        self.column = seed % 1

    def choose(self, board, limits):
        legal = board.legal_moves()
        return legal[self.column]
"""
COMMANDS = {
    "move": ["BOT", "44"],
    "depths": ["BOT", "--depth", "1"],
    "grade": ["BOT", "--positions", "2", "--board", "4x4"],
    "check": ["BOT"],
    "engine": ["BOT"],
    "uci": ["BOT"],
    "play": ["BOT", "random"],
    "run": ["BOT", "random", "--rounds", "1", "--out", "run.sqlite"],
}
STDIN = {"engine": "44\n", "uci": "position startpos moves P@d1\ngo depth 1\n"}


@pytest.mark.parametrize(
    "command", [pytest.param(name, marks=[pytest.mark.process] * (name == "play")) for name in COMMANDS]
)
def test_an_agent_is_told_of_its_game_before_its_first_move(arena, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    bot = tmp_path / "bot.py"
    bot.write_text(BOT)
    words = [str(bot) if word == "BOT" else word for word in COMMANDS[command]]
    done = arena(command, *words, stdin=STDIN.get(command, ""))
    assert done.code == 0, done.err
    assert "AttributeError" not in done.out + done.err


def test_a_line_that_does_not_continue_the_game_begins_another(arena):
    lines = ["111222333444", "1112223334445", "111222333444"]
    done = arena("engine", "alphabeta:depth=6,table=on,table-size=1", stdin="\n".join(lines))
    first, _, again = done.out.splitlines()
    assert first == again
