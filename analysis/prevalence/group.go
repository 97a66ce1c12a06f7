package prevalence

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/corpus/column"
	"github.com/topoi-lda/topoi/internal/dates"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/lists"
	"github.com/topoi-lda/topoi/internal/tablecell"
)

// Errors about documents without labels or times.
var (
	ErrNoLabels = errors.New("no document has a label")
	ErrNoTimes  = errors.New("no document has a time")
)

// Cell is a group, a period, or a group in a period.
type Cell struct {
	Label  string  // empty if documents are not grouped by label
	Period *Period // nil if they are not grouped by time
	Docs   int     // documents with tokens
	Tokens uint64  // Σ_d N_d
}

// LeftOut counts the documents that belong to no cell. Each document is counted once, for the first reason
// that applies.
type LeftOut struct {
	Empty   int `json:"empty"`         // no tokens
	NoLabel int `json:"no_label"`      // no label
	Other   int `json:"other_label"`   // a label that was not asked for
	NoTime  int `json:"no_time"`       // no time
	Unread  int `json:"time_not_read"` // a time that was not understood
	// a time that is not known as exactly as the bins need, such as a year for months
	Coarse  int    `json:"time_too_coarse"`
	Example string `json:"example,omitempty"` // the first time that was not understood
}

// Grouping describes which cell every document belongs to.
type Grouping struct {
	By        string
	Bins      string  // the bins that were used; empty if documents are not grouped by time
	DateOrder string  // the order that was used, "mdy" or "dmy"; empty if no date needed it
	Cells     []Cell  // by label, then by period; includes periods without documents
	Of        []int32 // D: the cell of a document, or −1
	LeftOut   LeftOut
}

// Group assigns documents to cells. It uses the options string, Bins, DateOrder and Labels.
func Group(docs *corpus.Corpus, o Options) (*Grouping, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o.By = cmp.Or(o.By, byLabel)
	k, err := o.resolve(docs)
	if err != nil {
		return nil, err
	}
	if k.by == byTime && len(o.Labels) > 0 { // By may name bins or a column of dates
		return nil, fmt.Errorf("the group %q was asked for, and documents are grouped by time alone: group by label,time",
			o.Labels[0])
	}
	g := &Grouping{By: k.by, Of: make([]int32, docs.NumDocs())}
	o.Bins = cmp.Or(o.Bins, k.bins)
	labels := []string{""}
	for d := range g.Of {
		if len(docs.Doc(d)) == 0 {
			g.leave(d, &g.LeftOut.Empty)
		}
	}
	if g.By != byTime {
		labels, err = g.byLabel(k.label, o.Labels)
	}
	if err != nil {
		return nil, err
	}
	periods := []*Period{nil}
	if g.By != byLabel {
		if periods, err = g.byTime(k.time, o, len(labels)); err != nil {
			return nil, err
		}
	}
	for _, label := range labels {
		for _, p := range periods {
			g.Cells = append(g.Cells, Cell{Label: label, Period: p})
		}
	}
	for d, c := range g.Of {
		if c >= 0 {
			g.Cells[c].Docs++
			g.Cells[c].Tokens += uint64(len(docs.Doc(d)))
		}
	}
	return g, nil
}

// leave takes a document out for a reason.
func (g *Grouping) leave(d int, reason *int) {
	g.Of[d] = -1
	*reason++
}

// byLabel sets Of to the number of each document's label and returns the labels.
func (g *Grouping) byLabel(label func(d int) string, wanted []string) ([]string, error) {
	all := map[string]int32{}
	for d, of := range g.Of {
		if l := label(d); l != "" && of >= 0 {
			all[strings.Clone(l)] = -1
		}
	}
	if len(all) == 0 {
		return nil, ErrNoLabels
	}
	labels := wanted
	if len(labels) == 0 {
		labels = slices.Sorted(maps.Keys(all))
	}
	for i, l := range labels {
		if _, known := all[l]; !known {
			return nil, fmt.Errorf("no document has the label %q%s", l, hint(l, all))
		}
		all[l] = int32(i)
	}
	for d, of := range g.Of {
		switch l := label(d); {
		case of < 0:
		case l == "":
			g.leave(d, &g.LeftOut.NoLabel)
		case all[l] < 0:
			g.leave(d, &g.LeftOut.Other)
		default:
			g.Of[d] = all[l]
		}
	}
	return labels, nil
}

// hint names the label that may have been meant, or all of them if they are few.
func hint(label string, all map[string]int32) string {
	names := slices.Sorted(maps.Keys(all))
	if _, near := human.Nearest(label, names); near || len(names) <= 20 {
		return human.Hint(label, names)
	}
	return fmt.Sprintf(": there are %d others", len(names))
}

