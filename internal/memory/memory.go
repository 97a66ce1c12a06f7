// Package memory tells how much memory the machine has, so that what cannot fit
// is refused before it is tried.
package memory

// Total returns the bytes of physical memory, or 0 when that is not known.
func Total() uint64 { return total() }
