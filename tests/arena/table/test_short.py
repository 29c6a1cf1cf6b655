from hypothesis import given
from hypothesis import strategies as st

from arena.table.labels import cut, items, key, shorter

KINDS = st.sampled_from(["alphabeta", "minimax", "mcts", "subs/alice.py:Alice", "subs/bob.py:Alice", "cmd"])
SETTINGS = st.sampled_from(
    ["depth=4", "depth=5", "order=centre", "heuristic=powers-of-ten", "heuristic=powers-of-two", "table=on", "./e --x"]
)
NAMES = st.builds(
    lambda kind, settings, again: ":".join([kind, ",".join(settings)] if settings else [kind]) + again,
    KINDS, st.lists(SETTINGS, max_size=4, unique=True), st.sampled_from(["", "#2"]),
)  # fmt: skip


def last(*names):
    return list(shorter(names)[-1].values())


def test_a_short_name_has_only_what_tells_agents_apart():
    ten, smart = "alphabeta:depth=6,order=centre,heuristic=powers-of-ten", "alphabeta:depth=6,heuristic=smart-aware"
    assert last(ten, smart, "oneil:nodes=200000") == ["alphabeta:centre,powers", "alphabeta:smart", "oneil"]
    assert last("minimax:depth=2", "minimax:depth=3") == ["minimax:depth=2", "minimax:depth=3"]
    assert last("minimax:heuristic=a-b-c", "minimax:heuristic=a-b-d") == ["minimax:a-b-c", "minimax:a-b-d"]
    assert last("minimax:table=on", "minimax:table=off") == ["minimax:table=on", "minimax:table=off"]


def test_each_form_is_made_of_the_one_before_it():
    start = "alphabeta:depth=6,order=centre,heuristic="
    one, two = f"powers-of-ten-of-{'x' * 40}", f"smart-aware-of-{'y' * 40}"
    first, second, third = shorter([start + one, start + two, "random"])
    assert list(first.values()) == [f"alphabeta:{one}", f"alphabeta:{two}", "random"]
    assert list(second.values()) == list(third.values()) == ["alphabeta:powers", "alphabeta:smart", "random"]
    words = "p" * 30, "s" * 30
    _, second, third = shorter([f"{start}{word}-of-four" for word in words])
    assert list(second.values()) == [f"alphabeta:{word}" for word in words]
    assert list(third.values()) == [cut(text, 24) for text in second.values()]


def test_folders_are_left_out_where_the_files_names_tell_enough():
    assert last("a/one.py:Bot", "a/two.py:Bot") == ["one.py:Bot", "two.py:Bot"]
    assert last("a/bot.py", "b/bot.py") == ["a/bot.py", "b/bot.py"]


def test_a_very_long_name_loses_its_middle():
    one, two = f"cmd:./{'x' * 40}one", f"cmd:./{'x' * 40}two"
    assert last(one, two) == [cut(one, 24), cut(two, 24)]
    assert last(one, two)[0] == "cmd:./xxxxxx…xxxxxxxxone"
    assert last(f"cmd:{'y' * 50}1{'y' * 50}", f"cmd:{'y' * 50}2{'y' * 50}")[0] == f"cmd:{'y' * 50}1{'y' * 50}"


def test_a_list_is_cut_after_a_whole_item():
    text = "greedy, 2 minimax, random"
    assert [items(text, width) for width in (25, 24, 19)] == [text, "greedy, 2 minimax, …", "greedy, …"]
    assert items("alphabeta, random", 9) == cut("alphabeta, random", 9)


@given(st.lists(NAMES, unique=True, max_size=8))
def test_short_names_are_never_alike_and_never_longer(names):
    forms = shorter(names)
    for form, before in zip(forms, [{name: name for name in names}, *forms], strict=False):
        assert len(set(form.values())) == len(names)
        assert all(len(short) <= len(before[name]) for name, short in form.items())


@given(st.lists(NAMES, unique=True, max_size=8), st.integers(20, 120))
def test_the_key_says_who_each_short_name_is(names, width):
    short = {name: form for name, form in shorter(names)[-1].items() if form != name}
    told = "".join("".join(line.split()) for line in key(short, width).splitlines()[1:])
    assert told == "".join("".join((form + name).split()) for name, form in short.items())
