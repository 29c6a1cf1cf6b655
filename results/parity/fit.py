"""Fit the weights of `parity` to solved positions, the labels in the file that is named.

A position's value is the sum of its features times the weights, so that a feature is what the heuristic says with one
weight of 1 and the others 0. The weights are those of a logistic regression of the outcome, a draw half a win, on
four fifths of the quiet positions, in hundredths; the last fifth tells what they foresee, beside other heuristics.
"""

import json
import sys
from pathlib import Path

import click
import numpy as np
from scipy.optimize import minimize
from scipy.stats import rankdata

from agents.board import Board, Rules
from agents.search import compiled

NAMES = ("one", "two", "three", "low", "high", "other", "control", "forced")
OTHERS = ("powers-of-ten", "smart-aware", "smart-simple", "line-runs")


def values(heuristic, boards):
    """Return what a heuristic says of each position."""
    evaluate = compiled.heuristic(heuristic, Rules()).evaluate
    return np.array([evaluate(board.own, board.opp) for board in boards], float)


def family(weight):
    """Return the heuristic with a weight of 1 and the others 0."""
    return f"zugzwang({','.join(str(int(name == weight)) for name in (*NAMES, 'decided'))})"


def loss_and_slope(weights, features, outcomes):
    """Return the mean logistic loss and its gradient."""
    odds = features @ weights
    loss = np.mean(np.logaddexp(0, odds) - outcomes * odds)
    return loss, features.T @ (1 / (1 + np.exp(-odds)) - outcomes) / len(odds)


def foreseen(said, outcomes):
    """Return how often a won position is valued above a lost one."""
    rank, won, lost = rankdata(said), outcomes == 1, outcomes == 0
    return (rank[won].mean() - rank[lost].mean()) / len(rank) + 0.5


def main(path):
    """Print the fitted weights, and how well they and other heuristics tell wins from losses."""
    labels = json.loads(Path(path).read_text(encoding="utf-8"))
    boards = [Board.from_moves(label["position"]) for label in labels]
    outcomes = (1 + np.sign([label["score"] for label in labels])) / 2
    quiet = values(family("decided"), boards) == 0
    boards, outcomes = [board for board, kept in zip(boards, quiet, strict=True) if kept], outcomes[quiet]
    columns = [values(family(name), boards) for name in NAMES]
    features = np.stack([*columns, np.ones(len(boards))], axis=1)  # who is to move has an advantage of its own
    order = np.random.default_rng(1).permutation(len(boards))
    train, held = np.split(order, [len(order) * 4 // 5])
    fitted = minimize(loss_and_slope, np.zeros(features.shape[1]), (features[train], outcomes[train]), jac=True).x
    click.echo(f"{len(quiet):,} positions, {len(boards):,} quiet, {len(held):,} held out")
    click.echo("  ".join(f"{name} {100 * weight:.0f}" for name, weight in zip(NAMES, fitted, strict=False)))
    click.echo(
        f"won above lost, held out: {foreseen((features @ fitted)[held], outcomes[held]):.3f} with these weights"
    )
    for name in ("parity", *OTHERS):
        click.echo(f"{foreseen(values(name, boards)[held], outcomes[held]):.3f} {name}")


if __name__ == "__main__":
    main(sys.argv[1])
