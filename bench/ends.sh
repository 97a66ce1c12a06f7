#!/bin/sh
# What training comes to that stops by itself, by batch and by what auto chooses instead: sweeps, processor seconds of the whole command, held-out score.
#   bench/ends.sh "kos bbc" "20 50 100"      corpora and numbers of topics, such as these
#   bench/ends.sh kos 50 --alpha-sum 50 --optimize-interval 0     further flags for both
# bench/corpora.sh knows the corpora. The last result is in bench/results/cvb.txt.
set -e
cd "$(dirname "$0")/.."
corpora=${1:-kos bbc 20news} topics=${2:-20 50 100}
[ $# -lt 2 ] || shift 2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
bench/corpora.sh "$dir" $corpora
for c in $corpora; do
	for k in $topics; do
		for sampler in batch auto; do
			times >"$dir/before"
			"$dir/topoi" train "$dir/$c.topoi" -k "$k" --sampler $sampler --holdout 0.1 --threads 2 -o "$dir/model" --overwrite --force --json "$@" >"$dir/events"
			times >"$dir/after"
			sampled=$(sed -n 's/.*"event":"start","sampler":"\([a-z]*\)".*/\1/p' "$dir/events")
			seconds=$(tail -qn 1 "$dir/before" "$dir/after" | tr 'ms' '  ' | awk '{ t = 60 * ($1 + $3) + $2 + $4 - t } END { printf "%.1f", t }')
			sed -n 's/.*"event":"done","iteration":\([0-9]*\),"reason":"\([a-z ]*\)".*"heldout_per_token":\([-0-9.]*\).*/\1 sweeps (\2), \3/p' "$dir/events" |
				sed "s|^|$c, K = $k, $sampler ($sampled): |; s|\$| nats/token, $seconds s|"
		done
	done
done
