#!/bin/sh
# Loads a server and compares it with topoi infer: throughput, latency, memory, swaps. On 20
# Newsgroups when ../shared/data is there, otherwise on made-up texts, K = 100. For throughput the
# programs have the first processor, and the load comes from the second; latency is measured
# there with one worker, and on both with one and with two. Who may has both at the priority of real time, before
# all else on the machine. Writes bench/results/serve.txt.
#   bench/serve.sh [seconds of memory [measurements]]      # default 600, all
set -eu
cd "$(dirname "$0")/.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go build -o "$dir/topoi" ./cmd/topoi
go -C bench test -c -o "$dir/serve" ./serve
data=../shared/data/20news/20news.tsv.zst
if [ -e $data ]; then
	zstd -dc $data | awk -F'\t' '{ gsub(/\\/, "\\\\\\\\", $3); gsub(/"/, "\\\\\"", $3); gsub(/[\001-\037]/, " ", $3); printf "{\"id\":\"%s\",\"text\":\"%s\"}\n", $1, $3 }' >"$dir/texts.jsonl"
else
	awk 'BEGIN { srand(1); for (d = 0; d < 10000; d++) { t = ""; k = int(rand() * 50); for (i = 0; i < 150; i++) t = t " w" k "x" int(rand() * rand() * 200); printf "{\"id\":\"%d\",\"text\":\"%s\"}\n", d, t } }' >"$dir/texts.jsonl"
fi
"$dir/topoi" train "$dir/texts.jsonl" -k 100 --iterations 100 -o "$dir/texts.model" --quiet
first='' second=''
if chrt -r 20 true 2>/dev/null; then
	first='chrt -r 10' second='chrt -r 20'
fi
run() { "$@" -topoi "$dir/topoi" -model "$dir/texts.model" -texts "$dir/texts.jsonl" "$what"; }
# shellcheck disable=SC2086
first() { run ${before-} $second "$dir/serve" -test.v -test.timeout 2h -under "$first" "$@"; } # before all else on the machine
wanted=${2:-throughput latency memory swaps}
for what in $wanted; do
	case $what in
	throughput) before="taskset -c 1" first -pin 0 -threads 1 ;;
	latency)
		first -pin 0 -threads 1 -length 10s
		first -pin 0,1 -threads 1 -length 10s
		first -pin 0,1 -threads 2 -length 10s
		;;
	swaps) run "$dir/serve" -test.v -test.timeout 2h -threads 2 ;;
	memory) run "$dir/serve" -test.v -test.timeout 2h -threads 2 -length "${1:-600}s" ;;
	esac
done | tee bench/results/serve.txt
