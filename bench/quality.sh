#!/bin/sh
# Compares the topics of samplers with those of the first: held-out score, joint likelihood and coherence over seeds, and
# top words side by side. Priors stay as they are, and the last tenth of the documents is held out.
#   bench/quality.sh [CORPUS [K [SWEEPS [SEEDS [SAMPLER…]]]]]      # default kos 100 1000 5 gibbs sparse batch: half an hour
# bench/corpora.sh knows the corpora. The last result is bench/results/quality.txt.
set -eu
cd "$(dirname "$0")/.."
corpus=${1:-kos} k=${2:-100} sweeps=${3:-1000} seeds=${4:-5}
if [ $# -gt 4 ]; then shift 4; else set -- gibbs sparse batch; fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
bench/corpora.sh "$dir" "$corpus"
printf '%-8s %22s %22s %22s %22s  mean and deviation over %s seeds\n' sampler held-out joint UMass NPMI "$seeds"
for sampler; do
	"$dir/topoi" sweep "$dir/$corpus.topoi" -k "$k" --seeds "$seeds" --sampler "$sampler" --iterations "$sweeps" --tolerance 0 --evaluate-every "$sweeps" \
		--alpha-sum 50 --beta 0.01 --optimize-interval 0 --holdout 0.1 --holdout-last --pages none --quiet -o "$dir/$sampler" >"$dir/said"
	awk -F, -v name="$sampler" '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		{ n++; for (i = 1; i <= NF; i++) { sum[i] += $i; square[i] += $i * $i } }
		function show(name, i, mean, variance) {
			i = column[name]; mean = sum[i] / n; variance = n > 1 ? (square[i] - n * mean * mean) / (n - 1) : 0
			printf " %12.4f ± %7.4f", mean, sqrt(variance > 0 ? variance : 0)
		}
		END { printf "%-8s", name; show("heldout"); show("log_likelihood_per_token"); show("umass"); show("npmi"); print "" }
	' "$dir/$sampler/sweep.csv"
done
first=$1
shift
for sampler; do
	echo
	"$dir/topoi" compare "$dir/$first/models/k$k-seed0" "$dir/$sampler/models/k$k-seed0" --by words --words 10 --show 10
done
