import json

import pytest


def test_perft_prints_sequences_and_nodes(arena):
    assert arena("perft", 5).out == "depth 5: sequences 16807, nodes 19608\n"


def test_perft_as_json(arena):
    done = arena("perft", 4, "--json")
    assert json.loads(done.out) == {"depth": 4, "sequences": 2401, "nodes": 2801}
    assert (done.code, done.err) == (0, "")


def test_divide_counts_each_first_move_and_then_all(arena):
    done = arena("perft", 3, "--position", "44444", "--divide")
    assert done.out.splitlines()[0].split() == ["column", "sequences", "nodes"]
    assert done.out.splitlines()[2].split() == ["1", "48", "56"]
    assert done.out.splitlines()[-1] == "depth 3: sequences 324, nodes 380"
    parts = json.loads(arena("perft", 3, "--position", "44444", "--divide", "--json").out)
    assert [part["column"] for part in parts["divide"]] == [1, 2, 3, 4, 5, 6, 7]
    assert sum(part["sequences"] for part in parts["divide"]) == parts["sequences"] == 324
    assert 1 + sum(part["nodes"] for part in parts["divide"]) == parts["nodes"] == 380


def test_divide_of_nothing_is_empty(arena):
    assert json.loads(arena("perft", 0, "--divide", "--json").out) == {"depth": 0, "sequences": 1, "nodes": 1}
    assert arena("perft", 3, "--position", "1212121", "--divide").out == "depth 3: sequences 0, nodes 1\n"


def test_perft_on_another_board(arena):
    assert arena("perft", 2, "--board", "10x5").out == "depth 2: sequences 100, nodes 111\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["1000000"], "arena perft: Invalid value for 'DEPTH': it is a whole number from 0 to 64, not 1000000"),
        (["-1"], "arena perft: no option '-1': depths cannot be negative"),
        (["x"], "arena perft: Invalid value for 'DEPTH': it is a whole number from 0 to 64, not x"),
        ([], "arena perft: Missing argument 'DEPTH'."),
        (["3", "--position", "49"], "arena: move 2: column 9 does not exist (1 to 7)"),
        (["3", "--board", "9x9"], "arena perft: Invalid value for '--board': a 9x9 board does not fit"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(arena, words, message):
    done = arena("perft", *words)
    assert done.code == 2
    assert done.out == ""
    assert done.err.startswith(message)
    assert done.err.count("\n") == 1
