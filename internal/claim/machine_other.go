//go:build !linux

package claim

import "os"

// local reports that locks can be trusted: which file system a directory is on is known on Linux alone.
func local(string) bool { return true }

// machine returns the host name. Without a name all machines are one.
func machine(*os.File) string {
	host, _ := os.Hostname()
	return "host " + host
}
