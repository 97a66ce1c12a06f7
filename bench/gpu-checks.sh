#!/bin/sh
# Checks and times everything that runs on a GPU, on a machine with an NVIDIA driver and without Go, with what
# bench/gpu-build.sh has put into a folder. One line for each step tells how it ended; logs are kept.
#   gpu-checks.sh FOLDER list          only see that every test that is asked for exists
#   gpu-checks.sh FOLDER 1 [RESULTS]   results equal plain Go's on 1,000 random cases of every kind; compute-sanitizer
#   gpu-checks.sh FOLDER 2 [RESULTS]   sweeps with a quarter of the memory beside sweeps with all of it; runs of generated corpora
#   gpu-checks.sh FOLDER 3 [RESULTS]   sweeps of warp's resident and packed forms in turns, four minutes (see BenchmarkWarpForms)
# Each part takes nine minutes at most: LIMIT (seconds, 540) ends it, and steps that there was no time for
# are told. RESULTS (default: gpu-results) is where logs and tables go. Exit code 1 if a step failed.
# With CORPUS, a corpus file, part 2 begins with the scores over time that docs/performance.md shows of it, and part 3
# times the forms on it too.
set -u
usage() {
	sed -n '2,/^set -u/s/^# \{0,1\}//p' "$0" >&2
	exit 2
}
[ $# -ge 2 ] || usage
packed=$(cd "$1" && pwd) || exit 2
half=$2
results=${3:-gpu-results}
begun=$(date +%s)
limit=${LIMIT:-540}
failed=0
export TOPOI_REQUIRE_GPU=1

# Where the programs are unpacked, and where what they make lies.
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
for file in "$packed"/*.gz; do
	program=$folder/$(basename "$file" .gz)
	gzip -dc "$file" >"$program" && chmod +x "$program" || exit 2
done

left() { echo $((begun + limit - $(date +%s))); }

# tell STATE SECONDS NAME [REMARK]
tell() {
	printf '%-8s %4s s  %s%s\n' "$1" "$2" "$3" "${4:+: $4}" | tee -a "$results/summary.txt"
	case $1 in ok | absent) ;; *) failed=1 ;; esac
}

# step NAME SECONDS COMMAND…: runs the command for so long at most, or as long as there is time. In the log
# a test that was skipped is a failure.
step() {
	name=$1 most=$2 log="$results/$(echo "$1" | tr ' ,' '__').log"
	shift 2
	[ "$most" -le "$(left)" ] || most=$(left)
	if [ "$most" -lt 3 ]; then
		tell late 0 "$name" "there was no time for it"
		return
	fi
	from=$(date +%s)
	timeout -k 5 "$most" "$@" >"$log" 2>&1 </dev/null
	code=$? took=$(($(date +%s) - from))
	case $code in
	0)
		if grep -q '^ *--- SKIP' "$log"; then
			tell FAILED "$took" "$name" "$(grep -c '^ *--- SKIP' "$log") tests were skipped, see $log"
		else
			tell ok "$took" "$name"
		fi
		;;
	124 | 137) tell LATE "$took" "$name" "not done in $most s, see $log" ;;
	*) tell FAILED "$took" "$name" "exit code $code, see $log" ;;
	esac
}

# The tests: kind, binary, and their names.
equality="
random cuda TestPhiloxEqualsGo|TestUniformEqualsGo|TestHistogramEqualsGo
driver cuda TestDevices|TestMemory|TestPinnedCopiesInOrder|TestCompilerLogIsInTheError|TestLaunchChecksArguments|TestConcurrentUse|TestIllegalAddressLosesDevice
queues device TestBuffers|TestArena|TestGrowing|TestLaunch|TestConveyor|TestConveyorWithFaults|TestFeed
warp warp TestWarpOnGPUEqualsGo
warp-large warp TestLargeWarpOnGPUEqualsGo
warp-lists warp TestListsOfWarpOnGPU
warp-sorted warp TestSortedGroupsOnGPUEqualGo|TestSortedRowsOnGPUEqualGo
warp-packed warp TestPackedWarpOnGPUEqualsGo
batch batch TestBatchOnGPUEqualsGo
batch-few batch TestFewOnGPUEqualsGo|TestLargeFewOnGPUEqualsGo
batch-groups batch TestGroupsOnGPUEqualGo|TestLargeGroupsOnGPUEqualGo
batch-order batch TestOrderOnGPUEqualsGo
batch-large batch TestLargeBatchOnGPUEqualsGo
batch-streamed batch TestStreamedBatchOnGPUEqualsGo
parts registry TestPartsOnGPUEqualGo
parts-large registry TestLargePartsOnGPUEqualGo
several engine TestSeveralDevices
grid grid TestGridOnGPUEqualsGo|TestLargeGridOnGPUEqualsGo
mean mean TestMeanOnGPUEqualsGo|TestLargeMeanOnGPUEqualsGo
cvb cvb TestZeroOnGPUEqualsGo
cvb-large cvb TestLargeZeroOnGPUEqualsGo
panel batch TestPanelOnGPU|TestPanelOnGPULearnsAsOnTheCPU
fold fold TestFoldOnGPUEqualsGo
expect fold TestMeanOnGPUEqualsGo
lost train TestLostDeviceKeepsCheckpoint
"
# Workers around a store, where there is a server to be started.
if command -v redis-server >/dev/null || command -v valkey-server >/dev/null; then
	equality="${equality}cluster cluster TestClusterOfDevicesGivesTheSameModel
"
fi
# Those with which compute-sanitizer looks at every kernel, and the random cases it gets.
sanitized="
warp-packed warp TestPackedWarpOnGPUEqualsGo 8
batch-streamed batch TestStreamedBatchOnGPUEqualsGo 8
fold fold TestFoldOnGPUEqualsGo 8
expect fold TestMeanOnGPUEqualsGo 9
parts registry TestPartsOnGPUEqualGo 4
warp warp TestWarpOnGPUEqualsGo 8
warp-lists warp TestListsOfWarpOnGPU 8
warp-sorted warp TestSortedGroupsOnGPUEqualGo 8
batch batch TestBatchOnGPUEqualsGo 8
batch-few batch TestFewOnGPUEqualsGo 8
batch-groups batch TestGroupsOnGPUEqualGo 8
batch-order batch TestOrderOnGPUEqualsGo 8
grid grid TestGridOnGPUEqualsGo 8
mean mean TestMeanOnGPUEqualsGo 8
cvb cvb TestZeroOnGPUEqualsGo 8
random cuda TestPhiloxEqualsGo|TestUniformEqualsGo|TestHistogramEqualsGo 8
panel batch TestPanelOnGPU 4
"

# Every test that is named must be in its binary: otherwise nothing would be tested, and nobody would know.
check_names() {
	printf '%s' "$equality$sanitized" | while read -r kind binary names _; do
		[ -n "$kind" ] || continue
		list=$("$folder/$binary.test" -test.list '.*') || exit 1
		for name in $(echo "$names" | tr '|' ' '); do
			if ! echo "$list" | grep -qx "$name"; then
				echo "gpu-checks.sh: $binary.test has no test $name, which $kind asks for" >&2
				exit 1
			fi
		done
	done || exit 1
}

# One process for each kind of test, all at once: most of their time is plain Go's.
equalities() {
	mkdir -p "$results/lines"
	number=10
	printf '%s\n' "$equality" | {
		while read -r kind binary names; do
			[ -n "$kind" ] || continue
			number=$((number + 1))
			(
				line="$results/lines/$number"
				cd "$folder" && tell() { printf '%s\t%s\t%s\t%s\n' "$@" >"$line"; }
				step "equality of $kind" 260 "$folder/$binary.test" -test.v -test.run "^($names)\$" -test.skip '/^emulated$'
			) &
		done
		wait
	}
	for line in "$results"/lines/*; do
		IFS='	' read -r state took name remark <"$line"
		tell "$state" "$took" "$name" "$remark"
	done
	rm -r "$results/lines"
}

find_sanitizer() {
	for place in "${COMPUTE_SANITIZER:-}" "$(command -v compute-sanitizer)" /usr/local/cuda/bin/compute-sanitizer /opt/cuda/bin/compute-sanitizer \
		/usr/local/cuda/compute-sanitizer/compute-sanitizer /usr/local/cuda-*/bin/compute-sanitizer; do
		if [ -n "$place" ] && [ -x "$place" ]; then
			echo "$place"
			return
		fi
	done
}

