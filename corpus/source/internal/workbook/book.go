// Package workbook reads the rows of a sheet of an Excel workbook.
package workbook

import (
	"archive/zip"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/topoi-lda/topoi/corpus/source/internal/input"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/lists"
)

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
	names := lists.Of(w.sheets, func(s sheet) string { return s.name })
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
