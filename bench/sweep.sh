#!/bin/sh
# How many topics: what sweeps say of corpora whose number of topics is known, what a sweep costs
# beside its single runs, and whether one that was killed ends the same.
#   bench/sweep.sh truth     two generated corpora, and a sample of the first
#   bench/sweep.sh cost      20 Newsgroups, ten numbers of topics, three seeds, against a topoi train for each, half of them before
#                            the sweep and half of them after it; with EVERY=3 one seed of each number stands for the others
#   bench/sweep.sh kill      SIGKILL in the run after a third, and after two thirds, of all; the tables must be those of a sweep that was let be
# KS, SEEDS and ITERATIONS choose others. The data is expected in ../shared/data/20news, or $DATA; DIR (default /tmp/topoi-sweep) keeps
# what is made. The last results are in bench/results/sweep.txt.
set -eu
cd "$(dirname "$0")/.."
dir=${DIR:-/tmp/topoi-sweep}
case ${1:-truth} in
cost | kill) bench/corpora.sh "$dir" 20news ;;
*) bench/corpora.sh "$dir" ;;
esac
cd "$dir"
seeds=${SEEDS:-3} every=${EVERY:-1}

# spent runs topoi and prints the seconds that it took: by the clock, of processors, and in training.
spent() {
	times >before
	begin=$(date +%s.%N)
	./topoi "$@" --holdout 0.1 --iterations "${ITERATIONS:-100}" --threads 2 --json >events
	end=$(date +%s.%N)
	times >after
	cpu=$(tail -qn 1 before after | tr 'ms' '  ' | awk '{ t = 60 * ($1 + $3) + $2 + $4 - t } END { print t }')
	sed -n 's/.*"event":"done".*"seconds":\([0-9.e+-]*\),"wall_seconds".*/\1/p' events | awk "{ t += \$1 } END { print $end - $begin, $cpu, t }"
}

# singles trains every second single run, from the first or from the second on.
singles() {
	i=0
	for k in $ks; do
		for seed in $(seq 0 $((seeds - 1))); do
			if [ $(((i + seed) % (2 * every))) = $((every * $1)) ]; then
				echo "$every $(spent train 20news.topoi -k "$k" --seed "$seed" -o single --overwrite --force)" | tee -a single.txt | sed "s/^/train, K = $k, seed $seed: /"
			fi
		done
		i=$((i + 1))
	done
}

case ${1:-truth} in
truth)
	./topoi generate --docs 10000 --words 5000 --mean-length 100 --topics 50 -o g50.topoi --overwrite --quiet
	./topoi generate --docs 12000 --words 8000 --mean-length 150 --topics 200 -o g200.topoi --overwrite --quiet
	./topoi sweep g50.topoi -k 10,30,50,70,100 --iterations 200 -o g50.sweep --pages none --threads 2 --resume
	./topoi sweep g200.topoi -k 50,100,150,200,250,300 --iterations 150 -o g200.sweep --pages none --threads 2 --resume
	./topoi sweep g50.topoi -k 10,30,50,70,100 --iterations 200 --sample 0.2 -o g50-sample.sweep --keep none --threads 2 --resume
	;;
cost)
	ks=${KS:-10 20 40 60 80 100 125 150 175 200}
	rm -rf single.txt cost.sweep
	singles 0
	whole=$(spent sweep 20news.topoi -k "$(echo $ks | tr ' ' ,)" --seeds "$seeds" -o cost.sweep)
	singles 1
	awk -v whole="$whole" '{ runs += $1; wall += $1 * $2; cpu += $1 * $3; training += $1 * $4 } END {
		split(whole, w, " ")
		printf "%d single runs: %.2f s by the clock, %.2f s of processors, %.2f s of training; the sweep: %.2f, %.2f, %.2f\n", runs, wall, cpu, training, w[1], w[2], w[3]
		printf "sweep / single runs: %.3f by the clock, %.3f of processors\n", w[1] / wall, w[2] / cpu
		printf "the sweep by the clock / its own training: %.3f, / training of single runs: %.3f\n", w[1] / w[3], w[1] / training
	}' single.txt
	;;
kill)
	ks=${KS:-10,20,40} seeds=${SEEDS:-2}
	rm -rf whole killed
	took=$(spent sweep 20news.topoi -k "$ks" --seeds "$seeds" -o whole | cut -d' ' -f1)
	runs=$(ls whole/runs/*.json | wc -l)
	for third in 1 2; do
		./topoi sweep 20news.topoi -k "$ks" --seeds "$seeds" -o killed --holdout 0.1 --iterations "${ITERATIONS:-100}" --threads 2 --resume --quiet >said &
		while [ "$(ls killed/runs/*.json 2>/dev/null | wc -l)" -lt $((third * runs / 3)) ]; do sleep 0.01; done
		sleep "$(awk "BEGIN { print $took / $runs / 2 }")" # half a run
		kill -KILL $!
		wait $! || echo "killed with $(ls killed/runs/*.json | wc -l) runs done and $(ls -d killed/runs/*.checkpoint 2>/dev/null | wc -l) checkpoints"
	done
	spent sweep 20news.topoi -k "$ks" --seeds "$seeds" -o killed --resume
	for table in sweep.csv topics.csv stability.csv sweep.parquet topics.parquet recommendation.json; do
		cmp "whole/$table" "killed/$table"
	done
	echo "the tables are the same"
	;;
*)
	echo "truth, cost or kill?" >&2
	exit 2
	;;
esac
