#!/bin/bash
# Plays every study into a folder `plays` beside its file, and writes its verdicts and the standings of its runs; the
# same command goes on.
set -e
cd "$(dirname "$0")/../.."
for folder in results/studies/{shifrin-2025,kang-wang-hu-2019,taylor-stella-2024} results/{published,heuristics-study}; do
    arena study play "$folder/study.toml" --out "$folder/plays" --quiet --style github > "$folder/verdicts.md"
done
standings() { # FOLDER RUN...
    for run in "${@:2}"; do
        arena show "results/studies/$1/plays/runs/$run.sqlite" --style github --table standings
        echo
    done > "results/studies/$1/tables.md"
}
standings shifrin-2025 paired
standings kang-wang-hu-2019 depths ablation
standings taylor-stella-2024 games
python results/studies/pruning-mistakes/mistakes.py 50000 > results/studies/pruning-mistakes/tables.md
