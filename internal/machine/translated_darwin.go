package machine

import "golang.org/x/sys/unix"

// Translated reports whether this program is one for Intel processors that macOS translates for its own.
func Translated() bool {
	n, err := unix.SysctlUint32("sysctl.proc_translated")
	return err == nil && n == 1
}
