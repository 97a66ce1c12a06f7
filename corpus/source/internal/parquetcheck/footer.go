package parquetcheck

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

const (
	magic    = "PAR1"
	tailSize = 4 + len(magic) // the length of the footer and the magic
)

// Footer checks the footer of a file of the given size: that it lies in the file, that its lists and texts
// lie in it, and that neither its structures nor the columns it describes are nested without end.
func Footer(r io.ReaderAt, size int64) error {
	var tail [tailSize]byte
	_, err := r.ReadAt(tail[:], max(0, size-int64(tailSize)))
	switch end := string(tail[4:]); {
	case err == nil && end == "PARE":
		return errors.New("it is encrypted")
	case err != nil || end != magic:
		return errors.New("it does not end as one does")
	}
	length := int64(binary.LittleEndian.Uint32(tail[:]))
	begin := size - int64(tailSize) - length
	if begin < int64(len(magic)) {
		return fmt.Errorf("its footer claims %d bytes and the file has %d", length, size)
	}
	footer := make([]byte, length)
	if _, err := r.ReadAt(footer, begin); err != nil {
		return err
	}
	var s schema
	if _, err := walk(footer, s.see); err != nil {
		return fmt.Errorf("its footer is damaged: %w", err)
	}
	if s.tooDeep {
		return fmt.Errorf("its columns are nested more than %d deep", maxDepth)
	}
	return nil
}

// schema follows how deep columns are nested. A footer lists them in order, each with the number of
// columns in it, which follow.
type schema struct {
	children int64   // of the column under way
	open     []int64 // columns that are still to come in each column around
	tooDeep  bool
}

// see takes the fields of the footer: 2 is the list of columns, 2.5 the number of columns in one.
func (s *schema) see(path []int, value int64) {
	switch {
	case len(path) == 2 && path[0] == 2 && path[1] == 5:
		s.children = value
	case len(path) == 1 && path[0] == 2:
		if n := len(s.open); n > 0 {
			s.open[n-1]--
		}
		if s.children > 0 {
			s.open = append(s.open, s.children)
		}
		for n := len(s.open); n > 0 && s.open[n-1] <= 0; n-- {
			s.open = s.open[:n-1]
		}
		s.tooDeep = s.tooDeep || len(s.open) > maxDepth
		s.children = 0
	}
}
