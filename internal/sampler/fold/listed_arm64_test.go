//go:build arm64 && !noasm

package fold

// listedPaths lists the kernels that this machine can run.
func listedPaths() map[string]listedPath {
	return map[string]listedPath{"neon": {wordsNEON, spreadNEON}}
}
