//go:build linux || darwin || freebsd

package machine

import "golang.org/x/sys/unix"

// DiskFree returns the bytes that the user may still write in the file system of dir, and whether that is known.
func DiskFree(dir string) (bytes uint64, known bool) {
	var s unix.Statfs_t
	if unix.Statfs(dir, &s) != nil {
		return 0, false
	}
	return uint64(max(0, int64(s.Bavail))) * uint64(s.Bsize), true
}

// SameDisk reports whether two directories are in the same file system.
func SameDisk(a, b string) bool {
	var x, y unix.Stat_t
	return unix.Stat(a, &x) == nil && unix.Stat(b, &y) == nil && x.Dev == y.Dev
}
