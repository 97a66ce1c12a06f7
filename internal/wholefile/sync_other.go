//go:build !unix

package wholefile

// SyncDir does nothing on this system.
func SyncDir(string) error { return nil }
