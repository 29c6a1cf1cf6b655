"""What a language model is shown and asked, and what each answer of a server and each reply becomes, word by word."""

import gc
import itertools
import json

import pytest
from needs import needed
from recorded import holds, plain, tried

from agents.agent import Limits
from agents.board import Board, Rules
from agents.errors import InputError, Unavailable
from agents.failure import Failure
from agents.language import client as clients
from agents.language.client import Reply, address
from agents.language.player import LanguageModel
from agents.language.prompts import PROMPTS, Rendering, render, text_of
from agents.language.replies import answers, judge

httpx = needed("httpx")
CLIENT = httpx.Client
KEY = "sk-0123456789"
BOARDS = (Board(), Board.from_moves("4453621"), Board.from_moves("444444"), Board.from_moves("1231", Rules(5, 4, 3)),
          Board.from_moves("10,1,11", Rules(12, 4)), Board.from_moves("5", Rules(30, 1)))  # fmt: skip


def test_every_prompt_of_a_position_stays(request):
    found = {}
    for prompt in PROMPTS:
        for board, legal in itertools.product(BOARDS, (True, False)):
            found[f"{prompt} {legal} {board.rules} {board.text}"] = tried(
                lambda prompt=prompt, legal=legal, board=board: render(
                    prompt, Rendering.of(board.rules, prompt).variables(board, legal=legal)
                )
            )
    found["a template"] = [
        tried(render, text, {"a": 1, "b": [2]}) for text in ("{{ a }}{{ b | join }} ", "{{ c }}", "{% if %}")
    ]
    holds("language-prompts", plain(found), request)


REPLIES = (
    "4", "move: 4", "MOVE: 4.", "**move: 4**", "I think 3.\nmove: 4", "move: 3\nmove: 4", "4\n4", "I'll play column 4",
    "move 44",
    "The best move is 4.", "maybe 4", "", "  ", "```\nmove: 4\n```", '{"move": 4}', '{"column": "d"}',
    '{"move": 4, "column": 5}',
    '{"move": true}', '{"move": 4.5}', "d", "D", "move: h", "move: 9", "move: 0", "-1", "Sorry, I cannot play.",
    "I can't\nmove: 4",
    "x" * 300 + " 4", "4" + " " * 300, "move: 4 or 5", "my next move would be 4", "so I will drop into column 4",
    "move: 4\nthank you",
    "  ```\nmove: 4\n  ```", "```4```\n4", "4\n```python", "4" + " " * 199, "4" + " " * 200, "3\n" + "4" * 300,
    " \n\t\n4\n \n",
    "the chosen column is: 4", "your final answer: 4", "I'd go with 4", "I’ll pick 4!", "i would select the column 4",
    "so I choose into 4", "in column 4", "into the stack 4", "column", "move:", "4.", "(4)", "“4”", "4,", "4?", "_4_",
    "`d`",
    "move: 4 .", "move : 4", "move 4 4", "move: four", "1234567890", "123456789", "-0", "+4", "d4", "As an AI, 4\n4",
    "I'm sorry.\nmove: 4", "I’m unable", "I must decline", "I cannot\nmove", "…Sorry", "So sorry", "Sorryish",
    "I can't",
    "move: 4\rmove: 4", "move: 3\x0bmove: 4", "4\n\n3", "4\n3\n4", "move: a\nmove: A", "move: a\nmove: b",
    "# 4", "> move: 4", "move=4", "answer is 4", "stack 4", "{'move': 4}", '{"a": {"move": 4}}',
)  # fmt: skip


