#!/bin/sh
# Loads a server and compares it with topoi infer: throughput, latency, memory, abuse. On 20
# Newsgroups when ../shared/data is there, otherwise on made-up texts, K = 100. The programs
# have the first processor for themselves, the load comes from the others. Writes
# bench/results/serve.txt.
#   bench/serve.sh [seconds of memory [measurements]]      # default 600, all
set -eu
cd "$(dirname "$0")/.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go build -o "$dir/topoi" ./cmd/topoi
go build -o "$dir/serve" ./bench/serve
data=../shared/data/20news/20news.tsv.zst
if [ -e $data ]; then
	zstd -dc $data | awk -F'\t' '{ gsub(/\\/, "\\\\\\\\", $3); gsub(/"/, "\\\\\"", $3); gsub(/[\001-\037]/, " ", $3); printf "{\"id\":\"%s\",\"text\":\"%s\"}\n", $1, $3 }' >"$dir/texts.jsonl"
else
	awk 'BEGIN { srand(1); for (d = 0; d < 10000; d++) { t = ""; k = int(rand() * 50); for (i = 0; i < 150; i++) t = t " w" k "x" int(rand() * rand() * 200); printf "{\"id\":\"%d\",\"text\":\"%s\"}\n", d, t } }' >"$dir/texts.jsonl"
fi
"$dir/topoi" train "$dir/texts.jsonl" -k 100 --iterations 100 -o "$dir/texts.model" --quiet
run() { "$dir/serve" -topoi "$dir/topoi" -model "$dir/texts.model" -texts "$dir/texts.jsonl" "$@"; }
wanted=${2:-throughput latency abuse memory}
for what in $wanted; do
	case $what in
	throughput) run -pin 0 -threads 1 throughput ;;
	latency) run -pin 0 -threads 1 -length 30s latency ;;
	abuse) run -threads 2 -length 30s abuse ;;
	memory) run -threads 2 -length "${1:-600}s" memory ;;
	esac
done | tee bench/results/serve.txt
