"""Every player with every setting of the registry, on uneven positions of either side, under every kind of limit.

Moves, scores, depths, nodes and lines are recorded. The slow twins and the published programs of the other tests say
that the searches are right; here nothing changes unseen, whichever setting, limit, side or board it is.
"""

import math

import pytest
from needs import needed
from recorded import holds, plain, tried

from agents.agent import Limits, new_game
from agents.board import STANDARD, Board, Rules
from agents.jit.compiler import JIT
from agents.specs.components import HEURISTICS, ORDERINGS, signature
from agents.specs.kinds import KINDS
from agents.specs.registry import parse

POSITIONS = ("", "2316", "22752461", "354513556", "6622157263142", "213463343327273", "3172531275661445", "44444527")
"""Empty, early and late, either side to move, with wins to take or to stop, none of them its own mirror image."""
LATE = (
    "2231147774324737456622246376",
    "565255355127273336321",
    "515132745561151372365127666",
    "21157117645173473665641223",
)
LONG = "66772366717352144112"
"""A draw that the solver sees after some 3,000 nodes."""
FAST = {
    "random": "", "greedy": "", "minimax": "depth=2", "alphabeta": "depth=3", "mollerhoj": "depth=2",
    "oneil": "nodes=300",
    "smart-connect4": "depth=3", "itu-2012": "cutoff=2", "mcts": "playouts=40", "tandem": "nodes=300,table-size=1",
    "perfect": "table-size=1", "net": "simulations=12",
}  # fmt: skip
"""What each kind is searched with, beside the setting that is tried; `perfect` is asked late positions alone."""
SETTINGS = {
    "depth": ("1", "4"), "pruning": ("on", "off"), "table": ("on",), "deepening": ("on",), "killers": ("on",),
    "history": ("on",), "pvs": ("on",), "compiled": ("off",), "nodes": ("1", "60", "700"), "playouts": ("1", "90"),
    "c": ("0", "3"), "threads": ("2",), "cutoff": ("0", "3"), "simulations": ("1", "30"), "batch": ("1", "5"),
    "pick": ("policy", "value", "puct"), "book": ("off",), "table-size": ("2",),
    "heuristic": ("zero", "smart-simple"), "order": ("centre", "open-windows"),
}  # fmt: skip
"""Values of each key; of others, and where a kind refuses them, its own choices."""
PART = slice(None) if JIT else slice(1, None, 3)
"""The boards that are asked about; as plain Python each takes long."""
LIMITS = (
    Limits(depth=1), Limits(depth=2, nodes=40), Limits(nodes=1), Limits(nodes=30), Limits(depth=64), Limits(nodes=250),
    Limits(seconds=900.0, nodes=90),
)  # fmt: skip


def asked(agent, board, limits=Limits(), *, seed=3):  # noqa: B008  immutable
    """Return what an agent answers in a new game."""
    new_game(agent, seed)
    return told(agent.choose(board, limits))


def told(found):
    """Return an answer without its times."""
    steps = [[each.depth, each.nodes, each.score, each.column] for each in found.iterations]
    return [found.column, found.score, found.depth, found.nodes, list(found.pv), steps]


def boards(kind, rules=STANDARD):
    if kind == "perfect":
        return [Board.from_moves(moves) for moves in LATE]
    late = LATE[:1] if kind in {"net", "tandem", "oneil"} else LATE[:2]
    return [Board.from_moves(moves) for moves in ((*POSITIONS[1:4], *late) if kind == "net" else (*POSITIONS, *late))]


def spec(kind, *settings):
    """Return the spec of a kind that searches fast, with other settings in place of its own."""
    own = [each for each in FAST[kind].split(",") if each and each.partition("=")[0] not in {
        setting.partition("=")[0] for setting in settings}]  # fmt: skip
    return f"{kind}:{','.join([*own, *settings])}".rstrip(":")


def of_kind(kind):
    """Return what agents of a kind answer, with each setting in turn."""
    found = {}
    texts = [spec(kind)]
    for name, each in KINDS[kind].parameters.items():
        key = name.replace("_", "-")
        values = [
            value
            for value in SETTINGS.get(key, ())
            if not isinstance(tried(each.read, value), str) or value in each.choices
        ]
        texts += [spec(kind, f"{key}={value}") for value in values or each.choices[:2] if key != "seconds"]
    if kind == "alphabeta":
        texts += [
            spec(kind, *each.split()) for each in (
                "table=on deepening=on depth=5", "table=on killers=on history=on pvs=on depth=5 order=centre",
                "killers=on pvs=on depth=4 order=open-windows", "history=on deepening=on depth=5",
                "pvs=on table=on depth=6",
                "nodes=900 table=on", "depth=2 heuristic=windows(1,-2,3,4)", "depth=4 order=column-score compiled=off",
            )
        ]  # fmt: skip
    for text in texts:
        agent = parse(text).build()
        asked_of = boards(kind)
        slow = "compiled=off" in text
        found[text] = [asked(agent, board) for board in (asked_of[1:3] if slow else asked_of)[PART]]
    return found


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "llm"])
def test_every_setting_of_a_player_stays(kind, request):
    if kind == "net":
        needed("onnxruntime")
    holds(f"players-{kind}", plain(of_kind(kind)), request, within=1e-6, part=PART)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in {"llm", "net", "perfect"}])
