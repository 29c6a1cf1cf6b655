"""What a language model's replies to one move amount to."""

import pytest

from agents.agent import Limits
from agents.board import Board
from agents.language.client import Reply
from agents.specs.registry import parse

pytest.importorskip("httpx", reason="httpx is not installed")


def stored(*replies, spec="llm:m;price=3,50"):
    """Return what is stored with a move after these replies; all but the last one must be no moves."""
    agent, left = parse(spec).build(), iter(replies)
    agent.client.ask = lambda *_, **__: next(left)
    return agent.choose(Board(), Limits()).extra


def reply(text, tokens_in, tokens_out, reasoning, errors=0):
    return Reply(text, tokens_in=tokens_in, tokens_out=tokens_out, tokens_reasoning=reasoning, errors=errors)


@pytest.mark.parametrize(
    ("replies", "numbers", "price"),
    [
        ([("4", 20, 5, 2, 1)], [20, 5, 2, 1], 0.00031),
        ([("hm", 20, 5, 2, 1), ("4", 100, 7, 0, 2)], [120, 12, 2, 3], 0.00096),
        ([("4", 0, 0, 0)], [0, 0, 0, 0], 0.0),
        ([("4", None, None, None)], [None, None, None, 0], None),
        ([("hm", 20, 5, 2), ("4", None, 7, None)], [None, 12, None, 0], None),
        ([("hm", 20, None, None, 1), ("4", 100, 7, 3)], [120, None, None, 1], None),
    ],
    ids=["all", "a sum", "nothing used", "nothing told", "not of the last reply", "not of the first reply"],
)
def test_numbers_of_a_move_are_sums_over_its_replies_and_unknown_where_the_server_left_one_out(replies, numbers, price):
    found = stored(*(reply(*each) for each in replies))
    assert [found[name] for name in ("tokens_in", "tokens_out", "tokens_reasoning", "errors")] == numbers
    assert found["price"] == price
    assert found["tries"] == len(replies)


def test_a_small_price_is_kept_to_a_billionth():
    assert stored(reply("4", 3, 10, 2), spec="llm:m;price=0.015,0.0005")["price"] == 5e-8
    assert stored(reply("4", 1, 1, 0), spec="llm:m;price=0,0.0004")["price"] == 0.0
    assert stored(reply("4", 1, 0, 0), spec="llm:m;price=1000000,0")["price"] == 1.0


def test_a_move_has_no_price_where_none_was_given():
    assert stored(reply("4", 20, 5, 2), spec="llm:m")["price"] is None
