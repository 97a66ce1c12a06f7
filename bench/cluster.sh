#!/bin/sh
# Measures what a cluster costs: two local workers of one thread each, at staleness 0
# and 1, against two threads in one process without staleness, on elife20 with
# K = 1000, for warp and batch. Both run at the same time, one stopped while the other goes on, in
# turns of ten sweeps, because a machine's speed changes within minutes. Then workers run alone, and tell the share of time spent waiting
# and coding and the bytes moved, beside what topoi cluster simulate predicts.
# Writes bench/results/cluster.txt; with -only adds to it. About a quarter of an hour; with -quick less than two minutes, and nothing is kept.
#   bench/cluster.sh [-quick] [-data DIR] [-only NAME,…]
set -eu
cd "$(dirname "$0")/.."
mkdir -p bench/results
go run ./bench/cluster "$@"
