"""The option that hands work to a Dask cluster."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from arena.cli.width import say

if TYPE_CHECKING:
    from arena.play.cluster import Cluster

cluster_option = click.option(
    "--cluster", metavar="HOST:PORT", help="On the workers of this Dask scheduler, or local:N on N of its own here."
)


def cluster_of(address: str | None) -> Cluster | None:
    """Return the cluster at an address, if one is given; what is to be said of it goes to stderr."""
    if address is None:
        return None
    from arena.play.cluster import Cluster

    return Cluster(address, _above)


def _above(line: str) -> None:
    """Say a line above the progress bar, if one is shown."""
    from tqdm import tqdm

    with tqdm.external_write_mode(file=sys.stderr):
        say(line)
