// Package workbook reads the rows of a sheet of an Excel workbook.
package workbook

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/topoi-lda/topoi/corpus/source/internal/input"
	"github.com/topoi-lda/topoi/internal/human"
)

// Book reads the rows of one sheet of an Excel workbook (Office Open XML,
// ECMA-376) as a table. It reads the sheet as a stream and keeps neither rows
// nor, beyond some megabytes, the texts that cells share. In messages the row
// number stands in place of a line.
type Book struct {
	name string
	o    Options
	raw  *os.File
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
		return nil, (&input.Error{File: name, Msg: "workbooks are read from their end, which a stream does not allow"}).WithHint("save it to a file first")
	}
	raw, err := os.Open(path)
	if err != nil {
		return nil, input.OpenError(path, err)
	}
	w := &Book{name: name, o: o, raw: raw, shared: &sharedTexts{dir: o.TempDir, limit: sharedBuffer}}
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
	return (&input.Error{File: w.name, Msg: fmt.Sprintf("this is not a sound workbook (%v)", err)}).WithHint("save it again as .xlsx, or as .csv")
}

func (w *Book) open() error {
	info, err := w.raw.Stat()
	if err != nil {
		return err
	}
	w.xml.Store(int(info.Size()))
	w.text.Store(int(info.Size()))
	if w.zip, err = zip.NewReader(w.raw, info.Size()); err != nil {
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

// partPath returns the path inside the archive that a link from the workbook
// leads to.
func partPath(target string) string {
	if strings.HasPrefix(target, "/") {
		return strings.TrimPrefix(path.Clean(target), "/")
	}
	return path.Join("xl", target)
}
