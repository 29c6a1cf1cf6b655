"""What a server of a language model is asked, and what each of its answers becomes."""

import gc
import json
from dataclasses import asdict

import pytest
from needs import needed

from agents.agent import Limits
from agents.board import Board
from agents.errors import InputError, Unavailable
from agents.language import client as clients
from agents.language.client import address
from agents.language.player import LanguageModel
from agents.language.prompts import PROMPTS, text_of

httpx = needed("httpx")
CLIENT = httpx.Client
KEY = "sk-0123456789"


def said(text="move: 4", finish="stop", status=200, headers=(), **more):
    message = {"role": "assistant", "content": text} | more.pop("message", {})
    document = {"model": "m", "choices": [{"message": message, "finish_reason": finish}],
                "usage": {"prompt_tokens": 20, "completion_tokens": 5}} | more  # fmt: skip
    return status, json.dumps(document), dict(headers)


def error(status, told="no", **headers):
    return status, json.dumps({"error": told}), {name.replace("_", "-"): value for name, value in headers.items()}


OK = {"text": "move: 4", "finish": "stop", "refusal": False, "model": "m", "tokens_in": 20, "tokens_out": 5,
      "tokens_reasoning": None, "errors": 0}  # fmt: skip
READ = {
    "a move": (said(), {}),
    "parts": (said([{"text": "move: "}, {"text": "4"}, {}]), {}),
    "odd parts": (said([{"text": None}, {"type": "image"}, {"text": "4"}]), {"text": "4"}),
    "answers and thoughts": (said([{"type": "reasoning", "text": "move: 1"}, {"type": "output_text", "text": "move: "},
                                   {"type": "text", "text": "4"}]), {}),
    "a number": (said(4), {"text": "4"}),
    "a refusal": (said(None, message={"refusal": f"no {KEY}"}), {"text": "no [key]", "refusal": True}),
    "a move and a refusal": (said(message={"refusal": "I may not"}), {"refusal": True}),
    "an empty refusal": (said(message={"refusal": ""}), {}),
    "filtered": (said("", "content_filter"), {"text": "", "finish": "content_filter", "refusal": True}),
    "filtered by an error": (
        error(400, {"code": "content_filter", "message": f"bad {KEY}"}),
        {"text": "bad [key]", "finish": "content_filter", "refusal": True, "model": None} | dict.fromkeys(
            ("tokens_in", "tokens_out")),
    ),
    "no usage": (said(usage=None), {"tokens_in": None, "tokens_out": None}),
    "odd usage": (said(usage={"prompt_tokens": True, "completion_tokens": -1}),
                  {"tokens_in": None, "tokens_out": None}),
    "large usage": (said(usage={"prompt_tokens": (1 << 40) - 1, "completion_tokens": 1 << 40}),
                    {"tokens_in": (1 << 40) - 1, "tokens_out": None}),
    "thoughts": (said(usage={"prompt_tokens": 1, "completion_tokens_details": {"reasoning_tokens": 7}}),
                 {"tokens_in": 1, "tokens_out": None, "tokens_reasoning": 7}),
    "none used": (said(usage={"prompt_tokens": 0, "completion_tokens": 0}), {"tokens_in": 0, "tokens_out": 0}),
    "a key": (said(f"{KEY}?", finish=f"a {KEY}", model=f"{KEY} b"),
              {"text": "[key]?", "finish": "a [key]", "model": "[key] b"}),
    "no finish": (said(finish=None, model=None), {"finish": None, "model": None}),
    "long words": (said(finish="f" * 90, model="m\x07" * 90), {"finish": "f" * 40, "model": "m\\x07" * 20}),
    "null error": (said(error=None), {}),
    "two choices": (said(choices=[{"message": {"content": "one"}}, {"message": {"content": "two"}}]),
                    {"text": "one", "finish": None}),
    "a cut": (said(finish="length"), {"finish": "length"}),
}  # fmt: skip
AGAIN = (
    error(503), error(409), error(408), error(425), error(500), error(429, retry_after="soon"),
    error(429, retry_after="Wed, 21 Oct 2015 07:28:00 GMT"), error(200, {"message": "later"}), said(error="later"),
    (200, "<html>", {}),
    (200, "[1]", {}), (200, "null", {}), (200, "5", {}), (200, "[" * 100_000, {}),
    said(choices=[]), said(choices=[{}]), said(choices=None), said(["4"]), said(usage=[1]),
    said(usage={"completion_tokens_details": [1]}), httpx.ReadTimeout("t"), httpx.ReadError(f"r {KEY}"),
)  # fmt: skip
REFUSED = {
    "401: bad [key]": error(401, {"message": f"bad {KEY}"}), "404: nothing here": (404, "nothing here", {}),
    "400: no words": (400, "", {}), "406: a b": (406, f"a{' ' * 300}b", {}),
    "302: no words": (302, "", {}), "422: ['a', '[key]']": error(422, ["a", KEY]),
    f"404: {'w' * 190}[key]wwwww": error(404, "w" * 190 + KEY + "w" * 90),
    f"403: {'p' * 200}": (403, "p" * 450 + KEY, {}),
    "418: \\ud7ff\\x00": (418, "\ud7ff\x00", {}), "201: {": (201, said()[1], {}),
}  # fmt: skip
"""What is said of an answer that no later one would mend; without the key, and in as many letters as a line has."""
ADDRESSES = {
    "m": ("m", "http://127.0.0.1:8080/v1"), "m@http://h/v1/": ("m", "http://h/v1"), "m@http://h/v1//": ("m", "http://h/v1"),
    "m@https://h:8/v1/chat/completions": ("m", "https://h:8/v1"), "m@http://h/chat/completions/": ("m", "http://h"),
    "a@b": ("a@b", "http://127.0.0.1:8080/v1"), "a/b:7b@http://h:1": ("a/b:7b", "http://h:1"),
    "a@b@http://h": ("a@b", "http://h"), "@cf/a/b": ("@cf/a/b", "http://127.0.0.1:8080/v1"),
    "m@http://h:65535/v1": ("m", "http://h:65535/v1"), "m@http://[::1]:80/v1": ("m", "http://[::1]:80/v1"),
    "m@https://u:p@h/v1": "no key", "m@http://:p@h": "no key", "m@http://u@h": "no key", "m@http://h/v1?a=1": "no key",
    "m@http://h#x": "no key", "m@http://": "no URL", "m@httpx://h": "no URL", "m@http:h": "no URL", "m@http": "no URL",
    "m@http://[::1": "no URL", "m@http://a[b]/v1": "no URL", "m@http://h:x/v1": "no URL", "m@http://h:99999": "no URL",
    "m@https://h:0": "no URL", "m@http://a@http://b": "no key", "m@HTTP://h": "begins with",
    "m@localhost:80": "begins with", "m@[::1]:80": "begins with",
    "": "MODEL", "@http://h": "MODEL", " @http://h": "MODEL", "m\x07": "MODEL",
}  # fmt: skip
"""The model and the URL of an address, or a word of the line that refuses it."""


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


