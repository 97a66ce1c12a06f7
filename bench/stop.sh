#!/bin/sh
# When training stops, and what learned priors bring: see bench/stop/main.go. Arguments are passed on, such as
#   bench/stop.sh stop/kos/50
#   CORPORA="kos bbc" bench/stop.sh      cases of these corpora; bench/corpora.sh knows them
# The last result is bench/results/stop.txt.
set -eu
cd "$(dirname "$0")/.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
bench/corpora.sh "$dir" ${CORPORA:-kos 20news bbc reuters dblp papers elife20 short long wide}
go run ./bench/stop -data "$dir" "$@"
