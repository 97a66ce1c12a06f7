#!/bin/sh
# What the checks of a training run cost at most: processor seconds of comparing a corpus and a model with their checksums, each
# by a command of its own, beside 20 sweeps on the same corpus, in turns. The last result is bench/results/verification.txt.
#   bench/verification.sh [TURNS [CORPUS]]
set -eu
cd "$(dirname "$0")/.."
turns=${1:-3} corpus=${2:-elife20}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
bench/corpora.sh "$dir" "$corpus"

seconds() { # of processors, of a command
	times >"$dir/before"
	"$@" >"$dir/said"
	times >"$dir/after"
	tail -qn 1 "$dir/before" "$dir/after" | tr 'ms' '  ' | awk '{ t = 60 * ($1 + $3) + $2 + $4 - t } END { printf "%.2f", t }'
}

for turn in $(seq "$turns"); do
	training=$(seconds "$dir/topoi" train "$dir/$corpus.topoi" -k 100 --iterations 20 --tolerance 0 --device cpu --quiet -o "$dir/model" --overwrite)
	checks=$(seconds "$dir/topoi" verify "$dir/$corpus.topoi" "$dir/model" --quiet)
	echo "turn $turn: training $training s, checks $checks s, $(awk "BEGIN { printf \"%.2f\", 100 * $checks / $training }") %"
done