def test_every_reply_is_judged_as_it_was(request):
    labels = {str(number + 1): number for number in range(7)}
    letters = {letter: number for number, letter in enumerate("abcdefg")}
    full = Board.from_moves("444444")
    found = {}
    for text in REPLIES:
        words = answers(text)
        found[text[:40] + f" {len(text)}" * (len(text) > 40)] = [
            sorted(words) if words is not None else None,
            *(judge(Reply(text, finish), names, board) for finish, names, board in (
                ("stop", labels, Board()), ("length", labels, Board()), (None, letters, Board()), ("stop", labels,
                full)))
        ]  # fmt: skip
    found["cut after a line"] = judge(Reply("move: 4\n", "length"), labels, Board())
    found["refused"] = judge(Reply("move: 4", refusal=True), labels, Board())
    holds("language-replies", plain(found), request)


def said(text="move: 4", finish="stop", status=200, headers=(), **more):
    message = {"role": "assistant", "content": text} | more.pop("message", {})
    document = {"model": "m", "choices": [{"message": message, "finish_reason": finish}],
                "usage": {"prompt_tokens": 20, "completion_tokens": 5}} | more  # fmt: skip
    return status, json.dumps(document), dict(headers)


def error(status, told="no", **headers):
    return status, json.dumps({"error": told}), {name.replace("_", "-"): value for name, value in headers.items()}


OBJECTS = (
    '{"move": 4, "move": 5}', '{"move": 4, "Move": 4}', '{"MOVE": "D"}', '{"column": " 4 "}', '{"move": null}',
    '{"move": [4]}', '{"move": ""}', '{"move": "44 "}', '{"move": -4}', '{"move": 1e0}', '{"moves": 4}', "{}", "[4]",
    '{"why": {"move": 3}, "column": 4}', '{"column": 4, "why": "move"}', '{"a": 1}\n4', '4\n{"move": 4}',
    '3\n{"move": 4}', '{"move": 3}\nmove: 4', '```json\n{\n "move": 4\n}\n```', '{\n "move": 4,\n "move": 4\n}',
    '{"move": 4', '{"move": 4}}', "{" * 3000, '{"move": ' + "1" * 5000 + "}", '{"a": "' + "x" * 9990 + '", "move": 4}',
    '{"a": "' + "x" * 150 + '", "move": 4}\n4',
)  # fmt: skip


def test_every_object_of_json_is_read_as_it_was(request):
    holds(
        "language-objects",
        {f"{text[:50]} {len(text)}": answers(text) and sorted(answers(text)) for text in OBJECTS},
        request,
    )


