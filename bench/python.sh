#!/bin/sh
# What Python adds to the command line on eLife (20 million tokens, when ../shared/data has
# it), and the memory from AnnData to theta of 100,000 cells by 150,000 regions. Keeps the
# result in bench/results/python.txt. Needs Python with anndata, and 8 GB of disk for a while:
#   bench/python.sh [DIR]
set -eu
cd "$(dirname "$0")/.."
root=$PWD
elife=$root/../shared/data/elife
dir=${1:-$(mktemp -d)}
python=${PYTHON:-/usr/bin/python3}
mkdir -p bench/results "$dir/tmp"
go build -trimpath -o "$dir/topoi" ./cmd/topoi
export TOPOI_BINARY="$dir/topoi" PYTHONPATH="$root/python/src:$root/bench/python" PYTHONDONTWRITEBYTECODE=1 TMPDIR="$dir/tmp"

if [ -e "$elife/docword.elife20.txt.zst" ] && [ ! -e "$dir/elife.topoi" ]; then
	"$dir/topoi" import "$elife/docword.elife20.txt.zst" --vocab "$elife/vocab.elife20.txt" -o "$dir/elife.topoi" --quiet
fi
if [ ! -e "$dir/cells.topoi" ]; then
	"$dir/topoi" generate --docs 100000 --words 150000 --mean-length "${FRAGMENTS:-2500}" --topics 50 --beta-sum 20000 -o "$dir/cells.topoi" --quiet
fi
{
	date -u '+%Y-%m-%d %H:%M UTC'
	printf '%s, %s, %s cores\n\n' "$(go version | cut -d' ' -f3)" "$("$python" --version)" "$(nproc)"
	[ ! -e "$dir/elife.topoi" ] || "$python" bench/python/overhead.py "$dir/elife.topoi" "${SWEEPS:-50}" "${ROUNDS:-2}"
	echo
	"$python" bench/python/cells.py "$dir/cells.topoi" "$dir" 50 "${CELL_SWEEPS:-10}" "${MEMORY:-300MB}"
} | tee "$root/bench/results/python.txt"
