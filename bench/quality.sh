#!/bin/sh
# Compares the topics of the default sampler with those of gibbs: held-out score
# over seeds, coherence, and top words side by side, on KOS and 20 Newsgroups in
# ../shared/data when they are there, on a generated corpus otherwise. Writes
# bench/results/quality.txt. Half an hour; flags are those of bench/quality:
#   bench/quality.sh [-sweeps 1000] [-seeds 5] [-data DIR]
set -eu
cd "$(dirname "$0")/.."
mkdir -p bench/results
go run ./bench/quality "$@" | tee bench/results/quality.txt
