#!/bin/sh
# Measures making pages: seconds, processor time, peak memory and size of the file. 20
# Newsgroups with 50 topics when ../shared/data has it (goal: 2 s), and a generated
# corpus of 300,000 documents with 5,000 topics (goal: 60 s within 2 GiB, at most 25 MB).
# Keeps the result in bench/results/explore.txt. Needs GNU time and 2 GB of disk for a while:
#   bench/explore.sh [DIR]
set -eu
cd "$(dirname "$0")/.."
root=$PWD
news=$root/../shared/data/20news/20news.tsv.zst
dir=${1:-$(mktemp -d)}
mkdir -p bench/results "$dir"
go build -o "$dir/topoi" ./cmd/topoi
cd "$dir"

# page MODEL: makes its page and prints a row.
page() {
	/usr/bin/time -f '%e %U %S %M' -o times ./topoi explore "$1.model" -o "$1.html" --overwrite --quiet
	size=$(wc -c <"$1.html")
	awk -v name="$1" -v size="$size" '{ printf "%-28s %9.2f %9.2f %9.0f %9.1f\n", name, $1, $2 + $3, $4 / 1024, size / 1e6 }' times
}

if [ -e "$news" ] && [ ! -e news-50.model ]; then
	./topoi import "$news" --min-df 5 --max-df 0.5 -o news.topoi --overwrite --quiet
	./topoi train news.topoi -k 50 --iterations 200 -o news-50.model --quiet
fi
if [ ! -e generated-5000.model ]; then
	./topoi generate --docs 300000 --words 50000 --mean-length 100 --topics 5000 -o generated.topoi --overwrite --quiet
	./topoi train generated.topoi -k 5000 --iterations 30 -o generated-5000.model --quiet
fi
{
	date -u '+%Y-%m-%d %H:%M UTC'
	printf '%s, %s cores, load %s\n\n' "$(go version | cut -d' ' -f3)" "$(nproc)" "$(cut -d' ' -f1-3 /proc/loadavg)"
	printf '%-28s %9s %9s %9s %9s\n' page seconds 'CPU s' 'peak MiB' 'file MB'
	[ ! -e news-50.model ] || page news-50
	page generated-5000
} | tee "$root/bench/results/explore.txt"
