"""What the server lets pass, offers, begins and says, in every combination that matters, as it was recorded."""

import asyncio
import contextlib
import itertools
import json
import re
from pathlib import Path
from types import SimpleNamespace as Row

import h11
import pytest
from recorded import holds, plain, tried
from served import KEY, client_of
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.routing import Mount
from transcript import text as words_of

from agents.board import Board, Rules
from agents.errors import InputError
from agents.specs.parameters import Parameter
from arena.api import own as files
from arena.web import game, guard, job, own, searching, tournaments
from arena.web import runs as pages
from arena.web import server as listening
from arena.web.guard import Guard, hosts

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
        guarded = Guard(None, lambda host: host == "own", KEY)
        for host in ("own", "other"):
            fault = guarded.fault(method, Headers({"host": host, **site}))
            found.setdefault(str(fault), []).append(" ".join([method, host, *site.values()]))
    own_page = {"host": "own", "origin": "http://own", "content-type": "application/json"}
    changes = [
        {}, {"origin": "https://own"}, {"origin": "http://other"}, {"origin": None}, {"content-type": None},
        {"content-type": "application/json; charset=utf-8"}, {"content-type": "text/plain"}, {guard.KEY: KEY},
        {guard.KEY: "x"}, {guard.KEY: "ü"}, {guard.KEY: KEY + "x"},
    ]  # fmt: skip
    for token, changed, path in itertools.product((KEY, ""), changes, ("/api/move", "/api/truth", "/api/explain",
                                                                        "/api/run", "/api/moves", "")):  # fmt: skip
        given = {key: value for key, value in (own_page | changed).items() if value is not None}
        headers = Headers(raw=[(key.lower().encode(), value.encode()) for key, value in given.items()])
        fault = Guard(None, lambda host: host == "own", token).fault("POST", headers, path)
        found.setdefault(str(fault), []).append(f"{token and 'a token'}, {changed}, {path}")
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


def test_routes_and_what_answers_them(request, tmp_path):
    app = listening.application(tmp_path, lambda _: True)
    routes = [[each.path, type(each).__name__] if isinstance(each, Mount) else
              [each.path, sorted(each.methods), each.endpoint.__qualname__] for each in app.routes]  # fmt: skip
    [middleware] = app.user_middleware
    found = {"routes": routes, "files": sorted(path.suffix for path in listening.STATIC.iterdir())[:1]}
    listed, begun = app.routes[0].endpoint.__self__, app.routes[9].endpoint.__self__
    assert (listed.status, begun.runs, begun.own.folder) == (begun.status, listed, tmp_path)
    [keyed] = listening.application(tmp_path, all, token="a key").user_middleware
    assert keyed.kwargs == {"hosts": all, "token": "a key"}
    found["middleware"] = [middleware.cls.__name__, sorted(middleware.kwargs)]
    config = listening.server(app).config
    names = ("limit_concurrency", "timeout_graceful_shutdown", "server_header", "lifespan", "ws", "log_level")
    found["server"] = {name: getattr(config, name) for name in names}
    for module in (game, guard, own, pages, searching, listening, tournaments):
        bounds = {
            name: each for name, each in vars(module).items() if name.isupper() and isinstance(each, (int, float))
        }
        found[f"bounds of {module.__name__}"] = dict(sorted(bounds.items()))
    holds("web-routes", plain(found), request)


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
        for known in ((), ("mine.py:f",)):
            several = tried(lambda text=text, known=known: [each.text for each in own.several(text, known)])
            found[f"{text[:60]} with {known}"] = several
        found[f"{text[:60]}, one"] = tried(lambda text=text: own.allowed(text).text)
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


class Seated:
    """Stands for the process of an own agent."""

    def __init__(self, name, isolation, told):
        self.name, self.isolation, self.told = name, isolation, told

    def stop(self):
        self.told.append(f"stop {self.name}")


