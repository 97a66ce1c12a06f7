package ondisk

import (
	"os"

	"golang.org/x/sys/unix"
)

// wantSoon asks the system to begin reading a file. It is a hint.
func wantSoon(f *os.File) { _ = unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_WILLNEED) }
