#!/bin/sh
# Trains a model that no worker can hold: K = V = 1,000,000 on generated tokens, by workers of one thread
# each whose rows are apart, beside one process with as many threads. Prints the peak of each process, the time of a
# sweep, and whether the models agree. Keeps the result in bench/results/apart.txt. It needs redis-server, 6 GB of
# memory and, on two cores to themselves, about half an hour:
#   bench/apart.sh [MILLIONS-OF-TOKENS [WORKERS [MEMORY [SWEEPS]]]]
set -eu
cd "$(dirname "$0")/.."
millions=${1:-100} workers=${2:-4} memory=${3:-1GiB} sweeps=${4:-4}
work=$(mktemp -d)
store=
trap '[ -z "$store" ] || kill "$store"; rm -rf "$work"' EXIT
go build -o "$work/topoi" ./cmd/topoi
"$work/topoi" generate --docs $((millions * 10000)) --mean-length 100 --words 1000000 --topics 10000 --quiet -o "$work/corpus.topoi"
redis-server --port 0 --unixsocket "$work/store" --save '' --dir "$work" >/dev/null &
store=$!
sleep 1
export TOPOI_STORE="unix://$work/store"
# No evaluation but the last: scoring a million topics takes longer than a sweep.
options="-k 1000000 --sampler warp --start-topics 8 --iterations $sweeps --evaluate-every $sweeps --optimize-interval 0"

# hwm PID: the most memory that a process had, in MB.
hwm() { awk '/VmHWM/ { print int($2 / 1024) }' "/proc/$1/status" 2>/dev/null || true; }

# round: the least round that all parts have done.
round() {
	"$work/topoi" cluster status --job apart --json | tr -d ' \n' | sed 's/.*"rounds":\[\([^]]*\)\],"history.*/\1/' | tr ',' '\n' | sort -n | head -1
}

mkdir -p bench/results
{
	date -u '+%Y-%m-%d %H:%M UTC'
	echo "$millions M tokens, a million words and topics, $workers workers of one thread and $memory each, $sweeps sweeps"
	"$work/topoi" cluster submit "$work/corpus.topoi" $options --job apart --workers "$workers" --parts "$workers" --memory "$memory" --state "$work" --quiet
	pids=
	for _ in $(seq "$workers"); do
		"$work/topoi" cluster work --job apart --threads 1 --memory "$memory" --log none &
		pids="$pids $!"
	done
	first= last= begin= end=
	while kill -0 $pids 2>/dev/null; do
		sleep 1
		now=$(round || true) at=$(date +%s)
		for p in $pids; do
			m=$(hwm "$p")
			[ -z "$m" ] || echo "$m" >"$work/peak-$p"
		done
		hwm "$store" >"$work/peak-store"
		case $now in '' | -1 | 0) continue ;; esac
		[ -n "$first" ] || { first=$now begin=$at; }
		[ "$now" = "$last" ] || { last=$now end=$at; }
	done
	"$work/topoi" cluster status --job apart | sed -n 2p
	for p in $pids; do echo "a worker: peak $(cat "$work/peak-$p") MB"; done
	echo "the store: peak $(cat "$work/peak-store") MB"
	[ "$first" = "$last" ] || echo "a sweep by workers: $(((end - begin) * 100 / (last - first)))e-2 s"
	"$work/topoi" cluster result --job apart -o "$work/by-workers" --quiet
	"$work/topoi" train "$work/corpus.topoi" $options --threads "$workers" -o "$work/alone" --json >"$work/alone.json" &
	alone=$!
	peak=0
	while kill -0 "$alone" 2>/dev/null; do
		m=$(hwm "$alone")
		peak=${m:-$peak}
		sleep 1
	done
	echo "one process of $workers threads: peak $peak MB, $(sed -n 's/.*"event":"done".*"seconds":\([0-9.]*\),.*/\1/p' "$work/alone.json") s of training"
	a=$("$work/topoi" fingerprint "$work/by-workers" | head -1) b=$("$work/topoi" fingerprint "$work/alone" | head -1)
	echo "same model: $([ "${a%% *}" = "${b%% *}" ] && echo true || echo false)"
} | tee bench/results/apart.txt