def model(**settings):
    found = LanguageModel(**{"model": "m@http://127.0.0.1:1/v1", "key_env": "KEY"} | settings)
    found.client._sleep = clients.time.sleep
    return found


@pytest.mark.parametrize("name", READ)
def test_an_answer_is_read_or_none_is_made_up(server, name):
    answer, differs = READ[name]
    log = server([answer])
    talk = [{"role": "user", "content": "♥ é"}, {"role": "assistant", "content": "\ud800\x00"}]
    assert asdict(model().client.ask(iter(talk), top_p=0.5)) == OK | differs
    body = {"model": "m", "messages": talk, "top_p": 0.5}
    assert log[1] == ["POST", "http://127.0.0.1:1/v1/chat/completions", f"Bearer {KEY}", body]


@pytest.mark.parametrize("failed", AGAIN, ids=lambda failed: str(failed)[:40])
def test_what_may_be_mended_by_waiting_is_asked_again_after_half_a_second(server, failed):
    log = server([failed, said()])
    assert model().client.ask([]).errors == 1
    assert [each for each in log if isinstance(each, str)] == ["slept 0.5"]


@pytest.mark.parametrize("told", REFUSED, ids=lambda told: told[:12])
def test_what_no_waiting_mends_ends_the_question_in_one_line_without_the_key(server, told):
    log = server([REFUSED[told], said()])
    with pytest.raises(Unavailable) as raised:
        model().client.ask([])
    assert str(raised.value).startswith(f"llm:m: http://127.0.0.1:1/v1 refuses: HTTP {told}")
    assert KEY not in str(raised.value)
    assert len(log) == 2


