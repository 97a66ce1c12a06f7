//go:build !linux

package sampler

// hugePages does nothing: this system chooses its pages itself.
func hugePages([]int32) {}
