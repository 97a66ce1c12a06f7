#!/bin/sh
# Lets samplers run in turns and compares what a sweep costs and how soon held-out documents are predicted as well:
# see bench/samplers/main.go. What it is made for, by name; arguments after it are passed on:
#   bench/samplers.sh lists       lists beside warp and batch          (the last result: bench/results/lists.txt)
#   bench/samplers.sh cvb         zero-order cvb beside batch, with fixed and with learnt priors      (cvb.txt)
#   bench/samplers.sh fixed       the same with fixed priors on a corpus that does not fit a cache
#   bench/samplers.sh threads     two threads beside one                                          (threads.txt)
#   bench/samplers.sh large       a million topics beside a thousand, by one thread                 (large.txt)
#   bench/samplers.sh cvb -tokens 20 -topics 50      so many tokens of every document
# CORPORA says which corpora instead (bench/corpora.sh knows them), DATA where they are made from.
set -eu
cd "$(dirname "$0")/.."
what=${1:?what to compare? lists, cvb, fixed, threads or large}
shift
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

compare() { # CORPORA [flags]
	corpora=${CORPORA:-$1}
	shift
	bench/corpora.sh "$dir" $corpora
	files=
	for c in $corpora; do files="$files $dir/$c.topoi"; done
	go run ./bench/samplers "$@" $files
}

case $what in
lists) compare "elife20 20news generated" -topics 100,300,1000,4000 -runs 'warp:10 batch:3 lists:3' "$@" ;;
cvb)
	compare "kos 20news bbc dblp" -topics 50,100 -turns 20 -runs 'batch:10 cvb{"cvb":"zero"}:3' "$@"
	compare "kos 20news bbc dblp" -topics 50,100 -turns 20 -learnt -runs 'batch:10 cvb{"cvb":"zero","exact_sweeps":40}:6' "$@"
	;;
fixed) compare elife20 -topics 50,100 -turns 12 -runs 'batch:10 cvb{"cvb":"zero"}:4' "$@" ;;
threads)
	compare elife20 -score=false -turns 22 -topics 1000 -runs 'warp@1 warp@2' "$@"
	compare elife20 -score=false -turns 22 -topics 1000 -runs 'warp{"mh_steps":1}@1 warp{"mh_steps":1}@2' "$@"
	compare elife20 -score=false -turns 22 -topics 100 -runs 'batch@1 batch@2' "$@"
	;;
large)
	compare million -score=false -turns 4 -topics 1000,1000000 -runs 'warp@1 light@1' "$@"
	go run ./cmd/topoi reproduce cost-large -o bench/results
	;;
esac
