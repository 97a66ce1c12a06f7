package wholefile

import (
	"os"

	"golang.org/x/sys/unix"
)

// BeginWriting asks the disk to begin writing n bytes of a file; 0: all after from. It is a hint.
func BeginWriting(f *os.File, from, n int64) {
	_ = unix.SyncFileRange(int(f.Fd()), from, n, unix.SYNC_FILE_RANGE_WRITE)
}
