#!/bin/sh
# How much sooner zero-order cvb predicts held-out documents as well as 200 sweeps of batch: see bench/cvb/main.go. Arguments are passed on, such as
#   bench/cvb.sh -corpora kos -topics 50 -priors learnt
#   bench/cvb.sh -seeds 5          scores and coherence over five seeds
# Needs the corpora of ../shared/data, or of -data DIR. The last result is bench/results/cvb.txt.
cd "$(dirname "$0")/.." && exec go run ./bench/cvb "$@"
