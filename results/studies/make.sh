#!/bin/bash
# Plays every study into a folder `plays` beside its file, and writes its verdicts; the same command goes on.
set -e
cd "$(dirname "$0")/../.."
for folder in results/studies/{shifrin-2025,kang-wang-hu-2019,taylor-stella-2024} results/{published,heuristics-study}; do
    arena study play "$folder/study.toml" --out "$folder/plays" --quiet --style github > "$folder/verdicts.md"
done
python results/studies/pruning-mistakes/mistakes.py 50000 > results/studies/pruning-mistakes/tables.md
