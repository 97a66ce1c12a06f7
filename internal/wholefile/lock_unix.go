//go:build unix && !solaris && !aix

package wholefile

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// canLock says whether this system has locks that end with their process.
const canLock = true

// lock locks a file or directory until it is closed, and says whether it has, and whether
// somebody else has; neither on file systems without locks.
func lock(f *os.File) (locked, taken bool) {
	err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	return err == nil, errors.Is(err, unix.EWOULDBLOCK)
}
