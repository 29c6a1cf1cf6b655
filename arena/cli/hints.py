"""Hints for mistyped commands and options."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from string import ascii_letters

from agents.errors import InputError
from arena.plugins import offers


def instead_of(command: str, option: str) -> str | None:
    """Return a hint for an option that a command does not have, or None."""
    if option in SETTINGS and command in ("run", "move", "play", "grade", "uci", "engine"):
        return f"it belongs into an agent's spec, as in alphabeta:{SETTINGS[option]}"
    option = "-N" if option[1:].isdecimal() else option
    instead = INSTEAD | {(row[0], row[1]): row[2] for _, row in offers("HINTS")}
    return instead.get((command, option), "numbers cannot be negative" if option == "-N" else None)


def meant() -> dict[str, str]:
    """Return words that people type, and the command that does what they mean."""
    return MEANT | {word: row[1] for _, row in offers("WORDS") for word in row[0].split()}


def refuse_swapped(command: str, agent: str, moves: str) -> None:
    """Raise InputError if a command has moves for an agent."""
    if agent.replace(",", "").isdecimal():
        raise InputError(f"{agent!r} is no agent, which comes first: arena {command} {moves or 'AGENT'} {agent}")


def refuse_names(words: Sequence[str], option: str) -> None:
    """Raise InputError if the text for a position is a name; the message has the option that takes it."""
    for word in words:
        if word.startswith(tuple(ascii_letters)) and not {*word} <= {*".xXoO/\n "}:
            raise InputError(f"{word!r} is no position, which is digits such as 4453: {option} {word} names it")


@contextmanager
def naming(option: str) -> Iterator[None]:
    """Replace the setting `compiled=no` of specs in error messages by a command's own option."""
    try:
        yield
    except InputError as error:
        raise InputError(str(error).replace("; compiled=no runs it", f"; {option} runs it")) from error


MEANT: dict[str, str] = {
    **dict.fromkeys(("tournament", "match", "tourney", "start", "simulate", "battle"), "run"),
    **dict.fromkeys(
        ("leaderboard", "standings", "ranking", "results", "result", "table", "stats", "crosstable"), "show"
    ),
    **dict.fromkeys(("runs", "ls", "history", "status"), "list"),
    **dict.fromkeys(("states", "nodes", "cost", "performance", "speed"), "depths"),
    **dict.fromkeys(("evaluate", "value", "score"), "eval"),
    **dict.fromkeys(("best", "bestmove", "ask", "choose"), "move"),
    **dict.fromkeys(("watch", "view"), "replay"),
    **dict.fromkeys(("bots", "players", "engines", "algorithms", "levels"), "agents"),
    **dict.fromkeys(("evaluations", "evaluators"), "heuristics"),
    **dict.fromkeys(("orders", "sort"), "order"),
    **dict.fromkeys(("plot", "figure", "chart"), "show FILE --plot"),
    **dict.fromkeys(("test", "agree"), "verify"),
    **dict.fromkeys(("csv", "dump"), "show FILE --table NAME --style csv"),
    "help": "--help",
    "version": "--version",
}
"""Words that people type, and the command that does what they mean."""

GONE: dict[str, str] = {
    "merge": "arena run --resume FILE --add AGENT lets one run grow, --cluster plays one on many machines",
    "bench": "arena depths AGENT has nodes a second; tests/speed.py times all searches before and after a change",
    "benchmark": "arena grade AGENT --ladder 1..8 has the depth that plays as well; arena study plays a file of runs",
    "book": "results/book/make.py made the book that is shipped",
    "export": "arena show FILE --table NAME --style csv writes a table, and a run's file is an SQLite database",
    "cite": "CITATION.cff cites the program; arena show FILE --json has versions, machine, seed and command",
    "label": "arena solve --random N --json has random positions with their exact scores",
}
"""Commands of earlier versions, and the near way."""

SETTINGS = {
    "--depth": "depth=4",
    "--nodes": "nodes=10000",
    "--seconds": "seconds=0.1",
    "--heuristic": "heuristic=smart-aware",
    "--order": "order=centre",
}
"""Settings that belong in specs but are often typed as options, with an example of each."""

INSTEAD: dict[tuple[str, str], str] = {
    **dict.fromkeys(
        [("eval", "--depth"), ("order", "--depth")],
        "nothing is searched here; arena move alphabeta:depth=4 MOVES searches",
    ),
    **dict.fromkeys(
        [("run", "--jobs"), ("run", "--workers"), ("compare", "--jobs"), ("compare", "--workers")],
        "-j N, or --concurrency N, shares the work",
    ),
    **dict.fromkeys([("run", "--why"), ("compare", "--why")], "arena depths AGENT... --why counts cut-offs"),
    ("run", "--times"): "arena depths AGENT... and arena compare HEURISTIC... time searches one at a time",
    ("compare", "--times"): "a comparison always ends with searches by turns, for fair times",
    ("verify", "--against"): "arena run pons:COMMAND perfect --audit holds a solver's moves against perfect play",
    ("run", "--disguise"): "llm:MODEL;prompt=FILE shows a model the game in words of your own",
    ("run", "--strict"): "arena check FOLDER names every agent that cannot play",
    ("run", "--isolate"): "agents from files and commands play in processes of their own without an option",
    ("compare", "--budget"): "--games N stops early, and arena run --resume FILE --budget 1h continues for a time",
    ("compare", "--anchor"): "arena show FILE --anchor HEURISTIC=ELO prints a stored comparison so",
    ("show", "--faults"): "arena show FILE --table faults prints each kind of fault",
    ("show", "--blunders"): "arena show FILE --table blunders lists the games that lost the most value",
    ("run", "--fail-on-faults"): "--fail-if faults does it",
    ("show", "--regret"): "arena audit FILE has the points that agents threw away",
    ("replay", "--solve"): "arena solve MOVES scores a position, arena serve shows a game with exact scores",
    ("compare", "--heuristic"): "heuristics stand without an option: arena compare smart-aware powers-of-ten",
    ("perft", "-N"): "depths cannot be negative",
    ("replay", "-N"): "the numbers of games cannot be negative",
}
"""Hints by command and option; -N is a negative number, which looks like an option."""
