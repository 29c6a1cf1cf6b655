"""Language models: replies, retries, faults and tokens, counted by hand."""

import json

from changed import connect
from hand_made import frames, run_of

from arena.plugins.language.models import document, language_lines, models, of_run
from arena.store.schema import EXTRA


def test_replies_of_a_model_are_counted_on_both_sides_of_its_games(tmp_path):
    """The first meets itself and the second; of a sum those numbers count that are known; the third never replied."""
    games = [(0, 0, 0, "1", "1123", (5, 5)), (0, 1, 0, "1", "1124", (5, 5)), (2, 1, 1, "0", "1223", (5, 5)),
             (0, 1, 1, "1", "1224", (5, 5))]  # fmt: skip
    path = run_of(tmp_path / "run", ["mcts", "greedy", "random"], games)
    told = {
        (1, 2): ("ok", 1, 100, 20, 4, False, 0), (1, 3): ("illegal", 4, 300, None, None, True, 2),
        (2, 2): ("ok", 2, 50, 10, 0, False, 0), (2, 3): ("ok", 1, None, 7, None, False, 1),
        (3, 3): ("refused", 4, None, None, None, False, 0),
    }  # fmt: skip
    names = ("status", "tries", "tokens_in", "tokens_out", "tokens_reasoning", "drawn", "errors")
    rows = [(*place, json.dumps(dict(zip(names, each, strict=True)))) for place, each in told.items()]
    connection = connect(path)
    with connection:
        connection.execute(EXTRA)
        connection.execute("UPDATE game SET termination = 'illegal move' WHERE id IN (2, 4)")
        connection.executemany("INSERT INTO extra VALUES (?, ?, ?)", rows)
    connection.close()
    one, two = models(frames(path))
    assert (one.agent, one.moves, one.retries, one.legal_replies) == ("mcts", 3, 4, 2 / 7)
    assert (one.drawn_moves, one.errors) == (1, 2)
    assert (one.tokens_in, one.tokens_out, one.tokens_reasoning) == (450, 30, 4)
    assert one.tokens_per_game == 480 / 4
    assert (two.agent, two.moves, two.retries, two.legal_replies) == ("greedy", 2, 3, 1 / 5)
    assert (two.drawn_moves, two.errors) == (0, 1)
    assert (two.tokens_in, two.tokens_out, two.tokens_reasoning, two.tokens_per_game) == (None, 7, None, 7 / 3)
    assert (one.faults, two.faults) == (0, 2)
    table, *lines = of_run(frames(path))
    assert (table.name, table.title) == ("models", "Language models: their replies in all games")
    assert lines == ["1 of the 3 moves of mcts are random, in place of its replies"]
    assert [row["agent"] for row in document(frames(path))["models"]] == ["mcts", "greedy"]


def test_a_model_whose_name_is_shortened_is_named_in_full_below(tmp_path):
    names = ["llm:a@http://x/v1;retries=0", "llm:b", "minimax:depth=2"]
    found = frames(run_of(tmp_path / "run", names, [(0, 1, 0, "1"), (2, 0, 0, "1")]))
    assert language_lines(found) == [f"llm:a is {names[0]}"]
    assert of_run(found)[0].labels.of(names[0]) == "llm:a"
