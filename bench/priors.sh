#!/bin/sh
# Figures of the priors, which bench/notes/priors.md shows.
#   priors.sh hdp FOLDER   docword.kos.txt.gz and vocab.kos.txt: held-out score of plain runs with five numbers of topics and
#                          of a hierarchical Dirichlet process, by the last tenth of the documents; then the topics that it
#                          finds in generated documents of 20 topics
#   priors.sh labels FOLDER  20news.tsv.zst: labels of new posts, by every tenth post and by date
#   priors.sh covariates FOLDER  docword.poliblog5k.txt.gz, vocab.poliblog5k.txt and poliblog5k.meta.csv: held-out scores with
#                          half of the words known, and with none, by the last tenth of the documents; SWEEPS is 200
#   priors.sh groups FOLDER  the same documents with a number of which there are so many: processor time with α for each group of
#                          documents, as a multiple of that of plain runs; the least of five turns
#   priors.sh short FOLDER   the same documents with about 5, 20 or 80 of their words, drawn at random, and whole: held-out scores
#                          with and without columns, of K = 20 topics
# TOPOI is the program (default: topoi).
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

# trained trains with some flags, and writes the processor time, the score and the number of topics.
trained() {
	rm -rf m
	/usr/bin/time -o time -f %U "$topoi" train "$@" -o m --force --quiet
	"$topoi" info m | awk -v took="$(cat time)" -v what="$*" '/a model of/ { k = $5 } /last score/ { s = $(NF-1) } /iterations/ { n = $2 }
		END { printf "%s: %s topics, %s nats a token after %s sweeps, %s processor s\n", what, k, s, n, took }'
}

case $1 in
hdp)
	"$topoi" import "$data/docword.kos.txt.gz" --vocab "$data/vocab.kos.txt" -o kos.topoi --quiet
	for k in 20 50 100 200 400; do trained kos.topoi -k $k --holdout 0.1 --holdout-last; done
	trained kos.topoi --prior hdp --holdout 0.1 --holdout-last
	"$topoi" generate --docs 2000 --words 2000 --topics 20 --alpha-sum 2 --beta-sum 100 -o made.topoi --quiet
	for most in 100 300 1000; do trained made.topoi --prior hdp -k $most; done
	;;
labels)
	zstd -dcq "$data/20news.tsv.zst" >all.tsv
	awk 'NR % 10 != 0' all.tsv >tenth-train.tsv
	awk 'NR % 10 == 0' all.tsv >tenth-test.tsv
	awk '/^train/' all.tsv >date-train.tsv
	awk '/^test/' all.tsv >date-test.tsv
	for split in tenth date; do for free in 0 5; do
		"$topoi" import $split-train.tsv --min-df 5 --max-df 0.5 --min-length 3 --language none -o c.topoi --overwrite --quiet
		rm -rf m
		/usr/bin/time -o train -f %U "$topoi" train c.topoi --prior labels --free $free --iterations 10 -o m --force --quiet
		/usr/bin/time -o eval -f %U "$topoi" eval m $split-test.tsv --estimator labels --quiet >out
		awk -v what="$split, $free free topics" -v took="$(cat train) s to train, $(cat eval) s to predict" 'NR > 1 { x = x " " $1 }
			END { print what ": accuracy, macro F1, rank" x ", " took }' out
	done; done
	;;
covariates)
	cut -d , -f 1-4 "$data/poliblog5k.meta.csv" >meta.csv
	"$topoi" import "$data/docword.poliblog5k.txt.gz" --vocab "$data/vocab.poliblog5k.txt" --metadata meta.csv -o c.topoi --quiet
	for k in 20 50; do for formula in none '~ rating' '~ blog'; do
		rm -rf m
		set -- --prior covariates --formula "$formula"
		[ "$formula" = none ] && set -- --sampler batch
		/usr/bin/time -o time -f %U "$topoi" train c.topoi -k $k "$@" --holdout 0.1 --holdout-last --iterations "${SWEEPS:-200}" -o m --force --quiet
		"$topoi" eval m --heldout --estimator completion,prior --quiet | awk -v what="K = $k, $formula" -v took="$(cat time)" 'NR > 1 { x = x " " $1 }
			END { print what ": completion, prior only" x ", " took " processor s" }'
	done; done
	;;
groups)
	zcat "$data/docword.poliblog5k.txt.gz" | head -1 >docs
	for turn in 1 2 3 4 5; do for groups in 0 10 100 1000; do
		[ -f c$groups.topoi ] || {
			awk -v g=$groups 'NR == 1 { print "id,number"; for (i = 0; i < $1; i++) print i "," (g ? i * 7919 % g : 0) }' docs >meta.csv
			"$topoi" import "$data/docword.poliblog5k.txt.gz" --vocab "$data/vocab.poliblog5k.txt" --metadata meta.csv -o c$groups.topoi --quiet
		}
		set -- --prior covariates --formula '~ number'
		[ $groups = 0 ] && set --
		rm -rf m
		/usr/bin/time -o time -f %U "$topoi" train c$groups.topoi -k "${K:-100}" --sampler batch "$@" --iterations 100 --evaluate-every 100 \
			--tolerance 0 --threads 1 --device cpu -o m --force --quiet
		echo "$groups $(cat time)" >>times
	done; done
	awk '!($1 in least) || $2 < least[$1] { least[$1] = $2 }
		END { split("0 10 100 1000", g, " "); for (i = 1; i <= 4; i++) printf "%s groups: %.2f processor s, %.3f of plain\n", g[i], least[g[i]], least[g[i]] / least[0] }' times
	;;
short)
	cut -d , -f 1-4 "$data/poliblog5k.meta.csv" >meta.csv
	zcat "$data/docword.poliblog5k.txt.gz" >all
	for most in 5 20 80 100000; do
		awk -v most=$most 'BEGIN { srand(1) } NR == FNR { if (FNR > 3) n[$1] += $3; next }
			FNR > 3 { c = 0; for (i = 0; i < $3; i++) c += rand() * n[$1] < most; if (c) print $1, $2, c }' all all >body
		{
			head -2 all
			wc -l <body
			cat body
		} >docword.txt
		"$topoi" import docword.txt --vocab "$data/vocab.poliblog5k.txt" --metadata meta.csv -o c.topoi --overwrite --quiet
		length=$("$topoi" info c.topoi | awk '{ gsub(",", "") } /a corpus of/ { d = $5 } $1 == "tokens" { t = $2 } END { printf "%.0f", t / d }')
		for formula in none '~ blog'; do
			rm -rf m
			set -- --prior covariates --formula "$formula"
			[ "$formula" = none ] && set --
			"$topoi" train c.topoi -k 20 "$@" --sampler "${SAMPLER:-batch}" --holdout 0.1 --holdout-last --iterations 300 --tolerance 0 -o m --force --quiet
			"$topoi" eval m --heldout --estimator completion,prior --quiet | awk -v what="$length words, $formula" 'NR > 1 { x = x " " $1 }
				END { print what ": completion, prior only" x }'
		done
	done
	;;
*)
	echo "unknown: $1" >&2
	exit 2
	;;
esac
