#!/bin/sh
# What one score of a training run costs, part by part, in processor time, beside a sweep: see bench/score/main.go.
# On elife20 and 20 Newsgroups when ../shared/data is there, and on a generated corpus. Takes a commit to compare with, whose
# program must have bench/score. The last result is bench/results/score.txt. Some five minutes.
#   bench/score.sh [commit]
set -eu
cd "$(dirname "$0")/.."
dir=$(mktemp -d)
trap 'git worktree remove --force "$dir/before" 2>/dev/null || true; rm -rf "$dir"' EXIT
go build -o "$dir/topoi" ./cmd/topoi
go build -o "$dir/now" ./bench/score
programs=now
if [ $# -gt 0 ]; then
	git worktree add -q --detach "$dir/before" "$1"
	(cd "$dir/before" && go build -o "$dir/then" ./bench/score)
	programs="then now"
fi
measure() { # corpus, options
	corpus=$1
	shift
	for program in $programs; do
		echo "$(basename "$corpus" .topoi) $* ($program)"
		GOMAXPROCS=1 "$dir/$program" "$@" "$corpus"
		echo
	done
}
"$dir/topoi" generate --quiet --docs 30000 --words 20000 --mean-length 300 --topics 200 --seed 1 -o "$dir/generated.topoi"
measure "$dir/generated.topoi" -k 1024 -sweeps 25
data=../shared/data
if [ -e $data/20news/20news.tsv.zst ]; then
	"$dir/topoi" import --quiet $data/20news/20news.tsv.zst --min-df 5 --max-df 0.5 -o "$dir/20news.topoi"
	measure "$dir/20news.topoi" -k 100 -sampler batch -sweeps 25
fi
if [ -e $data/elife/docword.elife20.txt.zst ]; then
	"$dir/topoi" import --quiet $data/elife/docword.elife20.txt.zst --vocab $data/elife/vocab.elife20.txt -o "$dir/elife20.topoi"
	measure "$dir/elife20.topoi" -k 1000 -sweeps 25
fi
