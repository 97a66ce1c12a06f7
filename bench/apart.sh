#!/bin/sh
# Trains a model that no worker can hold: K = V = 1,000,000 on generated tokens, by workers of one thread
# each whose rows are apart, beside one process with as many threads. Prints the peak of each process, the time of
# sweeps, whether the models agree. Keeps the result in bench/results/apart.txt.
# It needs redis-server, 8 GB of memory, 5 GB of room for temporary files and, on five cores to themselves, about three minutes:
#   bench/apart.sh [MILLIONS-OF-TOKENS [WORKERS [MEMORY [SWEEPS]]]]
# Variables: TOPOI a program that is built already; RESULT another file for the result; PIN=C gives workers, and then the one
# process, as many processors as there are workers, from number C on, and the store the next one; MODEL=0 leaves out whether the models agree;
# OPTIONS more options of the training; SLICES their number.
set -eu
cd "$(dirname "$0")/.."
millions=${1:-100} workers=${2:-4} memory=${3:-1GiB} sweeps=${4:-8}
work=$(mktemp -d)
store= pids= alone=
trap 'kill -9 $pids $alone $store 2>/dev/null || true; rm -rf "$work"' EXIT
topoi=${TOPOI:-$work/topoi}
[ -n "${TOPOI:-}" ] || go build -o "$topoi" ./cmd/topoi
result=${RESULT:-bench/results/apart.txt}
mkdir -p "$(dirname "$result")"
pin= pinstore=
if [ -n "${PIN:-}" ]; then
	pin="taskset -c $PIN-$((PIN + workers - 1))" pinstore="taskset -c $((PIN + workers))"
fi
say() { echo "$*" | tee -a "$result"; }
since() { echo "$(date +%s.%N) $1" | awk '{ printf "%.1f", $1 - $2 }'; }

# hwm PID: the most memory that a process had, in MiB.
hwm() { awk '/VmHWM/ { print int($2 / 1024) }' "/proc/$1/status" 2>/dev/null || true; }

# spent PID…: seconds of processors that processes have taken.
spent() { for p; do cat "/proc/$p/stat" 2>/dev/null || true; done | awk '{ s += $14 + $15 } END { printf "%.2f\n", s / 100 }'; }

# differences: of times, one per line, each less the one before.
differences() { awk 'NR > 1 { printf "%s%.2f", sep, $1 - last; sep = ", " } { last = $1 } END { print "" }'; }

: >"$result"
say "$(date -u '+%Y-%m-%d %H:%M UTC'), $(nproc) processors${PIN:+, of which $workers for workers}"
say "$millions M tokens, a million words and topics, $workers workers of one thread and $memory each, $sweeps sweeps"
begin=$(date +%s.%N)
"$topoi" generate --docs $((millions * 10000)) --mean-length 100 --words 1000000 --topics 10000 --quiet -o "$work/corpus.topoi"
echo "generated in $(since "$begin") s"
$pinstore redis-server --port 0 --unixsocket "$work/store" --save '' --dir "$work" >/dev/null &
store=$!
sleep 1
export TOPOI_STORE="unix://$work/store"
# Scoring a million topics takes longer than a sweep: only once, and few documents.
options="-k 1000000 --sampler warp --start-topics 8 --iterations $sweeps --evaluate-every $sweeps --optimize-interval 0 --holdout 0.0001 ${OPTIONS:-}"

begin=$(date +%s.%N)
"$topoi" cluster submit "$work/corpus.topoi" $options --job apart --workers "$workers" --layout "parts=$workers,topics=$work${SLICES:+,slices=$SLICES}" --memory "$memory" --quiet
echo "submitted in $(since "$begin") s"
begin=$(date +%s.%N)
for _ in $(seq "$workers"); do
	$pin "$topoi" cluster work --job apart --device cpu --threads 1 --memory "$memory" --log none &
	pids="$pids $!"
