package corpus

import (
	"io"
	"os"
)

// mappedFile is the content of an open file, in a memory map where the system
// has them and in ordinary memory elsewhere.
type mappedFile struct {
	path  string
	data  []byte
	unmap func() error // nil for ordinary memory
}

// Close releases the content. It may be called twice.
func (m *mappedFile) Close() error {
	unmap := m.unmap
	m.data, m.unmap = nil, nil
	if unmap == nil {
		return nil
	}
	return unmap()
}

// readFile is mapFile for systems, and files, that cannot be mapped.
func readFile(f *os.File, size int64) (*mappedFile, error) {
	data := alignedBytes(int(size))
	if _, err := io.ReadFull(f, data); err != nil {
		return nil, err
	}
	return &mappedFile{data: data}, nil
}
