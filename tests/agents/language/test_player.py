"""What a language model's replies to one move amount to."""

import functools

import pytest
from needs import needed

from agents.agent import Limits
from agents.board import Board
from agents.errors import InputError
from agents.language.client import Reply
from agents.specs.registry import parse

needed("httpx")


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
