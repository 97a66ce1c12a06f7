//go:build !amd64 || noasm

package sampler

// segmentPaths lists the assembly that this machine can run: none.
func segmentPaths() map[string]func(*segmentArgs) { return map[string]func(*segmentArgs){} }