sanitize() {
	sanitizer=$(find_sanitizer)
	if [ -z "$sanitizer" ]; then
		tell absent 0 "compute-sanitizer" "set COMPUTE_SANITIZER to its path"
		return
	fi
	# racecheck is the slowest and gets half of the cases; panel, whose bytes depend on the order of threads, is not for it.
	for tool in racecheck memcheck initcheck; do
		# Not through a pipe: the steps are to set failed in this shell.
		while read -r kind binary names cases; do
			[ -n "$kind" ] || continue
			[ "$tool $kind" != "racecheck panel" ] || continue
			[ $tool != racecheck ] || cases=$((cases / 2))
			step "$tool of $kind" 30 env TOPOI_DEVICE_CASES="$cases" "$sanitizer" --tool "$tool" --error-exitcode 99 \
				"$folder/$binary.test" -test.short -test.v -test.run "^($names)\$"
		done <<-END
			$sanitized
		END
	done
}

# sweeps NAME TOPICS SAMPLER [SIZE]: trains, and writes the milliseconds of a sweep to times.txt: of sweeps 3 to 10, in which
# batch has eight mini-batches, and of 13 to 39.
sweeps() {
	model="$folder/model" events="$results/$(echo "$1" | tr ' ,' '__').log"
	rm -rf "$model" "$model.checkpoint"
	step "$1" 60 "$folder/topoi" train "$folder/c.topoi" -k "$2" --sampler "$3" --device cuda ${4:+--device-memory "$4"} --alpha-sum 50 \
		--optimize-interval 0 --tolerance 0 --iterations 40 --evaluate-every 40 --checkpoint-every 0 --json --overwrite --force -o "$model"
	[ -f "$model/rows.u32" ] || return
	sum=$(cat "$model/rows.u32" "$model/topics.u16" | cksum)
	awk -v name="$1" -v sum="$sum" -F '[:,}]' '
		/"event":"iteration"/ { for (i = 1; i < NF; i++) { if ($i == "\"iteration\"") n = $(i + 1); if ($i == "\"seconds\"") at[n] = $(i + 1) } }
		END { printf "%-28s %8.2f ms (3 to 10) %8.2f ms (13 to 39)  model %s\n", name, (at[10] - at[2]) / 8 * 1000, (at[39] - at[12]) / 27 * 1000, sum }
	' "$events" | tee -a "$results/times.txt"
}

