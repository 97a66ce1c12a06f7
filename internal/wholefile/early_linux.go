package wholefile

import (
	"os"

	"golang.org/x/sys/unix"
)

// beginWriting has the disk begin with n bytes of a file. Where that cannot be done nothing is lost.
func beginWriting(f *os.File, from, n int64) {
	_ = unix.SyncFileRange(int(f.Fd()), from, n, unix.SYNC_FILE_RANGE_WRITE)
}
