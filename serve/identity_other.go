//go:build !unix

package serve

import "io/fs"

// identity tells a file from another one of the same size and time.
func identity(fs.FileInfo) string { return "" }
