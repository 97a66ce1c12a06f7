#!/bin/sh
# Builds topoi into a directory and makes corpus files NAME.topoi there, those that it has not yet.
#   bench/corpora.sh DIR kos 20news      from ../shared/data, or $DATA
#   bench/corpora.sh DIR generated       drawn from the model
set -eu
case ${1:-} in
"" | -*)
	sed -n '2,4s/^# //p' "$0" >&2
	exit 2
	;;
esac
dir=$1
shift
cd "$(dirname "$0")/.."
data=${DATA:-../shared/data} topoi=$dir/topoi
mkdir -p "$dir"
go build -o "$topoi" ./cmd/topoi
for name; do
	out=$dir/$name.topoi
	[ ! -e "$out" ] || continue
	import() { "$topoi" import --quiet "$@" --drop-empty -o "$out"; }
	generate() { "$topoi" generate --quiet --docs "$1" --words "$2" --mean-length "$3" --topics "$4" --seed "$5" -o "$out"; }
	case $name in
	kos) import "$data/kos/docword.kos.txt.gz" --vocab "$data/kos/vocab.kos.txt" --min-cf 1 ;;
	elife20) import "$data/elife/docword.elife20.txt.zst" --vocab "$data/elife/vocab.elife20.txt" --min-cf 1 ;;
	reuters) import "$data/reuters395/docword.reuters395.txt.gz" --vocab "$data/reuters395/vocab.reuters395.txt" ;;
	20news) import "$data/20news/20news.tsv.zst" --keep-markup --min-df 5 --max-df 0.5 ;;
	20news-rarer) import "$data/20news/20news.tsv.zst" --keep-markup --min-df 5 --max-df 0.3 ;; # as docs/quality.md has it
	papers) import "$data/elife/papers600.tsv.zst" --min-df 3 --max-df 0.5 ;;
	titles) import "$data/titles-zh/titles.tsv.zst" ;;
	generated) generate 40000 20000 200 1000 0 ;;
	plain) generate 40000 20000 200 100 0 ;;
	short) generate 5000 5000 60 100 1 ;;
	long) generate 3000 8000 300 20 2 ;;
	wide) generate 20000 20000 100 500 3 ;;
	bbc | dblp | m10) import "$data/$name/corpus.tsv" ;;
	poliblog) import "$data/poliblog5k/docword.poliblog5k.txt.gz" --vocab "$data/poliblog5k/vocab.poliblog5k.txt" --min-cf 1 ;;
	el300 | el1500 | el6000) # the first two million tokens of elife20, 1, 5 or 20 of its pieces of 300 tokens joined
		zstd -qdc "$data/elife/docword.elife20.txt.zst" | awk -v joined=$((${name#el} / 300)) -v to="$dir/$name" '
			NR == 2 { words = $1 }
			NR <= 3 || n > 2000000 { next }
			{ n += $3; d = int(($1 - 1) / joined) + 1; if (!((d, $2) in count)) pairs++; count[d, $2] += $3 }
			END { print d "\n" words "\n" pairs >to ".head"; for (p in count) { split(p, at, SUBSEP); print at[1], at[2], count[p] >to ".rest" } }'
		sort -n -k 1,1 -k 2,2 "$dir/$name.rest" | cat "$dir/$name.head" - >"$dir/$name.txt"
		import "$dir/$name.txt" --vocab "$data/elife/vocab.elife20.txt" --min-df 3
		rm "$dir/$name.head" "$dir/$name.rest" "$dir/$name.txt"
		;;
	g20) generate 40000 8000 20 200 5 ;;
	g2000) generate 700 10000 2000 100 6 ;;
	million) generate 50000 1000000 100 10000 0 ;; # of words
	*) import "$data/$name" ;;
	esac
done
