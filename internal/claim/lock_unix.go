//go:build unix && !solaris && !aix

package claim

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// Renames reports whether this system has locks that end with their process and lets locked files be
// renamed and removed.
const Renames = true

// Lock locks a file or directory until it is closed. It reports whether it is locked now, and whether
// somebody else has it; neither on file systems without locks.
func Lock(f *os.File, shared bool) (locked, taken bool) {
	how := unix.LOCK_EX
	if shared {
		how = unix.LOCK_SH
	}
	err := unix.Flock(int(f.Fd()), how|unix.LOCK_NB)
	return err == nil, errors.Is(err, unix.EWOULDBLOCK)
}
