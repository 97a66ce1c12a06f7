#!/bin/sh
# What a default run comes to on a GPU at NYTimes' size, and where its seconds go: scored as by default, and every ten sweeps. For a machine without
# Go: takes the program. The last result is in bench/results/gpu.txt ("Whole commands"), that of the parts of a score on a CPU in score.txt.
#   bench/gpu-default.sh PROGRAM [flags of topoi train]
# DOCS (270,000), TOPICS (1024) and DEVICE (cuda) may be others.
set -eu
program=$1
shift
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
"$program" generate --quiet --docs "${DOCS:-270000}" --words 102660 --mean-length 346 --topics 500 -o "$dir/c.topoi"
echo "flags                        sweeps  scores  starting  training  scoring  checkpoints  model  saving  all (seconds)  command  sample"
run() {
	begin=$(date +%s.%N)
	"$program" train "$dir/c.topoi" -k "${TOPICS:-1024}" --device "${DEVICE:-cuda}" --json --overwrite --force -o "$dir/model" "$@" >"$dir/events"
	end=$(date +%s.%N)
	rm -rf "$dir/model" "$dir/model.checkpoint"
	awk -v flags="$*" -v took="$(awk "BEGIN { print $end - $begin }")" -F '[:,}]' '
		/"event":"iteration"/ && /"sample_per_token"/ { scores++ }
		/"event":"(done|saved)"/ { for (i = 1; i < NF; i++) { name = $i; gsub(/"/, "", name); of[name] = $(i + 1) } }
		END {
			printf "%-28s %6d  %6d  %8.2f  %8.2f  %7.2f  %11.2f  %5.2f  %6.2f  %13.2f  %7.2f  %s\n", flags, of["iteration"], scores, of["starting_seconds"],
				of["seconds"], of["scoring_seconds"], of["checkpoint_seconds"], of["model_seconds"], of["saving_seconds"], of["wall_seconds"], took, of["sample_per_token"]
		}' "$dir/events"
}
run "$@" # kernels go into the driver's cache
run "$@"
run --evaluate-every 10 "$@"
