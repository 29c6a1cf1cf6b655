'''Make Connect Four agents meet, and measure which is stronger.

The core, with a function for each command:

    run, compare          tournaments of agents; heuristics in one search
    load, plot            a stored run, figures of it
    depths, verify        what each depth costs; that pruning changes nothing else
    grade, audit          how good moves are: in positions, and in a run
    solve, solve_random   the truth about positions, given or drawn
    evaluate, order       what heuristics say of positions, how orderings sort moves
    move, perft           one decision; the size of the game tree

A plugin has functions of its own, by its path: each folder of `arena.plugins` names
them as FUNCTIONS.

Tables are DataFrames, and each function's help names the dataclass that
has the columns as its fields, with their units. Single answers have named fields.
What cannot be used raises `agents.errors.InputError` with one line that
says why.

A tournament, and what it says:

    import arena

    agents = ["minimax:depth=4", "alphabeta:depth=2..6,order=centre"]
    result = arena.run(agents, rounds=10)
    result.standings             # best first, with Elo and its interval
    result.crosstable            # each against each
    result.effort                # what a search of each depth costs
    result.games, result.moves   # all that is stored, a row each
    result.report("run.html")    # one page to read and replay
    arena.plot(result).figure.savefig("standings.svg")

An agent is a spec, as on the command line, or your own class, function or
object:

    class Middle:
        """Plays nearest the middle."""

        def choose(self, board, limits):
            return min(board.legal_moves(), key=lambda column: abs(column - 3))

    arena.run([Middle(), "greedy"], rounds=5).standings
    arena.move(Middle, "4453").move

Columns count from 1 in texts and tables, from 0 in `choose`. Positions are
the text of their moves; boards other than 7x6x4 are named by their size:

    arena.solve(["44455554221", "4444"], columns=True)
    arena.depths(["minimax", "alphabeta"], depth=range(1, 7), rules="8x7x4")
    arena.compare(["smart-aware", "powers-of-ten"], depth=4).verdicts

The command `arena` is described by `arena --help`, `README.md` and `docs/`.
'''

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    __version__: str
    from arena.perfect.python import *  # noqa: F403  its __all__ is part of the one below
    from arena.python import *  # noqa: F403  likewise

__all__ = [
    "Result", "audit", "compare", "depths", "evaluate", "grade", "load",  # noqa: F405  arena.python has them
    "move", "order", "perft", "plot", "run", "solve", "solve_random", "verify",  # noqa: F405  likewise
]  # fmt: skip
PERFECT = ("audit", "grade", "solve", "solve_random")


def __getattr__(name: str) -> object:
    """Import the functions when the first is asked for: until then a command hears Ctrl-C (`arena.__main__`)."""
    if name == "__version__":
        from importlib.metadata import version

        return version("connect4-arena")
    if name not in __all__:
        from arena.plugins import folders

        homes = [package.__name__ for package in folders() if name in getattr(package, "FUNCTIONS", ())]
        near = f": from {homes[0]} import {name}" if homes else ""
        raise AttributeError(
            f"module {__name__!r} has no attribute {name!r}{near}", name=name, obj=sys.modules[__name__]
        )
    from importlib import import_module

    return getattr(import_module("arena.perfect.python" if name in PERFECT else "arena.python"), name)


def __dir__() -> list[str]:
    return [*globals(), *__all__, "__version__"]
