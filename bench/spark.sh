#!/usr/bin/env bash
# A corpus of the size of the run that apache/spark PR 1983 tells of: 27.7 M tokens, 500 topics, 100 sweeps,
# there 266 minutes on 36 cores; here on two. The machines and the texts differ, so the ratio is a rough one.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
topoi generate --docs 100000 --mean-length 277 --words 75000 --topics 500 --quiet -o "$dir/spark.topoi"
time topoi train "$dir/spark.topoi" -k 500 --iterations 100 --tolerance 0 --threads 2 --device cpu -o "$dir/spark.model"
