package wholefile

import (
	"os"

	"golang.org/x/sys/unix"
)

// beginWriting asks the disk to begin writing n bytes of a file. It is a hint.
func beginWriting(f *os.File, from, n int64) {
	_ = unix.SyncFileRange(int(f.Fd()), from, n, unix.SYNC_FILE_RANGE_WRITE)
}
