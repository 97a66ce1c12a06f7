package wholefile

import (
	"errors"

	"golang.org/x/sys/unix"
)

// Exchange swaps two files or directories in one step, so that there is no moment without one at b.
func Exchange(a, b string) error {
	err := unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
	if errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EINVAL) { // old kernels, some file systems
		return swap(a, b)
	}
	return err
}
