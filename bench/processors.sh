#!/usr/bin/env bash
# What kernels cost on processors that are not at hand.
#
#   bench/processors.sh DOCWORD.txt.gz [PYTHON-ROOT]
#
# 1. Instructions per token and sweep of an arm64 program under qemu, with kernels and with portable Go, K = 100, one
#    thread: the difference between runs of six sweeps and of two.
# 2. Instructions of a whole run until documents held out are predicted with -7.4 nats a token (KOS reaches that).
# 3. With a folder of an arm64 Python with tomotopy: the instructions per token and sweep of tomotopy.
# 4. Cycles of the kernels' innermost loops, as llvm-mca models them.
#
# Debian's packages clang-19, llvm-19 and qemu-user have what it needs.
set -euo pipefail
input=$(realpath "$1")
python=${2:-}
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

clang-19 -shared -fPIC -O2 -fvisibility=hidden -Wl,--unresolved-symbols=ignore-all \
	-o "$work/count.so" bench/processors/count.c
CGO_ENABLED=0 GOARCH=arm64 go build -trimpath -tags nocuda -o "$work/topoi" ./cmd/topoi
corpus=$work/corpus.topoi
CGO_ENABLED=0 go run ./cmd/topoi import "$input" -o "$corpus" >/dev/null 2>&1
tokens=$(CGO_ENABLED=0 go run ./cmd/topoi info "$corpus" --json | sed -n 's/.*"tokens": *\([0-9]*\).*/\1/p' | head -1)

# counted SIMD ARGUMENTS prints the number of instructions of a run.
counted() {
	local simd=$1
	shift
	rm -rf "$work/model"
	GOGC=off GOMAXPROCS=1 TOPOI_SIMD=$simd qemu-aarch64 -plugin "$work/count.so,out=$work/count" \
		"$work/topoi" study "$corpus" --topics 100 --threads 1 --seed 1 -o "$work/model" --quiet "$@" >/dev/null
	cat "$work/count"
}

# each SIMD ARGUMENTS prints the instructions per token and sweep.
each() {
	local simd=$1 few many
	shift
	few=$(counted "$simd" --iterations 2 --tolerance -1 --optimize-interval 0 --holdout-tokens 0 "$@")
	many=$(counted "$simd" --iterations 6 --tolerance -1 --optimize-interval 0 --holdout-tokens 0 "$@")
	echo $(((many - few) / 4 / tokens))
}

echo "instructions per token and sweep on arm64, $tokens tokens, K = 100"
for sampler in "cvb --cvb zero" batch warp; do
	# shellcheck disable=SC2086 # several words
	fast=$(each "" --sampler $sampler)
	# shellcheck disable=SC2086
	slow=$(each off --sampler $sampler)
	printf '%-16s NEON %6d   portable Go %6d   %s times\n' "$sampler" "$fast" "$slow" \
		"$(awk "BEGIN { printf \"%.1f\", $slow / $fast }")"
done
echo "instructions of a whole run to -7.4 held out: $(counted "" --holdout 0.1 --until-heldout -7.4)"

if [ -n "$python" ]; then
	for n in 2 6; do
		qemu-aarch64 -L "$python" -plugin "$work/count.so,out=$work/count$n" "$python/usr/bin/python3" \
			bench/processors/tomotopy.py "$input" "$n"
	done
	few=$(cat "$work/count2") many=$(cat "$work/count6")
	echo "tomotopy: $(((many - few) / 4 / tokens)) instructions per token and sweep, $few with two sweeps"
fi

echo "cycles of innermost loops, llvm-mca"
mca() {
	printf '%s, %s\n' "$1" "$3"
	"$(command -v llvm-mca-19 || echo /usr/lib/llvm-19/bin/llvm-mca)" -mtriple="$2" -mcpu="$3" "$work/loops.s" 2>/dev/null |
		awk '/Code Region/ { name = $NF } /Total Cycles/ { printf "  %-24s %6.1f\n", name, $NF / 100 }'
}
for package in $(git ls-files '*/kernel/*.c' | sed 's|/kernel/.*||' | sort -u); do
	echo "== $package"
	for target in NEON:aarch64:apple-m1 NEON:aarch64:neoverse-n1 NEON:aarch64:neoverse-v1 NEON:aarch64:neoverse-v2 \
		AVX2:x86_64:znver3 AVX2:x86_64:skylake AVX512:x86_64:skylake-avx512; do
		IFS=: read -r suffix triple processor <<<"$target"
		go run ./tools/kernels -listing "$suffix" "$package" | awk -f bench/processors/loops.awk >"$work/loops.s"
		mca "$suffix" "$triple" "$processor"
	done
done
