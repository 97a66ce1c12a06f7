package machine

import "golang.org/x/sys/unix"

// Memory returns the bytes of physical memory, or 0 when that is not known.
func Memory() uint64 {
	n, err := unix.SysctlUint64("hw.memsize")
	if err != nil {
		return 0
	}
	return n
}
