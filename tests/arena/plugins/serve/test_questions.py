"""What a page asks of agents and of the solver."""

import pytest
from needs import needed
from served import ask

from arena.plugins.serve import searching


def test_an_agent_answers_with_what_it_thought(client):
    told = ask(client, "/api/move", {"agent": "medium", "moves": "44"}).json()
    assert told["column"] in range(1, 8)
    assert (told["depth"], told["pv"][0]) == (4, told["column"])
    assert told["nodes"] > 7


def test_chance_depends_on_the_seed_and_the_ply_alone(client):
    question = {"agent": "easy", "moves": "44", "seed": 5}
    assert ask(client, "/api/move", question).json()["column"] == ask(client, "/api/move", question).json()["column"]


def test_play_goes_on_after_a_four_where_most_fours_win(client):
    question = {"agent": "greedy", "board": "7x6x4:most-fours", "moves": "1727374"}
    assert ask(client, "/api/move", question).json()["column"] == 7
    assert ask(client, "/api/move", question | {"board": "7x6x4"}).status_code == 400
    refused = ask(client, "/api/truth", question)
    assert (refused.status_code, refused.json()["error"]) == (
        400, "the solver knows the standard rules alone, not most-fours"
    )  # fmt: skip


def test_the_truth_is_each_columns_exact_score(client):
    assert ask(client, "/api/truth", {"moves": "44"}).json() == {"columns": [-3, -3, -2, 1, -2, -3, -3], "score": 1}
    assert ask(client, "/api/truth", {"moves": "444444"}).json()["columns"][3] is None
    assert ask(client, "/api/truth", {"board": "4x4x3", "moves": "1"}).json()["columns"] == [-3, -4, -1, -4]


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({"agent": "greedy", "moves": "48"}, "column 8 does not exist"),
        ({"agent": "greedy", "moves": "1212121"}, "already over"),
        ({"agent": "greedy", "board": "4x4x3", "moves": "5"}, "column 5 does not exist"),
        ({"agent": "greedy", "board": "10x5x4"}, "at most 9 columns"),
        ({"agent": "greedy", "board": "9x9x4"}, "does not fit"),
        ({"agent": "greedy", "board": [7, 6]}, "is not COLUMNSxROWS"),
        ({"agent": "nobody"}, "'nobody'"),
        ({"moves": ["4"]}, "not a column"),
        ([], "not a JSON object"),
        ({"agent": "x" * 5000}, "longer than 4,096 bytes"),
    ],
)
def test_a_bad_question_gets_one_line(client, document, message):
    answer = ask(client, "/api/move", document)
    assert answer.status_code == 400
    assert message in answer.json()["error"]


def test_a_tree_is_asked_for_by_address(client, monkeypatch):
    needed("arena.plugins.tree")
    with monkeypatch.context() as patient:
        patient.setattr(searching, "SECONDS", 60.0)  # on a machine that may have other work
        page = client.get("/tree", params={"agent": "smart-connect4", "moves": "44", "depth": "3"}).text
    assert 'src="/static/tree.js"' in page
    assert '"nodes":158' in page
    for query in ({"agent": "mcts"}, {"agent": "minimax", "depth": "x"}, {"agent": "minimax", "depth": "9"}):
        assert client.get("/tree", params=query).status_code == 400


def test_a_blunder_is_explained_and_a_good_move_is_not(client):
    lines = ask(client, "/api/explain", {"moves": "4455"}).json()["lines"]
    assert lines[:2] == [
        "ply 3, O in column 5: a win becomes a loss; column 3 or 6 kept the win", "X plays 3; then column 2 or 6 wins."
    ]  # fmt: skip
    assert lines[-1] == "X is the first player, O the second."
    believed = ask(client, "/api/explain", {"moves": "4455", "score": -100, "depth": 2}).json()["lines"]
    assert believed[1] == "O's search saw −100 at depth 2; the loss shows from depth 4"
    assert [believed[0], *believed[2:]] == lines
    assert ask(client, "/api/explain", {"moves": "44"}).json()["lines"] == []
    assert ask(client, "/api/explain", {"moves": ""}).json()["lines"] == []
