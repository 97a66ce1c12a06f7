#!/usr/bin/env bash
# stores.sh: what object stores cost those who have files. It compares this tree with one in which a stub
# stands in for internal/remote: the packages that are built, processor seconds of cold builds, of compiling that
# package alone and of 200 starts, and the program's size. It writes bench/results/stores.txt.
# Usage: bench/stores.sh [COLD BUILDS OF EACH, such as 3; 0 builds from the usual cache]
set -euo pipefail
cd "$(dirname "$0")/.."
repeats=${1:-3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/stub.go" <<'GO'
package remote

import (
	"context"
	"errors"

	"github.com/topoi-lda/topoi/internal/objects"
)

var errNone = errors.New("no object stores")

type Object struct {
	objects.Object
	objects.Info
}

func (*Object) ReadRange([]byte, int64) error { return errNone }
func Until(context.Context) (restore func())  { return func() {} }
func Open(string) (*Object, error)            { return nil, errNone }
func Stat(string) (objects.Info, error)       { return objects.Info{}, errNone }
func List(string) ([]objects.Info, error)     { return nil, errNone }
func IsFolder(string) (bool, error)           { return false, errNone }
func Store(_, _, _ string) error              { return errNone }
func Fetch(_, _ string) error                 { return errNone }
GO
for file in internal/remote/*.go; do
	case $file in
	*_test.go) continue ;;
	*/remote.go) by=$work/stub.go ;;
	*) by= ;;
	esac
	printf '"%s/%s":"%s"\n' "$PWD" "$file" "$by"
done | paste -sd, | sed 's/.*/{"Replace":{&}}/' >"$work/without.json"

# processor prints the processor seconds of a command.
processor() {
	local TIMEFORMAT='%U %S'
	{ time "$@" >/dev/null 2>&1; } 2>&1 | awk '{print $1 + $2}'
}
build() { # NAME OVERLAY
	go build -overlay "$2" -o "$work/$1" ./cmd/topoi
}
cold() {
	rm -rf "$work/cache"
	GOCACHE=$work/cache build "$@"
}
compile() { # OVERLAY NUMBER, which makes the Go tool compile the package again
	go build -overlay "$1" -gcflags="github.com/topoi-lda/topoi/internal/remote=-D=$2" ./internal/remote
}
starts() { for _ in $(seq 20); do "$work/$1" --version; done; }

echo '{"Replace":{}}' >"$work/with.json"
for name in with without; do
	build $name "$work/$name.json"
	go list -deps -overlay "$work/$name.json" ./cmd/topoi >"$work/packages"
	echo "packages $name $(wc -l <"$work/packages")"
	echo "size $name $(stat -c %s "$work/$name")"
done >"$work/times"
for _ in $(seq "$repeats"); do
	for name in with without; do echo "build $name $(processor cold $name "$work/$name.json")"; done
done >>"$work/times"
for i in $(seq 10); do
	for name in with without; do
		echo "compile $name $(processor compile "$work/$name.json" "$RANDOM$i")"
		echo "start $name $(processor starts $name)"
	done
done >>"$work/times"

awk '{ v[$1, $2, ++n[$1, $2]] = $3 }
function middle(kind, name,   list, i, m) { # the median
	m = n[kind, name]
	for (i = 1; i <= m; i++) list[i] = v[kind, name, i]
	for (i = 2; i <= m; i++) for (j = i; j > 1 && list[j] < list[j - 1]; j--) { t = list[j]; list[j] = list[j - 1]; list[j - 1] = t }
	return (list[int((m + 1) / 2)] + list[int(m / 2) + 1]) / 2
}
function row(what, kind, unit, scale,   a, b) {
	if (!n[kind, "with"]) return
	a = middle(kind, "with") * scale; b = middle(kind, "without") * scale
	printf "%-28s %8.2f %s %8.2f %s %7.3f\n", what, a, unit, b, unit, a / b
}
END {
	printf "%-28s %11s %11s %7s\n", "median", "with", "without", "ratio"
	row("packages", "packages", "  ", 1)
	row("cold build, processor time", "build", "s ", 1)
	row("compiling internal/remote", "compile", "s ", 1)
	row("start, processor time", "start", "ms", 50)
	row("size of the program", "size", "MB", 1e-6)
}' "$work/times" | tee bench/results/stores.txt
