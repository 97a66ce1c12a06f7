//go:build !linux

package ondisk

import "os"

// wantSoon does nothing: the system reads when it is asked to.
func wantSoon(*os.File) {}

// writeSoon does nothing: the system writes when it likes.
func writeSoon(*os.File) {}
