#!/bin/sh
# Measures what a second thread gains: two equal runs, one thread and two, whose
# sweeps take turns, so that the machine's moods meet both. On elife20 when
# ../shared/data is there, otherwise on a generated corpus. Writes
# bench/results/threads.txt. About three minutes, in
# which nothing else should run.
#   bench/threads.sh [pairs of sweeps]
set -eu
cd "$(dirname "$0")/.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go build -o "$dir/topoi" ./cmd/topoi
go build -o "$dir/threads" ./bench/threads
data=../shared/data/elife
if [ -e $data/docword.elife20.txt.zst ]; then
	"$dir/topoi" import --quiet $data/docword.elife20.txt.zst --vocab $data/vocab.elife20.txt --min-cf 1 --drop-empty -o "$dir/corpus.topoi"
else
	"$dir/topoi" generate --quiet --docs 65000 --words 66000 --mean-length 300 --topics 100 -o "$dir/corpus.topoi"
fi
pairs=${1:-20}
for round in 1 2; do
	"$dir/threads" -samplers warp -k 1000 -sweeps "$pairs" "$dir/corpus.topoi"
	"$dir/threads" -samplers warp -k 1000 -mh-steps 1 -sweeps "$pairs" "$dir/corpus.topoi"
	"$dir/threads" -samplers batch -k 100 -sweeps "$pairs" "$dir/corpus.topoi"
done | tee bench/results/threads.txt
