"""`arena sprt`: a sequential test of counts."""

from __future__ import annotations

from typing import Any

import click

from arena.cli.options import Command, json_option, with_options
from arena.cli.output import Output
from arena.plugins.counts.command_elo import interval

MODELS = ("normalized", "logistic", "bayesian")


@click.command("sprt", cls=Command)
@click.argument("counts", nargs=-1, required=True, metavar="COUNTS...")
@with_options(
    click.option("--elo0", type=float, required=True, help="Strength of engine one under H0, in Elo."),
    click.option("--elo1", type=float, required=True, help="Its strength under H1, in Elo."),
    click.option(
        "--alpha", type=float, default=0.05, show_default=True, help="Probability of accepting H1 when H0 is true."
    ),
    click.option(
        "--beta", type=float, default=0.05, show_default=True, help="Probability of accepting H0 when H1 is true."
    ),
    click.option(
        "--model", default="normalized", show_default=True, help=f"The scale of elo0 and elo1: {', '.join(MODELS)}."
    ),
    json_option,
)  # fmt: skip
def command(counts: tuple[str, ...], elo0: float, elo1: float, output: Output, **settings: Any) -> None:
    """Test two hypotheses about COUNTS, worst first: three of games or five of pairs.

    H0: engine one is stronger by elo0. H1: engine one is stronger by elo1. The test ends when the log-likelihood ratio
    (LLR) leaves its bounds; you may check it after every pair. --model is the scale of elo0 and elo1: normalized Elo,
    which does not depend on the share of drawn pairs; logistic, the usual Elo; or bayesian, for single games with a
    fixed share of draws.

    \b
    arena sprt 39 2226 31451 2412 40 --elo0 0.764 --elo1 3.439
    arena sprt 0 0 5 0 0 --elo0 0 --elo1 50 --model logistic
    """  # noqa: D301  click's \b keeps the lines
    from arena.plugins.counts.job import sprt

    weighed = sprt(counts, elo0, elo1, **settings)
    low, high = (weighed.estimate.low, weighed.estimate.high) if weighed.estimate else (None, None)
    if output.as_json:
        names = ("llr", "lower", "upper", "decision")
        ends = {"elo": weighed.estimate and weighed.estimate.value, "low": low, "high": high}
        output.json({name: getattr(weighed, name) for name in names} | ends)
        return
    decisions = {
        "H0": f"H0 accepted, {elo0:g} {weighed.unit} rather than {elo1:g}",
        "H1": f"H1 accepted, {elo1:g} {weighed.unit} rather than {elo0:g}",
        "continue": "not decided, play on",
    }
    bounds = f"bounds [{weighed.lower:.4f}, {weighed.upper:.4f}]"
    output.say(f"LLR {weighed.llr:.4f}, {bounds}: {decisions[weighed.decision]}", err=False)
    if weighed.estimate:
        click.echo(f"allowing for the stop, {weighed.estimate.value:+z.1f} Elo, {interval(low, high, 1)}")
