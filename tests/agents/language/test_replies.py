"""A thousand hostile replies: each has the status that is expected, and none becomes a move that it does not say."""

import collections
import time

import pytest
from model_server import ERROR, OK, TEXTS, failed, hostile, said, serving, slow
from needs import needs

from agents.agent import Limits
from agents.board import Board
from agents.errors import InputError, Unavailable
from agents.failure import Failure
from agents.language.client import Reply, address
from agents.language.replies import answers, judge, spoken
from agents.specs.registry import parse

BOARD = Board.from_moves("1111114")
LABELS = {str(column + 1): column for column in range(7)}
pytestmark = needs("httpx")


def player(url, **options):
    words = {"retries": 0, "patience": 0, "timeout": 5, **options}
    return parse(f"llm:m@{url};{';'.join(f'{key}={value}' for key, value in words.items())}").build()


def asked(agent):
    """Return the status of an agent's answer, and the column, from 1."""
    try:
        answer = agent.choose(BOARD, Limits())
    except Unavailable:
        return ERROR, None
    except Failure as failure:
        return failure.extra["status"], None
    return answer.extra["status"], answer.column + 1


def test_of_a_thousand_replies_none_is_replaced_and_each_has_its_status():
    script = hostile(1000)
    with serving(lambda _: next(answers)) as (url, seen):
        answers = iter([answer for answer, _, _ in script])
        agent = player(url)
        found = [asked(agent) for _ in script]
    assert len(seen.requests) == 1000
    wrong = [
        (answer, expected, column, got)
        for (answer, expected, column), got in zip(script, found, strict=True)
        if got != (expected, column)
    ]
    assert wrong == []
    assert len(collections.Counter(status for status, _ in found)) == 7, "every status is among them"


@pytest.mark.parametrize("at", range(len(TEXTS)))
def test_a_reply_that_is_no_legal_move_is_never_a_column(at):
    text, expected = TEXTS[at]
    verdict = judge(Reply(text.replace("<n>", "3").replace("<m>", "5"), "stop"), LABELS, BOARD)
    assert (verdict.status, verdict.column) == (expected, 2 if expected == OK else None)
    assert bool(verdict.why) == (expected != OK)


@pytest.mark.parametrize(("text", "columns"), [
    ("<think>4</think>3", {"3"}), ("<think>a <think>5</think> move: 4</think>move: 3", {"3"}),
    ("<think>5</think>\nmove: 3\n<think>move: 4</think>", {"3"}), ("move: 4</think>move: 3", {"3"}),
    ("move: 1\n<think>a<think>5</think>b</think>\nmove: 3", {"1", "3"}),
    ("<think><think>move: 4</think>", None), ("[THINK]4[/THINK]3", {"3"}),
])  # fmt: skip
def test_thoughts_and_thoughts_within_them_are_no_answers(text, columns):
    assert answers(spoken(text)) == columns


def test_a_megabyte_is_read_and_its_last_line_counts():
    with serving(lambda _: said("3 or 4? " * 125_000 + "\nmove: 3")) as (url, _):
        answer = player(url).choose(BOARD, Limits())
    assert answer.column == 2
    assert len(answer.extra["reply"]) == 5000
    assert answer.extra["characters"] > 1_000_000


def test_what_is_too_large_or_too_slow_is_no_reply():
    with serving(lambda _: (200, b" " * (9 << 20), {})) as (url, _), pytest.raises(Unavailable, match="more than 8 MB"):
        player(url).choose(BOARD, Limits())
    with serving(lambda _: slow) as (url, _), pytest.raises(Unavailable, match="no whole answer in 0"):
        player(url, timeout=0.2).choose(BOARD, Limits())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("llm:", "nothing follows llm:"),
        ("llm:m@http://", "is no URL"),
        ("llm:m@http://me:secret@host/v1", "no key may stand in it"),
        ("llm:m@https://host/v1?key=secret", "no key may stand in it"),
        ("llm:m;key_env=sk-123", "not the key itself"),
        ("llm:m;promt=moves", "did you mean prompt"),
        ("llm:m;prompt=grib", "did you mean grid"),
        ("llm:m;disguise=1", "'disguise'"),
        ("llm:m@localhost:8080/v1", "begins with http:// or https://"),
        ("llm:m@ftp://host/v1", "begins with http:// or https://"),
        ("llm:m;retries", "is not key=value"),
        ("llm:m;illegal=skip", "forfeit or random"),
    ],
)
def test_a_spec_that_cannot_be_says_why(text, said):
    with pytest.raises(InputError, match=said) as raised:
        parse(text)
    if "secret@" in text or "key=secret" in text:
        assert "secret" not in str(raised.value).removeprefix(f"agent {text!r}")


def test_an_address_has_a_default_and_a_model_may_have_slashes():
    for name in ("org/model:7b", "@cf/meta/llama:8b", "gemini@001"):
        assert address(name) == (name, "http://127.0.0.1:8080/v1")
    assert address("m@https://host:1/v1/chat/completions") == ("m", "https://host:1/v1")


@pytest.mark.parametrize("line", ['{"a":\n', "[[[[\n", "<think>\n", "</think>\n", "<" * 100, '{"a": "b"}\n', "```\n"])
def test_a_megabyte_of_beginnings_is_judged_at_once(line):
    began = time.perf_counter()
    judge(Reply(line * (1_000_000 // len(line)) + "move: 3", "stop"), LABELS, BOARD)
    assert time.perf_counter() - began < 5


@pytest.mark.parametrize("status", [400, 422])
def test_a_server_that_wants_max_completion_tokens_gets_them_from_then_on(status):
    text = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
    with serving(lambda request: failed(status, text) if "max_tokens" in request else said("move: 3")) as (url, script):
        agent = player(url, max_tokens=77)
        answers = [agent.choose(BOARD, Limits()) for _ in range(2)]
    assert [answer.column for answer in answers] == [2, 2]
    tokens = [(request.get("max_tokens"), request.get("max_completion_tokens")) for request in script.requests]
    assert tokens == [(77, None), (None, 77), (None, 77)]
    assert [answer.extra["errors"] for answer in answers] == [0, 0]


def test_a_server_that_refuses_both_words_is_asked_twice():
    refusal = failed(400, "neither max_tokens nor max_completion_tokens")
    with serving(lambda _: refusal) as (url, script), pytest.raises(Unavailable, match="refuses: HTTP 400: neither"):
        player(url).choose(BOARD, Limits())
    assert len(script.requests) == 2


def test_thoughts_are_stored_but_neither_sent_again_nor_quoted():
    with (
        serving(lambda _: said("<think>perhaps 5</think>who knows")) as (url, script),
        pytest.raises(Failure) as raised,
    ):
        player(url, retries=1).choose(BOARD, Limits())
    assert script.requests[1]["messages"][1]["content"] == "who knows"
    assert raised.value.detail.startswith("replied 'who knows'")
    assert raised.value.extra["reply"] == "<think>perhaps 5</think>who knows"


def test_a_list_over_several_lines_that_names_no_column_is_passed_over():
    assert answers('[\n  "column 3",\n  "column 5"\n]\nColumn 4') == {"4"}
