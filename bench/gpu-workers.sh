#!/bin/sh
# Times two workers that share a GPU around a Redis on the same machine: sweeps of warp, K = 1024, staleness 1, one part each, an
# evaluation and so a barrier every ten sweeps; beside it one process on that GPU, and with it named twice.
#   bench/gpu-workers.sh TOPOI [DOCS [DEVICE [THREADS]]]
# TOPOI is the program, DOCS how many documents of 346 tokens are generated (270,000: 93.5 million tokens), DEVICE where
# workers sample (cuda), THREADS what each worker has (8). Needs redis-server. The last result is results/gpu-workers.txt.
set -eu
[ $# -ge 1 ] || {
	sed -n '2,/^set -eu/s/^# \{0,1\}//p' "$0" >&2
	exit 2
}
topoi=$(command -v "$1") docs=${2:-270000} device=${3:-cuda} threads=${4:-8}
topoi=$(cd "$(dirname "$topoi")" && pwd)/$(basename "$topoi")
work=$(mktemp -d)
server=
trap 'if [ -n "$server" ]; then kill "$server"; fi; rm -rf "$work"' EXIT
options="-k ${TOPICS:-1024} --sampler warp --alpha-sum 50 --optimize-interval 0 --tolerance 0 --iterations ${SWEEPS:-60} --evaluate-every 10 --seed 1"
"$topoi" generate --docs "$docs" --words 102660 --mean-length 346 --topics 500 --quiet -o "$work/c.topoi"
"$topoi" info "$work/c.topoi" 2>/dev/null | grep -i tokens | head -1 || true

# workers NAME SUBMIT-OPTIONS: seconds of sweeps, ten by ten, and the model's fingerprint.
workers() {
	redis-server --port 0 --unixsocket "$work/store" --save "" --appendonly no >"$work/server.log" 2>&1 &
	server=$!
	while [ ! -S "$work/store" ]; do sleep 0.1; done
	export TOPOI_STORE="unix://$work/store"
	# shellcheck disable=SC2086
	"$topoi" cluster submit "$work/c.topoi" $options --job w --workers 2 --layout "parts=2$2" --staleness 1 --quiet
	"$topoi" cluster work --job w --threads "$threads" --device "$device" --log json 2>"$work/1.log" &
	first=$!
	"$topoi" cluster work --job w --threads "$threads" --device "$device" --log json 2>"$work/2.log"
	wait "$first"
	"$topoi" cluster result --job w -o "$work/model" --quiet --overwrite
	kill "$server"
	wait "$server" || true
	server=
	echo "two workers$1:"
	cat "$work/1.log" "$work/2.log" | awk -F '"' '
		/"msg":"iteration"/ {
			for (i = 1; i < NF; i++) { if ($i == "time") when = $(i + 2); if ($i == "iteration" && $(i + 1) ~ /^:/) n = substr($(i + 1), 2) + 0 }
			split(substr(when, 12), t, /[:Z]/)
			at[n] = 3600 * t[1] + 60 * t[2] + t[3]
			if (n > last) last = n
		}
		END { for (n = 10; n + 10 <= last; n += 10) printf "  sweeps %3d to %3d: %.4f s\n", n + 1, n + 10, (at[n + 10] - at[n]) / 10 }'
	echo "  model $("$topoi" info --fingerprint "$work/model" | head -1)"
}

# alone DEVICE: the same of one process.
alone() {
	"$topoi" train "$work/c.topoi" $options --checkpoint-every 0 --device "$1" --json --force --overwrite -o "$work/alone" >"$work/alone.log" 2>&1 || {
		tail -1 "$work/alone.log"
		return
	}
	echo "one process, $1:"
	sed -n 's/.*"event":"iteration","iteration":\([0-9]*\),"seconds":\([0-9.]*\),.*/\1 \2/p' "$work/alone.log" |
		awk '$1 % 10 == 0 { if (n > 0) printf "  sweeps %3d to %3d: %.4f s\n", n + 1, $1, ($2 - t) / ($1 - n); n = $1; t = $2 }'
	echo "  model $("$topoi" info --fingerprint "$work/alone" | head -1)"
}

workers "" ""
workers ", topics in files in memory" ",topics=${STATE:-/dev/shm}"
alone "$device"
[ "$device" = cpu ] || alone "$device:0,0"
