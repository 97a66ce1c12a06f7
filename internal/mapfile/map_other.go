//go:build !unix

package mapfile

import "os"

// mapFile reads the file.
func mapFile(f *os.File, size int) (*File, error) { return readFile(f, size) }

// forget does nothing.
func forget([]byte) {}
