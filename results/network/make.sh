#!/bin/sh
# Make the network from nothing, and grade it; needs pip install onnx onnxruntime. Hours of one core.
set -e
python results/network/positions.py --seed 31 --games 60000 --out middle.npz
python results/network/positions.py --seed 27 --games 1200 --opening --out opening.npz
arena solve --random 4000 --seed 2611 --json > test.json
python results/network/train.py middle.npz opening.npz --test test.json --minutes 40 --out agents/network/7x6.onnx
python results/network/unseen.py test.json middle.npz opening.npz --out unseen.jsonl
arena grade net net:pick=value net:pick=puct --positions unseen.jsonl --wide
python results/network/inside.py
