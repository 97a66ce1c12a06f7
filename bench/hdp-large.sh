#!/bin/sh
# Seconds a sweep of a hierarchical Dirichlet process on generated documents of PubMed's size (8.2 million abstracts, 768 million
# tokens, 90,000 words), and what 25,000 sweeps would take. For a machine without Go: takes the program.
#   bench/hdp-large.sh PROGRAM [SWEEPS [flags of topoi train]]
# SWEEPS is 60 unless given. DOCS (8,200,000), WORDS (89,987), TOPICS (1000: the most that the process may have), DEVICE (cuda)
# and DIR (a new folder for 5 GB) may be others.
set -eu
[ $# -gt 0 ] || {
	sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
	exit 2
}
program=$1 sweeps=${2:-60}
shift $(($# > 1 ? 2 : 1))
dir=$(mktemp -d ${DIR:+-p "$DIR"})
trap 'rm -rf "$dir"' EXIT
begin=$(date +%s)
"$program" generate --quiet --docs "${DOCS:-8200000}" --words "${WORDS:-89987}" --mean-length 93.7 --topics 500 -o "$dir/c.topoi"
echo "generated in $(($(date +%s) - begin)) s"
# Scores only at the end: they are no part of a sweep. The draws of the process every five sweeps are.
begin=$(date +%s)
"$program" train "$dir/c.topoi" --prior hdp -k "${TOPICS:-1000}" --device "${DEVICE:-cuda}" --iterations "$sweeps" \
	--evaluate-every "$sweeps" --tolerance 0 --checkpoint-every 0 --json --force -o "$dir/model" "$@" >"$dir/events"
echo "trained in $(($(date +%s) - begin)) s"
tokens=$("$program" info "$dir/c.topoi" | awk '$1 == "tokens" { gsub(",", ""); print $2 }')
# seconds are those of training alone, from its beginning. The process begins after 20 sweeps: earlier ones do not count.
grep '"event":"iteration"' "$dir/events" | sed 's/.*"iteration":\([0-9]*\),"seconds":\([0-9.]*\),.*/\1 \2/' | awk -v tokens="$tokens" '
	$1 == 25 { from = $2 } { last = $1; to = $2 }
	END {
		if (last <= 25) { print "too few sweeps: at least 26"; exit 1 }
		each = (to - from) / (last - 25)
		printf "sweeps 26 to %d: %.4f s each, %.0f million tokens a second; 25,000 sweeps: %.1f minutes\n", last, each, tokens / each / 1e6, each * 25000 / 60
	}'
"$program" info "$dir/model" | grep -E 'topics|score' | head -4
