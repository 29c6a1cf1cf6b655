"""The command `arena`: one file per command, loaded when it is asked for. Only this package prints."""

from __future__ import annotations

import importlib
import signal
import sys
from collections.abc import Collection
from contextlib import suppress
from typing import Any

import click

from agents.errors import InputError, unknown
from arena.cli.hints import GONE, MEANT, instead_of, with_page
from arena.cli.options import BAD_INPUT, INTERRUPTED, Group, output_of, say, say_output
from arena.cli.signals import as_ctrl_c


class Commands(Group):
    """A group of commands that are modules of this package, imported only when needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  click's signature
        """Return the commands in the order of the table, then those of installed packages."""
        from agents.specs.plugins import installed

        return [*dict.fromkeys([*COMMANDS, *installed("commands")])]  # `list` is a module here, once it is imported

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002  likewise
        """Import and return a command; an unknown one gets the near names."""
        if cmd_name not in COMMANDS:
            return _installed(cmd_name)
        module, _, name = COMMANDS[cmd_name][0].partition(":")
        return with_page(cmd_name, getattr(importlib.import_module(f"arena.cli.commands.{module}"), name))

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what each command does, in groups; installed ones as they describe themselves when they are loaded."""
        others = {name: _installed(name) for name in self.list_commands(ctx) if name not in COMMANDS}
        limit = formatter.width - 6 - max(map(len, [*COMMANDS, *others]))
        rows = {title: [(name, about) for name, (_, about) in group.items()] for title, group in GROUPS.items()}
        rows["Installed"] = [(name, each.get_short_help_str(limit)) for name, each in others.items() if not each.hidden]
        for title, group in rows.items():
            if group:
                with formatter.section(title):
                    formatter.write_dl(group, col_max=20)


