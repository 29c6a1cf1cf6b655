import pickle
from types import SimpleNamespace

import pytest
from needs import needed

from agents.agent import Limits
from agents.board import Board
from agents.errors import InputError
from agents.players.searcher import Searcher
from agents.specs import kinds, registry
from agents.specs.kinds import KINDS, LEVELS
from agents.specs.registry import expand, names, parse


def texts(spec):
    return [each.text for each in expand(spec)]


def test_a_name_alone_is_an_agent_with_its_defaults():
    spec = parse("alphabeta")
    assert spec.kind == "alphabeta"
    assert spec.resolved() == {key.replace("_", "-"): p.default for key, p in KINDS["alphabeta"].parameters.items()}


@pytest.mark.parametrize("gone", [None, *kinds.OPTIONAL])
@pytest.mark.parametrize("table", ["KINDS", "PROGRAMS", "ADAPTERS"])
def test_a_folder_that_is_deleted_offers_nothing(monkeypatch, table, gone):
    def module(name):
        if name == f"agents.{gone}":
            raise ModuleNotFoundError(name=name)
        return SimpleNamespace() if name == "agents.network" else SimpleNamespace(**{table: {name: 1, "last": name}})

    monkeypatch.setattr(kinds.importlib, "import_module", module)
    there = [f"agents.{folder}" for folder in ("processes", "language", "bridges") if folder != gone]
    assert kinds._offered(table) == dict.fromkeys(there, 1) | {"last": there[-1]}


@pytest.mark.parametrize("name", ["agents.networks", "agents.network.player", "agents", "httpx", None])
def test_a_folder_that_lacks_another_module_is_an_error(monkeypatch, name):
    def module(folder):
        if folder == "agents.network":
            raise ModuleNotFoundError(name=name)

    monkeypatch.setattr(kinds.importlib, "import_module", module)
    with pytest.raises(ModuleNotFoundError):
        kinds._offered("KINDS")


def test_keys_are_read_by_their_kinds():
    spec = parse(" alphabeta:depth=4,table=on,table-size=2,seconds=0.5,order=centre,heuristic=zero,compiled=no ")
    assert spec.text == "alphabeta:depth=4,table=on,table-size=2,seconds=0.5,order=centre,heuristic=zero,compiled=no"
    assert spec.parameters == {
        "depth": 4,
        "table": True,
        "table_size": 2,
        "seconds": 0.5,
        "order": "centre",
        "heuristic": "zero",
        "compiled": False,
    }
    assert spec.resolved()["table-size"] == 2
    assert spec.resolved()["deepening"] is False


@pytest.mark.parametrize(
    ("key", "least", "most"),
    [
        ("alphabeta:depth", 1, 64),
        ("alphabeta:nodes", 1, 10**15),
        ("alphabeta:seconds", 0.0001, 86400),
        ("alphabeta:table-size", 1, 65536),
        ("perfect:table-size", 1, 65536),
        ("tandem:table-size", 1, 65536),
        ("itu-2012:cutoff", 0, 63),
        ("mcts:playouts", 1, 10**9),
        ("mcts:threads", 1, 256),
        ("mcts:c", 0.0, 100),
    ],
)
def test_a_number_is_taken_up_to_its_bounds(key, least, most):
    for number in (least, most):
        assert parse(f"{key}={number}")
    for number in (least - 0.000001 if isinstance(least, float) else least - 1, most + 1):
        with pytest.raises(InputError):
            parse(f"{key}={number}")


@pytest.mark.parametrize(
    ("text", "repeats"),
    [("alphabeta:depth=4", True), ("alphabeta:nodes=900", True), ("perfect", True), ("alphabeta:seconds=1", False),
     ("tandem:seconds=1,nodes=5", False), ("mcts", False), ("random", False), ("cmd:true", False), ("greedy", False),
     ("beginner", False), ("easy", False), ("medium", True), ("hard", True), ("oneil", True), ("itu-2012", True),
     ("mollerhoj", True), ("smart-connect4", True), ("minimax", True), ("tandem:nodes=5", True),
     ("oneil:nodes=5,seconds=2", False), ("mcts:playouts=9", False)],
)  # fmt: skip
def test_an_agent_by_chance_by_the_clock_or_of_others_may_not_repeat_its_moves(text, repeats):
    assert parse(text).deterministic is repeats


@pytest.mark.parametrize(("word", "on"), [("on", 1), ("yes", 1), ("TRUE", 1), ("off", 0), ("no", 0), ("False", 0)])
def test_a_switch_has_three_words_for_either_way(word, on):
    assert parse(f"alphabeta:deepening={word}").parameters == {"deepening": bool(on)}


def test_a_spec_makes_what_it_says():
    searcher = parse("alphabeta:depth=3,heuristic=zero").build()
    assert isinstance(searcher, Searcher)
    assert searcher.choose(Board(), Limits()).depth == 3
    minimax = parse("minimax:depth=3").build()
    assert minimax.choose(Board(), Limits()).nodes == 400