@pytest.mark.parametrize(
    ("after", "slept"), [("5000", 3600), ("3599", 3599), ("9", 9), ("1e3", 0.5), ("-5", 0.5), ("2.5", 0.5), ("", 0.5)]
)
def test_a_server_says_for_how_long_to_wait_up_to_an_hour(server, after, slept):
    log = server([error(429, retry_after=after), error(503, retry_after="7"), said()])
    assert model(patience=9000.0).client.ask([]).errors == 2
    assert [each for each in log if isinstance(each, str)] == [f"slept {slept:g}", "slept 7"]


def test_pauses_double_up_to_the_patience_and_a_wish_to_wait_longer_ends_it_at_once(server):
    log = server([error(503, {"message": f"{KEY} busy"})] * 20)
    with pytest.raises(Unavailable, match=r"failed 6 times: HTTP 503: \[key\] busy"):
        model(patience=20.0).client.ask([])
    assert [each for each in log if isinstance(each, str)] == [f"slept {0.5 * 2**power:g}" for power in range(5)]
    log = server([error(503)] * 20)
    with pytest.raises(Unavailable, match="failed 9 times"):
        model(patience=100.0).client.ask([])
    assert [each for each in log if isinstance(each, str)][-3:] == ["slept 16", "slept 30", "slept 30"]
    log = server([*[error(503)] * 3, error(429, retry_after="1"), said()])
    assert model(patience=20.0).client.ask([]).errors == 4
    assert [each for each in log if isinstance(each, str)] == [f"slept {seconds}" for seconds in (0.5, 1, 2, 4)]
    log = server([error(429, retry_after="5000")])
    with pytest.raises(Unavailable, match="failed: HTTP 429"):
        model(patience=20.0).client.ask([])
    assert len(log) == 2


@pytest.mark.parametrize(
    ("answer", "there"),
    [(said(), True), ((404, "", {}), True), (httpx.ReadTimeout("t"), True), (httpx.ReadError("r"), True),
     (httpx.RemoteProtocolError("p"), True), (httpx.ConnectError("c"), False),
     (httpx.ConnectTimeout("c"), False)],
)  # fmt: skip
def test_a_server_is_there_where_anything_answers(server, answer, there):
    log = server([answer])
    if there:
        model().client.reach()
    else:
        with pytest.raises(Unavailable, match=r"nothing answers at http://127\.0\.0\.1:1/v1 \(c\)"):
            model().client.reach()
    assert log[1:] == [["GET", "http://127.0.0.1:1/v1/models", f"Bearer {KEY}", None]]


@pytest.mark.parametrize(
    ("url", "proxies"),
    [("http://127.0.0.1:1", False), ("http://localhost:2/v1", False), ("https://LOCALHOST/v1", False),
     ("http://[::1]/v1", False), ("http://127.0.0.2/v1", True), ("http://h/localhost", True)],
)  # fmt: skip
def test_a_server_of_this_machine_is_asked_without_the_environments_proxies(server, url, proxies):
    log = server([])
    model(model=f"m@{url}")
    assert log[0]["trust_env"] == proxies


@pytest.mark.parametrize(
    ("value", "sent"),
    [(KEY, f"Bearer {KEY}"), (f"  {KEY}\n", f"Bearer {KEY}"), (None, "there is no OWN"), (" ", "there is no OWN"),
     ("schlüssel", "OWN holds characters that no key has"), ("a\nb", "OWN holds characters that no key has")],
)  # fmt: skip
def test_the_key_is_read_from_the_environment(server, monkeypatch, value, sent):
    if value is not None:
        monkeypatch.setenv("OWN", value)
    log = server([said()])
    if sent.startswith("Bearer"):
        model(key_env="OWN").client.ask([])
        assert log[-1][2] == sent
    else:
        with pytest.raises(InputError, match=sent) as raised:
            model(key_env="OWN")
        assert not (value or "").strip() or value not in str(raised.value)


