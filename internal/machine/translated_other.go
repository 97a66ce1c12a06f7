//go:build !darwin

package machine

// Translated reports whether this program is one for another processor that the system translates: on macOS alone.
func Translated() bool { return false }
