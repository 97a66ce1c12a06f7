package machine

import "golang.org/x/sys/unix"

// Memory returns the bytes of physical memory, or 0 when that is not known.
func Memory() uint64 {
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err != nil {
		return 0
	}
	return uint64(info.Totalram) * uint64(info.Unit)
}
