//go:build !linux

package wholefile

// Exchange swaps two files or directories.
func Exchange(a, b string) error { return swap(a, b) }
