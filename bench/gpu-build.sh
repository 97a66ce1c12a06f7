#!/bin/sh
# Builds what bench/gpu-checks.sh needs into a folder: topoi and the tests that use a GPU, without cgo,
# stripped and compressed, so that they can be carried to a machine with nothing but a driver.
#   bench/gpu-build.sh FOLDER
set -eu
if [ $# -ne 1 ]; then
	echo "usage: bench/gpu-build.sh FOLDER" >&2
	exit 2
fi
mkdir -p "$1"
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
export CGO_ENABLED=0
strip="-s -w"
go build -trimpath -ldflags "$strip" -o "$folder/topoi" ./cmd/topoi
for package in cuda device engine sampler/warp sampler/batch sampler/grid sampler/mean sampler/cvb sampler/registry sampler/fold; do
	go test -c -trimpath -ldflags "$strip" -o "$folder/${package##*/}.test" "./internal/$package"
done
go test -c -trimpath -ldflags "$strip" -o "$folder/train.test" ./train
go test -c -trimpath -ldflags "$strip" -o "$folder/cluster.test" ./cluster
gzip -9 -f "$folder/topoi" "$folder"/*.test
cp bench/gpu-checks.sh "$folder/"
"$folder/gpu-checks.sh" "$folder" list
du -sh "$folder"