SERVERS = {
    "a move": [said()], "a key": [said(f"my key is {KEY}")], "parts": [said([{"text": "move: "}, {"text": "4"}, {}])],
    "refusal": [said(None, message={"refusal": "I may not"})], "both": [said("move: 4",
    message={"refusal": "I may not"})],
    "filtered": [said("", "content_filter")], "no usage": [said(usage=None)],
    "odd usage": [said(usage={"prompt_tokens": True, "completion_tokens": -1})],
    "reasons": [said(usage={"prompt_tokens": 1, "completion_tokens_details": {"reasoning_tokens": 7}})],
    "no finish": [said(finish=None, model=None)],
    "long words": [said(finish="f" * 90, model="m\x07" * 90)], "null error": [said(error=None)],
    "no choices": [said(choices=[])] * 9,
    "later": [error(503), error(429, retry_after="3"), said()], "busy for long": [error(503,
    {"message": f"{KEY} busy"})] * 20,
    "asks for an hour": [error(429, retry_after="5000")], "odd header": [error(429, retry_after="soon"), said()],
    "a date": [error(429, retry_after="Wed, 21 Oct 2015 07:28:00 GMT"), said()], "refused": [error(401,
    {"message": f"bad {KEY}"})],
    "not found": [(404, "nothing here", {})], "no words": [(400, "", {})], "error in 200": [error(200,
    {"message": "later"}), said()],
    "filter error": [error(400, {"code": "content_filter", "message": f"filtered {KEY}"})], "no json": [(200, "<html>",
    {}), said()],
    "a list": [(200, "[1]", {}), said()], "conflict": [error(409), error(408), error(425), error(500), said()],
    "redirect": [(302, "", {})],
    "large": [(200, "x" * (clients.LARGEST + 1), {}), said()],
    "large numbers": [said(usage={"prompt_tokens": (1 << 40) - 1, "completion_tokens": 1 << 40})],
    "no tokens": [said(usage={"prompt_tokens": 0, "completion_tokens": 0,
    "completion_tokens_details": {"reasoning_tokens": 0}})],
    "odd numbers": [said(usage={"prompt_tokens": 5.0, "completion_tokens": "7", "completion_tokens_details": None})],
    "usage is a list": [said(usage=[1]), said()],
    "odd details": [said(usage={"completion_tokens_details": [1]}), said()],
    "a number": [said(4), said()], "no message": [said(choices=[{}]), said()], "a null choice": [said(choices=None),
    said()], "two choices": [said(choices=[{"message": {"content": "one"}}, {"message": {"content": "two"}}])],
    "odd parts": [said([{"text": None}, {"type": "image"}, {"text": "4"}])], "text as a part": [said(["4"]), said()],
    "empty refusal": [said("4", message={"refusal": ""})],
    "refusal alone": [said("", message={"refusal": f"no {KEY}"})],
    "filtered words": [said("move: 4", "content_filter")], "a cut": [said("move: 4", "length")],
    "odd finish": [said("4", 7, model=5)], "lines": [said("4", "a\n b\t c", model="m\n  n")],
    "error of a text": [error(401, "a\x1b[2J\n  b")], "error of a number": [error(400, 5)],
    "error without words": [error(400, {"code": 3})], "an empty error": [error(400, {}), said()],
    "error of a list": [error(422, ["a", KEY])], "a long error": [error(404, "w" * 190 + KEY + "w" * 90)],
    "a long page": [(403, "p" * 450 + KEY + "p" * 90, {})], "a page that is no text": [(418, "\ud7ff\x00", {})],
    "filter with words alone": [error(400, {"code": "content_filter"})], "filter of a number": [error(500,
    {"code": "content_filter", "message": 5})], "three failures": [error(502), error(500), error(504), said()],
    "two failures": [error(502), error(500), said()],
    "waits as asked": [error(429, retry_after="9"), error(500), said()],
    "waits less than it would": [error(500)] * 3 + [error(429, retry_after="1"), said()],
    "null": [(200, "null", {}), said()], "201": [(201, said()[1], {})], "a number of its own": [(200, "5", {}), said()],
    "nested": [(200, "[" * 100_000, {}), said()],
}  # fmt: skip


