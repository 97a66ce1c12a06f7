// Package workbook reads the rows of a sheet of an Excel workbook.
package workbook

import (
	"archive/zip"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/topoi-lda/topoi/corpus/source/internal/input"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/lists"
)

// Open opens a workbook and finds the sheet.
func Open(path string, o Options) (*Book, error) {
	name := input.DisplayName(path)
	if path == "-" {
		return nil, (&input.Error{
			File: name,
			Msg:  "a workbook cannot be read from a stream, because its list of sheets is at the end",
		}).WithHint("save it to a file first")
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
	return (&input.Error{File: w.name, Msg: fmt.Sprintf("this is not a valid workbook (%v)",
		err)}).WithHint("save it again as .xlsx, or as .csv")
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
	names := lists.Of(w.sheets, func(s sheet) string { return s.name })
	if len(names) == 0 {
		return (&input.Error{
			File: w.name,
			Msg:  "the workbook has no sheet with cells",
		}).WithHint("save a sheet of it as .csv")
	}
	i := slices.IndexFunc(w.sheets, func(s sheet) bool { return !s.hidden })
	if w.o.Sheet != "" {
		if i = slices.IndexFunc(names, func(n string) bool { return strings.EqualFold(n, w.o.Sheet) }); i < 0 {
			return &input.Error{File: w.name, Msg: fmt.Sprintf("no sheet is called %q%s", w.o.Sheet,
				human.Hint(w.o.Sheet, names))}
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

// xmlWeight is how much more a byte of XML counts than a byte of text: it takes longer to read, and sheets
// are packed to a tenth rather than to a fiftieth.
const xmlWeight = 4

// part opens a part of the workbook.
func (w *Book) part(name string) (*xmlReader, error) {
	f := w.find(name)
	if f == nil {
		return nil, fmt.Errorf("%s is missing in it", name)
	}
	from, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	x := &xmlReader{from: from, name: name, out: &w.xml}
	x.decoder = xml.NewDecoder(x)
	return x, nil
}

func (w *Book) find(name string) *zip.File {
	for _, f := range w.zip.File {
		if strings.EqualFold(f.Name, name) {
			return f
		}
	}
	return nil
}

// Read is for the decoder.
func (x *xmlReader) Read(p []byte) (int, error) {
	if x.left <= 0 {
		return 0, fmt.Errorf("a text in it is longer than %d bytes", MaxText)
	}
	n, err := x.from.Read(p[:min(len(p), x.left)])
	x.left -= n
	if e := x.out.Give(xmlWeight * n); e != nil {
		return n, errors.New(e.Msg)
	}
	return n, err
}

// next returns the next token, or io.EOF. It is valid until the following call.
func (x *xmlReader) next() (xml.Token, error) {
	x.left = MaxText
	t, err := x.decoder.RawToken()
	if err != nil && err != io.EOF {
		err = fmt.Errorf("%s: %w", x.name, err)
	}
	return t, err
}

func (x *xmlReader) Close() error { return x.from.Close() }

// attribute returns an attribute by its name without prefix.
func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// eachElement calls f with every element of a part.
func (w *Book) eachElement(part string, f func(e xml.StartElement)) error {
	return w.eachToken(part, func(t xml.Token) error {
		if e, ok := t.(xml.StartElement); ok {
			f(e)
		}
		return nil
	})
}

// eachToken calls f with all that a part is made of, until that fails.
func (w *Book) eachToken(part string, f func(t xml.Token) error) error {
	x, err := w.part(part)
	if err != nil {
		return err
	}
	defer x.Close()
	for {
		t, err := x.next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = f(t)
		}
		if err != nil {
			return err
		}
	}
}

// link leads from the workbook to another part.
type link struct{ id, kind, part string }

// maxLinks bounds lists that a sound workbook keeps short.
const maxLinks = 1 << 16

func (w *Book) readLinks(part string) ([]link, error) {
	var links []link
	err := w.eachElement(part, func(e xml.StartElement) {
		if e.Name.Local == "Relationship" && len(links) < maxLinks && attribute(e, "TargetMode") != "External" {
			links = append(links, link{attribute(e, "Id"), attribute(e, "Type"), partPath(attribute(e, "Target"))})
		}
	})
	return links, err
}

// readSheets lists the sheets that hold cells, and learns how days are counted.
func (w *Book) readSheets(links []link) error {
	return w.eachElement("xl/workbook.xml", func(e xml.StartElement) {
		switch e.Name.Local {
		case "workbookPr":
			v := attribute(e, "date1904")
			w.from1904 = v == "1" || v == "true"
		case "sheet":
			// The identifier of a sheet is r:id; sheetId is another number.
			state := attribute(e, "state")
			s := sheet{name: attribute(e, "name"), hidden: state == "hidden" || state == "veryHidden"}
			for _, l := range links {
				if l.id == attribute(e, "id") && strings.HasSuffix(l.kind, "/worksheet") && len(w.sheets) < maxLinks {
					s.part = l.part
					w.sheets = append(w.sheets, s)
					break
				}
			}
		}
	})
}

// readStyles finds out which styles of cells show numbers as dates: the formats that are dates by definition
// (ECMA-376 part 1, 18.8.30) and those of the workbook's own that have a letter for a part of a date.
func (w *Book) readStyles(part string) error {
	own := make(map[int]bool) // formats of the workbook that are dates
	inside := false           // of <cellXfs>, the styles that cells refer to
	return w.eachElement(part, func(e xml.StartElement) {
		switch e.Name.Local {
		case "numFmt":
			if id, err := strconv.Atoi(attribute(e, "numFmtId")); err == nil && len(own) < maxLinks {
				own[id] = isDateFormat(attribute(e, "formatCode"))
			}
		case "cellXfs":
			inside = true
		case "cellStyles", "dxfs":
			inside = false
		case "xf":
			id, err := strconv.Atoi(attribute(e, "numFmtId"))
			date, ok := own[id]
			if !ok {
				date = err == nil && (id >= 14 && id <= 22 || id >= 27 && id <= 36 || id >= 45 && id <= 47 ||
					id >= 50 && id <= 58)
			}
			if inside && len(w.dates) < maxLinks {
				w.dates = append(w.dates, date)
			}
		}
	})
}

// isDateFormat tells whether a format of numbers shows a date or time: it has one
// of the letters y, m, d, h, s outside of quotation marks and brackets.
func isDateFormat(code string) bool {
	code, _, _ = strings.Cut(code, ";")
	for i := 0; i < len(code); i++ {
		switch c := code[i]; {
		case c == '\\' || c == '_' || c == '*':
			i++ // the next character stands for itself
		case c == '"' || c == '[':
			end := strings.IndexByte(code[i+1:], map[byte]byte{'"': '"', '[': ']'}[c])
			if end < 0 {
				return false
			}
			i += end + 1
		case strings.IndexByte("ymdhsYMDHS", c) >= 0:
			return true
		}
	}
	return false
}

// isoDate returns the date that a number of days stands for, with the time of day if it has one, or nil if there is
// no such date. Days count from 1 January 1900, which is 1, and 1900 counts as a leap year; or from 1 January 1904,
// which is 0.
func isoDate(days float64, from1904 bool) []byte {
	if days < 0 || days >= 2958466 { // the year 10000
		return nil
	}
	first := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	switch {
	case from1904:
		first = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	case days < 60:
		first = first.AddDate(0, 0, 1)
	}
	whole, rest := math.Modf(days)
	seconds := math.Round(rest * 24 * 60 * 60)
	t := first.AddDate(0, 0, int(whole)).Add(time.Duration(seconds) * time.Second)
	switch {
	case days < 1 && !from1904:
		return t.AppendFormat(nil, time.TimeOnly)
	case seconds == 0:
		return t.AppendFormat(nil, time.DateOnly)
	}
	return t.AppendFormat(nil, "2006-01-02T15:04:05")
}
