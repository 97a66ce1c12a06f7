#!/bin/sh
# Trains small jobs by two workers of one thread, whose store is behind a network that drops packets at random: two
# network namespaces with a veth between them, and an nftables rule on arrival at either end. Prints the seconds from
# the start of the workers to the end of the last one, the median of the repeats, and whether all models agree.
# Keeps the result in bench/results/loss.txt. It needs root, ip, nft and redis-server:
#   bench/loss.sh [REPEATS [LOSS-IN-PERCENT...]]
# Variables: TOPOI programs that are built already, separated by spaces, which take turns; RESULT another file for the
# result; DELAY such as 10ms for each way, if the kernel has netem; SWEEPS, ROWS and STALENESS other than "24", "whole
# apart" and "0".
set -eu
cd "$(dirname "$0")/.."
repeats=${1:-5}
[ $# -eq 0 ] || shift
losses=${*:-0 5}
work=$(mktemp -d)
near=near$$ far=far$$ store=
trap 'kill $store 2>/dev/null || true; ip netns del $near; ip netns del $far; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
if [ -z "${TOPOI:-}" ]; then
	TOPOI=$work/topoi
	go build -o "$TOPOI" ./cmd/topoi
fi
result=${RESULT:-bench/results/loss.txt}
say() { echo "$*" | tee -a "$result"; }

ip netns add $near
ip netns add $far
ip link add n$$ netns $near type veth peer name f$$ netns $far
ip -n $near address add 10.77.0.1/24 dev n$$
ip -n $far address add 10.77.0.2/24 dev f$$
ip -n $near link set n$$ up mtu 1500 gso_max_segs 1
ip -n $far link set f$$ up mtu 1500 gso_max_segs 1
ip -n $far link set lo up
if [ -n "${DELAY:-}" ]; then
	ip netns exec $near tc qdisc add dev n$$ root netem delay "$DELAY"
	ip netns exec $far tc qdisc add dev f$$ root netem delay "$DELAY"
fi

# lose PERCENT: drops so many packets on arrival, at both ends.
lose() {
	for ns in $near $far; do
		ip netns exec $ns nft flush ruleset
		[ "$1" = 0 ] || ip netns exec $ns nft -f - <<RULES
table ip loss {
	chain arrive {
		type filter hook prerouting priority 0;
		meta l4proto tcp numgen random mod 100 < $1 counter drop
	}
}
RULES
	done
}

ip netns exec $far redis-server --bind 10.77.0.2 --port 7000 --protected-mode no --save '' --dir "$work" >/dev/null &
store=$!
sleep 1
export TOPOI_STORE=redis://10.77.0.2:7000
ask() { ip netns exec $far redis-cli -h 10.77.0.2 -p 7000 "$@"; }
count() { ask info "$1" | tr -d '\r' | awk -F: -v name="$2" '$1 == name { print $2 }'; }

# once PROGRAM LOSS ROWS STALENESS: trains once and prints seconds, commands, and bytes in and out.
once() {
	lose 0
	ask flushall >/dev/null
	ip netns exec $near "$1" cluster submit "$work/corpus.topoi" -k 12 --sampler warp --iterations "${SWEEPS:-24}" --job loss \
		--workers 2 --staleness "$4" --layout "parts=2,slices=4,rows=$3" --quiet
	lose "$2"
	ask config resetstat >/dev/null
	begin=$(date +%s%N) pids=
	for _ in 1 2; do
		ip netns exec $near "$1" cluster work --job loss --device cpu --threads 1 --log none &
		pids="$pids $!"
	done
	for p in $pids; do wait "$p"; done
	end=$(date +%s%N)
	lose 0
	echo "$(((end - begin) / 1000000)) $(count stats total_commands_processed) $(count stats total_net_input_bytes) $(count stats total_net_output_bytes)"
	ip netns exec $near "$1" cluster result --job loss -o "$work/model" --quiet --wait
	cat "$work/model/rows.u32" "$work/model/topics.u16" | sha256sum >>"$work/sums-$4"
	rm -r "$work/model"
}

# median: of numbers, one per line.
median() { sort -n | awk '{ a[NR] = $1 } END { print a[int((NR + 1) / 2)] }'; }

"$(echo "$TOPOI" | cut -d' ' -f1)" generate --docs 3300 --mean-length 100 --words 2000 --topics 12 --quiet -o "$work/corpus.topoi"
: >"$result"
say "$(date -u '+%Y-%m-%d %H:%M UTC'), $(nproc) processors, $repeats repeats, ${SWEEPS:-24} sweeps${DELAY:+, a delay of $DELAY each way}"
say "program loss rows staleness: median of seconds (all) commands MB-to-the-store MB-from-it"
for loss in $losses; do
	for rows in ${ROWS:-whole apart}; do
		for staleness in ${STALENESS:-0}; do
			for _ in $(seq "$repeats"); do
				for program in $TOPOI; do
					once "$program" "$loss" "$rows" "$staleness" >>"$work/$(basename "$program")"
				done
			done
			for program in $TOPOI; do
				found=$work/$(basename "$program")
				say "$(basename "$program") $loss % $rows $staleness: $(awk '{ print $1 / 1000 }' "$found" | median) s" \
					"($(awk '{ printf "%s%.1f", sep, $1 / 1000; sep = " " }' "$found"))" \
					"$(awk '{ print $2 }' "$found" | median) $(awk '{ print $3 / 1e6 }' "$found" | median) $(awk '{ print $4 / 1e6 }' "$found" | median)"
				rm "$found"
			done
		done
	done
done
for sums in "$work"/sums-*; do
	[ "$(sort -u "$sums" | wc -l)" = 1 ] || say "models differ: $sums"
done
