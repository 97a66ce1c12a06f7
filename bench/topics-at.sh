#!/bin/sh
# Trains generated tokens by workers on this machine, with topics of tokens in the store, in a directory that all see, and on each worker's
# own disk with a copy on another's. Prints for each the time, the processors' time of workers and store, the most memory of the store, and
# whether the models agree. Keeps the result in bench/results/topics-at.txt. It needs redis-server and a few minutes:
#   bench/topics-at.sh [MILLIONS-OF-TOKENS [WORKERS [SWEEPS]]]
# Variables: TOPOI a program that is built already; RESULT another file for the result.
set -eu
cd "$(dirname "$0")/.."
millions=${1:-20} workers=${2:-2} sweeps=${3:-20}
work=$(mktemp -d)
store= pids=
trap 'kill -9 $pids $store 2>/dev/null || true; rm -rf "$work"' EXIT
topoi=${TOPOI:-$work/topoi}
[ -n "${TOPOI:-}" ] || go build -o "$topoi" ./cmd/topoi
result=${RESULT:-bench/results/topics-at.txt}
say() { echo "$*" | tee -a "$result"; }

# used PID: the processors' time of a process, in seconds.
used() { awk -v hz="$(getconf CLK_TCK)" '{ print ($14 + $15) / hz }' "/proc/$1/stat"; }

: >"$result"
say "$(date -u '+%Y-%m-%d %H:%M UTC'), $(nproc) processors; $millions M tokens, 100 topics, $workers workers of one thread, $sweeps sweeps, a barrier after every five"
"$topoi" generate --docs $((millions * 10000)) --mean-length 100 --words 20000 --topics 50 --quiet -o "$work/corpus.topoi"
for at in store directory workers; do
	redis-server --port 0 --unixsocket "$work/store" --save '' --dir "$work" >/dev/null &
	store=$!
	sleep 1
	export TOPOI_STORE="unix://$work/store"
	mkdir -p "$work/shared"
	where="--topics-at $at"
	[ "$at" != directory ] || where="--state $work/shared"
	"$topoi" cluster submit "$work/corpus.topoi" -k 100 --sampler warp --seed 1 --iterations "$sweeps" --evaluate-every 5 --tolerance 0 --optimize-interval 5 \
		--job at --workers "$workers" --parts "$workers" $where --quiet
	begin=$(date +%s.%N)
	pids=
	for i in $(seq "$workers"); do
		"$topoi" cluster work --job at --device cpu --threads 1 --log none --scratch "$work/disk$i" &
		pids="$pids $!"
	done
	: >"$work/used"
	while ! "$topoi" cluster status --job at --json | grep -q '"complete": true'; do
		for p in $pids $store; do used "$p" 2>/dev/null || true; done >"$work/now"
		[ "$(wc -l <"$work/now")" -le "$workers" ] || cp "$work/now" "$work/used"
		sleep 0.2
	done
	took=$(echo "$(date +%s.%N) $begin" | awk '{ printf "%.1f", $1 - $2 }')
	"$topoi" cluster result --job at -o "$work/model-$at" --quiet
	peak=$(redis-cli -s "$work/store" info memory | tr -d '\r' | awk -F: '/^used_memory_peak:/ { printf "%.0f", $2 / 1e6 }')
	say "topics at $at: $took s, $(awk '{ n += $1 } END { printf "%.1f", n }' "$work/used") s of processors, at most $peak MB in the store"
	wait $pids
	pids=
	kill "$store"
	wait "$store" || true
	store=
done
for at in directory workers; do
	same=false
	[ "$("$topoi" fingerprint "$work/model-$at" | cut -d' ' -f1)" != "$("$topoi" fingerprint "$work/model-store" | cut -d' ' -f1)" ] || same=true
	say "same model with topics at $at as in the store: $same"
done
