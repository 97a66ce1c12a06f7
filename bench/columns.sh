#!/bin/bash
# Measures what columns cost: import and training with and without ten columns, alternated, and
# topoi effects with an interaction and a spline. Times are processor seconds (user + system), which
# other programs on the machine change little, and seconds on the clock; memory is the largest resident set.
# Writes bench/results/columns.txt.
#   bench/columns.sh [documents [topics]]      # default 1000000 100
set -eu
cd "$(dirname "$0")/.."
docs=${1:-1000000} topics=${2:-100}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go build -o "$dir/topoi" ./cmd/topoi
OUT=$dir awk -v docs="$docs" 'BEGIN {
	srand(1)
	split("SPD CDU CSU FDP Grüne Linke AfD none", party, " ")
	split("tax|war;war;health|tax;school;", themes, ";")
	print "id,party,gender,region,outlet,rating,score,date,year,speaker,themes,text" >(ENVIRON["OUT"] "/table.csv")
	print "id,text" >(ENVIRON["OUT"] "/plain.csv")
	for (d = 0; d < docs; d++) {
		text = ""
		p = 1 + int(rand() * 8); y = 2000 + int(rand() * 20)
		k = rand() < 0.3 ? (p * 7 + y) % 100 : int(rand() * 100); j = int(rand() * 100)
		n = 40 + int(rand() * 40)
		for (i = 0; i < n; i++) { r = rand(); text = text " w" (i % 3 ? k : j) "x" int(r * r * 200) }
		printf "%d,%s,%s,r%d,o%d,%d,%.3f,%d-%02d-%02d,%d,s%d,%s,%s\n", d, party[p], rand() < 0.5 ? "f" : "m", rand() * 16, rand() * 200, 1 + rand() * 5, rand() * 100, y, 1 + rand() * 12, 1 + rand() * 28, y, rand() * 5000, themes[1 + int(rand() * 5)], text >(ENVIRON["OUT"] "/table.csv")
		print d "," text >(ENVIRON["OUT"] "/plain.csv")
	}
}'
# timed LABEL COMMAND... prints processor seconds, seconds on the clock and megabytes.
timed() {
	label=$1
	shift
	nice -n 10 /usr/bin/time -o "$dir/time" -f '%U %S %e %M' "$@" >/dev/null
	awk -v label="$label" '{ printf "%-28s %7.1f s processor  %7.1f s clock  %6.0f MB\n", label, $1 + $2, $3, $4 / 1024 }' "$dir/time"
}
{
	echo "$docs documents, 10 columns, K = $topics, $(nproc) cores, load $(cut -d' ' -f1 /proc/loadavg) at the start"
	for i in 1 2 3; do
		timed "import without columns" "$dir/topoi" import "$dir/plain.csv" --columns '' -o "$dir/plain.topoi" --overwrite --quiet
		timed "import with columns" "$dir/topoi" import "$dir/table.csv" -o "$dir/table.topoi" --overwrite --quiet
	done
	for i in 1 2; do
		timed "train without columns" "$dir/topoi" train "$dir/plain.topoi" -k "$topics" --iterations 5 --sampler warp -o "$dir/plain.model" --overwrite --quiet
		timed "train with columns" "$dir/topoi" train "$dir/table.topoi" -k "$topics" --iterations 5 --sampler warp -o "$dir/table.model" --overwrite --quiet
	done
	cmp <("$dir/topoi" info --fingerprint "$dir/plain.model") <("$dir/topoi" info --fingerprint "$dir/table.model") && echo "the models are the same"
	for formula in '~ party * s(date)' '~ party * s(date) + rating + log(length)'; do
		timed "effects $formula" "$dir/topoi" effects "$dir/table.model" "$formula" -o "$dir/effects.csv" --overwrite --quiet
	done
	timed "join of nine columns" "$dir/topoi" join "$dir/plain.model" "$dir/table.csv" --columns party,gender,region,outlet,rating,score,date,speaker,themes --quiet
} | tee bench/results/columns.txt
