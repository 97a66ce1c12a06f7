//go:build !linux

package alloc

// HugePages does nothing: this system chooses its pages itself.
func HugePages[T any]([]T) {}
