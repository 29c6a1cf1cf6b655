"""How many games `--order uncertain` saves, as a table: `python tests/support/simulate_order.py 8 2000` for pools of 8.

Strengths are planted, neighbours 20 to 100 Elo apart; games are dice with an advantage for who moves first. A round
robin of every number of openings is rated by the same model. What is compared is the share of pools whose whole order
is right, and the games that it took.
"""

import sys

import numpy as np

from arena.play.formats_by_results import PAIRS, SHARE, AdaptiveSampling
from arena.statistics import sampling
from arena.statistics.elo import ELO_PER_LOGIT

ADVANTAGE = 0.3
OPENINGS = 568
ROUNDS = (2, 5, 10, 15, 20, 30, 40, 60, 80, 100, 150, 200, 300)


def planted(rng, pools, agents):
    """Return strengths in logits, shape (pools, agents), in an order that tells nothing."""
    gaps = rng.uniform(20.0, 100.0, (pools, agents - 1)) / ELO_PER_LOGIT
    return rng.permuted(np.concatenate([np.zeros((pools, 1)), np.cumsum(gaps, axis=1)], axis=1), axis=1)


def drawn(rng, ahead, pairs):
    """Return counts of pairs of games of those who are so far ahead, shape (..., 5)."""
    one, two = (1.0 / (1.0 + np.exp(-ahead - first)) for first in (ADVANTAGE, -ADVANTAGE))
    both, neither = one * two, (1.0 - one) * (1.0 - two)
    nothing = np.zeros_like(both)
    return rng.multinomial(pairs, np.stack([neither, nothing, 1.0 - both - neither, nothing, both], -1)).astype(float)


def right(found, truth):
    return (sampling.order(found) == sampling.order(truth)).all(axis=1)


def round_robin(rng, truth):
    """Return for each number of rounds the games and the share of pools in the right order."""
    pools, agents = truth.shape
    one, two = np.triu_indices(agents, 1)
    counts, found, rows, before = np.zeros((pools, agents, agents, 5)), None, [], 0
    for rounds in ROUNDS:
        made = drawn(rng, truth[:, one] - truth[:, two], rounds - before)
        before = rounds
        counts[:, one, two] += made
        counts[:, two, one] += made[..., ::-1]
        found, _ = sampling.strengths(counts, found)
        rows.append((2 * rounds * len(one), right(found, truth).mean()))
    return rows


def uncertain(rng, truth):
    """Return for each step the mean games and the share in the right order, where a pool that is done stays as it is.

    The steps are those of `AdaptiveSampling.stages`, for all pools side by side.
    """
    pools, agents = truth.shape
    level, every = AdaptiveSampling(agents, OPENINGS).level, np.arange(pools)
    counts, games, found, rows = np.zeros((pools, agents, agents, 5)), np.zeros(pools), None, []

    def play(one, two, who):
        made = drawn(rng, truth[every, one] - truth[every, two], PAIRS) * who[:, None]
        counts[every, one, two] += made
        counts[every, two, one] += made[:, ::-1]
        games[who] += 2 * PAIRS

    for place in range(agents):
        play(np.full(pools, place), np.full(pools, (place + 1) % agents), np.ones(pools, bool))
    while True:
        found, covariance = sampling.strengths(counts, found)
        ranked = sampling.order(found)
        rows.append((games.mean(), right(found, truth).mean()))
        met = counts.sum(axis=-1)[every[:, None], ranked[:, :-1], ranked[:, 1:]]
        unsure = (sampling.shown(counts, ranked) < level) & (met < OPENINGS)
        if not unsure.any():
            return rows, right(found, truth)
        gains = np.where(unsure, sampling.gains(found, covariance, ranked, PAIRS), -np.inf)
        for place in np.argsort(-gains, axis=1, kind="stable")[:, : max(1, int(agents * SHARE))].T:
            play(ranked[every, place], ranked[every, place + 1], unsure[every, place])


def main(agents, pools, seed=1):
    rng = np.random.default_rng(seed)
    truth = planted(rng, pools, agents)
    steps, stopped = uncertain(rng, truth)
    print(f"{agents} agents, {pools} pools: stopped after {steps[-1][0]:,.0f} games, {stopped.mean():.1%} right")
    for games, share in round_robin(rng, truth):
        enough = next((spent for spent, reached in steps if reached >= share), None)
        saved = "-" if enough is None else f"{enough:,.0f} games, saves {1.0 - enough / games:.0%}"
        print(f"round robin: {games:,} games, {share:.1%} right; uncertain: {saved}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
