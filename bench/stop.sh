#!/bin/sh
# When training stops, and what learned priors bring: see bench/stop/main.go. Arguments are passed on, such as
#   bench/stop.sh stop/kos/50
# The last result is bench/results/stop.txt.
cd "$(dirname "$0")/.." && exec go run ./bench/stop "$@"
