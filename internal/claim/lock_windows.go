package claim

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// Renames reports that this system does not rename files that are open.
const Renames = false

// Lock is LockFileEx on a byte far beyond the content: other processes cannot read what is locked, and the record of
// the owner is for them.
func Lock(f *os.File, shared bool) (locked, taken bool) {
	flags := uint32(windows.LOCKFILE_FAIL_IMMEDIATELY)
	if !shared {
		flags |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	err := windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, &windows.Overlapped{OffsetHigh: 1 << 30})
	return err == nil, errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING)
}
