//go:build !unix

package corpus

import (
	"errors"
	"os"
)

// mapFile reads the whole file.
func mapFile(f *os.File, size int64) (*mappedFile, error) {
	if int64(int(size)) != size {
		return nil, errors.New("the file is larger than this machine can address")
	}
	return readFile(f, size)
}
