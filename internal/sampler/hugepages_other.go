//go:build !linux

package sampler

// HugePages does nothing: this system chooses its pages itself.
func HugePages[T any]([]T) {}
