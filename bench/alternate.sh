#!/usr/bin/env bash
# Trains by two builds of the program in turns and prints the seconds of each run, the ratio of every pair,
# and whether the models are the same:
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
TIMEFORMAT=%R
train() { # PROGRAM NAME, prints the seconds
	rm -rf "$dir/$2"
	{ time "$1" train "${@:3}" -o "$dir/$2" --quiet >&2; } 2>&1 | tail -1
}
for _ in $(seq "$rounds"); do
	a=$(train "$old" old "$@")
	b=$(train "$new" new "$@")
	echo "$a $b" | awk '{ printf "old %.2f s, new %.2f s: %.3f\n", $1, $2, $2 / $1 }'
done
if [ "$("$new" fingerprint "$dir/old")" = "$("$new" fingerprint "$dir/new")" ]; then
	echo "the same model"
else
	echo "the models differ"
	exit 1
fi
