// Package workbook reads the rows of a sheet of an Excel workbook.
package workbook

import (
	"archive/zip"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/topoi-lda/topoi/corpus/internal/spool"
	"github.com/topoi-lda/topoi/corpus/source/internal/input"
	"github.com/topoi-lda/topoi/internal/human"
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

// Open opens a workbook and finds the sheet.
func Open(path string, o Options) (*Book, error) {
	name := input.DisplayName(path)
	if path == "-" {
		return nil, (&input.Error{File: name, Msg: "a workbook cannot be read from a stream, because its list of sheets is at the end"}).WithHint("save it to a file first")
	}
	raw, size, err := input.Open(path)
	if err != nil {
		return nil, err
	}
	w := &Book{name: name, o: o, raw: raw, size: size, shared: &sharedTexts{dir: o.TempDir, limit: sharedBuffer}}
	if err := w.open(); err != nil {
		w.Close()
		return nil, w.Explain(err)
	}
	return w, nil
}

// Explain makes an Error of what archive and XML complain about.
func (w *Book) Explain(err error) error {
	var e *input.Error
	if err == nil || err == io.EOF || errors.As(err, &e) {
		return err
	}
	return (&input.Error{File: w.name, Msg: fmt.Sprintf("this is not a valid workbook (%v)", err)}).WithHint("save it again as .xlsx, or as .csv")
}

func (w *Book) open() error {
	w.xml.Store(int(w.size))
	w.text.Store(int(w.size))
	var err error
	if w.zip, err = zip.NewReader(w.raw, w.size); err != nil {
		return err
	}
	links, err := w.readLinks("xl/_rels/workbook.xml.rels")
	if err != nil {
		return err
	}
	if err := w.readSheets(links); err != nil {
		return err
	}
	if err := w.chooseSheet(); err != nil {
		return err
	}
	for _, l := range links {
		switch {
		case strings.HasSuffix(l.kind, "/sharedStrings"):
			err = w.readShared(l.part)
		case strings.HasSuffix(l.kind, "/styles"):
			err = w.readStyles(l.part)
		}
		if err != nil {
			return err
		}
	}
	if w.body, err = w.part(w.sheet.part); err != nil {
		return err
	}
	w.rows = &Rows{w: w}
	return w.rows.readHead()
}

// chooseSheet takes the sheet that is asked for, else the first that is not hidden.
func (w *Book) chooseSheet() error {
	var names []string
	for _, s := range w.sheets {
		names = append(names, s.name)
	}
	if len(names) == 0 {
		return (&input.Error{File: w.name, Msg: "the workbook has no sheet with cells"}).WithHint("save a sheet of it as .csv")
	}
	i := slices.IndexFunc(w.sheets, func(s sheet) bool { return !s.hidden })
	if w.o.Sheet != "" {
		if i = slices.IndexFunc(names, func(n string) bool { return strings.EqualFold(n, w.o.Sheet) }); i < 0 {
			return &input.Error{File: w.name, Msg: fmt.Sprintf("no sheet is called %q%s", w.o.Sheet, human.Hint(w.o.Sheet, names))}
		}
	}
	w.sheet = w.sheets[max(0, i)]
	return nil
}

// Sheets returns the name of the sheet that is read, and of the others.
func (w *Book) Sheets() (name string, others []string) {
	for _, s := range w.sheets {
		if s != w.sheet {
			others = append(others, s.name)
		}
	}
	return w.sheet.name, others
}

// Rows returns the rows of the sheet.
func (w *Book) Rows() *Rows { return w.rows }

// Close releases file and temporary file.
func (w *Book) Close() error {
	if w.body != nil {
		w.body.Close()
	}
	return errors.Join(w.shared.close(), w.raw.Close())
}

// partPath returns the path inside the archive that a link from the workbook leads to.
func partPath(target string) string {
	if strings.HasPrefix(target, "/") {
		return strings.TrimPrefix(path.Clean(target), "/")
	}
	return path.Join("xl", target)
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
