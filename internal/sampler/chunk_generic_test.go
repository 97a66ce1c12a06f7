//go:build !amd64 || noasm

package sampler

// chunkPaths lists the assembly that this machine can run: none.
func chunkPaths() map[string]func(*chunkArgs) { return map[string]func(*chunkArgs){} }
