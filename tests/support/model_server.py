"""A scripted server that speaks OpenAI's chat completions, and a thousand hostile replies with what each of them is."""

import itertools
import json
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

OK, ILLEGAL, UNPARSABLE, EMPTY, TRUNCATED, REFUSED, ERROR = (
    "ok", "illegal", "unparsable", "empty", "truncated", "refused", "error",
)  # fmt: skip


@dataclass
class Script:
    """What the server does at a request, and what it has seen."""

    answer: object
    """Called with the request's document; returns what `said` does, or a function of the handler."""
    requests: list = field(default_factory=list)
    headers: list = field(default_factory=list)
    at_once: int = 0
    most_at_once: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)


def said(text, finish="stop", *, refusal=None, model="scripted", usage=(20, 5, None), status=200):
    """Return an answer of a model."""
    message = {"role": "assistant", "content": text} | ({"refusal": refusal} if refusal else {})
    used = {"prompt_tokens": usage[0], "completion_tokens": usage[1]}
    if usage[2] is not None:
        used["completion_tokens_details"] = {"reasoning_tokens": usage[2]}
    choice = {"index": 0, "message": message, "finish_reason": finish}
    return status, json.dumps({"model": model, "choices": [choice], "usage": used}).encode(), {}


def failed(status, text="no", **headers):
    """Return an error of the server."""
    return status, json.dumps({"error": {"message": text}}).encode(), headers


def stopping(handler):
    """Promise more bytes than come, and hang up."""
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(said("move: 4")[1][:20])
    handler.wfile.flush()
    handler.connection.close()


def slow(handler):
    """Send a byte now and then, for longer than anybody waits."""
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    for _ in range(100):
        handler.wfile.write(b" ")
        handler.wfile.flush()
        time.sleep(0.02)


