"""What an agent in a process of its own says of its moves beside its analysis: stored, replayed, or dropped."""

import json

import pytest

import arena as package
from agents.agent import MOST_EXTRA
from agents.board import Board
from agents.processes.agent import SubprocessAgent
from agents.specs.sources import python
from arena.games.referee import decide
from arena.page.page import page
from arena.store.run_file import Store
from arena.store.validation import refuse_damaged

BOT = """
from agents import Analysis

class Bot:
    def choose(self, board, limits):
        return Analysis(board.legal_moves()[0], extra=EXTRA)
"""
OWN = {"plan": "left, \x1b[31m always", "weights": [1, 2.5, None]}


def bot(folder, extra):
    path = folder / "bot.py"
    path.write_text(BOT.replace("EXTRA", extra))
    return path


def test_it_is_stored_replayed_shown_on_pages(arena, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    bot(tmp_path, repr(OWN))
    path = package.run(["bot.py", "greedy"], rounds=1, out=tmp_path / "run.sqlite").path
    moves = json.loads(arena("replay", path, 1, "--json").out)["moves"]
    assert [each.get("extra") for each in moves] == [OWN if each["agent"] == "bot.py" else None for each in moves]
    assert "weights [1, 2.5, null]" in arena("replay", path, 1).out
    assert "weights [1, 2.5, null]" in page(path)
    with Store.read(path) as store:
        refuse_damaged(store)


@pytest.mark.parametrize("wrong", ["{'a': object()}", "{'a': float('nan')}", "[1]", "'a'", "{'a': 'x' * 70_000}"])
def test_what_is_no_mapping_of_json_is_remarked_and_not_kept(wrong, tmp_path):
    agent = SubprocessAgent(python(bot(tmp_path, wrong), "Bot", {}))
    found = decide(agent, Board())
    agent.close()
    assert (found.column, found.extra) == (0, "")
    assert found.remark == f"its extra is no mapping of at most {MOST_EXTRA:,} characters, and is not kept"


def test_the_longest_that_is_kept_passes_the_pipe(tmp_path):
    text = f"{{'a': 'x' * {MOST_EXTRA - len(json.dumps({'a': ''}))}}}"
    agent = SubprocessAgent(python(bot(tmp_path, text), "Bot", {}))
    found = decide(agent, Board())
    agent.close()
    assert (len(found.extra), found.remark) == (MOST_EXTRA, "")
