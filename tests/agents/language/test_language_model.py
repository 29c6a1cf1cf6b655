"""What a language model is asked, told and forgiven, and what is kept of it."""

import json
import sys

import pytest
from model_server import failed, said, serving
from needs import needs

from agents.agent import Limits, prepare
from agents.board import Board, Rules
from agents.errors import InputError, Unavailable
from agents.failure import Failure
from agents.language.client import Client
from agents.language.prompts import PROMPTS, Rendering, render
from agents.specs.registry import parse

pytestmark = needs("httpx")
BOARD = Board.from_moves("4453")


def player(url, *options):
    return parse(";".join([f"llm:m@{url}", "patience=0", *options])).build()


def replying(*replies):
    left = iter(replies)
    return lambda _: next(left)


def test_the_model_is_told_what_was_wrong():
    answers = replying(said("12"), said("I do not know"), said("move: 3"))
    with serving(answers) as (url, script):
        answer = player(url, "temperature=0.5", "max_tokens=99", "system=Play well.").choose(BOARD, Limits())
    assert answer.column == 2
    last = script.requests[-1]
    assert (last["temperature"], last["max_tokens"], last["model"]) == (0.5, 99, "m")
    roles = [message["role"] for message in last["messages"]]
    assert roles == ["system", "user", "assistant", "user", "assistant", "user"]
    assert "There is no column 12" in last["messages"][3]["content"]
    assert "does not end with a move" in last["messages"][5]["content"]
    assert answer.extra["tries"] == 3
    assert (answer.extra["tokens_in"], answer.extra["tokens_out"]) == (60, 15)
    assert [each["status"] for each in answer.extra["before"]] == ["illegal", "unparsable"]


def test_after_the_last_try_it_forfeits_or_a_marked_random_move_is_played():
    with serving(lambda _: said("8")) as (url, script):
        with pytest.raises(Failure, match="There is no column 8") as raised:
            player(url, "retries=1").choose(BOARD, Limits())
        assert (raised.value.kind, len(script.requests)) == ("illegal move", 2)
        agent = player(url, "retries=0", "illegal=random")
        agent.new_game(7)
        one, two = (agent.choose(BOARD, Limits()) for _ in range(2))
    assert one.extra["drawn"] is True
    assert one.extra["status"] == "illegal"
    assert one.column == two.column, "the game's seed decides"


def test_a_server_that_fails_is_asked_again_with_pauses_and_then_given_up():
    pauses = []
    with serving(replying(failed(503), failed(429, **{"Retry-After": "3"}), said("4"))) as (url, _):
        reply = Client("m", url, patience=60.0, sleep=pauses.append).ask([])
    assert (reply.text, reply.errors) == ("4", 2)
    assert 0.3 < pauses[0] < 0.7
    assert 3.0 <= pauses[1] < 4.0
    with serving(lambda _: failed(500, "on\nfire")) as (url, script):
        with pytest.raises(Unavailable, match="failed 2 times: HTTP 500: on fire"):
            Client("m", url, patience=0.7).ask([])  # the second pause is 0.75 s or more
        assert len(script.requests) == 2
    with serving(lambda _: failed(401, "bad key")) as (url, script):
        with pytest.raises(Unavailable, match="refuses: HTTP 401: bad key"):
            Client("m", url, patience=60.0).ask([])
        assert len(script.requests) == 1


def test_without_httpx_one_line_says_what_it_is_for_and_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "httpx", None)
    with pytest.raises(
        InputError, match=r"asks language models, is not installed: pip install 'connect4-arena\[llm\]'"
    ):
        parse("llm:m").build()


def test_nobody_at_the_address_is_said_before_the_first_game():
    agent = player("http://127.0.0.1:9/v1")
    with pytest.raises(InputError, match="nothing answers at http"):
        prepare(agent, Rules(), "m")
    with pytest.raises(InputError, match="not most-fours"):
        prepare(agent, Rules(most_fours=True), "m")


@pytest.mark.parametrize(("history", "messages"), [(0, [1, 1, 1, 1]), (1, [1, 3, 3, 3]), (4, [1, 3, 5, 7])])
def test_history_is_as_long_as_asked_and_ends_with_the_game(history, messages):
    with serving(lambda _: said("4")) as (url, script):
        agent = player(url, f"history={history}")
        for moves in ("", "44", "4444", "444455"):
            agent.choose(Board.from_moves(moves), Limits())
        agent.new_game(1)
        agent.choose(Board(), Limits())
    assert [len(request["messages"]) for request in script.requests] == [*messages, 1]


def test_of_a_move_that_took_several_replies_the_history_has_the_one_that_was_played():
    with serving(replying(said("none"), said("move: 4"), said("4"))) as (url, script):
        agent = player(url, "history=1")
        for moves in ("", "44"):
            agent.choose(Board.from_moves(moves), Limits())
    assert script.requests[-1]["messages"][1]["content"] == "move: 4"


