#!/usr/bin/env bash
# A data set in an object store, many machines of 1 GiB, and the same bytes as one machine: SIZE bytes of Parquet
# (20GB, 200MB, …) in a local S3 server are imported by four processes, trained by four workers that are killed at
# random, and get their topics as Parquet. It needs neither Go nor a network, but programs in the folder BIN:
#
#	go build -o BIN/topoi ./cmd/topoi
#	go -C bench test -c -o BIN/lake.test ./lake
#	go -C internal/remote/storetest build -o BIN/versitygw github.com/versity/versitygw/cmd/versitygw
#	cp "$(command -v redis-server)" BIN
#
# bench/lake.sh SIZE [data] [import] [train] [infer] [compare]: without names of steps all of them, in this order. What a
# step leaves is in LAKE_DIR (default ./lake.out), so that each can be a call of its own.
# LAKE_MEMORY (MiB, default 1024) bounds every process, LAKE_THREADS (default 2) its threads, LAKE_SWEEPS (default 30).
# A text's words are a twentieth of its row, as they are where pages are kept beside their texts: four workers of 1 GiB
# hold about 160 million tokens in all, whatever the size of the rows.
set -euo pipefail
size=${1:?usage: bench/lake.sh SIZE [STEP...]}
shift
steps=("$@")
[ ${#steps[@]} -gt 0 ] || steps=(data import train infer compare)
bytes=$(numfmt --from=si "${size%B}")
dir=${LAKE_DIR:-lake.out}
bin=$(cd "${BIN:-bin}" && pwd)
memory=${LAKE_MEMORY:-1024} threads=${LAKE_THREADS:-2} sweeps=${LAKE_SWEEPS:-30}
mkdir -p "$dir/s3/bucket" "$dir/side" "$dir/tmp"
dir=$(cd "$dir" && pwd)
export PATH=$bin:$PATH TMPDIR=$dir/tmp GOMEMLIMIT=$((memory * 7 / 8))MiB
export AWS_ACCESS_KEY_ID=user AWS_SECRET_ACCESS_KEY=secret AWS_REGION=us-east-1 AWS_CONFIG_FILE=/none AWS_SHARED_CREDENTIALS_FILE=/none
port=$((20000 + RANDOM % 20000))
export AWS_ENDPOINT_URL=http://127.0.0.1:$port TOPOI_STORE=redis://127.0.0.1:$((port + 1))
children=()
cleanup() { kill -9 "${children[@]}" 2>/dev/null || true; }
trap cleanup EXIT

env -u GOMEMLIMIT ROOT_ACCESS_KEY=user ROOT_SECRET_KEY=secret versitygw --port "127.0.0.1:$port" --quiet posix --sidecar "$dir/side" "$dir/s3" >"$dir/versitygw.log" 2>&1 &
children+=($!)
for _ in $(seq 100); do
	(exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && break
	sleep 0.1
done

# measured NAME COMMAND… runs a command and notes the most memory that it had.
measured() {
	local name=$1 most=0 now
	shift
	"$@" &
	local pid=$!
	children+=("$pid")
	echo "$pid" >"$dir/${name%% *}.${name##* }.pid"
	while kill -0 "$pid" 2>/dev/null; do
		now=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$pid/status" 2>/dev/null || true)
		most=$((${now:-0} > most ? ${now:-0} : most))
		sleep 0.1
	done
	local code=0
	wait "$pid" || code=$?
	echo "$name: $((most / 1024)) MiB at most, exit code $code" | tee -a "$dir/peaks.txt"
	return $code
}

step_data() {
	env -u GOMEMLIMIT LAKE_TO=s3://bucket/lake LAKE_BYTES="$bytes" lake.test -test.run TestGenerate -test.v -test.timeout 1h | grep -v '^=== '
	du -sh "$dir/s3/bucket/lake"
}

step_import() {
	local begin=$SECONDS pids=() i
	for i in 1 2 3 4; do
		measured "import of part $i" topoi import s3://bucket/lake/ --part "$i/4" --columns lang --threads "$threads" --overwrite -o "s3://bucket/parts/$i.topoi" --quiet &
		pids+=($!)
	done
	for i in "${pids[@]}"; do wait "$i"; done
	echo "parts: $((SECONDS - begin)) s"
	measured "joining parts" topoi import s3://bucket/parts/{1,2,3,4}.topoi --min-df 5 --threads "$threads" --overwrite -o s3://bucket/lake.topoi --quiet
	echo "import: $((SECONDS - begin)) s"
	topoi info s3://bucket/lake.topoi | sed -n 1,5p
}

step_train() {
	env -u GOMEMLIMIT redis-server --port $((port + 1)) --save '' --appendonly no --daemonize no >"$dir/redis.log" 2>&1 &
	children+=($!)
	for _ in $(seq 100); do
		(exec 3<>"/dev/tcp/127.0.0.1/$((port + 1))") 2>/dev/null && break
		sleep 0.1
	done
	local begin=$SECONDS kills=0 pids=() name=() i
	measured submit topoi cluster submit s3://bucket/lake.topoi -k 100 --sampler warp --iterations "$sweeps" --tolerance 0 --job lake --workers 4 --memory "${memory}MiB" \
		--threads "$threads" --lease 3s --layout parts=8 --quiet
	worker() { measured "worker $1" topoi cluster work --job lake --memory "${memory}MiB" --threads "$threads" --device cpu --name "w$1" --log none; }
	for i in 1 2 3 4; do
		worker "$i" &
		pids[i]=$! name[i]=$i
	done
	until topoi cluster status --job lake --json 2>/dev/null | grep -q '"complete": *true'; do
		sleep $((2 + RANDOM % 6))
		i=$((1 + RANDOM % 4))
		if [ "$kills" -lt "${LAKE_KILLS:-5}" ] && kill -9 "$(cat "$dir/worker.${name[i]}.pid")" 2>/dev/null; then
			kills=$((kills + 1))
			wait "${pids[i]}" || true
			name[i]=$i.$kills
			worker "${name[i]}" &
			pids[i]=$!
		fi
	done
	for i in "${pids[@]}"; do wait "$i" || true; done
	measured "result (needs the topics of all tokens)" env -u GOMEMLIMIT topoi cluster result --job lake --overwrite -o s3://bucket/lake.model --quiet
	echo "training: $((SECONDS - begin)) s, $kills workers killed"
}

# Four machines take two days each. The first is killed and goes on.
step_infer() {
	local begin=$SECONDS pids=() i
	days() { # days MACHINE [FLAG]
		local day tries
		for day in $((2 * $1 - 1)) $((2 * $1)); do
			for tries in 1 2 3; do
				measured "infer of day $day" topoi infer s3://bucket/lake.model "s3://bucket/lake/day=2026-11-0$day/" --columns lang --top 5 --threads "$threads" \
					--device cpu -o "s3://bucket/topics/day=2026-11-0$day/" --incremental "${@:2}" && break
			done
		done
	}
	for i in 1 2 3 4; do
		days "$i" --quiet &
		pids+=($!)
	done
	sleep $((8 + RANDOM % 8))
	kill -9 "$(cat "$dir/infer.1.pid")" 2>/dev/null || true
	for i in "${pids[@]}"; do wait "$i"; done
	echo "infer: $((SECONDS - begin)) s"
	begin=$SECONDS
	for i in 1 2 3 4; do days "$i"; done
	echo "infer again: $((SECONDS - begin)) s"
}

# The same by one machine from files, in the server's own folder.
step_compare() {
	local one=$dir/one begin=$SECONDS
	unset GOMEMLIMIT
	mkdir -p "$one"
	topoi import "$dir/s3/bucket/lake/" --columns lang --min-df 5 --overwrite -o "$one/lake.topoi" --quiet
	cmp "$one/lake.topoi" "$dir/s3/bucket/lake.topoi" && echo 'the corpus has the same bytes'
	topoi train "$one/lake.topoi" -k 100 --sampler warp --iterations "$sweeps" --tolerance 0 --overwrite -o "$one/lake.model" --quiet
	for f in "$one"/lake.model/*; do
		[[ ${f##*/} = @(manifest|run).json ]] || cmp "$f" "$dir/s3/bucket/lake.model/${f##*/}"
	done
	echo 'the model has the same bytes'
	topoi infer "$one/lake.model" "$dir/s3/bucket/lake/" --columns lang --top 5 --device cpu -o "$one/topics/" --overwrite --quiet
	diff -r --exclude=_topoi.json "$one/topics" "$dir/s3/bucket/topics" && echo 'the topics have the same bytes'
	echo "one machine: $((SECONDS - begin)) s"
}

for step in "${steps[@]}"; do "step_$step"; done
