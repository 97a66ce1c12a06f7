package workbook

import (
	"encoding/xml"
	"errors"
	"fmt"
	"os"
	"strconv"
	"unicode/utf8"
)

// sharedTexts are the texts that cells refer to by number. Those beyond the
// first megabytes wait in a temporary file.
type sharedTexts struct {
	dir   string
	limit int      // bytes to keep in memory
	ends  []uint64 // end of each text
	buf   []byte   // texts that are not in the file
	file  *os.File
	named bool   // the file could not be unlinked while open
	saved uint64 // bytes in the file
	text  []byte // one text, read from the file
}

const (
	maxShared    = 1 << 24 // texts; a sheet has at most 2^20 rows
	sharedBuffer = 32 << 20
	sharedBytes  = 8 << 30 // of all texts together
)

// add appends a text.
func (s *sharedTexts) add(text []byte) error {
	if len(s.ends) == maxShared || s.saved+uint64(len(s.buf)) > sharedBytes {
		return errors.New("its cells share more texts than a sheet can use")
	}
	s.buf = append(s.buf, text...)
	s.ends = append(s.ends, s.saved+uint64(len(s.buf)))
	if len(s.buf) < s.limit {
		return nil
	}
	return s.spill()
}

// spill moves the buffer to the file.
func (s *sharedTexts) spill() error {
	if s.file == nil {
		f, err := os.CreateTemp(s.dir, ".topoi-*.tmp")
		if err != nil {
			return err
		}
		s.file, s.named = f, os.Remove(f.Name()) != nil
	}
	n, err := s.file.Write(s.buf)
	s.saved += uint64(n)
	s.buf = s.buf[:0]
	return err
}

// at returns text i, valid until the next call.
func (s *sharedTexts) at(i int) ([]byte, error) {
	begin, end := uint64(0), s.ends[i]
	if i > 0 {
		begin = s.ends[i-1]
	}
	if begin >= s.saved {
		return s.buf[begin-s.saved : end-s.saved], nil
	}
	s.text = append(s.text[:0], make([]byte, end-begin)...)
	_, err := s.file.ReadAt(s.text, int64(begin))
	return s.text, err
}

func (s *sharedTexts) close() error {
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	if s.named {
		err = errors.Join(err, os.Remove(s.file.Name()))
	}
	s.file = nil
	return err
}

// readShared reads all shared texts. A text is the sum of its <t> elements, those
// of <rPh> left out, which tell how Japanese is pronounced.
func (w *Book) readShared(part string) error {
	var text textElements
	return w.eachToken(part, func(t xml.Token) error {
		err := text.take(t)
		if e, ok := t.(xml.EndElement); err == nil && ok && e.Name.Local == "si" {
			err = w.shared.add(unescapeCell(text.bytes))
			text.bytes = text.bytes[:0]
		}
		return err
	})
}

// textElements adds up the characters of <t> elements.
type textElements struct {
	bytes  []byte
	inside bool // of <t>
	spoken bool // inside of <rPh>
}

func (c *textElements) take(t xml.Token) error {
	switch t := t.(type) {
	case xml.StartElement:
		c.inside = t.Name.Local == "t"
		c.spoken = c.spoken || t.Name.Local == "rPh"
	case xml.EndElement:
		c.inside = false
		c.spoken = c.spoken && t.Name.Local != "rPh"
	case xml.CharData:
		if c.inside && !c.spoken {
			c.bytes = append(c.bytes, t...)
		}
		if len(c.bytes) > MaxText {
			return fmt.Errorf("a text in it is longer than %d bytes", MaxText)
		}
	}
	return nil
}

// unescapeCell replaces _xHHHH_, by which workbooks write characters that XML
// has not, in place.
func unescapeCell(b []byte) []byte {
	out := b[:0]
	for i := 0; i < len(b); i++ {
		if b[i] == '_' && i+6 < len(b) && b[i+1] == 'x' && b[i+6] == '_' {
			if c, err := strconv.ParseUint(string(b[i+2:i+6]), 16, 16); err == nil {
				out = utf8.AppendRune(out, rune(c))
				i += 6
				continue
			}
		}
		out = append(out, b[i])
	}
	return out
}
