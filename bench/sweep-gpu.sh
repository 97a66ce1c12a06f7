#!/bin/sh
# Where the time of a sweep on a GPU goes: 509 million tokens, five numbers of topics, 150 sweeps each.
#   bench/sweep-gpu.sh build FOLDER          on a machine with Go: what the other needs, compressed
#   bench/sweep-gpu.sh run FOLDER [FLAG…]    on one with an NVIDIA driver: generates the corpus, and sweeps (about three
#                                            minutes, 10 GB on disk in DIR, 16 GB of memory); flags go to topoi sweep
# K (10..50:10), DOCS (170000), ITERATIONS (150) and DIR (a temporary directory) can be set. Put several builds into
# folders of their own and run them in turns with the same DIR to compare them: the corpus is generated once. The last
# results are in bench/results/sweep.txt.
set -eu
usage() {
	sed -n '2,/^set -eu/s/^# \{0,1\}//p' "$0" >&2
	exit 2
}
[ $# -ge 2 ] || usage
what=$1
mkdir -p "$2"
folder=$(cd "$2" && pwd)
shift 2
case $what in
build)
	cd "$(dirname "$0")/.."
	CGO_ENABLED=0 go build -trimpath -ldflags "-s -w" -o "$folder/topoi" ./cmd/topoi
	gzip -9 -f "$folder/topoi"
	cp "bench/$(basename "$0")" "$folder/"
	du -sh "$folder"
	;;
run)
	temporary=$(mktemp -d)
	trap 'rm -rf "$temporary"' EXIT
	topoi=$temporary/topoi
	gzip -dc "$folder/topoi.gz" >"$topoi"
	chmod +x "$topoi"
	dir=${DIR:-$temporary}
	mkdir -p "$dir"
	corpus=$dir/big-${DOCS:-170000}.topoi
	[ -e "$corpus" ] || "$topoi" generate --docs "${DOCS:-170000}" --words 220000 --mean-length 3000 --topics 50 --seed 1 --quiet -o "$corpus"
	rm -rf "$dir/phases"
	"$topoi" sweep "$corpus" -k "${K:-10..50:10}" --seeds 1 --iterations "${ITERATIONS:-150}" -o "$dir/phases" --json \
		--tolerance 0 --evaluate-every 50 --holdout 0.002 --checkpoint-every 0 --keep none --pages none --device cuda "$@" >"$dir/events"
	awk -F '[:,}]' '
		BEGIN { print "seconds of a run:    K  placing  training  scoring  checkpoints  model" }
		{ for (i = 1; i < NF; i++) { name = $i; gsub(/[{"]/, "", name); of[name] = $(i + 1) } }
		/"event":"run"/ { topics = of["topics"] }
		/"event":"done"/ {
			printf "%22d %8.2f %9.2f %8.2f %12.2f %6.2f\n", topics, of["starting_seconds"], of["seconds"], of["scoring_seconds"], of["checkpoint_seconds"], of["model_seconds"]
			all += of["wall_seconds"]; training += of["seconds"]
		}
		END { printf "runs %.2f, of which training %.2f\n", all, training }' "$dir/events"
	cksum "$dir/phases/sweep.csv" | sed 's#[^ ]*/##'
	;;
*) usage ;;
esac