def test_own_agents(request, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    bot, score = (
        "class Bot:\n    def choose(self, board, limits):\n        return 0\n",
        "def evaluate(own, opp):\n    return 0\n",
    )
    for name, text in (
        ("b.py", bot),
        ("a.py", bot + score),
        ("c.txt", bot),
        ("broken.py", "def ("),
        ("stored.py", score),
    ):
        Path(name).write_text(text, encoding="utf-8")
    told, found = [], {}
    monkeypatch.setattr(own, "player", lambda agent, isolation: Seated(agent, isolation, told))
    for switched, sandbox in itertools.product((False, True), (False, True)):
        made = own.Own(Path(), ["b.py"], files=switched, sandbox=sandbox)
        key = f"files {switched}, sandbox {sandbox}"
        found[f"{key}, at first"] = [made.defined(), made.players()]
        made.stored.add(Path("stored.py"))
        found[f"{key}, stored"] = [made.defined(), made.players()]
        for agents in (["b.py", "greedy"], ["b.py", "alphabeta:depth=1..2"], ["a.py:Bot"], ["stored.py:evaluate"],
                       ["alphabeta:heuristic=stored.py:evaluate"], ["alphabeta:heuristic=a.py:evaluate"]):  # fmt: skip
            found[f"{key}, {agents}"] = tried(made.expanded, agents)
        seats = [made.seat(f"agent {number}") for number in (1, 2, 3, 4, 1, 5, 6)]
        assert seats[0] is seats[4]
        found[f"{key}, seats"] = [list(made.seats), seats[0].isolation, [*told]]
        told.clear()
        made.forget()
        found[f"{key}, forgotten"] = [list(made.seats), [*told]]
        told.clear()
    holds("web-own", plain(found), request)


def test_pages_say_how_own_agents_play(request, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(
        "def choose(board):\n    return 0\ndef evaluate(own, opp):\n    return 0\n", encoding="utf-8"
    )
    found = {}
    for switched, sandbox in itertools.product((False, True), (False, True)):
        with client_of(None, files=switched, sandbox=sandbox, agents=() if switched else ["mine.py"]) as client:
            new, play = client.get("/new").text.replace(str(tmp_path), "~"), client.get("/play").text
        assert "~" in new, "the folder is named in full"
        found[f"files {switched}, sandbox {sandbox}"] = [
            [line for line in words_of(new) if "mine.py" in line or "sandbox" in line or "separate process" in line],
            [form for form in json.loads(script(play)) if form.get("own")], re.findall(r'value="[^"]*"', new),
        ]  # fmt: skip
    holds("web-new", plain(found), request)


def script(page):
    """Return the data of a page."""
    return re.search(r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', page, re.DOTALL)[1]


# Tournaments: what is asked of a job, what the job does, and what it says.


class Asked:
    """A request with a JSON body."""

    def __init__(self, document, **given):
        self.document = document
        self.__dict__.update(given)

    async def stream(self):
        text = json.dumps(self.document).encode()
        yield text[:5]
        yield text[5:]


BEGUN = []
"""What jobs were asked to play."""


class Started:
    """Stands for a job in a process of its own."""

    running = True

    def __init__(self, words):
        BEGUN.append(words)
        self.file, self.said, self.stopped = Path("runs/new.sqlite"), "a word", 0
        if words.get("rounds") == 13:
            raise InputError("it cannot begin")

    def stop(self):
        self.stopped += 1
        self.running = False


def test_tournaments_that_a_page_begins(request, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("runs").mkdir()
    Path("runs", "mine.py").write_text(
        "def evaluate(own, opp):\n    return 0\nclass Bot:\n    def choose(self, b, l):\n        return 0\n"
    )
    monkeypatch.setattr(tournaments, "TournamentProcess", Started)
    monkeypatch.setattr(tournaments.time, "strftime", lambda form: form)
    Path("runs", "one.sqlite").touch()
    asked = {
        "built-in": {"agents": ["greedy", "alphabeta:depth=1..2"], "rounds": 2},
        "own": {"agents": ["greedy", "runs/mine.py:Bot", "alphabeta:heuristic=runs/mine.py:evaluate"], "rounds": 1000},
        "an own heuristic": {"agents": ["greedy", "alphabeta:heuristic=runs/mine.py:evaluate"], "rounds": 1},
        "compared": {"heuristics": ["zero", "runs/mine.py:evaluate"], "depth": "1..2|5", "rounds": 3},
        "compared by default": {"heuristics": ["windows(1,2,3|4,4)", "parity"], "rounds": 3},
        "compared to depths by default": {"heuristics": ["zero", "parity"], "rounds": 3},
        "too deep": {"heuristics": ["zero", "parity"], "depth": "4..13", "rounds": 3},
        "to depth 12": {"heuristics": ["zero", "parity"], "depth": "12|1", "rounds": 3},
        "to no depth": {"heuristics": ["zero", "parity"], "depth": "0", "rounds": 3},
        "50": {"agents": ["greedy"] * 50, "rounds": 1}, "52": {"agents": ["greedy"] * 52, "rounds": 1},
        "52 heuristics": {"heuristics": ["zero"] * 52, "rounds": 1},
        "spread to more": {"agents": ["alphabeta:depth=1..30", "alphabeta:nodes=1..30"], "rounds": 1},
        "one": {"agents": ["greedy"], "rounds": 1}, "no rounds": {"agents": ["greedy", "random"], "rounds": 0},
        "1001": {"agents": ["greedy", "random"], "rounds": 1001},
        "half": {"agents": ["greedy", "random"], "rounds": 1.5},
        "no list": {"agents": "greedy", "rounds": 1}, "numbers": {"agents": ["greedy", 1], "rounds": 1},
        "long": {"agents": ["greedy", "x" * 301], "rounds": 1},
        "as long as may be": {"agents": ["greedy", "alphabeta:depth=1".ljust(300)], "rounds": 1},
        "failing": {"agents": ["greedy", "random"], "rounds": 13},
        "an odd heuristic": {"heuristics": ["zero", "nope"], "rounds": 1},
    }  # fmt: skip
    found = {}
    for place, sandbox in ((None, False), (Path("runs"), True), (Path("runs/one.sqlite"), False)):
        shown = pages.Runs(place)
        found[f"{place}: folder"] = [shown.place, shown.folder, shown.only]
        for name, document in asked.items():
            made = tournaments.Tournaments(shown, own.Own(Path("runs"), files=True, sandbox=sandbox))
            made.runs.folder = Path("runs") if place is None else shown.folder
            answer = tried(
                lambda made=made, document=document: json.loads(asyncio.run(made.begin(Asked(document))).body)
            )
            found[f"{place}: {name}"] = [answer, *BEGUN]
            BEGUN.clear()
    made = tournaments.Tournaments(pages.Runs(Path("runs")), own.Own(Path("runs"), sandbox=True))
    made.runs.named = lambda name: Row(file=f"runs/{name}")
    found["resumed"] = [json.loads(asyncio.run(made.resume(Asked({"run": "old.sqlite"}))).body), *BEGUN]
    found["status"] = [
        made.status(Path(path)) for path in ("runs/new.sqlite", "./runs/../runs/new.sqlite", "runs/old.sqlite")
    ]
    again = Asked({"agents": ["greedy", "random"], "rounds": 1})
    found["while it plays"] = [tried(lambda: asyncio.run(made.begin(again))), made.job.running]
    for _ in range(2):
        asyncio.run(made.stop(Asked({})))
    found["stopped"] = [made.job.stopped, made.status(Path("runs/new.sqlite"))]
    found["after it"] = json.loads(asyncio.run(made.begin(again)).body)
    holds("web-tournaments", plain(found), request)


def test_what_a_job_begins(request, monkeypatch):
    told = []

    def note(name):
        return lambda *given, **more: told.append([name, plain(given), {
            key: "a function" if callable(each) else plain(each) for key, each in more.items()}])  # fmt: skip

    for name in ("begin", "begin_comparison", "resumed"):
        monkeypatch.setattr(job.tournaments, name, note(name))
    for sandbox, own_agents, folder in itertools.product((False, True), (False, True), (None, "a/folder")):
        shared = {"sandbox": sandbox, "folder": folder, "name": "n.sqlite", "rounds": 3, "command": "arena run x"}
        job.begun(shared | {"agents": ["a", "b"], "own": own_agents})
        job.begun(shared | {"heuristics": ["c", "d"], "depth": [1, 2], "times": "alone"})
    job.begun({"resume": "old.sqlite", "sandbox": True})
    job.begun({"resume": "old.sqlite", "sandbox": False})
    holds("web-jobs", {str(number): each for number, each in enumerate(told)}, request)


def test_nothing_is_printed_of_what_a_job_is_warned_of(monkeypatch, capsys):
    def begin(*_, warn=None, **__):
        if warn:
            warn("a warning")

    for name in ("begin", "begin_comparison", "resumed"):
        monkeypatch.setattr(job.tournaments, name, begin)
    shared = {"sandbox": True, "folder": None, "name": "", "rounds": 3, "command": "", "own": True}
    for words in ({"agents": []}, {"heuristics": [], "depth": []}, {"resume": "old.sqlite"}):
        job.begun(shared | words)
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("gone", [BrokenPipeError, ConnectionResetError, OSError])
def test_a_job_plays_on_quietly_where_nobody_hears_it(gone, monkeypatch):
    played = []

    def refuse(*_):
        raise gone

    read = Row(readline=lambda: b"{}")
    monkeypatch.setattr(job, "os", Row(dup=int, dup2=lambda *_: None, write=refuse))
    monkeypatch.setattr(job, "open", lambda *_, **__: contextlib.nullcontext(read), raising=False)
    monkeypatch.setattr(job, "begun", lambda _: Row(store=Row(path="a")))
    monkeypatch.setattr(job.tournaments, "play", lambda run, *_, **__: played.append(run.store.path))
    monkeypatch.setattr(job.threading, "Thread", lambda **_: Row(start=lambda: None))
    job.main()
    assert played == ["a"]


@pytest.mark.parametrize("ends", ["well", "wrong", "late", "early"])
def test_what_a_job_says(ends, monkeypatch):
    written, played = [], []

    def begun(words):
        if ends == "wrong":
            raise InputError("it cannot begin")
        return Row(store=Row(path=Path("a.sqlite")), words=words)

    def play(run, workers, *, times, warn):
        played.append((run.words, workers, times))
        warn("a warning")
        if ends == "late":
            raise InputError("it cannot go on")
        if ends == "early":
            raise KeyboardInterrupt

    class Input:
        def __enter__(self):
            return Row(readline=lambda: b'{"rounds": 1}\n' if ends == "well" else b'{"times": "alone"}\n')

        def __exit__(self, *_):
            return None

    stands = Row(dup=lambda _: 7, dup2=lambda *pair: played.append(pair),
                 write=lambda to, line: written.append((to, json.loads(line))))  # fmt: skip
    watched = []
    monkeypatch.setattr(job, "os", stands)
    monkeypatch.setattr(job, "open", lambda *_, **__: Input(), raising=False)
    monkeypatch.setattr(job, "begun", begun)
    monkeypatch.setattr(job.tournaments, "play", play)
    monkeypatch.setattr(job.threading, "Thread", lambda **given: Row(start=lambda: watched.append(given["daemon"])))
    job.main()
    words = {"rounds": 1} if ends == "well" else {"times": "alone"}
    begun_and_warned = [(7, {"file": "a.sqlite"}), (7, {"said": "a warning"})]
    last = {
        "well": {"said": ""},
        "late": {"error": "it cannot go on"},
        "early": {"said": "stopped; what was played is kept"},
    }
    assert written == ([(7, {"error": "it cannot begin"})] if ends == "wrong" else [*begun_and_warned, (7, last[ends])])
    assert played == [(2, 1)] + ([] if ends == "wrong" else [(words, None, "games" if ends == "well" else "alone")])
    assert watched == [True]


def test_a_position_of_a_request(request):
    asked = (
        {}, {"board": None}, {"board": ""}, {"board": "5x4"}, {"board": "9x6"}, {"board": "10x4"}, {"board": "x" * 50},
        {"moves": "44"}, {"moves": "1212121"}, {"moves": "12" * 101}, {"board": "4x4x3", "moves": "112"},
        {"moves": None},
    )  # fmt: skip
    found = {}
    for each in asked:
        name = json.dumps(each)[:60]
        for way in (game._board, game._going):
            found[f"{name}, {way.__name__}"] = tried(lambda each=each, way=way: [way(each).text, str(way(each).rules)])
    board = Board.from_moves("44", Rules())
    seeds = (0, 5, -1, 2**32 - 1, 2**32, "5", None, 1.5, True)
    found["seeds"] = [game._seed({"seed": seed}, board) for seed in seeds] + [game._seed({}, board)]
    for length in (4096, 4097):
        body = Row(stream=lambda length=length: parts(b'{"x": "' + b"y" * (length - 9) + b'"}'))
        found[f"{length} bytes"] = tried(lambda body=body: len(asyncio.run(game.asked_of(body))["x"]))
    for given in (b"[1]", b"{", b"\xff", b"[" * 3000, b"3"):
        found[str(given[:4])] = tried(lambda given=given: asyncio.run(game.asked_of(Row(stream=lambda: parts(given)))))
    found["larger"] = tried(lambda: asyncio.run(game.asked_of(Row(stream=lambda: parts(b'{"a": 1}')), 7)))
    holds("web-positions", plain(found), request)


async def parts(text):
    yield text[:4000]
    yield text[4000:]


def test_a_file_that_is_stored(request, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told, made = [], own.Own(Path(), sandbox=True)
    checked = [Row(agent="a", ok=False, problems=["p"], positions=3, output="hidden")]
    monkeypatch.setattr(files, "check", lambda path, *, sandbox: told.append((str(path), sandbox)) or checked)
    monkeypatch.setattr(made, "forget", lambda: told.append("forgotten"))
    page = tournaments.Tournaments(pages.Runs(tmp_path), made)
    text, found = "def evaluate(own, opp):\n    return 0\n", {}
    for replace in (None, 1, True):
        document = {"name": "mine.py", "text": text if replace is None else f"{text}# {replace}\n", "replace": replace}
        found[f"replace {replace}"] = json.loads(asyncio.run(page.file(Asked(document))).body)
        found[f"replace {replace}, then"] = [*told, Path("mine.py").read_text(encoding="utf-8")]
        told.clear()
    found["stored"] = sorted(map(str, made.stored))
    holds("web-files", plain(found), request)
