package source

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/topoi-lda/topoi/corpus/source/internal/input"
	"github.com/zeebo/xxh3"
)

// Taken tells how an input was understood, beyond its format.
type Taken struct {
	// Columns are those of tables and the fields of JSON objects, in the order of the input; of several inputs, all
	// that any has. Formats with fixed columns have none.
	Columns []Column

	// Header is "yes" or "no" for a table: whether its first record names the
	// columns. HeaderGuessed says that no option told.
	Header        string
	HeaderGuessed bool

	// Sheet is the sheet of a workbook that was read, OtherSheets the others.
	Sheet       string
	OtherSheets []string

	// LeftFiles counts the files of directories that were left out, by the ending of their names.
	LeftFiles map[string]int

	// LeftInputs, LeftGroups and LeftRows count the files and row groups that Options.Where left unread, and all rows
	// that it left out of the others.
	LeftInputs, LeftGroups int
	LeftRows               int64

	// Encodings are the encodings of text other than UTF-8 that were met.
	// EncodingGuessed says that they were recognised, not given.
	Encodings       []string
	EncodingGuessed bool
}

// add joins what was understood of another input.
func (t *Taken) add(u Taken) {
	have := make(map[Column]bool, len(t.Columns))
	for _, c := range t.Columns {
		have[c] = true
	}
	for _, c := range u.Columns {
		if !have[c] {
			have[c] = true
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

// leave counts a file that was left out.
func (t *Taken) leave(kind string) {
	if t.LeftFiles == nil {
		t.LeftFiles = make(map[string]int)
	}
	t.LeftFiles[kind]++
}

// Left lists the files that were left out, most frequent kinds first: "12 .pdf files, 3 .docx files".
func (t *Taken) Left() string {
	kinds := slices.SortedFunc(maps.Keys(t.LeftFiles), func(a, b string) int {
		return cmp.Or(t.LeftFiles[b]-t.LeftFiles[a], strings.Compare(a, b))
	})
	const most = 8
	var list []string
	for i, kind := range kinds {
		if i == most {
			list = append(list, fmt.Sprintf("%d more kinds", len(kinds)-most))
			break
		}
		list = append(list, input.Plural(t.LeftFiles[kind], kind+" file"))
	}
	return strings.Join(list, ", ")
}

// held is Left as a remark in brackets.
func (t *Taken) held() string {
	if len(t.LeftFiles) == 0 {
		return ""
	}
	return " (it holds " + t.Left() + ")"
}

// encoding notes an encoding. t may be nil, for inputs that nobody reports on.
func (t *Taken) encoding(name string, guessed bool) {
	if t == nil || slices.Contains(t.Encodings, name) {
		return
	}
	t.Encodings = append(t.Encodings, name)
	t.EncodingGuessed = guessed
}

// idSet remembers the ids of documents to find repeated ones. It keeps 8-byte hashes, so it may take two ids for one
// with a chance of about D²/2⁶⁵. It stops growing at maxIDs documents: later ids are only compared with those.
type idSet map[uint64]struct{}

const maxIDs = 1 << 22

// add reports whether id is new, and remembers it. The empty id, which stands for "none", is always new.
func (s idSet) add(id []byte) bool {
	if len(id) == 0 {
		return true
	}
	h := xxh3.Hash(id)
	_, known := s[h]
	if len(s) < maxIDs {
		s[h] = struct{}{}
	}
	return !known
}
