#!/usr/bin/env bash
# All figures of this folder, printed as tables.md has them. Games against another agent follow where one is named: by
# time against the first word, by nodes against the second, which has its nodes in a roster. --small before them makes
# every number small, to see in minutes that all works.
set -euo pipefail
here=$(dirname "$0")
study="$here/../heuristics-study/heuristics.py"
others=(powers-of-ten smart-aware smart-simple line-runs line-runs-published "$study":{material,positional,threat,pattern})
labels=20000 rounds=60 turns=4 positions=1000 fast=40
if [ "${1-}" = --small ]; then
  labels=1000 rounds=2 turns=1 positions=60 fast=2
  shift
fi
quiet=(--quiet --style github)
title() { printf '\n\n## %s\n\n' "$*"; }
load() { cut -d' ' -f1-3 /proc/loadavg; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

title Weights
arena solve --random "$labels" --plies 12..34 --json --quiet > "$scratch/labels.json"
python "$here/fit.py" "$scratch/labels.json"

title Equal depth
for other in "${others[@]}"; do
  arena compare parity "$other" --depth 4,6,8 --rounds "$rounds" --times games --no-store "${quiet[@]}" --table pairings
  echo
done

title Equal depth, by turns on one core
for other in powers-of-ten smart-simple "$study":{material,pattern}; do
  arena compare parity "$other" --depth 8 --rounds "$turns" --no-store "${quiet[@]}" --table pairings
  echo
done

title Grades
heuristics=(parity "${others[@]}")
arena grade "${heuristics[@]/#/alphabeta:order=centre,heuristic=}" --depth 4,6 --positions "$positions" "${quiet[@]}"

title "Equal time, the machine's load $(load)"
for other in "${others[@]}"; do
  arena compare parity "$other" --seconds 0.005 --rounds "$fast" -j 1 --no-store "${quiet[@]}" --table pairings 2> /dev/null
  echo
done

title "Levels"
arena run medium hard master --rounds "$fast" --openings plies:4 --no-store "${quiet[@]}"

alone="alphabeta:order=open-windows,table=on,heuristic=parity|powers-of-ten"
against() { arena run --format gauntlet "$@" --rounds "$fast" --openings plies:6 -j 1 --no-store "${quiet[@]}"; }
if [ $# -gt 0 ]; then
  title "Against $1 at 20 ms a move, the machine's load $(load)"
  against "$1" tandem tandem:book=off "$alone" --seconds 0.02 --margin 2
fi
if [ $# -gt 1 ]; then
  title "Against $2, at as many nodes as 20 ms allow"
  against "$2" tandem:nodes=240000 tandem:nodes=240000,book=off "$alone,nodes=240000"
fi
