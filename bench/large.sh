#!/bin/sh
# Measures warp and light with a thousand and a million topics over a million words:
# memory after each stage, tokens per second, processor time per token; then draws
# the cost from a thousand to a million topics. Writes bench/results/large.txt and
# cost-large.svg and .csv. Seven minutes on two idle cores; flags are those of
# bench/large:
#   bench/large.sh [-docs 50000] [-corpus FILE] [-sweeps 4]
set -eu
cd "$(dirname "$0")/.."
mkdir -p bench/results
go run ./bench/large -docs 50000 -sweeps 4 "$@" | tee bench/results/large.txt
go run ./cmd/topoi reproduce cost-large -o bench/results
