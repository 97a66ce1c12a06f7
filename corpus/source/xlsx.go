package source

import (
	"github.com/topoi-lda/topoi/corpus/source/internal/input"
	"github.com/topoi-lda/topoi/corpus/source/internal/workbook"
)

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
