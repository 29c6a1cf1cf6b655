"""What a language model's replies to one move amount to."""

import functools

import pytest
from needs import needs

from agents.agent import Limits
from agents.board import Board, Rules
from agents.errors import InputError
from agents.failure import Failure
from agents.language.client import Reply
from agents.language.prompts import Rendering, render
from agents.specs.registry import parse

pytestmark = needs("httpx")


@functools.cache
def made(spec):
    """Return an agent, whose client takes some time to make."""
    return parse(spec).build()


def stored(*replies, spec="llm:m"):
    """Return what is stored with a move after these replies; all but the last one must be no moves."""
    agent, left = made(spec), iter(replies)
    agent.client.ask = lambda *_, **__: next(left)
    return agent.choose(Board(), Limits()).extra


def reply(text, tokens_in, tokens_out, reasoning, errors=0):
    return Reply(text, tokens_in=tokens_in, tokens_out=tokens_out, tokens_reasoning=reasoning, errors=errors)


@pytest.mark.parametrize(
    ("replies", "numbers"),
    [
        ([("4", 20, 5, 2, 1)], [20, 5, 2, 1]),
        ([("hm", 20, 5, 2, 1), ("4", 100, 7, 0, 2)], [120, 12, 2, 3]),
        ([("4", 0, 0, 0)], [0, 0, 0, 0]),
        ([("4", None, None, None)], [None, None, None, 0]),
        ([("hm", 20, 5, 2), ("4", None, 7, None)], [None, 12, None, 0]),
        ([("hm", 20, None, None, 1), ("4", 100, 7, 3)], [120, None, None, 1]),
    ],
    ids=["all", "a sum", "nothing used", "nothing told", "not of the last reply", "not of the first reply"],
)
def test_numbers_of_a_move_are_sums_over_its_replies_and_unknown_where_the_server_left_one_out(replies, numbers):
    found = stored(*(reply(*each) for each in replies))
    assert [found[name] for name in ("tokens_in", "tokens_out", "tokens_reasoning", "errors")] == numbers
    assert found["tries"] == len(replies)


def test_of_several_replies_the_last_one_says_how_it_ended_and_who_gave_it():
    found = stored(Reply("hm", "length", model="one"), Reply("9", None, model=None), Reply("4", "stop", model="two"))
    assert [found[name] for name in ("status", "tries", "finish", "model")] == ["ok", 3, "stop", "two"]
    assert found["before"] == [{"status": "truncated", "reply": "hm"}, {"status": "illegal", "reply": "9"}]
    found = stored(Reply("hm", "length", model="one"), Reply("4"))
    assert [found[name] for name in ("finish", "model")] == [None, None]


def test_a_system_prompt_is_a_text_or_all_that_a_file_holds(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rules.txt").write_text("\n Play well. \n\n")
    (tmp_path / "folder").mkdir()
    long = "Play well, " * 500 + "always."
    given = {"rules.txt": "\n Play well. \n\n", "folder": "folder", "none.txt": "none.txt", long: long}
    assert {text: parse(f"llm:m;system={text}").parameters["system"] for text in given} == given
    (tmp_path / "latin.txt").write_bytes(b"caf\xe9")
    with pytest.raises(InputError, match=r"system: latin\.txt cannot be read"):
        parse("llm:m;system=latin.txt")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("key_env=1KEY", "key_env: must name a variable of the environment that holds the key, not the key itself"),
        (
            "key_env=SCHLÜSSEL",
            "key_env: must name a variable of the environment that holds the key, not the key itself",
        ),
        ("history=65", "history: must be a whole number from 0 to 64, not '65'"),
        ("retries=11", "retries: must be a whole number from 0 to 10, not '11'"),
        ("timeout=0.05", "timeout: must be a number from 0.1 to 86400, not '0.05'"),
        ("temperature=10.1", "temperature: must be a number from 0 to 10, not '10.1'"),
        ("illegal=lose", "illegal: must be forfeit or random, not 'lose'"),
    ],
)
def test_a_setting_of_a_model_that_cannot_be_is_told_by_its_key(text, told):
    with pytest.raises(InputError) as raised:
        parse(f"llm:m;{text}")
    assert str(raised.value) == f"agent 'llm:m;{text}': {told}"


