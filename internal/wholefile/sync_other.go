//go:build !unix

package wholefile

// SyncDir does nothing: renames are the file system's affair here.
func SyncDir(string) error { return nil }
