package ondisk

import (
	"os"

	"golang.org/x/sys/unix"
)

// wantSoon has the system begin to read a file. It is a hint.
func wantSoon(f *os.File) { _ = unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_WILLNEED) }

// writeSoon has the system begin to write what a file has in the cache. It is a
// hint.
func writeSoon(f *os.File) {
	_ = unix.SyncFileRange(int(f.Fd()), 0, 0, unix.SYNC_FILE_RANGE_WRITE)
}
