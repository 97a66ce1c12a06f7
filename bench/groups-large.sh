#!/bin/sh
# Seconds a sweep with α for each of 10, 100 and 1,000 groups of documents, as a multiple of plain sweeps, on documents that are made
# here: 300,000 of 200 tokens, each about three of 300 subjects. λ is learned every five sweeps, as α of plain runs is. For a machine
# without Go: takes the program.
#   bench/groups-large.sh PROGRAM [SWEEPS [flags of topoi train]]
# SWEEPS is 100 unless given. DOCS, TOPICS (a list, "20 128 1000"), TURNS (3: the least time of them) and DEVICE (cuda) may be others.
set -eu
[ $# -gt 0 ] || {
	sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
	exit 2
}
program=$1 sweeps=${2:-100} docs=${DOCS:-300000}
shift $(($# > 1 ? 2 : 1))
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
awk -v docs="$docs" 'BEGIN {
	srand(1); each = 100
	print docs; print 30000; print docs * each
	for (d = 1; d <= docs; d++) for (s = 0; s < 3; s++) {
		subject = int(rand() * 300); n = s < 2 ? 33 : 34; w = int(rand() * 3)
		for (i = 0; i < n; i++) { print d, 10000 * s + (subject * 33 + w) % 10000 + 1, 1 + int(rand() * 3); w += 1 + int(rand() * 4) }
	}
}' >"$dir/docword.made.txt"
awk 'BEGIN { for (w = 1; w <= 30000; w++) print "w" w }' >"$dir/vocab.made.txt"
for groups in 1 10 100 1000; do
	awk -v docs="$docs" -v g=$groups 'BEGIN { print "id,number"; for (i = 0; i < docs; i++) print i "," i * 7919 % g }' >"$dir/meta.csv"
	"$program" import "$dir/docword.made.txt" --vocab "$dir/vocab.made.txt" --metadata "$dir/meta.csv" --language none -o "$dir/$groups.topoi" --quiet
done
for k in ${TOPICS:-20 128 1000}; do for turn in $(seq "${TURNS:-3}"); do for groups in 1 10 100 1000; do
	prior='--prior covariates --formula ~number'
	[ $groups = 1 ] && prior=
	# shellcheck disable=SC2086
	"$program" train "$dir/$groups.topoi" -k "$k" --sampler batch $prior --device "${DEVICE:-cuda}" --iterations "$sweeps" --evaluate-every "$sweeps" \
		--tolerance 0 --checkpoint-every 0 --json --overwrite --force -o "$dir/model" "$@" >"$dir/events"
	# Sweeps after the twentieth: λ is learned then.
	grep '"event":"iteration"' "$dir/events" | sed 's/.*"iteration":\([0-9]*\),"seconds":\([0-9.]*\),.*/\1 \2/' |
		awk -v k="$k" -v g=$groups '$1 == 25 { from = $2 } { last = $1; to = $2 } END { print k, g, (to - from) / (last - 25) }'
done; done; done | awk '{ key = $1 " " $2 } !(key in least) || $3 < least[key] { least[key] = $3; if (!(key in seen)) order[n++] = key; seen[key] }
	END { for (i = 0; i < n; i++) { split(order[i], x, " "); printf "K = %s, %s: %.4f s a sweep, %.3f of plain\n", x[1], x[2] == 1 ? "plain" : x[2] " groups", least[order[i]], least[order[i]] / least[x[1] " 1"] } }'
