import json
import re
import sys
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agents.board import Board
from agents.specs.kinds import LEVELS
from arena.plugins.play import command
from arena.plugins.play.command import DEFAULT
from arena.plugins.play.command_terminal import WORDS, Dialogue, thoughts

from .letters import VISIBLE

COLOURS = "\x1b["


@pytest.fixture(autouse=True)
def narrow(arena, monkeypatch):
    """A terminal as narrow as any that is served; `arena` forgets its width first."""
    monkeypatch.setenv("COLUMNS", "40")


def play(arena, *words, typed=""):
    done = arena("play", *words, "--seed", 1, stdin=typed)
    assert done.code == 0, done.err
    assert max(map(len, done.out.splitlines())) <= 40
    assert COLOURS not in done.out
    return done.out


def moves_of(out):
    """Return the moves that are printed last."""
    return "".join(out.rpartition("Moves: ")[2].split())


def test_the_agent_answers_and_says_what_it_thought(arena):
    out = play(arena, "alphabeta:depth=3", typed="4\n")
    assert "X: you\nO: alphabeta:depth=3\n" in out
    thoughts = r"thinks\nplays (\d), depth 3, (\d+) nodes, score \S+,\s\d+\sms,\sline ([\d ]+)\n"
    said = re.search(thoughts, out)
    assert moves_of(out) == f"4{said[1]}"
    assert int(said[2]) > 50
    assert said[3].split()[0] == said[1]
    assert len(said[3].split()) == 3


def test_the_agent_can_start(arena):
    out = play(arena, "greedy", "--second")
    assert "X: greedy\nO: you\n" in out
    assert len(moves_of(out)) == 1


def test_the_end_of_the_input_leaves_with_the_moves(arena):
    assert play(arena, "greedy").endswith("Your move, X: \nMoves: none\n")


@pytest.mark.parametrize("word", ["quit", "q", "Qu"])
@pytest.mark.parametrize(
    ("moves", "prompt"), [("", "Your move, X: "), ("44", "Your move, X: "), ("1122334", "new, undo or quit: ")]
)
def test_a_word_leaves(arena, word, moves, prompt):
    out = play(arena, "greedy", "--position", moves, typed=f"{word}\nhelp\n4\n")
    assert out.endswith(f"{prompt}{word}\nMoves: {moves or 'none'}\n")
    assert out.count(prompt) == 1


def test_a_win_is_told_and_a_new_game_begins(arena):
    out = play(arena, "greedy", "--position", "112233", typed="4\nnew\n")
    assert "*X**X**X**X*" in out
    assert "You win!\nnew, undo or quit: new\n" in out
    assert moves_of(out) == "none"


def test_a_loss_names_the_winner(arena):
    assert "O wins: greedy\n" in play(arena, "greedy", "--position", "7172635")


def test_a_draw_is_told(arena):
    last = "54712566226127126621574377157631535333444"
    assert "A draw.\n" in play(arena, "greedy", "--position", last, "--second", typed="4\n")


def test_undo_takes_the_last_move_back(arena):
    assert moves_of(play(arena, "alphabeta:depth=2", typed="4\nundo\n")) == "none"
    assert moves_of(play(arena, "greedy", "--position", "4453", typed="undo\n")) == "44"


def test_a_hint_shows_every_column_and_the_best(arena):
    out = play(arena, "alphabeta:depth=3", "--position", "112233", typed="hint\n")
    assert "column 4: win in 1 <- best\n" in out
    assert len(re.findall(r"^column \d: ", out, re.MULTILINE)) == 7


def test_a_hint_that_leaves_out_columns_marks_the_move_that_the_agent_would_make(arena):
    out = play(arena, "greedy", "--position", "711223", typed="hint\n")
    assert "column 3: loss in 2\ncolumn 4: - <- best\ncolumn 5: loss in 2\n" in out


def test_the_default_opponent_is_a_level():
    assert DEFAULT in LEVELS


def test_an_agent_without_a_view_says_so(arena):
    assert "random reports no scores.\n" in play(arena, "random", typed="hint\n")


def test_help_names_every_word(arena):
    out = play(arena, "greedy", typed="help\n")
    assert (
        "\n1 to 7: play that column\nundo: take your last move back\nhint: the agent's score of each column\n"
        "new: start again\nhelp: show this\nquit: leave\n"
    ) in out


def test_on_a_board_of_five_columns_five_can_be_typed(arena):
    out = play(arena, "greedy", "--board", "5x4", typed="help\n\n")
    for line in ("Type a column, 1 to 5, or help.", "1 to 5: play that column", "type a column from 1 to 5, or"):
        assert line in out


def test_without_an_input_only_agents_can_play(arena, monkeypatch):
    monkeypatch.setattr(command, "sys", SimpleNamespace(stdin=None, stdout=sys.stdout))
    done = arena("play", "greedy")
    assert (done.code, done.err) == (2, "arena: stdin is closed\n")
    assert "O wins: greedy\n" in play(arena, "greedy", "greedy", "--position", "7172635")


def test_wrong_input_changes_nothing(arena):
    out = play(arena, "greedy", typed="9\n\nfoo\nundo\nload 4453\n44\n")
    assert "Sorry, column 9 does not exist" in out
    assert "There is no move of yours to take back.\n" in out
    assert "Sorry, I do not know 'load 4453'." in out
    assert moves_of(out) == "none"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=40)
