#!/usr/bin/env bash
# Fuzzes every fuzz target for a while, one after the other, and ends at the first
# that fails. Inputs that are found to be of interest are kept in the Go tool's cache
# for the next time; one that makes a target fail is written to its testdata/fuzz.
#   bench/fuzz.sh [--blind] [TIME [PATTERN]]      # TIME for each, such as 5s or 2m (default 10s)
# An hour over all of them: bench/fuzz.sh 2m. With --blind the programs are those of the
# tests, which need not be built again: for a few seconds that is worth more than
# being guided by what the inputs reach.
set -euo pipefail
cd "$(dirname "$0")/.."
guide=(-fuzz=.)
if [ "${1:-}" = --blind ]; then
	guide=()
	shift
fi
time=${1:-10s}
pattern=${2:-.}
root=$PWD
binary=$(mktemp -d)
trap 'rm -rf "$binary"' EXIT
cache=$(go env GOCACHE)/fuzz

grep -rl --include='*_test.go' '^func Fuzz' . | xargs -n1 dirname | sort -u | while read -r dir; do
	targets=$(grep -h '^func Fuzz' "$dir"/*_test.go | sed 's/func \(Fuzz[A-Za-z0-9_]*\).*/\1/' | grep -E "$pattern" | sort) || continue
	go test -c "${guide[@]}" -o "$binary/fuzz.test" "$dir"
	package=$(go list "$dir")
	cd "$dir"
	for target in $targets; do
		printf '%s %s: ' "$package" "$target"
		# Minimising every input of interest would take most of the time.
		if ! "$binary/fuzz.test" -test.run='^$' -test.fuzz="^$target\$" -test.fuzztime="$time" -test.fuzzminimizetime=10x \
			-test.fuzzcachedir="$cache/$package" >"$binary/said" 2>&1 </dev/null; then
			# An execution that is under way when the time is up sometimes ends the Go tool with
			# nothing but this error. A fault of the target leaves an input behind.
			if ! grep -q '^ *context deadline exceeded$' "$binary/said" || grep -q 'Failing input' "$binary/said"; then
				echo FAILED
				cat "$binary/said"
				exit 1
			fi
		fi
		grep -E '^fuzz: elapsed' "$binary/said" | tail -1 | sed 's/^fuzz: //'
	done
	cd "$root"
done
