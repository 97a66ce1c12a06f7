//go:build (!amd64 && !arm64) || noasm

package rng

// fillPaths lists the ways to fill that this machine can run: one.
func fillPaths() map[string]fillFunc { return map[string]fillFunc{"go": Key.fillGo} }
