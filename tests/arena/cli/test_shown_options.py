"""What the help of each command shows of its arguments and options: order, placeholders, defaults and bounds."""

import re

import click
import pytest

from arena.cli import cli, commands

TABLE = "--style NAME [default: plain]; --wide; --json"
TABLES = "--style NAME [default: plain]; --wide; --table NAME; --json"
BOARD = "--board SIZE [default: 7x6x4]; --rules NAME"
LIMITS = (
    "--sandbox; --patience NUMBER [default: 60.0; 0.01<=x<=86400.0]; --memory N [default: 1024; 64<=x<=1048576]; "
    "--debug FILE"
)
WORKERS = "-j, --concurrency N [default: one per core, or 1 if an agent moves by the clock] [1<=x<=1024]"
CORES = "-j, --concurrency N [default: all cores] [1<=x<=1024]"
SHOWN = {
    "run": (
        "[AGENT]...; --openings SET [default: plies:4]; --plies N [0<=x<=64]; --repeat N [1<=x<=100000]; "
        "--rounds N [default: 20; x>=1]; --seed N [default: 1]; --format NAME [default: round-robin]; --pair "
        "A,B; --include-self; --nodes N [x>=1]; --seconds NUMBER [0.0001<=x<=86400.0]; --clock SECONDS[+INC]; "
        f"--margin NUMBER [default: 0.1; 0.0<=x<=3600.0]; --sprt TEST; {BOARD}; --in-process; {LIMITS}; "
        f"--resume FILE; --add AGENT; --replay AGENT; {WORKERS}; --cluster HOST:PORT; --out PATH [default: "
        "results/run-TIME.sqlite]; --no-store; --budget TIME; --games N [x>=1]; --audit; -q, --quiet; "
        f"--fail-if [H0|H1|undecided|faults]; --anchor AGENT=ELO [default: the mean is 0]; {TABLES}"
    ),
    "check": (
        "AGENT|FOLDER...; --seconds NUMBER [0.0001<=x<=86400.0]; --nodes N [x>=1]; --margin NUMBER [default: "
        f"0.1; 0.0<=x<=3600.0]; {LIMITS}; --positions N [default: 200; 1<=x<=100000]; --verbose; {BOARD}; -q, "
        f"--quiet; {TABLE}"
    ),
    "show": (
        "FILE; --anchor AGENT=ELO [default: the mean is 0]; --plot FILE; --figure NAME [default: the first "
        f"there is]; {TABLES}"
    ),
    "list": f"[FOLDER]; {TABLE}",
    "games": (
        f"FILE; --agent A; --opponent B; --result [win|draw|loss]; --faults; --blunders; --limit N [x>=1]; {TABLE}"
    ),
    "replay": "FILE; GAME; --ply N [x>=0]; --json",
    "agents": f"{TABLE}",
    "heuristics": f"{TABLE}",
    "orderings": f"{TABLE}",
    "compare": (
        "HEURISTIC HEURISTIC...; --search TEXT [default: alphabeta:order=centre]; --depth RANGE [default: "
        "4..6]; --nodes N,N...; --seconds S,S...; --openings SET [default: plies:4]; --plies N [0<=x<=64]; "
        f"--rounds N [default: 100; x>=1]; --seed N [default: 1]; {BOARD}; --in-process; {LIMITS}; {WORKERS}; "
        "--cluster HOST:PORT; --out PATH [default: results/run-TIME.sqlite]; --no-store; --games N [x>=1]; "
        "--audit; -q, --quiet; --plot FILE; --figure NAME; --margin-elo NUMBER [default: 30.0; "
        f"0.0<x<=2000.0]; {TABLES}"
    ),
    "solve": (
        "[MOVES|-]...; --random N [1<=x<=100000000]; --plies RANGE [default: 12..30 on 7x6]; --seed N "
        "[default: 1]; --moves; --show-board; --threads N [default: all cores] [1<=x<=1024]; --cluster "
        f"HOST:PORT; --no-book; -q, --quiet; {BOARD}; --json"
    ),
    "audit": f"FILE; {CORES}; --cluster HOST:PORT; -q, --quiet; {TABLES}",
    "grade": (
        "AGENT...; --depth RANGE [default: 1..6]; --positions N|FILE [default: 500]; --seed N [default: 1]; "
        f"--plies RANGE [default: 12..30 on 7x6]; --ladder RANGE; {BOARD}; --cluster HOST:PORT; --in-process; "
        f"{LIMITS}; -q, --quiet; --plot FILE; --figure NAME; {TABLES}"
    ),
    "depths": (
        "AGENT...; --depth RANGE [default: 1..8]; --position MOVES; --openings SET; --plies N [0<=x<=64]; "
        "--rounds N [default: 10; x>=1]; --seed N [default: 1]; --budget NUMBER [default: 10.0; x>=0.0]; "
        f"{BOARD}; --why; --in-process; {LIMITS}; -q, --quiet; --plot FILE; --figure NAME [default: the first "
        f"there is]; {TABLE}"
    ),
    "verify": (
        "[MINIMAX ALPHABETA]; --positions N [default: 40; 1<=x<=100000]; --depth N [default: 6; 1<=x<=20]; "
        f"--seed N [default: 1]; --heuristic TEXT; --ordering TEXT; --in-process; {LIMITS}; {BOARD}; -q, "
        f"--quiet; {TABLES}"
    ),
    "move": f"AGENT; [MOVES]; --show-board; --in-process; {LIMITS}; {BOARD}; --json",
    "perft": f"DEPTH; --position MOVES [default: the empty board]; --divide; {BOARD}; {TABLE}",
    "eval": (f"[MOVES|-]...; --heuristic TEXT; --compiled yes|no [default: yes]; --show-board; {BOARD}; {TABLE}"),
    "order": f"[MOVES|-]...; --ordering TEXT; --show-board; {BOARD}; {TABLE}",
    "report": "FILE; --out PATH [default: report.html]; --title T",
    "assignment": (
        "FILE|FOLDER; --out PATH [default: NAME-site]; --marks PATH; --depth N [default: 4; 1<=x<=12]; "
        "--rounds N [default: about 2,000 games for a class, 10 openings alone] [x>=1]; --seconds NUMBER "
        "[0.0001<=x<=86400.0]; --margin NUMBER [default: 0.1; 0.0<=x<=3600.0]; --seed N [default: 1]; "
        "--public; --sandbox; --patience NUMBER [default: 10.0; 0.01<=x<=86400.0]; --memory N [default: 1024; "
        "64<=x<=1048576]; --debug FILE; -j, --concurrency N [default: one per core] [1<=x<=1024]; -q, "
        f"--quiet; {TABLE}"
    ),
    "submission": "AGENT; --out PATH [default: submission.py]; --seed N [default: 1]",
    "rate": f"FILE; --plot FILE; --figure NAME; --anchor AGENT=ELO [default: the mean is 0]; {TABLES}",
    "elo": f"COUNTS...|FILE; {TABLE}",
    "sprt": (
        "COUNTS...; --elo0 FLOAT [required]; --elo1 FLOAT [required]; --alpha FLOAT [default: 0.05]; --beta "
        "FLOAT [default: 0.05]; --model TEXT [default: normalized]; --json"
    ),
    "diff": f"OLD; NEW; --fail-if CONDITION; --agent AGENT; {TABLES}",
    "engine": f"AGENT; --seed N [default: 1]; --in-process; {LIMITS}; {BOARD}",
    "uci": f"AGENT; --seed N [default: 1]; --in-process; {LIMITS}",
    "explain": f"MOVES | FILE GAME; --ply N [x>=0]; --agent NAME; -q, --quiet; {BOARD}; --json",
    "play": (
        "[AGENT [AGENT]]; --first / --second [default: first]; --position MOVES; --delay NUMBER [default: "
        f"1.0; 0<=x<=60]; --seed N [default: drawn anew]; --in-process; {LIMITS}; {BOARD}; --json"
    ),
    "serve": (
        "[FOLDER|FILE]; --port N [default: 8000; 0<=x<=65535]; --host TEXT [default: 127.0.0.1]; --agent "
        "AGENT; --sandbox; --open"
    ),
    "study new": "[FILE]",
    "study check": "FILE; --json",
    "study play": (
        f"FILE; --out PATH [default: FILE without .toml]; {WORKERS}; --cluster HOST:PORT; -q, --quiet; {TABLE}"
    ),
    "study verify": f"FOLDER; {WORKERS}; --cluster HOST:PORT; -q, --quiet; {TABLE}",
    "tree": (
        "AGENT; [MOVES]; --depth N [default: the agent's own depth] [1<=x<=64]; --html FILE; --lines N "
        f"[default: 60; x>=0]; {BOARD}; --json"
    ),
    "tune": (
        "HEURISTIC; --search TEXT [default: alphabeta:order=centre]; --depth N [default: 4; 1<=x<=64]; "
        "--positions N|FILE [default: 4000]; --evaluations N [default: 300; x>=2]; --seed N [default: 1]; "
        f"{CORES}; {BOARD}; -q, --quiet; {TABLES}"
    ),
}
"""The arguments and options of each command, as its help shows them."""
BRACKETS = re.compile(r"\[(?:default: |required|x>|[\d.]+<)[^\]]*\]")


def shown(command):
    """Return the arguments of a command, and its options with their defaults and bounds."""
    context = click.Context(command)
    yield from command.collect_usage_pieces(context)[1:]
    for param in command.params:
        if isinstance(param, click.Option) and (record := param.get_help_record(context)):
            yield " ".join([record[0], *BRACKETS.findall(record[1])])


def test_the_commands_are_in_the_order_of_the_help():
    inner = {name: getattr(cli.get_command(None, name), "commands", {"": None}) for name in commands()}
    assert [f"{name} {word}".strip() for name, words in inner.items() for word in words] == [*SHOWN]


@pytest.mark.parametrize("line", SHOWN)
def test_a_help_shows_placeholders_defaults_and_bounds(line):
    command = cli
    for name in line.split():
        command = command.get_command(None, name)
    assert "; ".join(shown(command)) == SHOWN[line]
