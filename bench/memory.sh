#!/bin/sh
# Measures training within a memory budget on 100 M generated tokens of a million
# words: K = 1,000 in memory and in a quarter of that, in turns, and killed on the way; a
# million topics in 6 GiB and in 3. Keeps the result in bench/results/memory.txt. About
# nine minutes on two cores, and 5 GB of disk:
#   bench/memory.sh [-tokens 100] [-sweeps 4] [-rounds 4] [-sampler warp] [-dir DIR] [-corpus FILE]
# For light, which takes longer, -sampler light -rounds 0 -sweeps 2 -less '' will do.
set -eu
cd "$(dirname "$0")/.."
mkdir -p bench/results
{
	date -u '+%Y-%m-%d %H:%M UTC'
	go run ./bench/memory "$@"
} | tee bench/results/memory.txt
