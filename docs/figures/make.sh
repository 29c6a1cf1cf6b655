#!/bin/sh
# Draws the figures of the documentation, from the runs in results/ and from a depth table.
set -eu
cd "$(dirname "$0")/../.."
arena show results/published/run.sqlite --plot docs/figures/published.svg --figure cost >/dev/null
arena show results/perfect/run.sqlite --plot docs/figures/perfect.svg --figure kept >/dev/null
arena depths minimax 'alphabeta:order=left-to-right|centre' --depth 1..8 --quiet --plot docs/figures/states.svg >/dev/null
