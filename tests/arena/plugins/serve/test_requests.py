"""What the server lets pass and says."""

import asyncio
import itertools
from types import SimpleNamespace as Row

import h11
import pytest
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException

from agents.board import Board, IllegalMove
from agents.errors import InputError
from arena.plugins.serve import game, guard
from arena.plugins.serve import server as listening
from arena.plugins.serve.guard import Guard, hosts

NAMES = (
    "127.0.0.1", "127.0.0.1:80", "127.0.0.1:8000", "127.0.0.1:9", "localhost:8000", "localhost", "[::1]:8000", "[::1]",
    "192.168.1.5:8000", "192.168.1.5", "[fe80::1]:8000", "my.name:8000", "evil.example:8000", "127.0.0.1.evil:8000",
    "1.2.3.4:8000:8000", "[1.2.3.4:8000", "",
)  # fmt: skip
LOOPBACK = ["127.0.0.1:8000", "localhost:8000", "[::1]:8000"]


@pytest.mark.parametrize(
    ("host", "port", "names"),
    [
        ("127.0.0.1", 80, ["127.0.0.1", "127.0.0.1:80", "localhost", "[::1]"]), ("127.0.0.1", 8000, LOOPBACK),
        ("localhost", 8000, LOOPBACK), ("192.168.1.5", 8000, [*LOOPBACK, "192.168.1.5:8000"]),
        ("my.name", 8000, [*LOOPBACK, "my.name:8000"]),
        ("0.0.0.0", 80, ["127.0.0.1", "127.0.0.1:80", "localhost", "[::1]", "192.168.1.5"]),
        ("0.0.0.0", 8000, ["127.0.0.1", "127.0.0.1:8000", "localhost:8000", "[::1]:8000", "[::1]", "192.168.1.5:8000",
                           "192.168.1.5", "[fe80::1]:8000"]),
    ],
)  # fmt: skip
def test_a_server_is_called_by_its_own_address_with_its_port(host, port, names):
    assert [name for name in NAMES if hosts(host, port)(name)] == names


def test_headers_are_added_to_answers_and_replace_none():
    async def asked(scope, given, host="own"):
        sent = []

        async def app(_, __, send):
            await send({"type": "http.response.start", "status": 200, "headers": given})
            await send({"type": "http.response.body", "body": b"x"})

        async def send(message):
            sent.append(message)

        await Guard(app, lambda _: host == "own")(scope, None, send)
        return sent

    scope = {"type": "http", "method": "GET", "path": "/", "headers": [(b"host", b"own")]}
    own_policy = [(guard.POLICY.lower().encode(), b"mine"), (b"x-other", b"1")]
    start, body = asyncio.run(asked(scope, own_policy))
    headers = Headers(raw=start["headers"])
    added = {key.lower(): value for key, value in guard.HEADERS.items()}
    assert dict(headers) == {**added, guard.POLICY.lower(): "mine", "x-other": "1"}
    assert body == {"type": "http.response.body", "body": b"x"}
    assert asyncio.run(asked({"type": "lifespan"}, []))[0]["headers"] == []
    for method, kind in (("GET", "text/plain; charset=utf-8"), ("POST", "application/json")):
        start, body = asyncio.run(asked(scope | {"method": method}, own_policy, "other"))
        kept = {key: value for key, value in Headers(raw=start["headers"]).items() if key not in added}
        assert (start["status"], kept) == (403, {"content-type": kind, "content-length": str(len(body["body"]))})
        assert added.items() <= dict(Headers(raw=start["headers"])).items()


LINK = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
JSON = {"origin": "http://own:1", "content-type": "application/json"}


@pytest.mark.parametrize(
    ("method", "headers", "fault"),
    [
        ("GET", {}, None), ("GET", LINK, None), ("HEAD", LINK | {"sec-fetch-site": "same-site"}, None),
        ("GET", LINK | {"sec-fetch-dest": "iframe"}, "only link"),
        ("HEAD", LINK | {"sec-fetch-mode": "cors"}, "only link"),
        ("GET", LINK | {"sec-fetch-site": "same-site", "sec-fetch-mode": "no-cors"}, "only link"),
        ("GET", {"sec-fetch-site": "same-origin"}, None), ("HEAD", {"sec-fetch-site": "none"}, None),
        *[(method, {"host": "other:1"}, "own address") for method in ("GET", "HEAD")],
        ("POST", JSON | {"host": "other:1"}, "own address"),
        ("POST", JSON, None), ("PUT", JSON | {"content-type": "application/json; charset=utf-8"}, None),
        ("POST", LINK, "only pages of"), ("POST", JSON | {"origin": "https://own:1"}, "only pages of"),
        ("POST", {"origin": "http://own:1"}, "must be JSON"),
        ("POST", JSON | {"content-type": "text/json"}, "must be JSON"),
    ],
)  # fmt: skip
def test_a_request_is_refused_by_its_host_then_its_site_or_its_origin_and_its_kind(method, headers, fault):
    refused = Guard(None, {"own:1"}.__contains__).fault(method, Headers({"host": "own:1"} | headers))
    assert refused is None if fault is None else fault in refused
    media = guard.refusal("why", method).media_type
    assert media == ("application/json" if method in ("POST", "PUT") else "text/plain")


