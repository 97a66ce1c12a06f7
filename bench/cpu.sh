#!/bin/sh
# Runs the CPU benchmarks: time to held-out scores and joint likelihoods,
# tokens/s, peak memory and the gain from a second thread, on generated corpora
# and on ../shared/data when it is there, each beside the yardstick. Writes
# bench/results/cpu.json, cpu.txt and cpu.svg. About half an hour; with -quick a minute.
#   bench/cpu.sh [-quick] [-only NAME,…] [-data DIR] [-yardstick DIR]
set -eu
cd "$(dirname "$0")/.."
mkdir -p bench/results
go run ./bench/cpu "$@"