done
last=-1 looked=0
while kill -0 $pids 2>/dev/null; do
	sleep 0.2
	for p in $pids; do
		m=$(hwm "$p")
		[ -z "$m" ] || echo "$m" >"$work/peak-$p"
	done
	hwm "$store" >"$work/peak-store"
	# Not status, which fetches the priors of a million topics: only sometimes, for what workers say of themselves.
	now=$(redis-cli -s "$work/store" hmget 'topoi:{apart}:reached' $(seq -f r%.0f 0 $((workers - 1))) | sort -n | head -1)
	case $((looked += 1)) in *0) "$topoi" cluster status --job apart --json >"$work/now.json" && grep -q '"sampling' "$work/now.json" && cp "$work/now.json" "$work/busy.json" || true ;; esac
	case $now in '' | *[!0-9]* | "$last") continue ;; esac
	last=$now
	date +%s.%N >>"$work/rounds"
	spent $pids >>"$work/spent"
	echo "round $now after $(since "$begin") s"
done
pids=
"$topoi" cluster status --job apart | sed -n 2,3p | tee -a "$result"
cat "$work"/peak-[0-9]* | awk '{ printf "%s%d", (NR > 1 ? ", " : "peaks of the workers: "), $1 } END { print " MiB" }' | tee -a "$result"
say "peak of the store: $(cat "$work/peak-store") MiB"
say "sweeps of the workers, from the first to the last: $(differences <"$work/rounds") s"
say "seconds of processors that they took: $(differences <"$work/spent") s"
[ ! -f "$work/busy.json" ] || cp "$work/busy.json" "${result%.txt}.json"
[ "${MODEL:-1}" = 0 ] || "$topoi" cluster result --job apart -o "$work/by-workers" --quiet
kill "$store"
store=

$pin "$topoi" train "$work/corpus.topoi" $options --device cpu --threads "$workers" -o "$work/alone" --json >"$work/alone.json" &
alone=$!
peak=0
while kill -0 "$alone" 2>/dev/null; do
	m=$(hwm "$alone")
	peak=${m:-$peak}
	echo "$(grep -c '"event":"iteration"' "$work/alone.json" || true) $(spent "$alone")" >>"$work/alone.spent"
	sleep 0.1
	[ "${MODEL:-1}" != 0 ] || ! grep -q '"score held-out' "$work/alone.json" || kill -9 "$alone" 2>/dev/null || true
done
alone=
say "one process of $workers threads: peak $peak MiB"
sed -n 's/.*"event":"iteration".*"seconds":\([0-9.]*\),"wall.*/\1/p' "$work/alone.json" >"$work/alone.times"
say "its sweeps, from the second: $(differences <"$work/alone.times") s"
awk -v n="$sweeps" '$1 == 1 { first = $2 } $1 == n - 1 && !last { last = $2 } END { if (n > 2) printf "it took %.2f seconds of processors for one of them, nearly\n", (last - first) / (n - 2) }' "$work/alone.spent" | tee -a "$result"
if [ "${MODEL:-1}" != 0 ]; then
	a=$("$topoi" info --fingerprint "$work/by-workers" | head -1) b=$("$topoi" info --fingerprint "$work/alone" | head -1)
	say "same model: $([ "${a%% *}" = "${b%% *}" ] && echo true || echo false)"
fi
# What a worker told of a round.
[ -f "$work/busy.json" ] || exit 0
each() { sed -n "s/^ *\"$1\": \([0-9]*\),*$/\1/p" "$work/busy.json" | tail -n "$workers" | awk '{ s += $1 } END { printf "%.0f", s / NR }'; }
rate=$(awk -v n="$(each tokens)" -v t="$(each sampling)" 'BEGIN { printf "%.0f", n * 1e9 / t }')
say "a worker sent $(($(each sent) / $(each rounds) / 1000000)) MB and received $(($(each received) / $(each rounds) / 1000000)) MB a round; it sampled $rate tokens a second"
