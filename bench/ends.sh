#!/bin/sh
# What training comes to that stops by itself, by batch and by what auto chooses instead: sweeps, processor seconds of the whole command, held-out score.
#   bench/ends.sh "kos bbc" "20 50 100"      corpora and numbers of topics, such as these
#   bench/ends.sh kos 50 --alpha-sum 50 --optimize-interval 0     further flags for both
# Needs the corpora of ../shared/data, or of $DATA. The last result is in bench/results/cvb.txt.
set -e
cd "$(dirname "$0")/.."
data=${DATA:-../shared/data} corpora=${1:-kos bbc 20news} topics=${2:-20 50 100}
[ $# -lt 2 ] || shift 2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go build -o "$dir/topoi" ./cmd/topoi
for c in $corpora; do
	case $c in
	kos) "$dir/topoi" import "$data/kos/docword.kos.txt.gz" -o "$dir/$c.topoi" --quiet ;;
	20news) "$dir/topoi" import "$data/20news/20news.tsv.zst" --keep-markup --min-df 5 --max-df 0.5 -o "$dir/$c.topoi" --quiet ;;
	*) "$dir/topoi" import "$data/$c" -o "$dir/$c.topoi" --quiet ;;
	esac
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