def test_errors_are_pages_for_people_and_json_for_scripts():
    def answered(path, error):
        handle = listening._refused if isinstance(error, HTTPException) else listening._bad_input
        answer = asyncio.run(handle(Row(url=Row(path=path)), error))
        return (
            answer.status_code,
            answer.media_type,
            "why &lt;b&gt;" in answer.body.decode(),
            "<b>" in answer.body.decode(),
        )

    for error, code in (
        (InputError("why <b>"), 400),
        (HTTPException(404, "why <b>"), 404),
        (HTTPException(405, "why <b>"), 405),
    ):
        assert answered("/run/api/x", error) == (code, "text/html", True, False)
        assert answered("/api/move", error) == (code, "application/json", False, True)


def test_a_connection_is_closed_only_where_it_keeps_the_server_waiting():
    one, two = object(), object()
    states = (h11.IDLE, h11.SEND_BODY, h11.DONE, h11.MUST_CLOSE, h11.ERROR)
    for state, cycle, closing in itertools.product(states, (one, two), (False, True)):
        told = []
        transport = Row(is_closing=lambda closing=closing: closing, close=lambda told=told: told.append("close"))
        loop = Row(call_later=lambda *given, told=told: told.append(given))
        held = Row(transport=transport, conn=Row(their_state=state), cycle=cycle, loop=loop)
        held.look = lambda *_: None
        listening.Connection.look(held, one)
        waits = state in (h11.IDLE, h11.SEND_BODY) and cycle is one
        assert told == ([] if closing else ["close"] if waits else [(listening.LAGGARD, held.look, cycle)])


# Positions and bodies of requests.


@pytest.mark.parametrize(
    ("asked", "text", "rules"),
    [({}, "", "7x6x4"), ({"board": None}, "", "7x6x4"), ({"board": "5x4"}, "", "5x4x4"),
     ({"moves": "44"}, "44", "7x6x4"), ({"board": "9x6x4", "moves": "9"}, "9", "9x6x4"),
     ({"board": "4x4x3", "moves": "112"}, "112", "4x4x3")],
)  # fmt: skip
def test_a_position_of_a_request(asked, text, rules):
    for way in (game.position_of, game._going):
        assert (way(asked).text, str(way(asked).rules)) == (text, rules)


@pytest.mark.parametrize(
    "asked", [{"board": "10x4"}, {"board": "x" * 50}, {"moves": "12" * 101}, {"moves": None}, {"moves": "1212121"}]
)
def test_a_position_that_cannot_be_asked_for_is_refused(asked):
    with pytest.raises((InputError, IllegalMove)):
        game._going(asked)


def test_a_game_that_is_over_may_be_shown():
    assert game.position_of({"moves": "1212121"}).text == "1212121"


def test_the_seed_of_a_move_is_that_of_its_game_and_its_ply():
    board = Board.from_moves("44")
    seeds = {0: 2, 5: 7, 2**32 - 1: 2**32 + 1}
    assert {seed: game._seed({"seed": seed}, board) for seed in seeds} == seeds
    for seed in (-1, 2**32, "5", None, 1.5):  # no seed
        assert game._seed({"seed": seed}, board) == game._seed({}, board) == 2


@pytest.mark.parametrize("length", [4096, 4097])
def test_a_request_has_at_most_so_many_bytes(length):
    body = Row(stream=lambda: parts(b'{"x": "' + b"y" * (length - 9) + b'"}'))
    if length == 4096:
        assert len(asyncio.run(game.asked_of(body))["x"]) == 4087
    else:
        with pytest.raises(InputError, match="longer than 4,096 bytes"):
            asyncio.run(game.asked_of(body))


@pytest.mark.parametrize("given", [b"[1]", b"{", b"\xff", b"[" * 3000, b"3", b"", b"null", b"{} {}"])
def test_a_request_is_an_object_of_json(given):
    with pytest.raises(InputError, match=r"is not (a )?JSON"):
        asyncio.run(game.asked_of(Row(stream=lambda: parts(given))))


async def parts(text):
    yield text[:4000]
    yield text[4000:]