def test_a_key_is_sent_and_stands_nowhere_else(monkeypatch):
    monkeypatch.setenv("MODEL_KEY", "sk-very-secret/1")
    echo = said("your key sk-very-secret/1 is fine", model="m sk-very-secret/1")
    with serving(replying(echo, failed(401, "no key sk-very-secret/1"))) as (url, script):
        agent = player(url, "key_env=MODEL_KEY", "retries=0")
        with pytest.raises(Failure) as raised:
            agent.choose(BOARD, Limits())
        with pytest.raises(Unavailable) as refused:
            agent.choose(BOARD, Limits())
    assert script.headers[0]["Authorization"] == "Bearer sk-very-secret/1"
    kept = json.dumps(raised.value.extra) + str(raised.value) + str(refused.value) + json.dumps(script.requests)
    assert "very-secret" not in kept
    assert "[key]" in kept
    monkeypatch.delenv("MODEL_KEY")
    with pytest.raises(InputError, match="there is no MODEL_KEY in the environment"):
        player(url, "key_env=MODEL_KEY")


# Prompts.


@pytest.mark.parametrize("prompt", PROMPTS)
def test_every_prompt_tells_the_same_position(prompt):
    """The text is read back: its cells, its moves or its grid, by its labels, give the board again."""
    rendering = Rendering.of(BOARD.rules, prompt)
    shown = rendering.variables(BOARD, legal=True)
    text = render(prompt, shown)
    assert text.startswith("We play Connect Four.\nTwo players, X and O, take turns.")
    column_of = {label: column for column, label in enumerate(rendering.labels)}
    assert [column_of[label] for label in shown["moves"]] == list(BOARD.moves)
    assert shown["columns"] == list(rendering.labels)
    rows = [line.split() for line in shown["grid"].split("\n")]
    for row, line in enumerate(reversed(rows)):
        for column, mark in enumerate(line):
            bit = 1 << (column * 7 + row)
            expected = shown["me"] if BOARD.own & bit else shown["other"] if BOARD.opp & bit else "."
            assert mark == expected
    assert len(shown["mine"]) == len(shown["theirs"]) == 2
    assert {column_of[cell[0]] for cell in shown["mine"]} == {3, 4}


def test_a_legal_list_leaves_full_columns_out():
    board = Board.from_moves("111111")
    shown = Rendering.of(board.rules, "moves").variables(board, legal=True)
    assert shown["legal"] == list("234567")
    assert "not full" in render("moves", shown)


def test_a_model_is_judged_by_the_labels_that_it_sees():
    with serving(lambda _: said("move: F")) as (url, _):
        assert player(url, "prompt=coordinates").choose(BOARD, Limits()).column == 5
        with pytest.raises(Failure):
            player(url, "prompt=grid", "retries=0").choose(BOARD, Limits())


def test_a_template_of_the_users_own_is_kept_in_the_place_of_its_file(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("{{ grid }}\nYou: {{ me }}. Columns {{ columns | join(' ') }}. One number!")
    spec = parse(f"llm:m;prompt={path}")
    path.unlink()
    with serving(lambda _: said("5")) as (url, script):
        agent = parse(f"llm:m@{url}").having(prompt=spec.parameters["prompt"]).build()
        assert agent.choose(BOARD, Limits()).column == 4
    assert script.requests[0]["messages"][0]["content"].endswith("You: X. Columns 1 2 3 4 5 6 7. One number!")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("play!", "shows no position"),
        ("the moves so far, the grid", "shows no position"),
        ("", "shows no"),
        ("{{ bord }}", "undefined"),
        ("{{ grid }} {{ move }}", "'move' is undefined"),
        ("{% if %}", "fails"),
        ("{{ moves", "fails"),
        ("{{ legal[9] }}", "no element 9"),
    ],
)
def test_a_template_that_cannot_show_a_position_is_refused(tmp_path, text, said):
    (tmp_path / "mine.txt").write_text(text)
    with pytest.raises(InputError, match=said):
        parse(f"llm:m;prompt={tmp_path}/mine.txt")


@pytest.mark.parametrize("offset", [0, 150, 170, 185, 195, 470, 490])
def test_an_error_that_is_cut_inside_a_key_shows_nothing_of_it(monkeypatch, offset):
    key = "abcdefghijklmnopqrstuvwxyz/ABCDEFGHIJKLM"
    monkeypatch.setenv("MODEL_KEY", key)
    texts = ("x" * offset + key, json.dumps("x" * offset + key).replace("/", "\\/"), "x " * (offset // 2) + repr(key))
    answers = [
        answer
        for text in texts
        for answer in (failed(401, text), (401, text.encode(), {}), said("4", model=text, finish=text))
    ]
    with serving(lambda _: next(left)) as (url, script):
        agent, left = player(url, "key_env=MODEL_KEY"), iter(answers)
        for _ in answers:
            try:
                shown = json.dumps(agent.choose(BOARD, Limits()).extra)
            except Unavailable as refused:
                shown = str(refused)
            assert [at for at in range(len(key) - 4) if key[at : at + 5] in shown] == []
    assert len(script.requests) == len(answers)
