package source

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/topoi-lda/topoi/corpus/source/internal/input"
	"github.com/topoi-lda/topoi/internal/nearest"
)

// xlsx reads the rows of one sheet of an Excel workbook (Office Open XML,
// ECMA-376) as a table. It reads the sheet as a stream and keeps neither rows
// nor, beyond some megabytes, the texts that cells share. In messages the row
// number stands in place of a line.
type xlsx struct {
	table
	name string
	o    *Options
	raw  *os.File
	zip  *zip.Reader

	sheets   []xlsxSheet // that hold cells, in the order of the workbook
	sheet    xlsxSheet   // the one that is read
	shared   *sharedTexts
	dates    []bool // by the style of a cell: whether its number is a date
	from1904 bool   // days are counted from 1904
	body     *xmlReader
}

// xlsxSheet is a sheet of the workbook.
type xlsxSheet struct {
	name   string
	part   string // path inside the archive
	hidden bool
}

func openXLSX(path string, _ *input.Scanner, o *Options) (Source, error) {
	name := input.DisplayName(path)
	if path == "-" {
		return nil, (&input.Error{File: name, Msg: "workbooks are read from their end, which a stream does not allow"}).WithHint("save it to a file first")
	}
	raw, err := os.Open(path)
	if err != nil {
		return nil, input.OpenError(path, err)
	}
	w := &xlsx{name: name, o: o, raw: raw, shared: &sharedTexts{dir: o.TempDir, limit: sharedBuffer}}
	if err := w.open(); err != nil {
		w.Close()
		return nil, w.explain(err)
	}
	return w, nil
}

// explain makes an Error of what archive and XML complain about.
func (w *xlsx) explain(err error) error {
	var e *input.Error
	if err == nil || err == io.EOF || errors.As(err, &e) {
		return err
	}
	return (&input.Error{File: w.name, Msg: fmt.Sprintf("this is not a sound workbook (%v)", err)}).WithHint("save it again as .xlsx, or as .csv")
}

func (w *xlsx) open() error {
	info, err := w.raw.Stat()
	if err != nil {
		return err
	}
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
	rows := &xlsxRows{w: w}
	w.table = table{rows: rows, o: w.o, name: w.name, padded: true}
	if err := rows.readHead(); err != nil {
		return err
	}
	return w.table.open(rows.headRows())
}

// chooseSheet takes the sheet that is asked for, else the first that is not hidden.
func (w *xlsx) chooseSheet() error {
	var names []string
	for _, s := range w.sheets {
		names = append(names, s.name)
	}
	if len(names) == 0 {
		return (&input.Error{File: w.name, Msg: "the workbook has no sheet with cells"}).WithHint("save a sheet of it as .csv")
	}
	i := slices.IndexFunc(w.sheets, func(s xlsxSheet) bool { return !s.hidden })
	if w.o.Sheet != "" {
		if i = slices.IndexFunc(names, func(n string) bool { return strings.EqualFold(n, w.o.Sheet) }); i < 0 {
			return &input.Error{File: w.name, Msg: fmt.Sprintf("no sheet is called %q%s", w.o.Sheet, nearest.Hint(w.o.Sheet, names))}
		}
	}
	w.sheet = w.sheets[max(0, i)]
	return nil
}

// taken adds the sheet to what the table tells.
func (w *xlsx) taken() Taken {
	t := w.table.taken()
	t.Sheet = w.sheet.name
	for _, s := range w.sheets {
		if s != w.sheet {
			t.OtherSheets = append(t.OtherSheets, s.name)
		}
	}
	return t
}

func (w *xlsx) Next(doc *Document) error { return w.explain(w.table.Next(doc)) }

// Close releases file and temporary file.
func (w *xlsx) Close() error {
	if w.body != nil {
		w.body.Close()
	}
	return errors.Join(w.shared.close(), w.raw.Close())
}

// xlsxRows yields the rows of the sheet.
type xlsxRows struct {
	w     *xlsx
	cells xlsxCells
	row   int // number of the current row, from 1

	head  [][][]byte // the first rows, read ahead to look at them
	nums  []int      // their numbers
	ended bool       // the sheet has no row behind head
}

// readHead reads rows ahead, as many as are looked at in other tables.
func (r *xlsxRows) readHead() error {
	for size := 0; len(r.head) < 50 && size < input.HeadSize; {
		fields, err := r.next()
		if err == io.EOF {
			r.ended = true
			return nil
		}
		if err != nil {
			return err
		}
		for _, f := range fields {
			size += len(f)
		}
		r.head = append(r.head, cloneFields(fields))
		r.nums = append(r.nums, r.row)
	}
	return nil
}

// headRows yields the rows read ahead. The first is as wide as the widest of
// them: names may lack for columns that have none.
func (r *xlsxRows) headRows() iter.Seq[[][]byte] {
	for _, fields := range r.head {
		for len(r.head[0]) < len(fields) {
			r.head[0] = append(r.head[0], []byte{})
		}
	}
	return slices.Values(slices.Clone(r.head))
}

func (r *xlsxRows) record() ([][]byte, error) {
	if len(r.head) > 0 {
		fields := r.head[0]
		r.row = r.nums[0]
		r.head, r.nums = r.head[1:], r.nums[1:]
		return fields, nil
	}
	if r.ended {
		return nil, io.EOF
	}
	return r.next()
}

func (r *xlsxRows) errorf(format string, args ...any) *input.Error {
	return &input.Error{File: r.w.name, Line: r.row, Msg: fmt.Sprintf(format, args...)}
}

func (r *xlsxRows) check(_ int, field []byte) ([]byte, error) {
	return input.CheckText(field, &input.Scanner{Name: r.w.name, Line: r.row, Repair: r.w.o.RepairUTF8}, 0)
}

// partPath returns the path inside the archive that a link from the workbook
// leads to.
func partPath(target string) string {
	if strings.HasPrefix(target, "/") {
		return strings.TrimPrefix(path.Clean(target), "/")
	}
	return path.Join("xl", target)
}
