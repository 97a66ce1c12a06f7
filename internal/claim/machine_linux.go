package claim

import (
	"bytes"
	"fmt"
	"os"
	"slices"

	"golang.org/x/sys/unix"
)

// localKinds are file systems that one running system at a time has mounted: whoever can reach a file there sees its
// lock. They are magic numbers of statfs(2).
var localKinds = []int64{
	unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.TMPFS_MAGIC, unix.RAMFS_MAGIC,
	unix.OVERLAYFS_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC, unix.MSDOS_SUPER_MAGIC, unix.EXFAT_SUPER_MAGIC,
	0x2fc12fc1, // ZFS
	0xca451a4e, // bcachefs
}

// local reports whether all who can reach a directory see each other's locks.
func local(dir string) bool {
	var s unix.Statfs_t
	return unix.Statfs(dir, &s) == nil && slices.Contains(localKinds, int64(uint32(s.Type)))
}

// machine identifies the running system and the mount through which it sees a file. A lock that this mount gives is
// seen by everybody on the same machine. Host names do not tell: cloned machines and containers share them. It returns
// "" if the system does not tell; nobody is on that machine.
func machine(f *os.File) string {
	var s unix.Stat_t
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil || unix.Fstat(int(f.Fd()), &s) != nil {
		return ""
	}
	return fmt.Sprintf("%s/%x", bytes.TrimSpace(boot), s.Dev)
}