@pytest.fixture
def server(monkeypatch):
    """A function that makes a client's requests meet these answers; it returns what is sent and slept."""
    monkeypatch.setenv("KEY", KEY)
    made, clock, log = httpx.Client, [1000.0], []

    def given(replies):
        waiting = [*replies]
        log.clear()

        def handle(request):
            body = json.loads(request.content) if request.content else None
            log.append([request.method, str(request.url), request.headers.get("authorization"), body])
            if not waiting:
                raise httpx.ConnectError("nobody is there")
            reply = waiting.pop(0)
            if isinstance(reply, Exception):
                raise reply
            status, text, headers = reply
            return httpx.Response(status, text=text, headers=headers)

        def client(**named):
            log.append({"trust_env": named.get("trust_env"), "timeout": str(named.get("timeout"))})
            return made(**named, transport=httpx.MockTransport(handle))

        monkeypatch.setattr(httpx, "Client", client)
        return log

    def sleep(seconds):
        clock[0] += seconds
        log.append(f"slept {seconds:g}")

    monkeypatch.setattr(clients.time, "sleep", sleep)
    monkeypatch.setattr(clients.time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(clients.random, "uniform", lambda low, high: (low + high) / 2)
    return given


def happens(call, *args):
    try:
        return plain(call(*args))
    except (Unavailable, InputError, Failure) as raised:
        return [type(raised).__name__, str(raised), plain(getattr(raised, "extra", None))]


def model(**settings):
    found = LanguageModel(**{"model": "m@http://127.0.0.1:1/v1", "key_env": "KEY"} | settings)
    found.client._sleep = clients.time.sleep
    return found


def test_every_answer_of_a_server_stays(server, monkeypatch, request):
    found = {}
    for name, replies in SERVERS.items():
        log = server(replies)
        asked = model(patience=20.0)
        found[name] = [happens(asked.client.ask, [{"role": "user", "content": "?"}]), log[:2], log[3:][:1], len(log),
                       [each for each in log if isinstance(each, str)]]  # fmt: skip
    for after in ("5000", "3600", "3599", "1e3", "-5", "2.5", ""):
        log = server([error(429, retry_after=after), error(503, retry_after="7"), said()])
        asked = model(patience=9000.0)
        found[f"later {after}"] = [
            happens(asked.client.ask, [])["errors"],
            [each for each in log if isinstance(each, str)],
        ]
    for name, failed in {
        "slow": httpx.ReadTimeout("t"),
        "broken": httpx.ReadError(f"r {KEY}"),
        "url": httpx.InvalidURL("u"),
    }.items():
        log = server([failed, said()])
        found[name] = [happens(model().client.ask, []), log[2:3]]
    for name, failed in {"up": said(), "odd page": (404, "", {}), "slow": httpx.ReadTimeout("t"),
    "down": httpx.ConnectError("c"),
                         "late": httpx.ConnectTimeout("c")}.items():  # fmt: skip
        log = server([failed])
        found[f"reach {name}"] = [happens(model().client.reach), [each for each in log if isinstance(each, list)]]
    for url in (
        "http://127.0.0.1:1",
        "http://localhost:2/v1",
        "https://LOCALHOST/v1",
        "http://127.0.0.2/v1",
        "http://h/localhost",
        "http://[::1]/v1",
        "https://api.example.org/v1/chat/completions/",
    ):
        log = server([])
        found[f"at {url}"] = happens(lambda url=url, log=log: [model(model=f"m@{url}").client.url, log])
    for name, key in (("BLANKS", f"  {KEY}\n"), ("UMLAUT", "schlüssel"), ("BROKEN", "a\nb"), ("EMPTY", " ")):
        monkeypatch.setenv(name, key)
    for key in ("", "NONE", "KEY", "BLANKS", "UMLAUT", "BROKEN", "EMPTY"):
        log = server([said(f"{KEY}!")])
        found[f"key {key}"] = happens(lambda key=key, log=log: [model(key_env=key).client.ask([]).text, log[-1][2]])
    for text in (
        "m",
        "m@http://h/v1/",
        "m@https://u:p@h/v1",
        "m@http://h/v1?a=1",
        "m@http://",
        "@http://h",
        "a@b",
        "",
        "m\x07",
        "m@http://h#x", "m@https://h:8/v1/chat/completions", "m@http://h/chat/completions/", "m@http://h/v1//",
        "m@http://@h", "m@http://u@h", "m@http://:p@h", "m@httpx://h", "m@http:h", "m@HTTP://h", "a/b:7b@http://h:1",
        "a@b@http://h", " @http://h", " m ", "m@localhost:80", "m@[::1]:80", "@cf/a/b", "a@b/c:d", "m@http://h?",
        "m@http", "m@http://[::1", "m@http://a[b]/v1", "m@http://h:x/v1", "m@http://h:99999", "m@https://h:0",
        "m@http://h:65535/v1", "m@http://[::1]:80/v1", "m@http://h:/v1",
    ):  # fmt: skip
        found[f"address {text}"] = tried(address, text)
    holds("language-servers", json.loads(json.dumps(plain(found))), request)


SETTINGS = (
    {}, {"history": 1}, {"history": 2, "system": "be short"}, {"legal": True, "prompt": "grid"}, {"retries": 0},
    {"retries": 1},
    {"illegal": "random"}, {"illegal": "random", "retries": 0}, {"temperature": 0.0, "max_tokens": 0},
    {"prompt": "coordinates"},
)  # fmt: skip
GAMES = (
    [said(), said("move: 4"), said("move: 1")], [said("hm"), said("move: 9"), said("move: 4"), said("move: 2")],
    [said(f"{'x' * 6000} move: 4"), said(""), said("Sorry."), said("\x01" * 6000)], [error(503), said("d"),
    said("move: d")],
)  # fmt: skip


def test_every_talk_with_a_model_stays(server, monkeypatch, request):
    found = {}
    for settings in SETTINGS:
        for number, replies in enumerate(GAMES):
            log = server([*replies, *[said("move: 3")] * 9])
            asked = model(**settings)
            monkeypatch.setattr("agents.language.player.time.perf_counter", lambda: 5.0)
            asked.new_game(4)
            said_of = [happens(asked.choose, Board.from_moves(moves), Limits()) for moves in ("", "44", "444444")]
            asked.new_game(4)
            said_of.append(happens(asked.choose, Board.from_moves("1"), Limits()))
            bodies = [each[3] for each in log if isinstance(each, list)]
            sent = [[{name: value for name, value in body.items() if name != "messages"},
                     [[message["role"], message["content"][:25],
                     message["content"][-70:]] for message in body["messages"]]]
                    for body in bodies] if not number else len(bodies)  # fmt: skip
            found[f"{settings} {number}"] = [shortened(said_of), sent]
    server([said()])
    found["rules"] = happens(model().prepare, Rules(most_fours=True))
    holds("language-talks", plain(found), request)


def test_all_that_a_model_sees_of_what_it_said_stays(server, request):
    """After replies that are no moves, long and empty ones, and in games with a history of them."""
    found = {}
    for settings in (
        {}, {"history": 1}, {"history": 3, "system": "be short"}, {"history": 2, "retries": 0, "illegal": "random"},
        {"history": 1, "legal": True, "prompt": "grid"},
        {"history": 2, "retries": 1, "prompt": "coordinates"},
    ):  # fmt: skip
        for number, replies in enumerate(GAMES[1:], 1):
            log = server([*replies, *[said("move: 3")] * 9])
            asked = model(**settings)
            asked.new_game(4)
            for moves in ("", "44", "444444"):
                happens(asked.choose, Board.from_moves(moves), Limits())
            bodies = [each[3] for each in log if isinstance(each, list)]
            found[f"{settings} {number}"] = [
                [f"{message['role'][0]} {len(message['content'])} {message['content'][:20]}… "
                 f"{message['content'][-30:]}" for message in body["messages"]]
                for body in bodies
            ]  # fmt: skip
    holds("language-seen", found, request)


def shortened(value):
    """Return plain data with its long texts cut."""
    if isinstance(value, str):
        return value if len(value) < 120 else [value[:60], len(value)]
    if isinstance(value, list):
        return [shortened(each) for each in value]
    return {key: shortened(each) for key, each in value.items()} if isinstance(value, dict) else value


def dripping(monkeypatch, pieces, seconds):
    """Have a client's requests answered in pieces, each so many seconds after the one before; return the requests."""
    clock, log = [0.0], []

    class Drops(httpx.SyncByteStream):
        def __iter__(self):
            for piece in pieces:
                clock[0] += seconds
                yield piece

    def handle(request):
        log.append(str(request.url))
        return httpx.Response(200, stream=Drops())

    monkeypatch.setattr(httpx, "Client", lambda **named: CLIENT(**{**named, "transport": httpx.MockTransport(handle)}))
    monkeypatch.setattr(clients.time, "monotonic", lambda: clock[0])
    return log


def test_an_answer_that_drips_is_given_up_when_its_time_is_over(monkeypatch):
    document = json.dumps({"choices": [{"message": {"content": "move: 4"}}]}).encode()
    pieces = [document[:9], document[9:20], document[20:]]
    log = dripping(monkeypatch, pieces, 30.0)
    assert clients.Client("m", "http://h/v1", timeout=90.0, patience=0.0).ask([]).text == "move: 4"
    assert log == ["http://h/v1/chat/completions"]
    dripping(monkeypatch, pieces, 30.0)
    with pytest.raises(Unavailable) as raised:
        clients.Client("m", "http://h/v1", timeout=89.5, patience=0.0).ask([])
    assert str(raised.value) == "llm:m: http://h/v1 failed: no whole answer in 89.5 s"


@pytest.mark.parametrize(("more", "fits"), [(0, True), (1, False)])
def test_an_answer_is_read_up_to_its_limit(monkeypatch, more, fits):
    document = json.dumps({"choices": [{"message": {"content": "move: 4"}}]}).encode()
    monkeypatch.setattr(clients, "LARGEST", 1 << 20)
    dripping(monkeypatch, [document, b" " * ((1 << 20) - len(document)), b" " * more], 0.0)
    asked = clients.Client("m", "http://h/v1", patience=0.0)
    if fits:
        assert asked.ask([]).text == "move: 4"
    else:
        with pytest.raises(Unavailable, match="failed: it answers with more than 1 MB"):
            asked.ask([])


def test_a_client_is_closed_with_the_agent_that_had_it(monkeypatch):
    closed = []
    monkeypatch.setattr(httpx.Client, "close", lambda client: closed.append(client))  # noqa: PLW0108  it is called as a method
    asked = clients.Client("m", "http://h/v1")
    kept = asked._http
    assert not closed
    del asked
    gc.collect()
    assert closed == [kept]


@pytest.mark.parametrize(("timeout", "connect"), [(120.0, 10.0), (3.0, 3.0)])
def test_nobody_is_waited_for_longer_than_ten_seconds_to_pick_up(timeout, connect):
    limits = clients.Client("m", "http://h/v1", timeout=timeout)._http.timeout
    assert (limits.connect, limits.read, limits.write) == (connect, timeout, timeout)


def test_a_key_is_hidden_wherever_it_stands(server):
    log = server(
        [said(f"{KEY} and again {KEY}", model=f"m {KEY}{KEY}", finish=f"{KEY} {KEY}"), error(401, f"{KEY}, {KEY}")]
    )
    asked = model().client
    told = asked.ask([])
    assert (told.text, told.model, told.finish) == ("[key] and again [key]", "m [key][key]", "[key] [key]")
    with pytest.raises(Unavailable, match=r"refuses: HTTP 401: \[key\], \[key\]$"):
        asked.ask([])
    assert {each[2] for each in log if isinstance(each, list)} == {f"Bearer {KEY}"}


@pytest.mark.parametrize(
    "text", ["{{ grid }}", "{% for each in moves %}x{% endfor %}", "{% if legal %}{{ legal }}{% endif %}"]
)
def test_a_template_may_show_a_position_in_any_way(tmp_path, monkeypatch, text):
    monkeypatch.chdir(tmp_path)
    for name in ("mine.txt", "folder/mine", "plain"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
        assert text_of(name) == text


def test_a_prompt_that_is_none_is_told_which_there_are(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert [text_of(name) for name in PROMPTS] == [*PROMPTS]
    (tmp_path / "words.txt").write_text("play!")
    (tmp_path / "latin.txt").write_bytes(b"caf\xe9 {{ grid }}")
    said_of = {name: tried(text_of, name) for name in ("gird", "zzz", "gone.txt", "no/where", "words.txt", "latin.txt")}
    assert said_of == {
        "gird": "InputError: no prompt 'gird': did you mean grid?",
        "zzz": "InputError: no prompt 'zzz': there are coordinates, grid, moves",
        "gone.txt": "InputError: there is no file gone.txt",
        "no/where": "InputError: there is no file no/where",
        "words.txt": "InputError: words.txt shows no position: a template has {{ grid }} or {{ moves }}",
        "latin.txt": said_of["latin.txt"],
    }
    assert said_of["latin.txt"].startswith("InputError: latin.txt cannot be read: 'utf-8' codec can't decode")
