package source

import "slices"

// Taken tells how an input was understood, beyond its format.
type Taken struct {
	// Columns are those of tables and the fields of JSON objects, in the order
	// of the input; of several inputs, all that any has. Formats with fixed
	// columns have none.
	Columns []Column

	// Header is "yes" or "no" for a table: whether its first record names the
	// columns. HeaderGuessed says that no option told.
	Header        string
	HeaderGuessed bool

	// Sheet is the sheet of a workbook that was read, OtherSheets the others.
	Sheet       string
	OtherSheets []string

	// Encodings are the encodings of text other than UTF-8 that were met.
	// EncodingGuessed says that they were recognised, not given.
	Encodings       []string
	EncodingGuessed bool
}

// add joins what was understood of another input.
func (t *Taken) add(u Taken) {
	for _, c := range u.Columns {
		if !slices.Contains(t.Columns, c) {
			t.Columns = append(t.Columns, c)
		}
	}
	if t.Header == "" {
		t.Header, t.HeaderGuessed = u.Header, u.HeaderGuessed
	}
	if t.Sheet == "" {
		t.Sheet, t.OtherSheets = u.Sheet, u.OtherSheets
	}
	for _, e := range u.Encodings {
		t.encoding(e, u.EncodingGuessed)
	}
}

// encoding notes an encoding. t may be nil, for inputs that nobody reports on.
func (t *Taken) encoding(name string, guessed bool) {
	if t == nil || slices.Contains(t.Encodings, name) {
		return
	}
	t.Encodings = append(t.Encodings, name)
	t.EncodingGuessed = guessed
}

// Taken tells how the inputs opened so far were understood.
func (r *Reader) Taken() Taken { return *r.opts.taken }
