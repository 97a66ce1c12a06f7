package prevalence

import (
	"fmt"
	"slices"
	"strings"

	"github.com/topoi-lda/topoi/column"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/human"
)

// keys are what documents are grouped by, as the columns of a corpus have it.
type keys struct {
	by    By
	bins  Bins               // that By names, such as year; empty if it names none
	label func(d int) string // "" for a document without
	time  func(d int) string // likewise
	keep  func(d int) bool   // documents that take part
}

// resolve finds the columns that By names. Several columns of categories make one group of
// each combination of their values.
func (o *Options) resolve(docs *corpus.Corpus) (keys, error) {
	k := keys{label: docs.Label, time: docs.Time, keep: func(int) bool { return true }}
	if o.Keep != nil {
		k.keep = o.Keep
	}
	var groups []func(d int) string
	timed := false
	columns := docs.Columns()
	for name := range strings.SplitSeq(string(o.By), ",") {
		switch name = strings.TrimSpace(name); name {
		case string(Label):
			groups = append(groups, docs.Label)
			continue
		case string(Time):
			timed = true
			continue
		}
		c, err := column.Find(columns, name)
		switch {
		case err != nil && docs.HasTimes() && slices.Contains(BinNames(), name):
			timed, k.bins = true, Bins(name)
		case err != nil:
			return k, fmt.Errorf("cannot group by %q%s", name, human.Hint(name, groupNames(columns)))
		case c.Kind == column.Date:
			timed, k.time = true, present(c)
		case c.Kind == column.Category || c.Kind == column.Number:
			groups = append(groups, present(c))
		default:
			return k, fmt.Errorf("cannot group by column %s: it holds %s, not one of few values for each document", c.Name, c.Kind)
		}
	}
	switch {
	case len(groups) == 0:
		k.by = Time
	case timed:
		k.by, k.label = LabelAndTime, combined(groups)
	default:
		k.by, k.label = Label, combined(groups)
	}
	return k, nil
}

// groupNames lists what documents can be grouped by.
func groupNames(columns []column.Column) []string {
	names := []string{string(Label), string(Time)}
	for _, c := range columns {
		names = append(names, c.Name)
	}
	return names
}

// present returns the values of a column, "" for missing ones.
func present(c *column.Column) func(d int) string {
	return func(d int) string {
		if s := c.Values.At(d); !column.IsMissing(s) {
			return s
		}
		return ""
	}
}

// combined joins the values of several columns; a document that lacks one has none.
func combined(groups []func(d int) string) func(d int) string {
	if len(groups) == 1 {
		return groups[0]
	}
	return func(d int) string {
		values := make([]string, len(groups))
		for i, value := range groups {
			if values[i] = value(d); values[i] == "" {
				return ""
			}
		}
		return strings.Join(values, ", ")
	}
}