@pytest.mark.parametrize("text", ADDRESSES)
def test_an_address_is_a_model_and_a_url_without_a_key(text):
    expected = ADDRESSES[text]
    if isinstance(expected, tuple):
        assert address(text) == expected
    else:
        with pytest.raises(InputError, match=expected):
            address(text)


@pytest.mark.parametrize(
    ("settings", "replies", "columns", "asked"),
    [
        ({}, ["move: 4", "move: 4", "move: 1"], [3, 3, 0], [1, 1, 1]),
        ({}, ["hm", "move: 9", "move: 4", "move: 2"], [3, 1], [1, 3, 5, 1]),
        ({"history": 2}, ["move: 4", "move: 3", "move: 2"], [3, 2, 1], [1, 3, 5]),
        ({"history": 1, "system": "be short"}, ["move: 4", "hm", "move: 3", "1"], [3, 2, 0], [2, 4, 6, 4]),
    ],
)  # fmt: skip
def test_a_question_has_the_moves_of_the_game_before_it_and_its_own_failed_tries(
    server, settings, replies, columns, asked
):
    log = server([*map(said, replies)])
    agent = model(**settings)
    agent.new_game(4)
    boards = map(Board.from_moves, ("", "44", "4455"))
    assert [agent.choose(board, Limits()).column for board, _ in zip(boards, columns, strict=False)] == columns
    assert [len(each[3]["messages"]) for each in log if isinstance(each, list)] == asked


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
    ("answers", "told"),
    [([], r"http://h/\[key\]/v1 failed: ConnectError: nobody is there$"),
     ([httpx.ReadError(f"r {KEY} http://h/{KEY}/v1")],
      r"http://h/\[key\]/v1 failed: ReadError: r \[key\] http://h/\[key\]/v1$"),
     ([httpx.ReadTimeout(KEY)], r"http://h/\[key\]/v1 failed: no answer in 120 s$"),
     ([httpx.InvalidURL(f"u {KEY}")], r"http://h/\[key\]/v1 failed: InvalidURL: u \[key\]$"),
     ([error(503, f"{KEY} busy")], r"http://h/\[key\]/v1 failed: HTTP 503: \[key\] busy$"),
     ([(500, KEY, {})], r"http://h/\[key\]/v1 failed: HTTP 500: \[key\]$"),
     ([error(404, {"message": f"no /{KEY}/v1"})], r"http://h/\[key\]/v1 refuses: HTTP 404: no /\[key\]/v1$")],
)  # fmt: skip
def test_a_key_in_an_address_is_sent_and_never_shown(server, answers, told):
    log = server(answers)
    asked = model(model=f"m@http://h/{KEY}/v1", patience=0.0).client
    with pytest.raises(Unavailable, match=f"^llm:m: {told}") as raised:
        asked.ask([])
    assert KEY not in str(raised.value)
    assert log[1][:3] == ["POST", f"http://h/{KEY}/v1/chat/completions", f"Bearer {KEY}"]
    log = server([httpx.ConnectError(f"no {KEY}")])
    asked = model(model=f"m@http://h/{KEY}/v1").client
    with pytest.raises(Unavailable, match=r"nothing answers at http://h/\[key\]/v1 \(no \[key\]\): ") as raised:
        asked.reach()
    assert KEY not in str(raised.value)
    assert log[1:] == [["GET", f"http://h/{KEY}/v1/models", f"Bearer {KEY}", None]]


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
    for name, word in {
        "gird": "did you mean grid", "zzz": "there are coordinates, grid, moves", "gone.txt": "no file gone",
        "no/where": "no file no/where", "words.txt": "shows no position", "latin.txt": "cannot be read",
        ".": "cannot be read",
    }.items():  # fmt: skip
        with pytest.raises(InputError, match=word):
            text_of(name)
