#!/bin/sh
# What a sweep of lists costs beside batch and warp, and how much sooner it predicts held-out documents as well: see bench/lists/main.go.
# Arguments are passed on, such as
#   bench/lists.sh -corpora 20news -topics 1000 -samplers warp,lists -steps 10,4
#   bench/lists.sh -corpora elife20 -docs 13000 -topics 4000
# Needs the corpora of ../shared/data, or of the directory DATA. The last result is bench/results/lists.txt.
set -eu
cd "$(dirname "$0")/.."
data=${DATA:-../shared/data}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go build -o "$dir/topoi" ./cmd/topoi
"$dir/topoi" import --quiet "$data/elife/docword.elife20.txt.zst" --vocab "$data/elife/vocab.elife20.txt" --min-cf 1 --drop-empty -o "$dir/elife20.topoi"
"$dir/topoi" import --quiet "$data/20news/20news.tsv.zst" --min-df 5 --max-df 0.5 --drop-empty -o "$dir/20news.topoi"
"$dir/topoi" import --quiet "$data/kos/docword.kos.txt.gz" --vocab "$data/kos/vocab.kos.txt" --min-cf 1 --drop-empty -o "$dir/kos.topoi"
"$dir/topoi" generate --quiet --docs 40000 --words 20000 --mean-length 200 --topics 1000 -o "$dir/generated.topoi"
go run ./bench/lists -data "$dir" "$@"
