#!/bin/sh
# Figures of the priors, which bench/notes/priors.md shows.
#   priors.sh hdp FOLDER   docword.kos.txt.gz and vocab.kos.txt: held-out score of plain runs with five numbers of topics and
#                          of a hierarchical Dirichlet process, by the last tenth of the documents; then the topics that it
#                          finds in generated documents of 20 topics
# TOPOI is the program (default: topoi).
set -eu
[ $# = 2 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
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
	for most in 100 300 1000; do trained made.topoi --prior hdp --max-topics $most; done ;;
*) echo "unknown: $1" >&2; exit 2 ;;
esac
