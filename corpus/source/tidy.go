package source

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/topoi-lda/topoi/corpus/source/internal/input"
	"github.com/topoi-lda/topoi/corpus/source/internal/workbook"
)

// tidy returns the one spelling of an id or a label: without blanks around it, with one blank for each run of blanks
// and line ends inside, in Unicode's composed form.
func tidy(b []byte) []byte {
	if isTidy(b) {
		return b
	}
	var to []byte
	for _, word := range bytes.FieldsFunc(b, unicode.IsSpace) {
		if len(to) > 0 {
			to = append(to, ' ')
		}
		to = append(to, word...)
	}
	return norm.NFC.Bytes(to)
}

// isTidy reports whether tidy changes nothing, which holds for most.
func isTidy(b []byte) bool {
	blank := true
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return norm.NFC.IsNormal(b) && !bytes.ContainsFunc(b, func(r rune) bool { return r != ' ' && unicode.IsSpace(r) }) &&
				bytes.Equal(bytes.TrimSpace(b), b) && !bytes.Contains(b, []byte("  "))
		}
		if c < ' ' || c == ' ' && blank {
			return false
		}
		blank = c == ' '
	}
	return len(b) == 0 || !blank
}

// workbookTable reads the rows of one sheet of an Excel workbook as a table.
type workbookTable struct {
	table
	book *workbook.Book
}

func openXLSX(path string, _ *input.Scanner, o *Options) (Source, error) {
	book, err := workbook.Open(path, workbook.Options{Sheet: o.Sheet, TempDir: o.TempDir, Repair: o.RepairUTF8})
	if err != nil {
		return nil, err
	}
	w := &workbookTable{book: book, table: table{rows: book.Rows(), o: o, name: input.DisplayName(path), padded: true}}
	if err := w.table.open(book.Rows().Head()); err != nil {
		w.Close()
		return nil, book.Explain(err)
	}
	return w, nil
}

// taken adds the sheet to what the table tells.
func (w *workbookTable) taken() Taken {
	t := w.table.taken()
	t.Sheet, t.OtherSheets = w.book.Sheets()
	return t
}

func (w *workbookTable) Next(doc *Document) error { return w.book.Explain(w.table.Next(doc)) }
func (w *workbookTable) Close() error             { return w.book.Close() }