def test_every_setting_of_a_model_reaches_what_is_asked(monkeypatch):
    monkeypatch.setenv("OWN", "a-key-of-mine")
    text = "timeout=7;patience=3;key_env=OWN;temperature=0;max_tokens=0;retries=0;illegal=random"
    agent = parse(f"llm:org/m:7b@http://127.0.0.1:9/v1;{text};history=5;legal=on;prompt=grid;system=so").build()
    client = agent.client
    assert (client.model, client.url, client.timeout, client.patience) == (
        "org/m:7b",
        "http://127.0.0.1:9/v1",
        7.0,
        3.0,
    )
    assert client._http.headers["Authorization"] == "Bearer a-key-of-mine"
    asked = []
    client.ask = lambda talk, **options: asked.append(([*talk], options)) or Reply("hm", tokens_in=3, tokens_out=10)
    agent.new_game(8)
    found = [agent.choose(Board.from_moves(moves), Limits()) for moves in ("", "12")]
    assert [each.extra["drawn"] for each in found] == [True] * 2
    assert [options for _, options in asked] == [{"temperature": 0.0}] * 2
    assert [[message["role"][0] for message in talk] for talk, _ in asked] == [["s", "u"], ["s", "u", "a", "u"]]
    assert "Columns that are not full: " in asked[1][0][3]["content"]
    assert "The board (X you, O the other player, . empty):" in asked[0][0][1]["content"]


FULL = Board.from_moves("111111")
WRONG = {
    "hm": ("unparsable", "Your reply does not end with a move."),
    "": ("empty", "Your reply was empty."),
    "<think>4</think>": ("empty", "Your reply was empty."),
    "Move: 5\nmove: 3": ("unparsable", "Your reply names several columns: 3 and 5."),
    "move: b\nmove: 3": ("unparsable", "Your reply names several columns: 3 and b."),
    "3\nMove: 8\n-2\n8": ("unparsable", "Your reply names several columns: -2 and 3 and 8."),
    "move: 1": ("illegal", "Column 1 is full."),
    "move: 0": ("illegal", "There is no column 0."),
    "move: b": ("illegal", "There is no column b."),
    "I'm sorry.": ("refused", "You did not answer. This is a board game, and it is your turn."),
    "cut move: 4": ("truncated", "Your reply was cut off before its end. Reply with nothing but your move."),
    "cut\nmove: 4": ("truncated", "Your reply was cut off before its end. Reply with nothing but your move."),
}
END = "End your reply with one line: move: COLUMN"


@pytest.mark.parametrize("text", WRONG)
def test_a_model_is_told_why_its_reply_is_no_move_and_after_the_last_one_so_is_the_record(text):
    agent, talks = parse("llm:m;retries=1").build(), []
    finish = "length" if text.startswith("cut") else "stop"
    agent.client.ask = lambda talk, **_: talks.append([*talk]) or Reply(text, finish)
    status, why = WRONG[text]
    with pytest.raises(Failure) as raised:
        agent.choose(FULL, Limits())
    said = text.replace("<think>4</think>", "")
    assert raised.value.kind == ("illegal move" if status == "illegal" else f"{status} reply")
    assert raised.value.detail == " ".join(f"replied {said!r} at try 2: {why}".split())
    assert talks[1][1:] == [
        {"role": "assistant", "content": said or "…"},
        {"role": "user", "content": f"{why} The columns are 1, 2, 3, 4, 5, 6, 7. {END}"},
    ]
    extra = raised.value.extra
    assert (extra["status"], extra["tries"], extra["finish"], extra["reply"]) == (status, 2, finish, text)
    assert extra["before"] == [{"status": status, "reply": text}]


def test_in_later_moves_a_model_sees_its_replies_without_their_thoughts():
    agent, talks = parse("llm:m;retries=0;history=5;illegal=random").build(), []
    replies = iter([Reply("<think>5</think>4"), Reply("<think>5</think>"), Reply("x" * 5001), Reply("4")])
    agent.client.ask = lambda talk, **_: talks.append([*talk]) or next(replies)
    for moves in ("", "12", "1234", "123456"):
        agent.choose(Board.from_moves(moves), Limits())
    assert [each["content"] for each in talks[-1] if each["role"] == "assistant"] == ["4", "…", "x" * 5000]


