#!/bin/sh
# Measures importing by topoi import (MB/s, processor time, peak memory) on inputs it generates, small and ten times as large, of UCI and
# of text, and on real English text when ../shared/data, or $DATA, has it. The vocabulary is the same in all sizes, so that memory can be
# compared. Keeps the result in bench/results/import.txt, or $OUT. Needs four times the size of disk for a while:
#   bench/import.sh [MEGABYTES [THREADS]]      # of the large inputs, and the larger number of threads: default 2000 and all cores
set -eu
cd "$(dirname "$0")/.."
size=${1:-2000} threads=${2:-$(nproc)} out=${OUT:-bench/results/import.txt}
real=${DATA:-../shared/data}/elife/papers600.tsv.zst
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
bench/corpora.sh "$dir"

# Documents of 300 tokens over 100,000 words, as rows "document word count".
"$dir/topoi" generate --quiet --docs 10000 --words 100000 --mean-length 300 -o "$dir/g.topoi"
"$dir/topoi" train "$dir/g.topoi" -k 2 --iterations 1 --tolerance 0 --quiet -o "$dir/model"
"$dir/topoi" export "$dir/model" --format gensim -o "$dir/gensim" --quiet
sed 1,2d "$dir/gensim/corpus.mm" >"$dir/rows"
sed 1d "$dir/gensim/id2word.txt" | cut -f 2 >"$dir/words"

# uci FILE MEGABYTES writes the rows as often as fit, with numbers of documents that are all eight digits long.
uci() {
	awk -v most="$(($2 << 20))" -v bytes="$(awk '{ n += 10 + length($2) + length($3) + 1 } END { print n }' "$dir/rows")" \
		-v rows="$(wc -l <"$dir/rows")" 'BEGIN { n = int(most / bytes); if (n < 1) n = 1; print n, n * 10000, n * rows }' >"$dir/size"
	read -r rounds docs entries <"$dir/size"
	printf '%d\n100000\n%d\n' "$docs" "$entries" >"$1"
	for round in $(seq 0 $((rounds - 1))); do
		awk -v first=$((round * 10000)) '{ printf "%08d %d %d\n", first + $1, $2, $3 }' "$dir/rows" >>"$1"
	done
}

# tsv FILE MEGABYTES writes the documents as texts, again and again.
tsv() {
	awk -v most="$(($2 << 20))" '
		FNR == NR { word[FNR] = $1; next }
		$1 != doc { doc = $1; n++ }
		{ for (i = 0; i < $3; i++) text[n] = text[n] word[$2] " " }
		END {
			print "id\ttext"
			for (d = 0; written < most; d++) { line = "document-" d "\t" text[d % n + 1]; written += length(line) + 1; print line }
		}' "$dir/words" "$dir/rows" >"$1"
}

# measure FILE imports it, by one thread and by as many as are asked for. Linux keeps a process's largest size while it lives.
measure() {
	for n in $(printf '1\n%s\n' "$threads" | uniq); do
		times >"$dir/before"
		"$dir/topoi" import "$1" -o "$dir/out.topoi" --overwrite --threads "$n" --json >"$dir/events" &
		peak=0
		while [ -r /proc/$!/status ] && kill -0 $! 2>/dev/null; do
			while read -r name value _; do [ "$name" != VmHWM: ] || peak=$value; done </proc/$!/status
			sleep 0.1 # which costs a millisecond
		done
		wait $!
		times >"$dir/after"
		cpu=$(tail -qn 1 "$dir/before" "$dir/after" | tr 'ms' '  ' | awk '{ t = 60 * ($1 + $3) + $2 + $4 - t } END { print t }')
		sed -n 's/.*"event":"imported".*"docs":\([0-9]*\),.*"tokens":\([0-9]*\),"empty.*"wall_seconds":\([0-9.e+-]*\).*/\1 \2 \3/p' "$dir/events" |
			awk -v name="$(basename "$1")" -v n="$n" -v mb="$(wc -c <"$1")" -v peak="$peak" -v cpu="$cpu" '{ mb /= 1e6
				printf "%-24s %7d %9.1f %9d %12d %9.2f %9.1f %9d %9.2f %9.1f\n", name, n, mb, $1, $2, $3, mb / $3, peak / 1000, cpu, mb / cpu }'
	done
}

{
	echo "$(date -u '+%Y-%m-%d %H:%M UTC'), $(nproc) cores, load $(cut -d ' ' -f 1-3 /proc/loadavg): where others use the machine, compare MB/CPU s, not MB/s"
	printf '%-24s %7s %9s %9s %12s %9s %9s %9s %9s %9s\n' input threads MB docs tokens seconds MB/s 'peak MB' 'CPU s' 'MB/CPU s'
	for kind in uci:docword tsv:text; do
		for input in small:$((size / 10)) large:$size; do
			file=$dir/${kind#*:}-${input%:*}.${kind%:*}
			[ "${kind%:*}" = tsv ] || file=$dir/docword.${input%:*}.txt
			${kind%:*} "$file" "${input#*:}"
			measure "$file"
			rm "$file"
		done
	done
	if [ -e "$real" ]; then
		zstd -q -d "$real" -o "$dir/papers600.tsv"
		measure "$dir/papers600.tsv"
	fi
} | tee "$out"
