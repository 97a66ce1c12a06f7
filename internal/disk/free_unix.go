//go:build linux || darwin || freebsd

package disk

import "golang.org/x/sys/unix"

// Free returns how many bytes can be written into dir, and whether that is known.
func Free(dir string) (bytes uint64, known bool) {
	var s unix.Statfs_t
	if unix.Statfs(dir, &s) != nil {
		return 0, false
	}
	return uint64(max(0, int64(s.Bavail))) * uint64(s.Bsize), true
}