@contextmanager
def serving(answer):
    """Serve answers; yield the URL and the script."""
    script = Script(answer)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self):
            self._send(200, b"{}", {})

        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with script.lock:
                script.requests.append(body)
                script.headers.append(dict(self.headers))
                script.at_once += 1
                script.most_at_once = max(script.most_at_once, script.at_once)
            try:
                found = script.answer(body)
                if callable(found):
                    self.close_connection = True
                    found(self)
                else:
                    self._send(*found)
            except OSError:
                pass  # the client has gone
            finally:
                with script.lock:
                    script.at_once -= 1

        def _send(self, status, body, headers):
            self.send_response(status)
            for name, value in {"Content-Length": str(len(body)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", script
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def hostile(number=1000):
    """Return so many answers, each with the status that is expected and the column where it is a legal move.

    All columns are open but 1, which is full. The kinds take turns, and each has its turns with other columns.
    """
    return list(itertools.islice(_forever(), number))


def _forever():
    for turn in itertools.count():
        n, m = 2 + turn % 6, 2 + (turn + 1 + turn // 6 % 5) % 6
        for text, expected in TEXTS:
            shown = text.replace("<n>", str(n)).replace("<m>", str(m if m != n else 2 + (n - 1) % 6))
            yield said(shown), expected, n if expected == OK else None
        for answer, expected in answers(n):
            yield answer, expected, n if expected == OK else None


TEXTS = [
    ("<n>", OK),
    (" <n>\n", OK),
    ("**<n>**", OK),
    ("`<n>`.", OK),
    ("move: <n>", OK),
    ("Move: <n>.", OK),
    ("**Move:** <n>", OK),
    ("My move is <n>.", OK),
    ("I play column <n>!", OK),
    ("I'll drop in column <n>", OK),
    ("The best move is column <n>.", OK),
    ("We have <m> discs in the middle, so that <m> is taken.\nmove: <n>", OK),
    ('{"move": <n>}', OK),
    ('```json\n{"column": "<n>"}\n```', OK),
    ('{\n "why": "<m> is full",\n "move": <n>\n}', OK),
    ("<think>\nmove: <m>\n</think>\n\nmove: <n>", OK),
    ("move: <m>, or rather\nmove: <n>?\n</think>\nmove: <n>", OK),
    ("<think>move: <m></think>move: <n>", OK),
    ("<THINKING kind='deep'>\nmove: <m>\n</Thinking>\n<n>", OK),
    ("<think>a <think>b</think> move: <m></think>\n<n>", OK),
    ("[THINK]move: <m>[/THINK]\n<n>", OK),
    ("<reasoning>\n<m>\n</reasoning>\n<think></think>\nmove: <n>", OK),
    ("move: <n>\n<think>move: <m></think>", OK),
    ("I am sorry that it took so long.</think>\nmove: <n>", OK),
    ('The middle is free.\n\n```json\n{\n  "move": <n>\n}\n```', OK),
    ('The middle is free, <m> is not.\n\n```\n{\n  "why": {"best": {"move": <m>}},\n  "move": "<n>"\n}\n```\n', OK),
    ('First\n```json {"move": <n>} ```', OK),
    ('~~~json\n{"why": "} {",\n "COLUMN": <n>}\n~~~', OK),
    ('So:\n[\n {"move": <n>}\n]', OK),
    ('<think>{"move": <m>}</think>\n```json\n{\n"move": <n>\n}\n```', OK),
    ("(<n>)", OK),
    ("# <n>", OK),
    ("> move: <n> .", OK),
    ("I’ll pick <n>!", OK),
    ("your final answer: <n>", OK),
    ("in column <n>", OK),
    ("<n>\n<n>\n", OK),
    ("<n>\n```python", OK),
    ("move=<n>", OK),
    ("I can't\nmove: <n>", OK),
    ('{"column": " <n> ", "why": "move"}', OK),
    ('{"a": "' + "x" * 150 + '", "move": <n>}', OK),
    ("#" * 199 + "<n>", OK),
    ("#" * 200 + "<n>", UNPARSABLE),
    ("1234567890", UNPARSABLE),
    ("+<n>", UNPARSABLE),
    ("d<n>", UNPARSABLE),
    ('{"move": <n>}}', UNPARSABLE),
    ('{"move": null}', UNPARSABLE),
    ('{"a": "' + "x" * 9990 + '", "move": <n>}', UNPARSABLE),
    ("the chosen column is: <n>", UNPARSABLE),
    ("Your column is 12.", ILLEGAL),
    ("0", ILLEGAL),
    ("8", ILLEGAL),
    ("-<n>", ILLEGAL),
    ("move: 1", ILLEGAL),
    ("1", ILLEGAL),
    ("move: 999999999", ILLEGAL),
    ("move: d", ILLEGAL),
    ('{"move": 9}', ILLEGAL),
    ("I think that <n> is the best one here.", UNPARSABLE),
    ("If you play <n> I win.", UNPARSABLE),
    ("I would not play <n>", UNPARSABLE),
    ("<n> or <m>", UNPARSABLE),
    ("<n>\n<m>", UNPARSABLE),
    ("<n>, <m>", UNPARSABLE),
    ("move: <m>\nmove: <n>", UNPARSABLE),
    ("<n>?", UNPARSABLE),
    ("<n>.5", UNPARSABLE),
    ("<n><m> rows", UNPARSABLE),
    ("move: <n> is bad", UNPARSABLE),
    ("move: <n>\nNo, wait.", UNPARSABLE),
    ("four", UNPARSABLE),
    ("４", UNPARSABLE),
    ("٤", UNPARSABLE),
    ("④", UNPARSABLE),
    ("4\ufe0f\u20e3", UNPARSABLE),
    ("move: COLUMN", UNPARSABLE),
    ("def choose(board):\n    return <n>", UNPARSABLE),
    ("```python\nplay(<n>)\n```", UNPARSABLE),
    ('{"move": <n>, "move": <m>}', UNPARSABLE),
    ('{"move": <n>, "column": <m>}', UNPARSABLE),
    ('{"move": true}', UNPARSABLE),
    ('{"move": [<n>]}', UNPARSABLE),
    ('{"move": <n>.5}', UNPARSABLE),
    ("[" * 5000, UNPARSABLE),
    ("9" * 5000, UNPARSABLE),
    ("\x1b[31mN\x1b[0m\x00", UNPARSABLE),
    ("<n>\u202e", UNPARSABLE),
    ("\ud800", UNPARSABLE),
    ('{\n"move": <m>\n}\nor\n{\n"move": <n>\n}', UNPARSABLE),
    ('[\n{"move": <m>},\n{"move": <n>}\n]', UNPARSABLE),
    ('{\n"move": <n>\n}\nNo, wait.', UNPARSABLE),
    ('{"why": {"move": <n>}}', UNPARSABLE),
    ("[<n>]", UNPARSABLE),
    ("move: <m>\n<think>hm</think>\nmove: <n>", UNPARSABLE),
    ("<think>\nI think\nmove: <n>", EMPTY),
    ("<think>\nmove: <n>\n</think>", EMPTY),
    ("move: <n>\n</think>", EMPTY),
    ("", EMPTY),
    ("  \n\t ", EMPTY),
    ("I'm sorry, I can't help with that.", REFUSED),
    ("As an AI I do not play column <n> games.", REFUSED),
    ("I cannot say which of <n> and <m> is better", REFUSED),
]
"""Replies with <n> for an open column and <m> for another one, and their statuses."""


def answers(n):
    """Return answers that are more than a text, and their statuses; n: an open column."""
    return [
        (said(f"move: {n}", "length"), TRUNCATED),
        (said("Let me think about", "length"), TRUNCATED),
        (said("", "length"), TRUNCATED),
        (said(f"<think>\nmove: {n}\n", "length"), TRUNCATED),
        (said([{"type": "thinking", "thinking": "move: 3"}, {"type": "text", "text": f"move: {n}"}]), OK),
        (said([{"type": "reasoning", "text": "No. "}, {"type": "text", "text": f"move: {n}"}]), OK),
        (said(f"move: {n}\n", "length"), OK),
        ((200, b'{"error": null, ' + said(f"move: {n}")[1][1:], {}), OK),
        (said("", refusal="I won't."), REFUSED),
        (said(f"move: {n}", refusal="I won't."), REFUSED),
        (said(f"move: {n}", "content_filter"), REFUSED),
        ((400, json.dumps({"error": {"code": "content_filter", "message": f"{n}"}}).encode(), {}), REFUSED),
        (said(None), EMPTY),
        (failed(429), ERROR),
        (failed(429, **{"Retry-After": "7"}), ERROR),
        (failed(500), ERROR),
        (failed(503, f"move: {n}"), ERROR),
        (failed(401, f"move: {n}"), ERROR),
        (failed(404), ERROR),
        (failed(200, f"{n}"), ERROR),
        ((200, f"{n}".encode(), {}), ERROR),
        ((200, b"", {}), ERROR),
        ((200, b"\xff\xfe" + f"move: {n}".encode(), {}), ERROR),
        ((200, b'{"choices": []}', {}), ERROR),
        ((200, b'{"choices": [{"message": null}]}', {}), ERROR),
        ((200, b"[" * 100_000, {}), ERROR),
        ((200, json.dumps({"choices": [{"text": f"{n}"}]}).encode(), {}), ERROR),
        ((302, b"", {"Location": "/elsewhere"}), ERROR),
        (stopping, ERROR),
    ]
