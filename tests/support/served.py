"""The server in this process: a question to it, and a browser that opens its pages."""

import socket
import threading
from contextlib import contextmanager

from browser import page
from needs import needed
from starlette.testclient import TestClient

from arena.plugins.serve.guard import hosts
from arena.plugins.serve.server import application
from arena.plugins.serve.server import server as listening_server

ADDRESS = "http://127.0.0.1:8000"


def client_of(place, **options):
    """Return a browser's side of the server of a folder or file."""
    return TestClient(application(place, hosts("127.0.0.1", 8000), **options), base_url=ADDRESS)


def ask(client, path, document, origin=ADDRESS):
    """Return the answer to a question that a page asks."""
    return client.post(path, json=document, headers={"Origin": origin})


@contextmanager
def serving(place, **options):
    """Serve a folder from a thread, and yield its address."""
    needed("chromium")
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port = listening.getsockname()[1]
        server = listening_server(application(place, hosts("127.0.0.1", port), **options))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            server.should_exit = True
            thread.join()


@contextmanager
def opened(address, path="/", **options):
    """Yield a page of that server in a browser."""
    with page(allowed=(f"{address}/",), **options) as found:
        found.goto(address + path)
        yield found