@given(
    typed=st.lists(
        st.one_of(
            st.sampled_from(sorted({*WORDS} - {"quit"})),
            st.integers(0, 9).map(str),
            st.text(VISIBLE, max_size=50).filter(lambda text: not text.strip().lower().startswith(("q", "e", "bye"))),
        ),
        max_size=30,
    )
)
def test_nothing_that_is_typed_breaks_the_game_or_the_width(arena, typed):
    out = play(arena, "greedy", typed="\n".join(typed))
    moves = moves_of(out)
    assert Board.from_moves("" if moves == "none" else moves)


def test_two_agents_play_to_the_end(arena):
    out = play(arena, "greedy", "random", "--delay", "0")
    assert "X: greedy\nO: random\n" in out
    assert Board.from_moves(moves_of(out)).outcome is not None
    assert "X: random\nO: greedy\n" in play(arena, "greedy", "random", "--delay", "0", "--second")


def test_one_seed_makes_one_game(arena):
    one, two = (moves_of(play(arena, "random", "random", "--delay", "0")) for _ in range(2))
    assert one == two


def test_a_record_is_left_as_json(arena):
    done = arena("play", "greedy", "--json", "--position", "112233", stdin="4\n")
    assert json.loads(done.out) == {
        "first": "you",
        "second": "greedy",
        "moves": "1122334",
        "outcome": "first player won",
    }
    assert "You win!" in done.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["a", "b", "c"], "arena: play takes one agent as your opponent, or two to watch, not 3"),
        (["nobody"], "'nobody'"),
        (["greedy", "--position", "49"], "arena: move 2: column 9 does not exist (1 to 7)"),
        (["greedy", "--delay", "-1"], "arena play: Invalid value for '--delay'"),
    ],
)
def test_bad_words_on_the_command_line_are_one_line(arena, words, message):
    done = arena("play", *words)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert done.err.count("\n") == 1


def test_an_agent_that_breaks_ends_the_game_with_the_moves_so_far(arena, tmp_path):
    path = tmp_path / "bad.py"
    path.write_text("class Late:\n    def choose(self, board, limits):\n        return 9\n")
    done = arena("play", f"{path}:Late", stdin="4\n")
    assert done.code == 2
    assert done.out.endswith("Moves: 4\n")
    assert "illegal move: answered 9" in done.err
    assert done.err.count("\n") == 1


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ((10, None, 0, 0, 0.0), "plays 10, 0 ms"), ((1, None, 0, 1, 0.9994), "plays 1, 999 ms"),
        ((1, None, 0, 1_234, 1.0), "plays 1, 1,234 nodes, 1.0 s"),
        ((1, 5, 0, 2, 0.5), "plays 1, 2 nodes, score +5, 500 ms"),
        ((1, None, 3, 1, 61.25), "plays 1, depth 3, 61.2 s"), ((1, 0, 0, 0, 0.001), "plays 1, score 0, 1 ms"),
        ((1, -999_996, 4, 90, 0.02), "plays 1, depth 4, 90 nodes, score loss in 4, 20 ms"),
    ],
)  # fmt: skip
def test_of_a_search_is_said_what_the_agent_reported_and_nothing_else(found, said):
    assert thoughts(*found) == said


def test_two_agents_wait_as_long_as_they_are_told(arena, monkeypatch):
    waits = []
    monkeypatch.setattr(command, "time", SimpleNamespace(sleep=waits.append))
    out = play(arena, "greedy", "random", "--delay", "2.5", "--position", "112233")
    assert waits == [2.5] * (len(moves_of(out)) - 6)
    assert waits


def test_ctrl_c_leaves_with_the_moves(arena, monkeypatch):
    def interrupted(_):
        raise KeyboardInterrupt

    monkeypatch.setattr(Dialogue, "converse", interrupted)
    assert play(arena, "greedy", "--position", "44") == "\nMoves: 44\n"


def test_without_a_seed_each_game_has_another(arena, monkeypatch):
    seeds = []
    monkeypatch.setattr(Dialogue, "converse", lambda dialogue: seeds.append(dialogue.seed))
    for _ in range(3):
        arena("play", "greedy")
    assert len({*seeds}) == 3
    for seed in (5, 0):
        arena("play", "greedy", "--seed", seed)
    assert seeds[3:] == [5, 0]


def test_agents_have_the_limits_of_the_command_and_colours_are_those_of_where_the_game_is_drawn(arena, monkeypatch):
    entered, streams = [], []
    seat = SimpleNamespace(name="a")
    monkeypatch.setattr("arena.games.seats.player", lambda *given, **more: entered.append((*given, more)) or seat)
    monkeypatch.setattr("arena.cli.drawing.in_colour", lambda stream: streams.append(stream) or False)
    monkeypatch.setattr(Dialogue, "converse", lambda _: streams.append((sys.stdout, sys.stderr)))
    for words, place in (([], 0), (["--json"], 1)):
        arena("play", "bot.py", "--patience", 3, "--in-process", *words)
        assert streams[0] is streams[1][place]
        del streams[:]
    limits = [(agent, more["isolation"]["patience"], more["isolation"]["nobody"]) for agent, more in entered]
    assert limits == [("bot.py", 3.0, True)] * 2
