//go:build !linux && !darwin && !freebsd

package disk

// Free does not know.
func Free(string) (bytes uint64, known bool) { return 0, false }

// Same does not know either, and takes them to be.
func Same(a, b string) bool { return true }
