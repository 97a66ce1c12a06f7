#!/bin/sh
# How many topics: what sweeps say of corpora whose number of topics is known, what a sweep costs
# beside its single runs, and whether one that was killed ends the same.
#   bench/sweep.sh truth     two generated corpora, and a sample of the first
#   bench/sweep.sh cost      20 Newsgroups, ten numbers of topics, three seeds, against single runs
#   bench/sweep.sh kill      SIGKILL twice
# The data is expected in ../shared/data/20news; DIR (default /tmp/topoi-sweep) keeps what is made.
# The last results are in bench/results/sweep.txt.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
dir=${DIR:-/tmp/topoi-sweep}
mkdir -p "$dir"
cd "$root"
go build -o "$dir/topoi" ./cmd/topoi
go build -o "$dir/bench" ./bench/sweep
cd "$dir"
news() {
	[ -e news.topoi ] || ./topoi import "$root/../shared/data/20news/20news.tsv.zst" --min-df 5 --max-df 0.5 -o news.topoi --quiet
}
case ${1:-truth} in
truth)
	./topoi generate --docs 10000 --words 5000 --mean-length 100 --topics 50 -o g50.topoi --overwrite --quiet
	./topoi generate --docs 12000 --words 8000 --mean-length 150 --topics 200 -o g200.topoi --overwrite --quiet
	./topoi sweep g50.topoi -k 10,30,50,70,100 --iterations 200 -o g50.sweep --pages none --threads 2 --resume
	./topoi sweep g200.topoi -k 50,100,150,200,250,300 --iterations 150 -o g200.sweep --pages none --threads 2 --resume
	./topoi sweep g50.topoi -k 10,30,50,70,100 --iterations 200 --sample 0.2 -o g50-sample.sweep --keep none --threads 2 --resume
	;;
cost)
	news
	./bench -topoi ./topoi -corpus news.topoi -k 10,20,40,60,80,100,125,150,175,200 -seeds 3 -iterations "${ITERATIONS:-100}" -every "${EVERY:-1}" cost
	;;
kill)
	news
	./bench -topoi ./topoi -corpus news.topoi -k 10,20,40 -seeds 2 -iterations 50 kill
	;;
*)
	echo "truth, cost or kill?" >&2
	exit 2
	;;
esac
