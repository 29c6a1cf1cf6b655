"""Objects of a program as agents: how they are copied, sent, told apart and given again to a stored run."""

import hashlib
import inspect
import linecache
import os
import pickle
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest
import scripted
from scripted import Leftmost, Middle, leftmost

from agents.agent import Limits
from agents.board import Board
from agents.errors import InputError
from arena.games import object_agent
from arena.games.object_agent import ObjectAgent, is_absent, placed, refuse_absent
from arena.games.plan import Plan
from arena.games.run import Run


class Learning(Middle):
    """Keeps what it has seen, also in lists."""

    def __init__(self):
        self.seen, self.book, self.lines = 0, {"4": [1]}, []

    def choose(self, board, limits):
        self.seen += 1
        self.lines.append(board.ply)
        self.book["4"].append(board.ply)
        return super().choose(board, limits)


def test_a_game_changes_nothing_of_an_object_nor_of_what_it_holds():
    given = Learning()
    one, other = (ObjectAgent.of(given).build() for _ in range(2))
    one.choose(Board(), Limits())
    assert (one.lines, one.book) == ([0], {"4": [1, 0]})
    for each in (given, other):
        assert (each.seen, each.lines, each.book) == (0, [], {"4": [1]})


def test_what_cannot_be_copied_plays_itself_and_a_class_or_a_function_makes_a_new_one():
    given = Learning()
    given.lock = threading.Lock()
    assert ObjectAgent.of(given).build() is given
    one, other = (ObjectAgent.of(Learning).build() for _ in range(2))
    assert one is not other
    assert isinstance(one, Learning)
    assert ObjectAgent.of(leftmost).build().choose(Board(), Limits()) == 0


def test_a_class_is_told_apart_by_its_source_and_that_of_its_file():
    file = Path(scripted.__file__)
    for what in (Middle(), Middle, leftmost):
        source = inspect.getsource(Middle if what is not leftmost else leftmost).encode()
        assert ObjectAgent.of(what).digest() == hashlib.sha256(source + file.read_bytes()).hexdigest()
    assert ObjectAgent.of(Middle).digest() != ObjectAgent.of(Leftmost).digest()


def test_it_is_sent_by_name_as_long_as_the_program_has_a_file_that_another_process_can_run(monkeypatch, tmp_path):
    class Inner(Middle):
        pass

    here = tmp_path / "program.py"
    here.touch()
    sent = []
    monkeypatch.setitem(sys.modules, "cloudpickle", SimpleNamespace(dumps=lambda what: sent.append(what) or b"whole"))
    for file, whole in (
        (str(here), []),
        (None, [Middle]),
        (os.devnull, [Middle]),
        (str(tmp_path / "gone.py"), [Middle]),
    ):
        monkeypatch.setitem(sys.modules, "__main__", SimpleNamespace(__file__=file))
        sent.clear()
        assert object_agent._packed(Middle) == (b"whole" if whole else pickle.dumps(Middle))
        assert sent == whole
    monkeypatch.setitem(sys.modules, "__main__", SimpleNamespace(__file__=str(here)))
    assert object_agent._packed(Inner) == b"whole"
    assert ObjectAgent.of(Inner).travels is True
    monkeypatch.setitem(sys.modules, "cloudpickle", SimpleNamespace(dumps=lambda what: what.nothing))
    assert ObjectAgent.of(Inner()).travels is False
    again = pickle.loads(pickle.dumps(ObjectAgent.of(Middle, "mine")))
    assert (again.text, again.kind, again.parameters, again.what) == ("mine", "object:scripted:Middle", {}, Middle)


def test_what_ends_the_program_as_it_is_made_is_an_agent_that_cannot_be_made():
    for error, said in (
        (SystemExit("so\nlong"), "SystemExit: so"), (ZeroDivisionError("one\ntwo"), "ZeroDivisionError: one"),
        (InputError("plain"), None),
    ):  # fmt: skip

        class Mine(Middle):
            def __init__(self, error=error):
                raise error

        with pytest.raises(InputError) as raised:
            ObjectAgent.of(Mine, "mine").build()
        text = str(raised.value)
        assert text.startswith(f"agent 'mine' cannot be made: {said}") if said else text == "plain"
        assert "\n" not in text

    class Interrupted(Middle):
        def __init__(self):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ObjectAgent.of(Interrupted).build()


