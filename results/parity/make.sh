#!/usr/bin/env bash
# All figures of this folder, printed as tables.md has them. Games against another agent follow where one is named: by
# time against the first word, by nodes against the second, which has its nodes in a roster.
set -euo pipefail
here=$(dirname "$0")
study="$here/../heuristics-study/heuristics.py"
others=(powers-of-ten smart-aware smart-simple line-runs line-runs-published "$study":{material,positional,threat,pattern})
quiet=(--quiet --style github)
title() { printf '\n\n## %s\n\n' "$*"; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

title Weights
arena label --count 20000 --plies 12..34 --out "$scratch/labels.jsonl" --quiet 2> /dev/null
python "$here/fit.py" "$scratch/labels.jsonl"

title Equal depth
for other in "${others[@]}"; do
  arena compare parity "$other" --depth 4,6,8 --rounds 60 --times games --no-store "${quiet[@]}" --table pairings
  echo
done

title Equal depth, by turns on one core
for other in powers-of-ten smart-simple "$study":{material,pattern}; do
  arena compare parity "$other" --depth 8 --rounds 4 --no-store "${quiet[@]}" --table pairings
  echo
done

title Grades
heuristics=(parity "${others[@]}")
arena grade "${heuristics[@]/#/alphabeta:order=centre,heuristic=}" --depth 4,6 --positions 1000 "${quiet[@]}"

title "Equal time, the machine's load $(cut -d' ' -f1-3 /proc/loadavg)"
for other in "${others[@]}"; do
  arena compare parity "$other" --seconds 0.005 --rounds 40 -j 1 --no-store "${quiet[@]}" --table pairings 2> /dev/null
  echo
done

strongest="alphabeta:order=open-windows,table=on,heuristic=parity|powers-of-ten"
against() { arena run --format gauntlet "$@" --rounds 40 --openings plies:6 -j 1 --audit --no-store "${quiet[@]}"; }
if [ $# -gt 0 ]; then
  title "Against $1 at 20 ms a move, the machine's load $(cut -d' ' -f1-3 /proc/loadavg)"
  against "$1" "$strongest" --seconds 0.02 --margin 2
fi
if [ $# -gt 1 ]; then
  title "Against $2, at 190,000 nodes a move"
  against "$2" "$strongest,nodes=190000"
fi
