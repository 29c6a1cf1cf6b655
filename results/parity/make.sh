#!/usr/bin/env bash
# All figures of this folder, printed as README.md has them. With a program as the first word, games against it too.
set -euo pipefail
here=$(dirname "$0")
study="$here/../heuristics-study/heuristics.py"
others=(powers-of-ten smart-aware smart-simple line-runs "$study":{material,positional,threat,pattern})
title() { printf '\n## %s\n\n' "$*"; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

title Weights
arena label --count 20000 --plies 12..34 --out "$scratch/labels.jsonl" --quiet
python "$here/fit.py" "$scratch/labels.jsonl"

title Equal depth
for other in "${others[@]}"; do
  arena compare parity "$other" --depth 4,6,8 --rounds 50 --no-store --quiet --style github --table pairings
done

title Equal time
for other in powers-of-ten "$study":{material,pattern}; do
  arena compare parity "$other" --seconds 0.005 --rounds 50 --no-store --quiet --style github --table pairings
done

title Grades
arena grade "alphabeta:order=centre,heuristic=parity" "${others[@]/#/alphabeta:order=centre,heuristic=}" --depth 4,6 --quiet --style github

if [ $# -gt 0 ]; then
  title Against another program
  arena run --format gauntlet "alphabeta:seconds=0.02,heuristic=parity,order=open-windows,table=on,deepening=on" \
    "$1" --seconds 0.02 --rounds 40 --openings plies:6 --no-store --quiet --style github
fi
