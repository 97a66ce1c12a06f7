#!/usr/bin/env bash
# Trains by two builds of the program in turns and prints the seconds of each run by the clock and of processors,
# the ratios of every pair and their medians, and whether the models are the same:
#   bench/alternate.sh OLD NEW ROUNDS CORPUS [flags of topoi train]
# The last results are in bench/results/alternate.txt.
set -euo pipefail
if [ $# -lt 4 ]; then
	sed -n '2,5s/^# \{0,1\}//p' "$0" >&2
	exit 2
fi
old=$1 new=$2 rounds=$3
shift 3
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
TIMEFORMAT='%R %U %S'
train() { # PROGRAM NAME, prints the seconds: by the clock, of processors in the program and for it
	rm -rf "$dir/$2"
	{ time "$1" train "${@:3}" -o "$dir/$2" --quiet >&2; } 2>&1 | tail -1
}
for _ in $(seq "$rounds"); do
	a=$(train "$old" old "$@")
	b=$(train "$new" new "$@")
	echo "$a $b" | awk '{ p = $2 + $3; q = $5 + $6
		printf "old %.2f s, new %.2f s: %.3f; of processors %.2f s, %.2f s: %.3f\n", $1, $4, $4 / $1, p, q, q / p }'
done | tee "$dir/ratios"
# The old and the new seconds and their ratio are fields 2, 5 and 7 by the clock, and 10, 12 and 14 of processors.
sorted() { awk "{ print \$$1 + 0 }" "$dir/ratios" | sort -n; }
median() { sorted "$1" | sed -n "$(((rounds + 1) / 2))p"; }
least() { sorted "$1" | head -1; }
echo "medians: $(median 7) by the clock, $(median 14) of processors; least seconds of processors: $(least 10), $(least 12)"
if [ "$("$new" fingerprint "$dir/old")" = "$("$new" fingerprint "$dir/new")" ]; then
	echo "the same model"
else
	echo "the models differ"
	exit 1
fi
