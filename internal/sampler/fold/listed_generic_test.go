//go:build (!amd64 && !arm64) || noasm

package fold

// listedPaths lists the kernels that this machine can run: none.
func listedPaths() map[string]listedPath { return nil }
