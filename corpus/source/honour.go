package source

import (
	"fmt"
	"slices"

	"github.com/topoi-lda/topoi/corpus/source/internal/input"
	"github.com/topoi-lda/topoi/internal/human"
)

// Groups of formats that options are for.
var (
	headed    = []string{"csv", "tsv", "xlsx"}
	fielded   = []string{"csv", "tsv", "xlsx", "jsonl", "parquet"}
	matrices  = []string{"matrix-market", "npz", "npy", "10x"}
	wordIDs   = []string{"uci", "lda-c", "svmlight", "matrix-market", "npz", "npy", "octis"}
	weighted  = []string{"lda-c", "svmlight", "matrix-market", "npz", "npy", "10x", "vw", "jsonl"}
	inFolders = []string{"text", "csv", "tsv", "jsonl", "parquet"}
)

// except returns the names of all formats but some.
func except(names ...string) (others []string) {
	for _, f := range Formats() {
		if !slices.Contains(names, f.Name) {
			others = append(others, f.Name)
		}
	}
	return others
}

// honoured is an option, whether it was given, and the formats that can do what it asks for.
type honoured struct {
	name  string
	given bool
	by    []string
}

// honours lists the options that not every format can honour. Values that stand for "find it out" are not given.
func (o *Options) honours() []honoured {
	given := func(value, byDefault string) bool { return value != "" && value != byDefault }
	return []honoured{
		{"TextFields", len(o.TextFields) > 0, fielded},
		{"IDField", o.IDField != "", fielded},
		{"LabelField", o.LabelField != "", fielded},
		{"TimeField", o.TimeField != "", fielded},
		{"TitleField", o.TitleField != "", fielded},
		{"TokensField", o.TokensField != "", fielded},
		{"VocabPath", o.VocabPath != "", wordIDs},
		{"IndexBase", given(o.IndexBase, "1"), []string{"svmlight"}},
		{"Orientation", given(o.Orientation, "auto"), matrices},
		{"Round", o.Round, weighted},
		{"Delimiter", o.Delimiter != "", []string{"csv"}},
		{"Header", given(o.Header, "auto"), headed},
		{"Sheet", o.Sheet != "", []string{"xlsx"}},
		{"Quote", given(o.Quote, `"`), []string{"csv", "tsv"}},
		{"NoQuotes", o.NoQuotes, []string{"csv", "tsv"}},
		{"Pattern", given(o.Pattern, "*.txt"), inFolders},
		{"NamePattern", o.NamePattern != "", []string{"text"}},
		{"Partition", o.Partition != "", []string{"octis"}},
		{"Columns", len(o.Columns) > 0, append([]string{"text"}, fielded...)}, // texts have those of their names
		{"Encoding", given(o.Encoding, "auto"), except("xlsx", "parquet")},
		{"RepairUTF8", o.RepairUTF8, except("xlsx")},
	}
}

// checkHonoured returns the fault of an option that the format of an input cannot honour. Without it the option would
// be of no use, and nobody would know.
func (o *Options) checkHonoured(path string, f *format) error {
	for _, h := range o.honours() {
		if !h.given || slices.Contains(h.by, f.Name) {
			continue
		}
		e := &input.Error{
			File: input.DisplayName(path),
			Msg:  fmt.Sprintf("it is read as %s, which has no use for Options.%s", f.Name, h.name),
		}
		return e.WithHint("leave that out, or set Options.Format if the file is %s", human.OneOf(h.by))
	}
	return nil
}
