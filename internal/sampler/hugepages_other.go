//go:build !linux

package sampler

// hugePages does nothing: this system chooses its pages itself.
func hugePages[T byte | int32 | uint16 | uint32 | uint64 | topicCell]([]T) {}

// HugePages does nothing either.
func HugePages([]byte) {}
