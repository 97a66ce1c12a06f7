#!/bin/sh
# Installs topoi: finds the archive for this system, compares its SHA-256 sum, and unpacks it.
#
#   curl -fsSL https://github.com/topoi-lda/topoi/releases/latest/download/install.sh | sh
#
# TOPOI_VERSION  which version, such as v0.1.0 (default: the newest)
# TOPOI_PREFIX   where to install (default: ~/.local)
# TOPOI_FROM     a directory or an address that has the archives (default: the releases)
set -eu

fail() {
	echo "install.sh: $*" >&2
	exit 1
}

releases=https://github.com/topoi-lda/topoi/releases
prefix=${TOPOI_PREFIX:-$HOME/.local}
from=${TOPOI_FROM:-}
if [ -z "$from" ]; then
	from=$releases/latest/download
	[ -z "${TOPOI_VERSION:-}" ] || from=$releases/download/$TOPOI_VERSION
fi

case $(uname -s) in
Linux) system=linux ;;
Darwin) system=macos ;;
*) fail "there is no archive for $(uname -s) that this script knows: see $releases" ;;
esac
case $(uname -m) in
x86_64 | amd64) system=$system-amd64 ;;
aarch64 | arm64) system=$system-arm64 ;;
*) fail "there is no archive for the processor $(uname -m): build from source with Go" ;;
esac
case $system in
linux-*) # without glibc the driver of a GPU cannot be opened
	if ! ldd --version 2>&1 | grep -qiE 'glibc|gnu libc'; then system=$system-static; fi
	;;
esac

# get NAME: fetches a file into the temporary directory.
get() {
	case $from in
	http://* | https://*)
		if command -v curl >/dev/null; then
			curl -fsSL -o "$dir/$1" "$from/$1"
		elif command -v wget >/dev/null; then
			wget -q -O "$dir/$1" "$from/$1"
		else
			fail "neither curl nor wget is installed: install one of them"
		fi
		;;
	*) cp "$from/$1" "$dir/$1" ;;
	esac || fail "$from/$1 could not be fetched: check the address and the network"
}

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
get SHA256SUMS
archive=$(sed -n "s/^[0-9a-f]\{64\}  \(topoi-v[^/]*-$system\.tar\.gz\)\$/\1/p" "$dir/SHA256SUMS")
[ -n "$archive" ] || fail "$from/SHA256SUMS names no archive for $system"
get "$archive"

if command -v sha256sum >/dev/null; then
	sum=$(sha256sum "$dir/$archive")
elif command -v shasum >/dev/null; then
	sum=$(shasum -a 256 "$dir/$archive")
else
	fail "neither sha256sum nor shasum is installed, so that the archive cannot be checked"
fi
grep -q "^${sum%% *}  $archive\$" "$dir/SHA256SUMS" ||
	fail "the sum of $archive is not the one in SHA256SUMS: nothing was installed. Try again later"

tar xzf "$dir/$archive" -C "$dir"
tree=$dir/${archive%.tar.gz}
mkdir -p "$prefix/bin" "$prefix/share"
cp "$tree/topoi" "$prefix/bin/.topoi.new" # renamed below, so that there is always a whole program
chmod 755 "$prefix/bin/.topoi.new"
mv -f "$prefix/bin/.topoi.new" "$prefix/bin/topoi"
[ ! -d "$tree/share" ] || cp -R "$tree/share/." "$prefix/share/"

echo "installed $("$prefix/bin/topoi" version) as $prefix/bin/topoi"
case :$PATH: in
*:"$prefix/bin":*) echo "Next: topoi doctor" ;;
*) echo "Next: put $prefix/bin into your PATH, then run: topoi doctor" ;;
esac
