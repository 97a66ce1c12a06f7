//go:build !linux && !darwin

package machine

// Memory returns 0: the amount is not known.
func Memory() uint64 { return 0 }
