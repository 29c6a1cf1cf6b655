"""The command `arena`: one file per command, loaded when it is asked for."""

from __future__ import annotations

import importlib
import signal
import sys
from collections.abc import Collection
from contextlib import suppress
from typing import Any

import click

from agents.errors import InputError, unknown
from arena.cli.hints import GONE, instead_of, meant
from arena.cli.options import Group
from arena.cli.output import BAD_INPUT, INTERRUPTED, Output, output_of, say_output
from arena.cli.signals import as_ctrl_c
from arena.plugins import Offer, offers


class Commands(Group):
    """A group of the commands that folders offer, imported only when needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  click's signature
        """Return the commands as the help orders them, those of installed packages last."""
        names = [name for title in TITLES for name, offer in commands().items() if offer.row[2] == title]
        return [*dict.fromkeys([*names, *_installed()])]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002  likewise
        """Import and return a command; an unknown one gets the near names."""
        offer = commands().get(cmd_name)
        if offer is not None:
            command: click.Command = offer.load()
            command.epilog = f"More: {offer.row[4]}"
            return command
        packages = _installed()
        if cmd_name in packages:
            return packages[cmd_name]
        if cmd_name in GONE:
            raise InputError(f"no such command: {cmd_name}; arena {cmd_name} is gone: {GONE[cmd_name]}")
        if instead := meant().get(cmd_name.lower()):
            raise InputError(f"no command {cmd_name!r}: arena {instead} is what does it")
        raise unknown("command", cmd_name, {*commands(), *packages})

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002  likewise
        """Write what each command does, in groups; installed ones as they describe themselves when they are loaded."""
        packages = {name: command for name, command in _installed().items() if name not in commands()}
        shown = {name: command for name, command in packages.items() if not command.hidden}
        limit = formatter.width - 6 - max(map(len, [*commands(), *packages]))
        rows = {
            title: [(name, offer.row[3]) for name, offer in commands().items() if offer.row[2] == title]
            for title in TITLES
        }
        rows["Installed"] = [(name, command.get_short_help_str(limit)) for name, command in shown.items()]
        for title, group in rows.items():
            if group:
                with formatter.section(title):
                    formatter.write_dl(group, col_max=20)


def commands() -> dict[str, Offer]:
    """Return our commands by name."""
    return {offer.row[0]: offer for offer in offers("COMMANDS", installed=False)}


def _installed() -> dict[str, click.Command]:
    """Return the commands of installed packages; one that cannot be had says so when it is called, not in the help."""
    from agents.specs.plugins import format_error, installed

    loaded: dict[str, click.Command] = {}
    for name, point in installed("plugins").items():
        try:
            package = importlib.import_module(point.value)
        except Exception as error:  # noqa: BLE001  whatever a package does
            loaded[name] = _refusal(name, f"does not import: {format_error(error)}")
            continue
        for row in getattr(package, "COMMANDS", ()):
            try:
                command = Offer(package.__name__, row).load()
            except Exception as error:  # noqa: BLE001  likewise
                loaded[row[0]] = _refusal(row[0], f"does not import: {format_error(error)}")
            else:
                is_one = isinstance(command, click.Command)
                loaded[row[0]] = command if is_one else _refusal(row[0], f"is no click command: {row[1]}")
    return loaded


def _refusal(name: str, reason: str) -> click.Command:
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
    """Let Connect Four agents play, measure them, and check every move against perfect play."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


lines = "\n".join(f"  {row[0]:<36}{row[1]}" for _, row in offers("START", installed=False))
cli.help = f"{cli.help}\n\n\b\nStart here:\n{lines}"


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
    from arena.table.labels import harmless

    with suppress(OSError):  # the terminal is gone
        line = harmless(" ".join(message.split()))
        if sys.stderr.isatty():
            Output.of().say(line)
        else:  # one line, whatever COLUMNS says
            click.echo(line, err=True)
    return code


TITLES = (
    "Play a tournament", "Look at it", "Play a game", "Measure", "Perfect play", "Statistics", "Other programs",
    "What there is",
)  # fmt: skip
"""The groups of commands, in the order of the help."""
