"""What the server lets pass, offers, begins and says, in every combination that matters, as it was recorded."""

import asyncio
import itertools
import json
from types import SimpleNamespace as Row

import h11
from recorded import holds, plain, tried
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException

from agents.board import Board, Rules
from agents.errors import InputError
from agents.specs.parameters import Parameter
from arena.plugins.serve import game, guard, own
from arena.plugins.serve import server as listening
from arena.plugins.serve.guard import Guard, hosts

HOSTS = ("127.0.0.1", "localhost", "0.0.0.0", "::", "::1", "192.168.1.5", "my.name")
ASKED = (
    "127.0.0.1", "127.0.0.1:80", "127.0.0.1:8000", "127.0.0.1:9", "localhost:8000", "localhost", "[::1]:8000", "[::1]",
    "[::]:8000", "0.0.0.0:8000", "192.168.1.5:8000", "192.168.1.5", "[fe80::1]:8000", "[fe80::1]", "fe80::1",
    "my.name:8000", "my.name", "evil.example:8000", "127.0.0.1.evil:8000", "1.2.3.4:8000:8000", "[1.2.3.4:8000", "",
)  # fmt: skip


def test_whose_name_a_host_is(request):
    found = {f"{host}:{port}": [value for value in ASKED if hosts(host, port)(value)]
             for host in HOSTS for port in (80, 8000)}  # fmt: skip
    holds("web-hosts", found, request)


def test_which_requests_pass(request):
    found = {}
    sites = [{}, *({"sec-fetch-site": site, "sec-fetch-mode": mode, "sec-fetch-dest": place}
                   for site in ("cross-site", "same-site", "same-origin", "none") for mode in ("navigate", "no-cors")
                   for place in ("document", "iframe"))]  # fmt: skip
    for method, site in itertools.product(("GET", "HEAD", "POST", "PUT", "DELETE"), sites):
        guarded = Guard(None, lambda host: host == "own")
        for host in ("own", "other"):
            fault = guarded.fault(method, Headers({"host": host, **site}))
            found.setdefault(str(fault), []).append(" ".join([method, host, *site.values()]))
    own_page = {"host": "own", "origin": "http://own", "content-type": "application/json"}
    changes = [
        {}, {"origin": "https://own"}, {"origin": "http://other"}, {"origin": None}, {"content-type": None},
        {"content-type": "application/json; charset=utf-8"}, {"content-type": "text/plain"},
    ]  # fmt: skip
    for changed in changes:
        given = {key: value for key, value in (own_page | changed).items() if value is not None}
        headers = Headers(raw=[(key.lower().encode(), value.encode()) for key, value in given.items()])
        fault = Guard(None, lambda host: host == "own").fault("POST", headers)
        found.setdefault(str(fault), []).append(str(changed))
    answers = [guard.refusal("why <b>", method) for method in ("GET", "HEAD", "POST")]
    found["refused"] = [[each.status_code, each.media_type, each.body.decode()] for each in answers]
    holds("web-guard", plain(found), request)


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


# Agents that pages may use, and forms for them.


def test_what_agents_may_be_asked_for(request):
    texts = (
        "greedy", " easy", "master", "alphabeta:depth=30", "alphabeta:depth=31", "alphabeta:depth=1..3",
        "alphabeta:heuristic=mine.py:f", "alphabeta:heuristic=mine.py:f,order=mine.py:f",
        "alphabeta:heuristic=other.py:g",
        "alphabeta:heuristic=parity,order=centre", "alphabeta:heuristic=nothing", "alphabeta:order=nothing",
        "smart-connect4:heuristic=aware", "alphabeta:heuristic=aware", "smart-connect4:heuristic=nothing",
        "alphabeta:heuristic=windows(1,2,3,4)", "alphabeta:compiled=no", "alphabeta:compiled=yes", "mcts:seconds=5",
        "mcts:seconds=5.5", "mcts:c=nan", "mcts:playouts=10|20", "a/b", "llm:x", "x" * 301, "greedy" + ":" * 295, "",
        "alphabeta:" + "depth=1," * 40, "alphabeta:depth=29..31", "alphabeta:depth=31|4", "mcts:c=1|nan",
        "alphabeta:heuristic=parity|nothing", "alphabeta:heuristic=zero|mine.py:f", "minimax:heuristic=mine.py:f|a/b",
        "alphabeta:compiled=yes|no", "minimax:depth=2,heuristic=mine.py:f,order=centre|nothing", " alphabeta:depth=2 ",
    )  # fmt: skip
    found = {}
    for text in texts:
        found[text[:60]] = tried(lambda text=text: own.allowed(text).text)
    found["largest"], found["hidden"] = own.LARGEST, sorted(own.HIDDEN)
    holds("web-agents", plain(found), request)


def test_forms_of_agents(request):
    parameters = {
        "depth": Parameter(int, 4, "how deep"), "table_size": Parameter(int, 16, "MiB"),
        "on": Parameter(bool, True, "whether"), "off": Parameter(bool, False, "whether not"),
        "word": Parameter(str, "a", "which", ("a", "b")), "compiled": Parameter(bool, True, "hidden"),
    }  # fmt: skip
    found = {"form": game._form("name", "summary", "source", parameters), "forms": game.forms()}
    holds("web-forms", plain(found), request)


def test_a_position_of_a_request(request):
    asked = (
        {}, {"board": None}, {"board": ""}, {"board": "5x4"}, {"board": "9x6"}, {"board": "10x4"}, {"board": "x" * 50},
        {"moves": "44"}, {"moves": "1212121"}, {"moves": "12" * 101}, {"board": "4x4x3", "moves": "112"},
        {"moves": None},
    )  # fmt: skip
    found = {}
    for each in asked:
        name = json.dumps(each)[:60]
        for way in (game.position_of, game._going):
            found[f"{name}, {way.__name__}"] = tried(lambda each=each, way=way: [way(each).text, str(way(each).rules)])
    board = Board.from_moves("44", Rules())
    seeds = (0, 5, -1, 2**32 - 1, 2**32, "5", None, 1.5, True)
    found["seeds"] = [game._seed({"seed": seed}, board) for seed in seeds] + [game._seed({}, board)]
    for length in (4096, 4097):
        body = Row(stream=lambda length=length: parts(b'{"x": "' + b"y" * (length - 9) + b'"}'))
        found[f"{length} bytes"] = tried(lambda body=body: len(asyncio.run(game.asked_of(body))["x"]))
    for given in (b"[1]", b"{", b"\xff", b"[" * 3000, b"3"):
        found[str(given[:4])] = tried(lambda given=given: asyncio.run(game.asked_of(Row(stream=lambda: parts(given)))))
    holds("web-positions", plain(found), request)


async def parts(text):
    yield text[:4000]
    yield text[4000:]