def test_all_of_a_class_that_was_typed_tells_it_apart_and_nothing_of_its_cell_beside_it(monkeypatch):
    def typed(text, name="Mine"):
        monkeypatch.setitem(linecache.cache, "<cell 7>", (len(text), None, text.splitlines(keepends=True), "<cell 7>"))
        space = {"__name__": "__main__"}
        exec(compile(text, "<cell 7>", "exec"), space)
        return ObjectAgent.of(space[name]).digest()

    monkeypatch.setitem(sys.modules, "__main__", SimpleNamespace())
    text = "class Mine:\n    deep = {0}\n    def choose(self, board):\n        return {1}\n    def more(self): {2}\n"
    one = typed(text.format(1, 2, 3))
    assert len({one, *(typed(text.format(*numbers)) for numbers in ((0, 2, 3), (1, 0, 3), (1, 2, 0)))}) == 4
    other = text.format(7, 7, 7).replace("Mine", "Other")
    assert one == typed(other + text.format(1, 2, 3) + other.replace("Other", "Last"))
    source = text.format(1, 2, 3).rstrip()
    assert one == hashlib.sha256(source.encode()).hexdigest()
    assert typed(text.format(1, 2, 3).replace("Mine", "Twin"), "Twin") != one


class Named(Middle):
    def __init__(self, name):
        self.name = name


@pytest.mark.parametrize(
    ("name", "text"),
    [("a b.+-9_", "a b.+-9_"), ("ü", "ü"), ("a" * 80, "a" * 80), ("a" * 81, "Named"), ("a:b", "Named"), ("", "Named"),
     ("a,b", "Named"), (7, "Named"), ("a/b", "Named")],
)  # fmt: skip
def test_its_name_is_one_that_can_be_typed_or_that_of_its_class(name, text):
    assert ObjectAgent.of(Named(name)).text == text
    assert ObjectAgent.of(Named(name), "mine").text == "mine"


@pytest.fixture
def store(tmp_path):
    given = {
        0: ObjectAgent.of(Middle, "mine"),
        2: ObjectAgent.of(Leftmost, "yours"),
        3: ObjectAgent.of(Middle, "mine#2"),
    }
    with Run.begin(
        Plan(("mine", "greedy", "yours", "mine"), rounds=1), tmp_path / "run.sqlite", objects=given
    ).store as run:
        yield run


@pytest.mark.parametrize(
    ("names", "places"),
    [
        (["mine"], {0: "mine"}),
        (["yours", "mine"], {2: "yours", 0: "mine"}),
        (["mine", "mine"], {0: "mine", 3: "mine#2"}),  # a list counts those of one name
        (["a", "b", "c"], {0: "mine", 2: "yours", 3: "mine#2"}),  # and may have all of them in their order
        (["a", "mine", "c"], {0: "mine", 2: "yours", 3: "mine#2"}),
        (["yours", "mine", "mine"], {2: "yours", 0: "mine", 3: "mine#2"}),
        ([], {}),
    ],
)
def test_a_list_is_matched_by_names_or_by_its_order(store, names, places):
    given = [ObjectAgent.of(Middle, name) for name in names]
    found = placed(store, dict(enumerate(given)))
    assert {place: each.text for place, each in found.items()} == places
    assert [each.what for each in found.values()] == [Middle] * len(names)


def test_a_mapping_is_matched_by_names_alone_and_what_is_not_of_the_run_is_said(store, tmp_path):
    kim = ObjectAgent.of(Middle, "kim")
    assert {place: each.text for place, each in placed(store, {"mine#2": kim, "yours": kim}).items()} == {
        3: "mine#2", 2: "yours",
    }  # fmt: skip
    for given in ({"kim": kim, "mine": kim, "yours": kim}, {0: kim}):
        with pytest.raises(InputError) as raised:
            placed(store, given)
        assert str(raised.value) == (
            f"{store.path} was played without the object kim (scripted:Middle): its objects are mine, yours, mine#2"
        )
    with (
        Run.begin(Plan(("greedy", "random"), rounds=1), tmp_path / "none.sqlite").store as none,
        pytest.raises(InputError, match=r"without the object kim \(scripted:Middle\): it has none$"),
    ):
        placed(none, {"kim": kim})


def test_who_is_missing_is_said_where_it_has_games_left(store):
    refuse_absent(store, [1])
    with pytest.raises(InputError) as raised:
        refuse_absent(store, [1, 2, 3])
    assert str(raised.value) == (
        "this run needs yours (scripted:Leftmost) and mine#2 (scripted:Middle) of the program that began it: "
        "arena.run(resume=…, agents={'yours': …, 'mine#2': …})"
    )
    assert is_absent(ObjectAgent("mine", "object:here:Mine", {}))
    assert not is_absent(ObjectAgent.of(Middle))


def test_attributes_are_told_that_are_public_and_there():
    class Base:
        __slots__ = ("far", "gone")

    class Slots(Base):
        __slots__ = ("near",)

        def choose(self, board, limits):
            return 0

    one = Slots()
    one.far, one.near = (1, float("-inf"), {2}), True
    assert ObjectAgent.of(one).resolved() == {"far": [1, "-inf", "set"], "near": True}
    assert ObjectAgent.of(Slots).resolved() == {}
    assert ObjectAgent.of(Named("x")).described() == '{"name": "x"}'
