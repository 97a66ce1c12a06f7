//go:build !linux

package child

import "os/exec"

// setAttributes does nothing where the kernel offers no such thing.
func setAttributes(*exec.Cmd) {}