def test_eighty_letters_of_the_last_reply_are_quoted():
    agent = parse("llm:m;retries=0").build()
    agent.client.ask = lambda *_, **__: Reply(f" {'x' * 81} ")
    with pytest.raises(Failure) as raised:
        agent.choose(FULL, Limits())
    assert raised.value.detail.startswith(f"replied '{'x' * 80}' at try 1: ")


def test_of_long_replies_the_beginning_is_kept_and_of_rare_signs_half_as_much():
    text = "é" * 4990 + "x" * 20 + "\nmove: 4"
    found = stored(Reply("x" * 5001 + "\nhm"), Reply(text))
    assert found["before"] == [{"status": "unparsable", "reply": "x" * 300}]
    assert (found["reply"], found["characters"]) == (text[:5000], 5018)
    found = stored(Reply("\U0001f600" * 300), Reply("\U0001f600" * 4990 + "\nmove: 4"))
    assert found["before"][0]["reply"] == "\U0001f600" * 150
    assert (found["reply"], "characters" in found) == ("\U0001f600" * 2500, False)
    assert "before" not in stored(Reply("4"))


def test_what_a_model_was_asked_first_has_one_digest_and_the_same_question_the_same():
    one, again, other = (
        stored(*replies, spec=spec) for replies, spec in (
            ((Reply("4"),), "llm:m"), ((Reply("hm"), Reply("4")), "llm:m"), ((Reply("4"),), "llm:m;system=so"))
    )  # fmt: skip
    assert one["prompt"] == again["prompt"] != other["prompt"]
    assert len(one["prompt"]) == 16


COORDINATES = """\
We play Connect 5.
Two players, X and O, take turns. The board has 6 columns and 5 rows. A piece put into a column falls to its lowest \
free cell. The first player with 5 own pieces in a line (across, up or diagonally) wins.
The columns from left to right are a, b, c, d, e, f.
A cell is its column and its row, which counts from 1 at the bottom.
Pieces of O (you): none
Pieces of X: d1
You are O, and it is your turn.
Columns that are not full: a, b, c, d, e, f
Into which column do you put your piece? End your reply with one line:
move: COLUMN"""
GRID = """\
The board (O you, X the other player, . empty):
. . . .
. X . .
O X . .
1 2 3 4
You are O, and it is your turn.
Into which"""


def test_a_prompt_shows_the_board_with_the_words_of_its_rules():
    def shown(prompt, moves, rules, *, legal=False):
        return render(prompt, Rendering.of(rules, prompt).variables(Board.from_moves(moves, rules), legal=legal))

    assert shown("coordinates", "4", Rules(6, 5, 5), legal=True) == COORDINATES
    assert GRID in shown("grid", "212", Rules(4, 3, 3))
    empty = shown("coordinates", "", Rules())
    assert "\nPieces of X (you): none\nPieces of O: none\nYou are X, and it is your turn.\nInto which" in empty
    assert "\nPieces of X (you): d1, d2, g1\nPieces of O: a1, c1, d3\n" in shown("coordinates", "434471", Rules())
    moves = shown("moves", "41", Rules())
    assert "\nThe moves so far, X first: 4, 1\nYou are X," in moves
    assert moves.startswith("We play Connect Four.\nTwo players, X and O,")
    assert "\nThe board is empty.\nYou are X," in shown("moves", "", Rules())
    second = shown("moves", "1111112", Rules(), legal=True)
    assert "\nTwo players, X and O, take turns." in second
    assert "\nThe moves so far, X first: 1, 1, 1, 1, 1, 1, 2\nYou are O, and it is your turn.\n" in second
    assert "\nColumns that are not full: 2, 3, 4, 5, 6, 7\nInto which" in second


@pytest.mark.parametrize(
    ("rules", "prompt", "last", "name"),
    [
        (Rules(), "coordinates", "g", "Connect Four"), (Rules(12, 4), "coordinates", "l", "Connect 4"),
        (Rules(26, 1, 2), "coordinates", "z", "Connect 2"), (Rules(27, 1, 2), "coordinates", "27", "Connect 2"),
        (Rules(12, 4), "grid", "12", "Connect 4"),
    ],
)  # fmt: skip
def test_columns_are_letters_in_coordinates_as_far_as_letters_go(rules, prompt, last, name):
    rendering = Rendering.of(rules, prompt)
    assert (len(rendering.labels), rendering.labels[-1], rendering.name) == (rules.columns, last, name)
