package workbook

import (
	"archive/zip"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/topoi-lda/topoi/corpus/internal/spool"
	"github.com/topoi-lda/topoi/corpus/source/internal/input"
)

// Book reads the rows of one sheet of an Excel workbook (Office Open XML, ECMA-376) as a table. It reads the sheet as
// a stream and keeps neither rows nor, beyond some megabytes, the texts that cells share. In messages the row number
// stands in place of a line.
type Book struct {
	name string
	o    Options
	raw  input.Stored
	size int64
	zip  *zip.Reader

	sheets   []sheet // that hold cells, in the order of the workbook
	sheet    sheet   // the one that is read
	shared   *sharedTexts
	dates    []bool // by the style of a cell: whether its number is a date
	from1904 bool   // days are counted from 1904
	body     *xmlReader
	rows     *Rows

	xml, text input.Expansion // what came out of the archive, and out of the cells
}

// sheet is a sheet of the workbook.
type sheet struct {
	name   string
	part   string // path inside the archive
	hidden bool
}

// Options say what is read of a workbook.
type Options struct {
	Sheet   string // its name in any case of letters; "" takes the first that is not hidden
	TempDir string // for texts that do not fit in memory
	Repair  bool   // what is no text is replaced, not refused
}

// sharedTexts are the texts that cells refer to by number. Those beyond the first megabytes wait in a temporary file.
type sharedTexts struct {
	dir   string
	limit int      // bytes to keep in memory
	ends  []uint64 // end of each text
	buf   []byte   // texts that are not in the file
	file  *spool.Scratch
	saved uint64 // bytes in the file
	text  []byte // one text, read from the file
}

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
		f, err := spool.Create(s.dir, ".topoi-*.tmp")
		if err != nil {
			return err
		}
		s.file = f
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
	err := s.file.Close()
	s.file = nil
	return err
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

// unescapeCell replaces _xHHHH_, by which workbooks write characters that XML has not, in place.
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

// partPath returns the path inside the archive that a link from the workbook leads to.
func partPath(target string) string {
	if strings.HasPrefix(target, "/") {
		return strings.TrimPrefix(path.Clean(target), "/")
	}
	return path.Join("xl", target)
}

// Rows yields the rows of the sheet.
type Rows struct {
	w     *Book
	cells cells
	row   int // number of the current row, from 1

	head  [][][]byte // the first rows, read ahead to look at them
	nums  []int      // their numbers
	ended bool       // the sheet has no row behind head
}

// cells are the cells of one row.
type cells struct {
	bytes  []byte
	spans  [maxColumns]struct{ begin, end int }
	width  int // columns up to the last cell that is not empty
	fields [][]byte

	// The cell under way.
	column int    // from 0
	kind   string // s shared, inlineStr, str formula's text, b boolean, e error, d date, n or nothing number
	style  int
	value  []byte // characters of <v>
	inside bool   // of <v>
	text   textElements
}

const (
	maxColumns = 1 << 14 // of a sheet, by Excel's definition
	maxRows    = 1 << 20
	maxRow     = 64 << 20 // bytes of all cells of a row
)

// xmlReader reads a part of a workbook token by token. Tokens are bounded, so
// that an archive of a few kilobytes cannot claim gigabytes of memory.
type xmlReader struct {
	decoder *xml.Decoder
	from    io.ReadCloser
	name    string
	left    int // bytes that the current token may still take
	out     *input.Expansion
}

// MaxText is the length of the longest text between two tags, in bytes. Excel allows 32,767 characters in a cell.
const MaxText = 1 << 20

const (
	maxShared    = 1 << 24 // texts; a sheet has at most 2^20 rows
	sharedBuffer = 32 << 20
	sharedBytes  = 8 << 30 // of all texts together
)
