// Package spool keeps bytes that are written once and read often in a temporary file.
package spool

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
)

// Spool is a temporary file that is written once from front to back, then read in the same way as often as
// needed. The first megabyte stays in memory, so that small spools never touch the disk.
type Spool struct {
	dir    string
	buffer []byte
	file   *Scratch
	size   int64 // bytes written to file
}

const spoolBuffer = 1 << 20

// New returns a spool whose file is in dir.
func New(dir string) *Spool { return &Spool{dir: dir} }

// Write appends p.
func (s *Spool) Write(p []byte) (int, error) {
	if len(s.buffer)+len(p) > spoolBuffer {
		if err := s.flush(p); err != nil {
			return 0, err
		}
		return len(p), nil
	}
	if s.buffer == nil {
		s.buffer = make([]byte, 0, min(spoolBuffer, max(4096, 4*len(p))))
	}
	s.buffer = append(s.buffer, p...)
	return len(p), nil
}

// flush moves the buffer, then p, to the file.
func (s *Spool) flush(p []byte) error {
	if s.file == nil {
		f, err := Create(s.dir, ".topoi-*.tmp")
		if err != nil {
			return err
		}
		s.file = f
	}
	for _, part := range [][]byte{s.buffer, p} {
		n, err := s.file.Write(part)
		s.size += int64(n)
		if err != nil {
			return err
		}
	}
	s.buffer = s.buffer[:0]
	return nil
}

// Reader returns a reader from the start. Nothing may be written while it is in use.
func (s *Spool) Reader() io.Reader {
	if s.file == nil {
		return bytes.NewReader(s.buffer)
	}
	return io.MultiReader(
		bufio.NewReaderSize(io.NewSectionReader(s.file, 0, s.size), spoolBuffer),
		bytes.NewReader(s.buffer),
	)
}

// WriteTo copies everything to w.
func (s *Spool) WriteTo(w io.Writer) (int64, error) { return io.Copy(w, s.Reader()) }

// Close releases the disk space.
func (s *Spool) Close() error {
	err := s.file.Close()
	s.buffer, s.file = nil, nil
	return err
}

// Scratch is a temporary file. If the system allows it, it has no name and vanishes with the process, however that
// ends.
type Scratch struct {
	*os.File
	named bool // it could not be unlinked while open
}

// Create makes a temporary file in dir.
func Create(dir, pattern string) (*Scratch, error) {
	f, err := os.CreateTemp(dir, pattern)
	if err != nil {
		return nil, err
	}
	return &Scratch{f, os.Remove(f.Name()) != nil}, nil
}

// Close removes the file, if there is one.
func (s *Scratch) Close() error {
	if s == nil {
		return nil
	}
	err := s.File.Close()
	if s.named {
		err = errors.Join(err, os.Remove(s.Name()))
	}
	return err
}
