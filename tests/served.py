"""The server in this process, and a question to it."""

from starlette.testclient import TestClient

from arena.web.guard import hosts
from arena.web.server import application

ADDRESS = "http://127.0.0.1:8000"


def client_of(place):
    """Return a browser's side of the server of a folder or file."""
    return TestClient(application(place, hosts("127.0.0.1", 8000)), base_url=ADDRESS)


def ask(client, path, document, origin=ADDRESS):
    """Return the answer to a question that a page asks."""
    return client.post(path, json=document, headers={"Origin": origin})
