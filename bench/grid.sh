#!/bin/sh
# The default run beside the best of all samplers in four times as many sweeps, over documents of 5 to 5,700 tokens and 20 to
# 1,000 topics: held-out scores (a random tenth of the documents) and seconds of both. One case at a time, by all cores.
#   bench/grid.sh [CORPUS/K…]      # default: all 40, many hours; bench/corpora.sh knows the corpora
# LIMIT=100s bounds the time of every rival. The last result is bench/results/grid.txt.
set -eu
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- dblp/20 dblp/100 dblp/400 m10/20 m10/100 titles/50 titles/200 g20/50 g20/200 g20/1000 short/100 short/400 \
	20news/20 20news/100 20news/500 bbc/20 bbc/100 kos/20 kos/100 kos/400 poliblog/50 poliblog/200 reuters/20 reuters/100 \
	long/20 long/100 el300/50 el300/200 el300/1000 el1500/50 el1500/200 el1500/500 g2000/100 g2000/400 \
	papers/50 papers/200 papers/500 el6000/50 el6000/200 el6000/500
for c; do
	set -- "$@" "grid/$c"
	shift
done
go -C bench test . -v -timeout 0 -run TestCompare -count 1 -limit "${LIMIT:-0}" "$@"
