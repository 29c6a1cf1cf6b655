"""`arena serve`: show runs, games and trees, and play, in a browser."""

from __future__ import annotations

from pathlib import Path

import click

from agents.errors import InputError
from arena.cli.options import Command
from arena.cli.output import Output
from arena.cli.types import PATH, Whole

LOOPBACK = "127.0.0.1"


@click.command("serve", cls=Command)
@click.argument("place", metavar="[FOLDER|FILE]", type=PATH, required=False)
@click.option(
    "--port", type=Whole(0, 65535), default=8000, show_default=True, help="The port to listen on; 0 picks a free one."
)
@click.option("--host", default=LOOPBACK, show_default=True, help="The address to listen on.")
@click.option("--agent", "agents", multiple=True, metavar="AGENT", help="Offer your own agent. Repeatable.")
@click.option(
    "--sandbox", is_flag=True, help="Run your own agents in a sandbox (bubblewrap): no network, only their own files."
)
@click.option("--open", "opened", is_flag=True, help="Open the first page in the browser.")
def command(place: Path | None, port: int, host: str, agents: tuple[str, ...], sandbox: bool, opened: bool) -> None:
    """Serve the stored runs of FOLDER, or the run in FILE, as web pages until Ctrl-C.

    By default it serves the runs of the current folder and of results. A page shows a run live while it is played. On
    other pages you can play and walk search trees. Your own agents run in processes of their own.

    \b
    arena serve
    arena serve results/run-20260102-030405.sqlite --open
    arena serve --agent mybot.py --agent students/ --sandbox
    """  # noqa: D301  click's \b keeps the lines
    import socket
    import webbrowser

    from arena.plugins.serve.guard import hosts
    from arena.plugins.serve.server import application, server

    if place is not None and not place.exists():
        raise InputError(f"there is no folder or file {place}")
    alone = host in {LOOPBACK, "localhost", "::1"}
    if not alone and agents:
        raise InputError(f"--agent is for this machine alone, but other machines can reach {host}")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, port))
            listening.listen()  # so that the address answers as soon as it is printed
        except OSError as error:
            raise InputError(f"cannot listen on {host}:{port}: {error.strerror or error}") from error
        port = listening.getsockname()[1]
        address = f"http://{f'[{host}]' if ':' in host else host}:{port}/"
        served = application(place, hosts(host, port), agents=agents, sandbox=sandbox)
        click.echo(f"{address} (Ctrl-C ends it)", err=True)
        if not alone:
            Output.of().warn("anyone who reaches this address can read the runs and start searches on this machine")
        if opened:
            webbrowser.open(address)
        server(served).run(sockets=[listening])