// byTime turns the label numbers in Of into cell numbers and returns the periods.
func (g *Grouping) byTime(time func(d int) string, o Options, labels int) ([]*Period, error) {
	g.DateOrder = o.DateOrder
	if g.DateOrder == "" {
		g.DateOrder = string(dates.TellOrder(len(g.Of), time))
	}
	moments, err := g.readTimes(time)
	if err != nil {
		return nil, err
	}
	first, last, exact := int64(math.MaxInt64), int64(math.MinInt64), dates.ToDay
	for d, m := range moments {
		if g.Of[d] >= 0 {
			first, last, exact = min(first, m.Seconds), max(last, m.Seconds), max(exact, m.Exact)
		}
	}
	if g.Bins = o.Bins; g.Bins == "" {
		g.Bins = chooseBins(first, last, exact)
	}
	a, err := newAxis(g.Bins, first, last)
	if err != nil {
		return nil, err
	}
	if labels*a.count > mostShares {
		return nil, fmt.Errorf("%d labels in %d periods are too many to show: name some labels, or choose longer bins",
			labels, a.count)
	}
	kept := 0
	for d, m := range moments {
		switch {
		case g.Of[d] < 0:
		case a.tooFine(m):
			g.leave(d, &g.LeftOut.Coarse)
		default:
			g.Of[d] = g.Of[d]*int32(a.count) + int32(a.period(m))
			kept++
		}
	}
	if kept == 0 {
		return nil, fmt.Errorf("no time is exact to the %s: choose longer bins", g.Bins)
	}
	periods := make([]*Period, a.count)
	for i := range periods {
		periods[i] = a.describe(i)
	}
	return periods, nil
}

// readTimes returns the time of every document and leaves out those without.
func (g *Grouping) readTimes(time func(d int) string) ([]dates.Moment, error) {
	moments := make([]dates.Moment, len(g.Of))
	c := dates.Clock{Order: dates.Order(g.DateOrder)}
	kept := 0
	for d := range moments {
		s := time(d)
		if g.Of[d] < 0 {
			continue
		}
		if s == "" {
			g.leave(d, &g.LeftOut.NoTime)
			continue
		}
		m, ok := c.Read(s)
		if !ok {
			g.leaveUnread(d, s)
			continue
		}
		moments[d] = m
		kept++
	}
	switch {
	case kept > 0:
		return moments, nil
	case g.LeftOut.Unread > 0:
		return nil, fmt.Errorf("no time can be read, such as %q: write dates like 2024-03-05, years, or seconds since 1970%s", g.LeftOut.Example, g.slashHint())
	}
	return nil, ErrNoTimes
}

// leaveUnread takes a document out whose time is not understood.
func (g *Grouping) leaveUnread(d int, time string) {
	if g.LeftOut.Unread == 0 {
		g.LeftOut.Example = strings.Clone(time)
	}
	g.leave(d, &g.LeftOut.Unread)
}

// slashHint explains why a date such as 3/5/2024 is not understood.
func (g *Grouping) slashHint() string {
	if g.DateOrder == "" && strings.Contains(g.LeftOut.Example, "/") {
		return ", or say whether the day or the month comes first"
	}
	return ""
}

// keys are the columns by which documents are grouped, as the corpus names them.
type keys struct {
	by    string
	bins  string             // that By names, such as year; empty if it names none
	label func(d int) string // "" for a document without
	time  func(d int) string // likewise
}

// resolve finds the columns that By names. Several columns of categories give one group for each
// combination of their values.
func (o *Options) resolve(docs *corpus.Corpus) (keys, error) {
	k := keys{label: docs.Label, time: docs.Time}
	var groups []func(d int) string
	timed := false
	columns := docs.Columns()
	for name := range strings.SplitSeq(o.By, ",") {
		switch name = strings.TrimSpace(name); name {
		case byLabel:
			groups = append(groups, docs.Label)
			continue
		case byTime:
			timed = true
			continue
		}
		c, err := column.Find(columns, name)
		switch {
		case err != nil && docs.HasTimes() && slices.Contains(dates.BinNames(), name):
			timed, k.bins = true, name
		case err != nil:
			return k, fmt.Errorf("cannot group by %q%s", name, human.Hint(name, groupNames(columns)))
		case c.Kind == column.Date:
			timed, k.time = true, present(c)
		case c.Kind == column.Category || c.Kind == column.Number:
			groups = append(groups, present(c))
		default:
			return k, fmt.Errorf("cannot group by column %s: it holds %s, not one of few values for each document",
				c.Name, c.Kind)
		}
	}
	switch {
	case len(groups) == 0:
		k.by = byTime
	case timed:
		k.by, k.label = labelAndTime, combined(groups)
	default:
		k.by, k.label = byLabel, combined(groups)
	}
	return k, nil
}

// groupNames lists what documents can be grouped by.
func groupNames(columns []column.Column) []string {
	return append([]string{byLabel, byTime}, lists.Of(columns,
		func(c column.Column) string { return c.Name })...)
}

// present returns the values of a column, "" for missing ones.
func present(c *column.Column) func(d int) string {
	return func(d int) string {
		if s := c.Values.At(d); !tablecell.IsMissing(s) {
			return s
		}
		return ""
	}
}

// combined joins the values of several columns. A document that lacks one has no value.
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
