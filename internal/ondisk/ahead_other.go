//go:build !linux

package ondisk

import "os"

// wantSoon does nothing on this system.
func wantSoon(*os.File) {}
