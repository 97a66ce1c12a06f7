#!/bin/sh
# Figures of guided topics and updates, which bench/notes/guided.md shows.
#   guided.sh reviews FOLDER   amazon5k.csv.gz, amazon10k.csv.gz and seeds-amazon.yaml: reviews whose largest seeded topic is
#                              their category, with no topic free and with two
#   guided.sh seeds FOLDER     20news.tsv.zst and seeds-20ng.yaml: held-out score with and without seeds, and how many seed words
#                              are among the top 20 of their topics
#   guided.sh update FOLDER    20news.tsv.zst: a tenth more documents, by training anew and by an update
#   guided.sh chain FOLDER     20news.tsv.zst: fifty updates in a row, beside training anew after every tenth of them
# TOPOI is the program (default: topoi), ITERATIONS those of seeds (default 1000), SEEDS their random seeds (default 0).
set -eu
[ $# = 2 ] || {
	sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
	exit 2
}
data=$(cd "$2" && pwd)
topoi=$(command -v "${TOPOI:-topoi}")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"

# shuffled writes the documents in an order that never changes.
shuffled() { zstd -dcq "$data/20news.tsv.zst" | awk 'NF { x = (x * 1103515245 + 12345) % 2147483648; printf "%010d\t%s\n", (x + NR * 7919) % 2147483647, $0 }' | sort | cut -f 2-; }
score() { "$topoi" eval "$1" test.tsv 2>/dev/null | awk '/document completion/ { print $1 }'; }
seconds() {
	/usr/bin/time -o time -f %U "$@" --quiet
	cat time
}

case $1 in
reviews)
	for n in 5k 10k; do for k in 6 8; do
		rm -rf m
		took=$(seconds "$topoi" train "$data/amazon$n.csv.gz" --label-field category --text-field text -k $k --seeds "$data/seeds-amazon.yaml" -o m)
		"$topoi" export m --format csv-doc-topics-wide --with category -o - 2>/dev/null | awk -F, -v k=$k -v n=$n -v took="$took" '
			NR == 1 { for (i = 1; i <= NF; i++) { if ($i ~ /^"?topic_[0-5] /) { name[i] = $i; sub(/^"?topic_[0-5] /, "", name[i]); sub(/"$/, "", name[i]) } if ($i == "category") c = i } next }
			{ best = -1; for (i in name) if ($i + 0 > best) { best = $i + 0; at = i } right += name[at] == $c; all++ }
			END { printf "%s reviews, %d topics: %.3f right, %s processor s\n", n, k, right / all, took }'
	done; done
	;;
seeds)
	"$topoi" import "$data/20news.tsv.zst" -o c.topoi --quiet
	for k in 20 30; do for weight in none 0.1 0.3 0.5; do for seed in ${SEEDS:-0}; do
		rm -rf m
		flags="--seeds $data/seeds-20ng.yaml --seed-weight $weight"
		[ $weight = none ] && flags=
		# shellcheck disable=SC2086
		"$topoi" train c.topoi -k $k $flags --seed "$seed" --holdout 0.1 --holdout-seed 7 --iterations "${ITERATIONS:-1000}" --tolerance 0 --evaluate-every 500 -o m --force >log 2>&1
		echo "K = $k, weight $weight, seed $seed: $(sed -n 's/^stopped.*held-out/held-out/p' log)"
		[ $weight = none ] && continue
		"$topoi" topics m --words 20 >top
		sed -n 's/^seed word that the corpus does not have: "\([^"]*\)".*/\1/p' log >absent
		sed -n 's/^[^#]*: \[\(.*\)\]$/\1/p' "$data/seeds-20ng.yaml" | tr -d '",' >words
		awk 'FILENAME == "absent" { absent[$1] = 1; next }
			FILENAME == "top" { for (i = (NF > 23 ? NF - 19 : 99); i <= NF; i++) has[$1, $i] = 1; next }
			{ for (i = 1; i <= NF; i++) if (!($i in absent)) { all++; in20 += ((FNR - 1, $i) in has) } }
			END { print "  " in20 " of " all " seed words are among the top 20 of their topics" }' absent top words
	done; done; done
	;;
update)
	shuffled >all.tsv
	awk 'NR % 10 == 0' all.tsv >test.tsv
	awk 'NR % 10 != 0' all.tsv >train.tsv
	awk 'NR % 11 != 0' train.tsv >old.tsv
	awk 'NR % 11 == 0' train.tsv >new.tsv
	"$topoi" train old.tsv -k 50 -o old --quiet
	echo "anew: $(seconds "$topoi" train train.tsv -k 50 -o anew) processor s, held-out $(score anew)"
	echo "update: $(seconds "$topoi" update old new.tsv -o updated) processor s, held-out $(score updated)"
	echo "update, old documents kept: $(seconds "$topoi" update old new.tsv --keep all -o kept) processor s, held-out $(score kept)"
	for m in updated kept; do
		"$topoi" compare old $m --json | tr -d ' ,"' | awk -F : -v m=$m '
			/^[a-z_]+:\[/ { part = $1 }
			part == "matches" && $1 == "a" { a = $2 } part == "matches" && $1 == "b" { same[a] = a == $2 }
			part == "topics_a" && $1 == "topic" { k = $2 } part == "topics_a" && $1 == "share" { all += $2; mass += same[k] * $2 }
			END { printf "%s: topics with %.3f of the mass match their own number\n", m, mass / all }'
	done
	;;
chain)
	shuffled | awk 'length($0) < 5000' >all.tsv # scores of longer posts, encoded files among them, jump from run to run
	awk 'NR % 10 == 0' all.tsv >test.tsv
	awk 'NR % 10 != 0' all.tsv >train.tsv
	n=$(wc -l <train.tsv) half=$(($(wc -l <train.tsv) / 2))
	head -n $half train.tsv >first.tsv
	"$topoi" train first.tsv -k 50 --min-df 3 --max-df 0.5 -o model-0 --quiet
	"$topoi" export model-0 --format npy-topic-words -o words 2>/dev/null # all models are scored by the words of the first
	sed 1d words/words.csv | tr ',' '\n' >words.txt
	tr '[:upper:]' '[:lower:]' <test.tsv | awk -F '\t' 'NR == FNR { known[$1] = 1; next } { n = split($3, w, /[^a-z]+/); t = ""; for (i = 1; i <= n; i++) if (w[i] in known) t = t " " w[i]; print $1 "\t" $2 "\t" t }' words.txt - >kept && mv kept test.tsv
	for i in $(seq 1 50); do
		from=$((half + (n - half) * (i - 1) / 50)) to=$((half + (n - half) * i / 50))
		head -n $to train.tsv | tail -n +$((from + 1)) >new.tsv
		"$topoi" update "model-$((i - 1))" new.tsv -o "model-$i" --quiet
		rm -rf "model-$((i - 1))"
		[ $((i % 10)) = 0 ] || continue
		rm -rf anew
		head -n $to train.tsv >sofar.tsv
		"$topoi" train sofar.tsv -k 50 --min-df 3 --max-df 0.5 -o anew --quiet
		echo "after $i updates: held-out $(score "model-$i"), trained anew $(score anew)"
	done
	;;
*) exit 2 ;;
esac