# goals CORPUS: held-out scores over the seconds spent in sweeps, with two proposals and with one, to goals.txt.
goals() {
	for proposals in 2 1; do
		name="goals with $proposals proposals" log="$results/goals_with_${proposals}_proposals.log"
		step "$name" 60 "$folder/topoi" train "$1" -k 1024 --mh-steps $proposals --alpha-sum 50 --optimize-interval 0 --holdout 0.0036901 --holdout-last --device cuda \
			--tolerance 0 --iterations $((proposals == 2 ? 240 : 380)) --evaluate-every 20 --checkpoint-every 0 --json --overwrite --force -o "$folder/model"
		awk -v proposals=$proposals -F '[:,}]' '
			/"event":"start"/ { for (i = 1; i < NF; i++) if ($i == "\"tokens\"") tokens = $(i + 1) }
			/"event":"iteration"/ {
				for (i = 1; i < NF; i++) { if ($i == "\"iteration\"") n = $(i + 1); if ($i == "\"seconds\"") at[n] = $(i + 1); if ($i == "\"heldout_per_token\"") score[n] = $(i + 1) }
				last = n
			}
			END {
				printf "%d proposals, %d tokens, K = 1024: %.2f ms a sweep (61 to 80)\n", proposals, tokens, (at[80] - at[60]) / 20 * 1000
				for (n = 20; n <= last; n += 20) printf "%6d sweeps %7.3f s %9.4f\n", n, at[n], score[n]
			}' "$log" | tee -a "$results/goals.txt"
	done
}

# The sizes are a quarter of what tokens need (docs/performance.md): 31 bytes each for warp; batch at K = 1024 has its model besides.
streaming() {
	step "generate" 60 "$folder/topoi" generate --docs 270000 --words 102660 --mean-length 346 --topics 500 --quiet --overwrite -o "$folder/c.topoi"
	sweeps "warp 1024" 1024 warp
	sweeps "warp 1024, 726 MB" 1024 warp 726MB
	sweeps "warp 1024, 580 MB" 1024 warp 580MB
	sweeps "warp 1024, 460 MB" 1024 warp 460MB
	sweeps "warp 128" 128 warp
	sweeps "warp 128, 726 MB" 128 warp 726MB
	sweeps "warp 4096" 4096 warp
	sweeps "warp 4096, 729 MB" 4096 warp 729MB
	sweeps "batch 128" 128 batch
	sweeps "batch 128, 308 MB" 128 batch 308MB
	sweeps "batch 1024" 1024 batch
	sweeps "batch 1024, 1127 MB" 1024 batch 1127MB
	different=$(awk '{ sub(/,$/, "", $2); model = $(NF - 1); kind = $1 " " $2; if (kind in first && first[kind] != model) print kind; first[kind] = model }' "$results/times.txt")
	if [ -n "$different" ]; then
		tell FAILED 0 "models do not depend on memory" "$different"
	else
		tell ok 0 "models do not depend on memory"
	fi
}

case $half in
list)
	check_names
	echo "every test is there"
	exit 0
	;;
1 | 2 | 3) ;;
*) usage ;;
esac
check_names
mkdir -p "$results"
results=$(cd "$results" && pwd)
: >"$results/summary.txt"
if [ "$half" = 1 ]; then
	equalities
	sanitize
elif [ "$half" = 3 ]; then
	step "forms of warp" 500 env TOPOI_BENCH_CORPUS="${CORPUS:-}" "$folder/warp.test" -test.run '^$' -test.bench WarpForms -test.benchtime 1x -test.timeout 0
	cat "$results/forms_of_warp.log" "$results/summary.txt"
else
	: >"$results/times.txt"
	step "devices" 20 "$folder/topoi" devices
	[ -z "${CORPUS:-}" ] || goals "$CORPUS"
	streaming
	for docs in 28572 285715; do # of 350 tokens: 10 and 100 million
		"$folder/topoi" generate --docs $docs --words 50000 --mean-length 350 --topics 500 -o "$folder/$docs.topoi" --quiet
		for k in 128 1024 4096; do for sampler in warp batch auto; do
			step "$docs documents, K = $k, $sampler" 30 "$folder/topoi" train "$folder/$docs.topoi" -k $k --sampler $sampler --device cuda --holdout 0.02 \
				--iterations 200 --evaluate-every 25 --tolerance 0 --time-limit 7s --json --overwrite --force -o "$folder/run.model"
		done; done
	done
	cat "$results/summary.txt" "$results/times.txt"
fi
exit $failed