def test_limits_hold_and_games_are_forgotten(kind, request):
    settings = {"alphabeta": ["table=on"], "mcts": ["threads=2"]}.get(kind, [])
    without = f"{kind}:{','.join(settings)}".rstrip(":")
    board = Board.from_moves(POSITIONS[6])
    found = {}
    for text in dict.fromkeys((spec(kind, *settings), without, spec(kind))):
        agent = parse(text).build()
        for limits in LIMITS:
            if limits.depth == 64 and (text != spec(kind, *settings) or kind in {"minimax", "tandem", "itu-2012"}):
                continue
            if (
                kind in {"minimax", "mollerhoj", "smart-connect4", "itu-2012", "oneil"}
                and text == without
                and not limits.nodes
            ):
                continue
            found[f"{text} {limits}"] = asked(agent, board, limits)
        agent = parse(spec(kind, *settings)).build()
        found[f"{text} again"] = [asked(agent, board), told(agent.choose(board, Limits())), asked(agent, board),
                                  asked(agent, board, seed=4), asked(agent, Board.from_moves("3"))]  # fmt: skip
    holds(f"players-limits-{kind}", plain(found), request)


OTHER = {
    Rules(5, 4): ("255", "42121", "25241444", "5144512443"),
    Rules(most_fours=True): ("2316", "3172531275661445", "65332663564263574224", LATE[2]),
}


def test_other_boards_and_rules_stay(request):
    found = {}
    for rules, moves in OTHER.items():
        for kind in KINDS:
            if kind in {"llm", "net"}:
                continue
            text = spec(kind)
            for each in ("", "table=on,deepening=on,killers=on") if kind == "alphabeta" else ("",):
                whole = f"{text},{each}" if each else text
                agent = parse(whole).build()
                found[f"{whole} {rules}"] = tried(
                    lambda agent=agent, rules=rules, moves=moves: [
                        asked(agent, Board.from_moves(each, rules)) for each in moves
                    ]
                )
    holds("players-boards", plain(found), request)


def test_every_heuristic_and_ordering_stays(request):
    found = {}
    weights = {name: f"({','.join(str(3 + 7 * place) for place in range(len(row.weights)))})" if row.weights else ""
               for name, row in HEURISTICS.items()}  # fmt: skip
    for name, row in HEURISTICS.items():
        agent = parse(f"minimax:depth=1,heuristic={name}{weights[name]}").build()
        found[signature(name, row)] = [asked(agent, Board.from_moves(moves)) for moves in (*POSITIONS, *LATE)]
    for name in ORDERINGS:
        agent = parse(f"alphabeta:depth=4,order={name}").build()
        found[name] = [asked(agent, Board.from_moves(moves)) for moves in (*POSITIONS, *LATE)]
    holds("players-parts", plain(found), request)


def test_the_solver_stays(request):
    from agents.solver.book import shipped_book
    from agents.solver.solver import Solver, Stopped

    found = {}
    solver = Solver(STANDARD, 1)
    for moves in (*LATE, LONG):
        board = Board.from_moves(moves)
        before = solver.nodes
        found[moves] = [
            solver.score_of(board), solver.outcome_of(board), solver.nodes - before,
            *(solver.column_scores(board.own, board.opp, weak=weak) for weak in (False, True)),
            *(solver.within(board.own, board.opp, low, high) for low, high in ((-1, 0), (0, 1), (3, 4), (-30, -20))),
        ]  # fmt: skip
        solver.forget()
    board = Board.from_moves(LATE[3])
    for nodes in (0, 1, 40, 260):
        before = solver.nodes
        solver.allow(nodes)
        found[f"allowed {nodes}"] = [tried(solver.score_of, board, errors=Stopped), solver.nodes - before]
        solver.forget()
    solver.stop()
    found["stopped"] = tried(solver.score_of, board, errors=Stopped)
    solver.resume()
    found["resumed"] = solver.score_of(board)
    booked = Solver(STANDARD, 1, shipped_book())
    found["book"] = [[moves, *(tried(call, Board.from_moves(moves)) for call in (booked.score_of, booked.outcome_of)),
                      booked.within(Board.from_moves(moves).own, Board.from_moves(moves).opp, 5, 6)]
                     for moves in ("", "4", "44", "12", "4453", "1", "33")]  # fmt: skip
    found["book's columns"] = [booked.column_scores(Board.from_moves(moves).own, Board.from_moves(moves).opp)
                               for moves in ("", "44", "444444")]  # fmt: skip
    small = Solver(Rules(5, 4), 1)
    for moves in OTHER[Rules(5, 4)]:
        board = Board.from_moves(moves, Rules(5, 4))
        found[f"5x4 {moves}"] = [
            small.score_of(board),
            small.outcome_of(board),
            small.column_scores(board.own, board.opp),
        ]
    assert all(math.isfinite(each[0]) for each in found.values() if isinstance(each, list) and isinstance(each[0], int))
    holds("players-solver", plain(found), request)