def _installed(name: str) -> click.Command:
    """Return an installed package's command; one that cannot be had says so when it is called, not in the help."""
    from agents.specs.plugins import format_error, installed

    packages = installed("commands")
    if name not in packages:
        if name in GONE:
            raise InputError(f"no such command: {name}; arena {name} is gone: {GONE[name]}")
        if name.lower() in MEANT:
            raise InputError(f"no command {name!r}: arena {MEANT[name.lower()]} is what does it")
        raise unknown("command", name, {*COMMANDS, *packages})
    try:
        found = packages[name].load()
    except Exception as error:  # noqa: BLE001  whatever a package does
        reason = f"does not import: {format_error(error)}"
    else:
        if isinstance(found, click.Command):
            return found
        reason = f"is no click command: {packages[name].value}"

    def refuse() -> None:
        raise InputError(f"command {name!r} {reason}")

    return click.Command(name, callback=refuse, short_help=f"({reason})")


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120},
    epilog="arena COMMAND --help explains a command; README.md and docs/ explain more.",
)
@click.version_option(None, "-V", "--version", package_name="connect4-arena", prog_name="arena")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Let Connect Four agents play, measure them, and check every move against perfect play.

    \b
    Start here:
      arena run                           a tournament: who is best, and how sure
      arena compare smart-aware parity    two heuristics in the same search
      arena depths minimax alphabeta      what each depth costs, nodes and time
      arena assignment hw.py              a homework: does it run, is it right
      arena play alphabeta:depth=6        a game against you
    """  # noqa: D301  click's \b keeps the lines
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main() -> None:
    """Run the command line; bad input ends in one line on stderr and exit code 2.

    Where stdout is closed, click ends the program silently with exit code 1.
    """
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")  # input may be any bytes
    with as_ctrl_c() as heard:
        code = _run(heard)
    ended = [number for number in heard if number != signal.SIGINT]
    sys.exit(128 + ended[-1] if ended else code)


def _run(heard: Collection[int]) -> int:
    """Run the command, and return its exit code; `heard` are the signals so far."""
    try:
        code: Any = cli.main(prog_name="arena", standalone_mode=False)
    except click.NoSuchOption as error:
        where = error.ctx.command_path if error.ctx else "arena"
        instead = instead_of(where.rpartition(" ")[2], error.option_name)
        message = f"no option {error.option_name!r}: {instead}" if instead else error.format_message()
        return _fail(f"{where}: {message}", BAD_INPUT)
    except click.ClickException as error:
        where = getattr(getattr(error, "ctx", None), "command_path", "arena")
        return _fail(f"{where}: {error.format_message()}", BAD_INPUT)
    except InputError as error:
        _fail(f"arena: {error}", BAD_INPUT)
        say_output(output_of(error))
        return BAD_INPUT
    except (KeyboardInterrupt, click.Abort):
        return _fail("arena: interrupted", INTERRUPTED)
    except OSError as error:
        return _fail(f"arena: {error.strerror or error}: {error.filename or ''}".rstrip(": "), BAD_INPUT)
    except Exception:
        if heard:  # libraries in C may raise their own errors for Ctrl-C
            return _fail("arena: interrupted", INTERRUPTED)
        raise
    return code if isinstance(code, int) else 0


def _fail(message: str, code: int) -> int:
    from arena.report.labels import harmless

    with suppress(OSError):  # the terminal is gone
        line = harmless(" ".join(message.split()))
        if sys.stderr.isatty():
            say(line)
        else:  # one line, whatever COLUMNS says
            click.echo(line, err=True)
    return code


GROUPS: dict[str, dict[str, tuple[str, str]]] = {
    "Play a tournament": {
        "run": ("run:command", "Play a tournament, store it, and print its tables."),
        "compare": ("compare:command", "Compare heuristics, with everything else equal."),
        "check": ("check:command", "Find what would fail in a tournament."),
        "study": ("study:command", "Declare, play, archive and verify an experiment in one file."),
        "assignment": ("assignment:command", "Check, grade, play and mark hand-ins, with a page for each."),
    },
    "Look at it": {
        "show": ("show:command", "Print the tables of a stored run."),
        "list": ("list:command", "List stored runs, newest first."),
        "games": ("games:command", "List and filter the games of a stored run."),
        "replay": ("replay:command", "Show one stored game, move by move."),
        "report": ("report:command", "Write a run as one HTML page."),
        "serve": ("serve:command", "Show runs, and play, in a browser."),
    },
    "Play a game": {
        "play": ("play:command", "Play against an agent, or watch two."),
        "move": ("move:command", "Ask an agent for one move."),
    },
    "Measure": {
        "depths": ("depths:command", "Measure what each depth costs: the depth-vs-states table."),
        "tree": ("tree:command", "Show the tree that a search visits, and its cut-offs."),
        "perft": ("perft:command", "Count the tree of all moves to a depth."),
        "eval": ("eval:command", "Value positions by every heuristic."),
        "order": ("order:command", "Show how every ordering sorts the moves."),
        "tune": ("tune:command", "Find better weights for a heuristic."),
    },
    "Perfect play": {
        "solve": ("solve:command", "Solve positions: the winner, and how soon it wins."),
        "explain": ("explain:command", "Explain why moves of a game lost."),
        "audit": ("audit:command", "Check every move of a stored run against perfect play."),
        "grade": ("grade:command", "Grade agents' moves against perfect play, by depth."),
        "verify": ("verify:command", "Check that your alpha-beta equals your minimax, or all of ours."),
    },
    "Statistics": {
        "rate": ("rate:command", "Rate a pool of agents, from a run or a CSV of counts."),
        "elo": ("elo:command", "Compute Elo, nElo and LOS of counts, or of a run's pairings."),
        "sprt": ("sprt:command", "Run a sequential test on a pairing's counts."),
        "diff": ("diff:command", "Compare two stored runs, game by game."),
    },
    "Other programs": {
        "engine": ("engine:command", "Run an agent for other programs, by lines of moves."),
        "uci": ("uci:command", "Run an agent for other programs, by UCI (variant cfour)."),
        "submission": ("submission:command", "Write an agent as one file for Kaggle's ConnectX."),
    },
    "What there is": {
        "agents": ("listings:agents", "List the agents, their parameters and sources."),
        "heuristics": ("listings:heuristics", "List the heuristics and their sources."),
        "orderings": ("listings:orderings", "List the move orderings and their sources."),
    },
}
"""The groups of commands in the order of the help: `module:name` of each command, and what it does."""
COMMANDS = {name: entry for group in GROUPS.values() for name, entry in group.items()}
