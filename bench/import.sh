#!/bin/sh
# Measures importing (MB/s and peak memory) on inputs it generates, 200 MB and
# 2 GB of UCI and of text, and on real English text when ../shared/data has it.
# Keeps the result in bench/results/import.txt. Needs 8 GB of disk for a while:
#   bench/import.sh [-mb 2000] [-dir DIR] [-threads N] [-text FILE]
set -eu
cd "$(dirname "$0")/.."
mkdir -p bench/results
go build -o "${TMPDIR:-/tmp}/topoi-bench-import" ./bench/import
{
	date -u '+%Y-%m-%d %H:%M UTC'
	"${TMPDIR:-/tmp}/topoi-bench-import" "$@"
} | tee bench/results/import.txt
