"""What a hand-in has of the arena's: modules beyond the public names, and the answers of a built-in agent."""

import pytest

from agents.agent import Limits, prepare
from agents.board import STANDARD
from agents.jit.compiler import JIT
from agents.specs.components import HEURISTICS, complete
from agents.specs.registry import parse
from arena.games.check import POSITIONS, boards
from arena.games.referee import Conditions, decide
from arena.plugins.assignment import borrowed
from arena.plugins.assignment.borrowed import FEWEST, beyond_public, imports, twin

from .hand_ins import BORROWED


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("from agents import Analysis, Board\nfrom agents.heuristics import popcount\nimport agents.score, numpy", []),
        ("import arena\narena.move('greedy', '')", ["arena"]),
        ("def choose(board):\n    from agents.search.compiled import heuristic", ["agents.search.compiled"]),
        ("from agents.heuristics.windows import make", ["agents.heuristics.windows"]),
        ("import agents.solver.solver\nfrom agents import solver", ["agents.solver.solver"]),
        ("import agents.agent, agents.board, agents.errors, agents.heuristics, agents.rules", []),
        ("import agents.specs\nfrom agents.process_agent import start", ["agents.process_agent", "agents.specs"]),
        ("from . import arena\nimport arena_of_mine, agents.mine", []),
        ("import part", ["agents.specs.registry"]),
        ("def (", []),
        (BORROWED, []),
    ],
)
def test_modules_beyond_the_public_names_are_named(tmp_path, text, names):
    (tmp_path / "part.py").write_text("from agents.specs.registry import parse")
    (tmp_path / "main.py").write_text(text)
    assert imports(tmp_path / "main.py") == names


def test_a_package_that_a_module_is_in_is_not_named_beside_it_and_a_program_has_no_imports(tmp_path):
    assert beyond_public(["agents.search", "agents.search.negamax.x", "arena", "json.loads"]) == [
        "agents.search.negamax", "arena",
    ]  # fmt: skip
    assert imports(tmp_path / "main.exe") == []


def answers_of(text):
    """Return what an agent answers to the positions of the check."""
    agent = parse(text).build()
    prepare(agent, STANDARD, text)
    return [decide(agent, board, Conditions(Limits())).column for board in boards(STANDARD, POSITIONS)]


@pytest.mark.parametrize("place", [0, FEWEST - 1, FEWEST, POSITIONS - 1])
def test_a_twin_gives_every_answer_of_a_built_in_agent(monkeypatch, place):
    monkeypatch.setattr(borrowed, "_built_in", lambda: iter(["alphabeta:depth=1", "greedy"]))
    greedy = answers_of("greedy")
    other = [(column + 1) % 7 if number == place else column for number, column in enumerate(greedy)]
    silent = [None if number == place else column for number, column in enumerate(greedy)]
    assert [twin(answers, STANDARD) for answers in (greedy, other, silent)] == ["greedy", None, "greedy"]


def test_answers_are_compared_with_greedy_perfect_and_alphabeta_with_each_heuristic_in_both_orders():
    built_in = [*borrowed._built_in()]
    assert built_in[:3] == ["greedy", "perfect", "alphabeta:depth=1"]
    assert {"alphabeta:depth=6,order=centre", "alphabeta:depth=5,heuristic=parity"} <= {*built_in}
    assert len({*built_in}) == len(built_in) == 2 + 2 * 6 * len(complete(HEURISTICS))
    assert not [text for text in built_in if "left-to-right" in text or "powers-of-ten" in text]


def test_few_answers_make_no_twin():
    greedy = answers_of("greedy")
    assert twin(greedy[:FEWEST], STANDARD) == "greedy"
    assert twin(greedy[: FEWEST - 1], STANDARD) is None
    assert twin([*greedy[: FEWEST - 1], *[None] * 100], STANDARD) is None
    assert twin([], STANDARD) is None


@pytest.mark.skipif(not JIT, reason="a search of each kind takes minutes as plain Python")
@pytest.mark.parametrize("text", ["alphabeta:depth=6", "alphabeta:depth=2,order=centre,heuristic=smart-aware"])
def test_a_search_of_ours_is_recognised_by_its_answers(text):
    assert twin(answers_of(text), STANDARD) == text
