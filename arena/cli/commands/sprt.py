"""`arena sprt`: what stored counts say in a sequential test."""

from __future__ import annotations

import click

from arena.cli.commands.elo import interval, whole_numbers
from arena.cli.options import json_option, say, with_options
from arena.cli.output import print_json

MODELS = ("normalized", "logistic", "bayesian")


@click.command("sprt")
@click.argument("counts", nargs=-1, required=True, metavar="COUNTS...")
@with_options(
    click.option("--elo0", type=float, required=True, help="H0: engine one is this much stronger."),
    click.option("--elo1", type=float, required=True, help="H1: it is this much stronger."),
    click.option("--alpha", type=float, default=0.05, show_default=True, help="Tolerated share of H1 taken under H0."),
    click.option("--beta", type=float, default=0.05, show_default=True, help="Tolerated share of H0 taken under H1."),
    click.option("--model", default="normalized", show_default=True, help=f"Scale of Elo: {', '.join(MODELS)}."),
    json_option,
)
def command(
    counts: tuple[str, ...], elo0: float, elo1: float, alpha: float, beta: float, model: str, as_json: bool
) -> None:
    """Weigh COUNTS, three of games or five of pairs, worst first, between two hypotheses.

    H0 says that engine one is elo0 stronger, H1 that it is elo1. The test ends where the log-likelihood ratio (LLR)
    leaves its bounds, and may be looked at after every pair. --model is the scale on which both are meant: normalized
    Elo, which does not depend on how often pairs are drawn; logistic, the usual Elo; bayesian, of single games with a
    fixed share of draws.

    \b
    arena sprt 39 2226 31451 2412 40 --elo0 0.764 --elo1 3.439
    arena sprt 0 0 5 0 0 --elo0 0 --elo1 50 --model logistic
    """  # noqa: D301  click's \b keeps the lines
    from dataclasses import asdict

    from arena.statistics.sprt import Sprt, sprt_estimate

    test = Sprt(elo0, elo1, alpha, beta, model)
    numbers = whole_numbers(counts)
    evidence, strength = test.weigh(numbers), sprt_estimate(test, numbers)
    if as_json:
        ends = (strength.value, strength.low, strength.high) if strength else (None, None, None)
        print_json(asdict(evidence) | dict(zip(("elo", "low", "high"), ends, strict=True)))
        return
    says = {
        "H0": f"H0 accepted, {elo0:g} {test.unit} rather than {elo1:g}",
        "H1": f"H1 accepted, {elo1:g} {test.unit} rather than {elo0:g}",
        "continue": "not decided, play on",
    }
    say(
        f"LLR {evidence.llr:.4f}, bounds [{evidence.lower:.4f}, {evidence.upper:.4f}]: {says[evidence.decision]}",
        err=False,
    )
    if strength:
        click.echo(f"allowing for the stop, {strength.value:+z.1f} Elo, {interval(strength.low, strength.high, 1)}")
