//go:build !linux

package sampler

// hugePages does nothing: this system chooses its pages itself.
func hugePages[T int32 | uint16 | uint32 | uint64 | topicCell]([]T) {}
