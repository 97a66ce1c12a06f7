//go:build arm64 && !noasm

package rng

// fillPaths lists the ways to fill that this machine can run.
func fillPaths() map[string]fillFunc {
	return map[string]fillFunc{"go": Key.fillGo, "neon": inWholeSteps(8, fillNEON)}
}