@pytest.mark.parametrize("name", [*(name for name, kind in KINDS.items() if not kind.first), *LEVELS])
def test_every_name_that_is_listed_makes_an_agent_that_moves(name):
    assert name in names()
    if name == "net":
        needed("onnxruntime")
    agent = parse(name).build()
    answer = agent.choose(Board.from_moves("44444"), Limits(nodes=200))
    assert getattr(answer, "column", answer) in range(7)


@pytest.mark.parametrize("name", KINDS)
def test_every_parameter_of_a_spec_says_what_it_means_and_takes_its_own_default(name):
    for key, parameter in KINDS[name].parameters.items():
        assert parameter.meaning, key
        if parameter.default not in {None, ""}:
            assert parameter.read(str(parameter.default)) == parameter.default


def test_an_argument_without_annotated_is_closed_to_specs():
    for text in ("minimax:pruning=on", "alphabeta:points=3", "net:layout=own", "net:file=a.onnx"):
        with pytest.raises(InputError, match=r"parameter '(pruning|points|layout|file)'"):
            parse(text)


def test_specs_travel_between_processes():
    spec = parse("alphabeta:depth=4")
    assert pickle.loads(pickle.dumps(spec)) == spec


def test_ranges_and_choices_stand_for_several_agents():
    assert texts("greedy") == ["greedy"]
    assert texts("alphabeta:depth=2..4") == ["alphabeta:depth=2", "alphabeta:depth=3", "alphabeta:depth=4"]
    assert texts("minimax:heuristic=zero|smart-aware,depth=1|3..4") == [
        "minimax:heuristic=zero,depth=1",
        "minimax:heuristic=zero,depth=3",
        "minimax:heuristic=zero,depth=4",
        "minimax:heuristic=smart-aware,depth=1",
        "minimax:heuristic=smart-aware,depth=3",
        "minimax:heuristic=smart-aware,depth=4",
    ]


def test_commas_in_parentheses_do_not_split():
    spec = parse("minimax:heuristic=windows(1,10,100,1000),depth=3,order=centre")
    assert spec.parameters == {"heuristic": "windows(1,10,100,1000)", "depth": 3, "order": "centre"}


def test_choices_and_ranges_in_parentheses_stand_for_several_agents():
    assert texts("minimax:heuristic=windows(1,10|20,100,-1..1)|zero") == [
        *(f"minimax:heuristic=windows(1,{two},100,{four})" for two in (10, 20) for four in (-1, 0, 1)),
        "minimax:heuristic=zero",
    ]
    assert texts("minimax:heuristic=aware(40,17,15,4,two=1..2,blocked=13),depth=2") == [
        f"minimax:heuristic=aware(40,17,15,4,two={two},blocked=13),depth=2" for two in (1, 2)
    ]


def test_a_spec_with_other_parameters_keeps_its_text_and_may_repeat_its_moves_then():
    spec = parse("alphabeta:depth=4,seconds=1")
    other = spec.having(seconds=None, nodes=50)
    assert (spec.deterministic, other.deterministic) == (False, True)
    assert (other.text, other.kind) == (spec.text, "alphabeta")
    assert other.parameters == {"depth": 4, "seconds": None, "nodes": 50}
    assert spec.parameters == {"depth": 4, "seconds": 1.0}
    assert other.resolved()["nodes"] == 50


@pytest.mark.parametrize(
    ("kind", "package"),
    [("alphabeta", "connect4-arena"), ("greedy", "connect4-arena"), ("cmd", None), ("bots.py:Edge", None), ("x", None),
     ("mine", "their-package"), ("loose", None), ("uci", None), ("onnx", None), ("bots.py", "their-package")],
)  # fmt: skip
def test_an_agent_comes_from_a_package_or_from_none(monkeypatch, kind, package):
    class Point:
        dist = SimpleNamespace(name="their-package")

    class Loose:
        dist = None

    points = {"uci": Point, "onnx": Point, "bots.py:Edge": Point, "bots.py": Point, "mine": Point, "loose": Loose}

    monkeypatch.setattr(registry, "installed", lambda group: points if group == "agents" else {})
    assert registry.package(kind) == package
    assert registry.names()[-2:] == ["mine", "loose"]
    assert registry.names()[:2] == ["random", "greedy"]


def test_each_level_is_the_agent_that_docs_agents_md_measured():
    assert LEVELS == {
        "beginner": "greedy", "easy": "mcts:playouts=20",
        "medium": "alphabeta:depth=4,heuristic=powers-of-ten,order=centre",
        "hard": "alphabeta:depth=9,heuristic=parity,order=open-windows", "master": "tandem:nodes=1000000",
    }  # fmt: skip
