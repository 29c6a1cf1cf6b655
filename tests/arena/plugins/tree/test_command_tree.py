import json
import re

import pytest


def document(arena, *words):
    done = arena("tree", *words, "--json")
    assert (done.code, done.err) == (0, "")
    return json.loads(done.out)


def nodes(tree):
    yield tree
    for child in tree["children"]:
        yield from nodes(child)


def test_the_document_is_the_tree(arena):
    found = document(arena, "smart-connect4:heuristic=simple", "--depth", "3")
    assert (found["nodes"], found["depth"], found["position"]) == (76, 3, "")
    root = found["tree"]
    assert (root["column"], root["player"], root["alpha"], root["beta"], root["visited"]) == (
        None,
        "MAX",
        None,
        None,
        1,
    )
    assert root["value"] == found["value"]
    assert (root["moves"], [child["moves"] for child in root["children"]]) == ("", list("4352617"))
    assert (root["leaf"], root["note"], root["cut"], root["pruned"]) == (None, None, None, [])
    everything = list(nodes(root))
    assert sorted(node["visited"] for node in everything if node["visited"]) == list(range(1, 77))
    for node in everything:
        assert node["pruned"] == [child["column"] for child in node["children"] if child["visited"] is None]
        assert (node["cut"] is None) == (node["pruned"] == [])
    assert found["pv"][0] == found["move"]


def test_the_text_marks_the_line_and_names_each_cut(arena):
    out = arena("tree", "alphabeta:depth=3,order=centre", "44").out
    assert "alphabeta:depth=3,order=centre: depth 3, " in out
    assert "PRUNED" in arena("tree", "alphabeta:depth=2,order=centre", "44", "--lines", "0").out
    marked = [line for line in out.splitlines() if line.startswith("*")]
    assert len(marked) == 4
    assert "root  MAX" in marked[0]


def test_the_text_begins_with_the_board_and_is_as_wide_as_the_terminal(arena, monkeypatch):
    words = ["tree", "minimax:depth=1,order=centre,heuristic=zero,compiled=no", "12", "--board", "5x4"]
    board = [" .  .  .  .  .", " .  .  .  .  .", " .  .  .  .  .", " X [O] .  .  .", " 1  2  3  4  5"]
    done = arena(*words)
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [
        *board, "", f"{words[1]}: depth 1, 6 nodes, value 0, move 3", "", "* root  MAX  0  [−∞, +∞]  #1",
        *(f"{'*' if column == 3 else ' '}    {column}  leaf  0  [−∞, +∞]  #{place}"
          for place, column in enumerate((3, 2, 4, 1, 5), start=2)),
    ]  # fmt: skip
    words = ["tree", "alphabeta:depth=3,order=centre", "44", "--lines", "20"]
    whole = arena(*words).out
    monkeypatch.setenv("COLUMNS", "60")
    narrow = arena(*words).out
    assert max(map(len, whole.splitlines()[9:])) > 60 >= max(map(len, narrow.splitlines()[9:]))
    assert narrow.split() == whole.split()


def test_the_text_keeps_to_its_lines_and_counts_what_it_hides(arena):
    few = arena("tree", "minimax:depth=4", "--lines", "20").out.splitlines()
    assert len(few) < 60
    assert sum("399 nodes below" in line for line in few) == 6
    everything = arena("tree", "minimax:depth=4", "--lines", "0").out.splitlines()
    assert sum("#" in line for line in everything) == 2801


def test_a_page_is_one_file_with_the_tree_and_its_counterpart_and_nothing_is_printed(arena, tmp_path):
    done = arena("tree", "alphabeta:depth=2,order=centre", "44", "--html", tmp_path / "tree.html")
    assert (done.code, done.out, done.err) == (0, "", "")
    text = (tmp_path / "tree.html").read_text(encoding="utf-8")
    assert 'src="/static' not in text
    trees = json.loads(re.search(r'id="trees">(.*?)</script>', text, re.DOTALL)[1])
    assert [tree["agent"] for tree in trees] == ["alphabeta:depth=2,order=centre", "minimax"]
    asked = ["tree", "alphabeta:depth=4,order=centre", "4", "--depth", "2", "--html", tmp_path / "both.html", "--json"]
    told = json.loads(arena(*asked).out)
    text = (tmp_path / "both.html").read_text(encoding="utf-8")
    [one, two] = json.loads(re.search(r'id="trees">(.*?)</script>', text, re.DOTALL)[1])
    assert (told["depth"], told["nodes"], told["position"]) == (2, one["nodes"], "4")
    assert (one["agent"], two["agent"], two["nodes"]) == (asked[1], "minimax", 1 + 7 + 49)


def test_an_agent_of_ones_own_is_shown_the_way_with_its_own_heuristic(arena, tmp_path):
    file = tmp_path / "hw.py"
    bot = "class MyAlphaBeta:\n    def choose(self, board):\n        return 3\n"
    file.write_text(f"{bot}\n\ndef evaluate(own, opp):\n    return 0\n")
    for spec in (file, f"{file}:MyAlphaBeta"):
        done = arena("tree", spec, "44", "--depth", "2")
        assert (done.code, done.out) == (2, "")
        way = f"use alphabeta:heuristic={file}:evaluate, which visits the same nodes as an alpha-beta in the same order"
        assert done.err == f"arena: agent '{spec}' has no tree to show: {way}\n"
    assert ": depth 2, 21 nodes" in arena("tree", f"alphabeta:heuristic={file}:evaluate", "44", "--depth", "2").out
    file.write_text(bot)
    assert f"use alphabeta:heuristic={file}:FUNCTION, which" in arena("tree", file, "44").err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["random"], "arena: agent 'random' has no tree to show: only minimax and alpha-beta have one"),
        (["alphabet"], "'alphabet': did you mean alphabeta?"),
        (["minimax", "1212121"], "arena: the game is already over (first player won at move 7)"),
        (["minimax:depth=1..2"], "arena: 'minimax:depth=1..2' stands for 2 agents, one is needed"),
        (["minimax", "--depth", "7"], "give a smaller --depth"),
        (["minimax", "48"], "arena: move 2: column 8 does not exist (1 to 7)"),
        (["minimax:depth=2", "--html", "."], "'.' is a directory"),
        (["minimax:depth=2", "--html", "/no/such/folder/tree.html"], "No such file or directory"),
    ],
)
def test_bad_input_is_one_line(arena, words, message):
    done = arena("tree", *words)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert message in done.err


def test_a_tree_of_killers_history_pvs_or_lmr_is_refused_in_one_line(arena):
    for option in ("killers", "history", "pvs", "lmr"):
        done = arena("tree", f"alphabeta:depth=3,{option}=on")
        assert (done.code, done.out) == (2, "")
        assert (
            f"alphabeta:depth=3,{option}=on': no tree is drawn of killers, history, pvs or lmr; leave them" in done.err
        )


def test_moves_without_an_agent_are_told_what_comes_first(arena):
    done = arena("tree", "44")
    assert (done.code, done.out) == (2, "")
    assert done.err.endswith("'44' is no agent, which comes first: arena tree AGENT 44\n")
