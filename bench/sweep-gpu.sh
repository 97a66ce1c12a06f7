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
	for program in cmd/topoi bench/sweep; do
		CGO_ENABLED=0 go build -trimpath -ldflags "-s -w" -o "$folder/$(basename "$program")" "./$program"
		gzip -9 -f "$folder/$(basename "$program")"
	done
	cp "bench/$(basename "$0")" "$folder/"
	du -sh "$folder"
	;;
run)
	temporary=$(mktemp -d)
	trap 'rm -rf "$temporary"' EXIT
	for program in topoi sweep; do
		gzip -dc "$folder/$program.gz" >"$temporary/$program"
		chmod +x "$temporary/$program"
	done
	dir=${DIR:-$temporary}
	mkdir -p "$dir"
	corpus=$dir/big-${DOCS:-170000}.topoi
	[ -e "$corpus" ] || "$temporary/topoi" generate --docs "${DOCS:-170000}" --words 220000 --mean-length 3000 --topics 50 --seed 1 --quiet -o "$corpus"
	rm -rf "$dir/phases"
	"$temporary/sweep" -topoi "$temporary/topoi" -- "$corpus" -k "${K:-10..50:10}" --seeds 1 --iterations "${ITERATIONS:-150}" -o "$dir/phases" \
		--tolerance 0 --evaluate-every 50 --holdout 0.002 --checkpoint-every 0 --keep none --pages none --device cuda "$@"
	cksum "$dir/phases/sweep.csv" | sed 's#[^ ]*/##'
	;;
*) usage ;;
esac
