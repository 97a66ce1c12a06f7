package explore

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/topoi-lda/topoi/analysis/effects"
	"github.com/topoi-lda/topoi/analysis/prevalence"
	"github.com/topoi-lda/topoi/corpus/column"
	"github.com/topoi-lda/topoi/internal/lists"
	"github.com/topoi-lda/topoi/internal/tablecell"
	"github.com/topoi-lda/topoi/internal/webpage"
)

// levelsMost is the number of values of a category that the page knows by name.
const levelsMost = 500

// packColumns adds the columns of the documents, as many as fit, and the shares of topics in their values.
func (b *builder) packColumns() error {
	room, cells := columnBudget/max(1, len(b.chosen)), cellBudget
	for _, c := range b.docs.Columns() {
		i := len(b.info.Columns)
		switch {
		case c.Kind == column.Text || c.Name == "length": // the page has lengths
			continue
		case i == room:
			b.info.ColumnsLeftOut++
			continue
		}
		b.info.Columns = append(b.info.Columns, columnInfo{Name: c.Name, Kind: c.Kind})
		info := &b.info.Columns[i]
		if c.Kind == column.Number || c.Kind == column.Date {
			b.packNumbers(&c, i)
		}
		if c.Kind != column.Date {
			b.packLevels(&c, info, i)
		}
		if c.Kind == column.List || len(info.Levels) < 2 || b.isLabel(&c) {
			continue
		}
		if err := b.packColumnShares(info, i, &cells); err != nil {
			return err
		}
	}
	return nil
}

// isLabel reports whether a column holds the labels, whose shares the page has already.
func (b *builder) isLabel(c *column.Column) bool {
	if c.Kind != column.Category || !b.docs.HasLabels() {
		return false
	}
	for d := range b.docs.NumDocs() {
		if c.Values.At(d) != b.docs.Label(d) {
			return false
		}
	}
	b.info.GroupName = c.Name
	return true
}

// packNumbers adds numbers, and dates as seconds since 1970.
func (b *builder) packNumbers(c *column.Column, i int) {
	numbers, _ := c.Numbers()
	b.pack.F64(numbered("columnNumbers", i), lists.Of(b.chosen, func(d int) float64 { return numbers[d] }))
}

// packLevels adds which values documents have: sizes of lists, then 1 + the place in
// Levels, or one more than there are levels for a rarer value.
func (b *builder) packLevels(c *column.Column, info *columnInfo, i int) {
	items := func(d int) []string {
		s := c.Values.At(d)
		switch {
		case c.Kind == column.List:
			return tablecell.Items(s)
		case tablecell.IsMissing(s):
			return nil
		}
		return []string{s}
	}
	counts := map[string]int{}
	for d := range b.docs.NumDocs() {
		for _, s := range items(d) {
			counts[s]++
		}
		if c.Kind == column.Number && len(counts) > groupsMost {
			return
		}
	}
	levels := slices.SortedFunc(maps.Keys(counts), func(x, y string) int {
		return cmp.Or(cmp.Compare(counts[y],
			counts[x]), cmp.Compare(x, y))
	})
	levels = levels[:min(len(levels), levelsMost)]
	slices.SortFunc(levels, tablecell.Compare)
	place := map[string]int{}
	for at, s := range levels {
		place[s] = at + 1
		info.Levels = append(info.Levels, shorten(s))
	}
	var sizes, codes []int
	for _, d := range b.chosen {
		list := items(d)
		sizes = append(sizes, len(list))
		for _, s := range list {
			codes = append(codes, cmp.Or(place[s], len(levels)+1))
		}
	}
	webpage.Varint(b.pack, numbered("columnSizes", i), sizes)
	webpage.Varint(b.pack, numbered("columnLevels", i), codes)
}

// packColumnShares adds the shares of topics for the largest values of a column, if there is room.
func (b *builder) packColumnShares(info *columnInfo, i int, cells *int) error {
	all, err := prevalence.Group(b.docs, prevalence.Options{By: info.Name})
	most := min(groupsMost, *cells/b.model.NumTopics())
	if err != nil || all.By == "time" || most < 2 || len(all.Cells) < 2 {
		// A name with a comma, a column called time that holds no dates, or no room: the page can filter by it.
		return nil
	}
	var r *prevalence.Result
	if r, info.Groups, info.Left, err = b.largestGroups(all, info.Name, most,
		tablecell.Compare); err != nil {
		return err
	}
	*cells -= len(r.Cells) * len(r.Topics)
	b.packShares(numbered("columnShares", i), numbered("columnLow", i), numbered("columnHigh", i), r)
	return nil
}

// packEffects adds how topics depend on columns, if a formula is given.
func (b *builder) packEffects() error {
	if b.options.Effects == "" {
		return nil
	}
	r, err := effects.Compute(b.ctx, b.model, effects.Options{
		Formula: b.options.Effects, Columns: b.docs.Columns(), Interval: b.options.Interval, Threads: b.options.Threads,
	})
	if err != nil {
		return err
	}
	if n := len(r.Names) * b.model.NumTopics(); n > cellBudget {
		return fmt.Errorf("there are %d effects, and a page holds at most %d: choose a formula with fewer terms", n,
			cellBudget)
	}
	b.info.Effects = &effectsInfo{Formula: b.options.Effects, Methods: r.Methods(b.model.NumTopics()), Terms: r.Names, Bases: r.Bases, With: r.With}
	var lists [5][]float32
	holm := r.Holm()
	for slot, topic := range r.Effects {
		for term, e := range topic {
			for i, x := range []float64{e.Estimate, e.Low, e.High, e.P(), holm[slot][term]} {
				lists[i] = append(lists[i], float32(x))
			}
		}
	}
	for i, name := range []string{"effects", "effectLow", "effectHigh", "effectP", "effectHolm"} {
		b.pack.F32(name, lists[i])
	}
	return nil
}

const (
	groupsMost    = 60  // labels of which the page has shares
	periodsMost   = 130 // of a calendar
	calendarsMost = 3

	manyShares    = 20_000  // shares, or
	manyDocs      = 200_000 // documents from which intervals come from
	fewReplicates = 200     // so many replicates
)

// groupAndTime adds the shares of topics in groups, in periods, and in both.
func (b *page) groupAndTime() error {
	if b.docs.HasLabels() {
		if err := b.groupByLabel(); err != nil {
			return err
		}
	}
	if b.docs.HasTimes() {
		if err := b.groupByTime(); err != nil {
			return err
		}
	}
	if len(b.groups.labels) > 0 && len(b.groups.bins) > 0 {
		return b.cross()
	}
	return nil
}

// shareOptions returns the options for shares in a number of groups or periods.
func (b *page) shareOptions(by string, cells int) prevalence.Options {
	o := prevalence.Options{
		By: by, Interval: b.options.Interval, Replicates: b.options.Replicates,
		Threads: b.options.Threads,
	}
	if o.Replicates == 0 && (cells*b.model.NumTopics() > manyShares || b.docs.NumDocs() > manyDocs) {
		o.Replicates = fewReplicates
	}
	return o
}

// groupByLabel adds the shares in the largest groups.
func (b *page) groupByLabel() error {
	all, err := prevalence.Group(b.docs, prevalence.Options{By: "label"})
	if errors.Is(err, prevalence.ErrNoLabels) {
		return nil
	}
	if err != nil {
		return err
	}
	most := max(2, min(groupsMost, cellBudget/b.model.NumTopics()))
	var r *prevalence.Result
	r, b.info.Groups, b.info.GroupsLeftOut, err = b.largestGroups(all, "label", most, strings.Compare)
	if err != nil {
		return err
	}
	b.groups.labels = lists.Of(r.Cells, func(c prevalence.Cell) string { return c.Label })
	b.groups.of = r.Of
	b.packShares("groupShares", "groupLow", "groupHigh", r)
	return nil
}

// largestGroups computes the shares in the groups with most documents, at most most of them, and returns how many
// others there are.
func (b *page) largestGroups(all *prevalence.Grouping, by string, most int, order func(x, y string) int,
) (r *prevalence.Result, groups []group, left int, err error) {
	slices.SortStableFunc(all.Cells, func(x, y prevalence.Cell) int { return cmp.Compare(y.Docs, x.Docs) })
	cells := all.Cells[:min(most, len(all.Cells))]
	o := b.shareOptions(by, len(cells))
	o.Labels = slices.SortedFunc(slices.Values(lists.Of(cells, func(c prevalence.Cell) string { return c.Label })),
		order)
	if r, err = prevalence.Compute(b.ctx, b.model, o); err != nil {
		return nil, nil, 0, err
	}
	groups = lists.Of(r.Cells, func(c prevalence.Cell) group { return group{Name: shorten(c.Label), Docs: c.Docs} })
	return r, groups, len(all.Cells) - len(cells), nil
}

// packShares adds shares and intervals by topic, then by cell.
func (b *page) packShares(shares, low, high string, r *prevalence.Result) {
	n := len(r.Cells)
	list := [3][]float32{
		make([]float32, n*len(r.Topics)), make([]float32, n*len(r.Topics)),
		make([]float32, n*len(r.Topics)),
	}
	for c := range r.Cells {
		for i, s := range r.Shares[c] {
			list[0][i*n+c], list[1][i*n+c], list[2][i*n+c] = float32(s.Share), float32(s.Low), float32(s.High)
		}
	}
	b.pack.F32(shares, list[0])
	b.pack.F32(low, list[1])
	b.pack.F32(high, list[2])
}

// groupByTime adds the shares in the periods of some calendars.
func (b *page) groupByTime() error {
	best, err := prevalence.Group(b.docs, prevalence.Options{By: "time"})
	if errors.Is(err, prevalence.ErrNoTimes) {
		return nil
	}
	if err != nil { // times that nobody can read are no reason to have no page
		b.info.TimeFault = err.Error()
		return nil
	}
	b.info.TimesLeftOut = best.LeftOut.NoTime + best.LeftOut.Unread + best.LeftOut.Coarse
	for _, bins := range b.calendars(best) {
		o := b.shareOptions("time", bins.periods)
		o.Bins = bins.bins
		r, err := prevalence.Compute(b.ctx, b.model, o)
		if err != nil {
			return err
		}
		b.packPeriods(r)
	}
	return nil
}

func (b *page) packPeriods(r *prevalence.Result) {
	c := calendar{Unit: string(r.Bins)}
	for _, cell := range r.Cells {
		c.Bins, c.Docs = append(c.Bins, cell.Period.Name), append(c.Docs, cell.Docs)
	}
	n := len(b.groups.bins)
	b.info.Calendars = append(b.info.Calendars, c)
	b.groups.bins = append(b.groups.bins, r.Of)
	b.packShares(numbered("timeShares", n), numbered("timeLow", n), numbered("timeHigh", n), r)
}

// bins is a way to cut time.
type bins struct {
	bins    string
	periods int
}

// calendars returns the bins that the page offers: those that fit the times best, then the
// others that have neither too few periods nor too many and leave no more documents out.
func (b *page) calendars(best *prevalence.Grouping) []bins {
	list := []bins{{best.Bins, len(best.Cells)}}
	for _, name := range []string{
		"year", "decade", "quarter", "month",
		"week", "day",
	} {
		if name == best.Bins || len(list) == calendarsMost {
			continue
		}
		g, err := prevalence.Group(b.docs, prevalence.Options{By: "time", Bins: name})
		if err == nil && b.fits(len(g.Cells)) && g.LeftOut.Coarse <= best.LeftOut.Coarse {
			list = append(list, bins{name, len(g.Cells)})
		}
	}
	return list
}

// fits reports whether a calendar of so many periods is worth showing, and not too large.
func (b *page) fits(periods int) bool {
	return periods > 1 && periods <= periodsMost && periods*b.model.NumTopics() <= cellBudget
}

// cross adds groups × time of the first calendar for as many of the largest topics as fit.
func (b *page) cross() error {
	cells := len(b.groups.labels) * len(b.info.Calendars[0].Bins)
	topics := b.model.LargestTopics(max(1, min(b.model.NumTopics(), crossBudget/cells)))
	slices.Sort(topics)
	o := b.shareOptions("label,time", cells)
	o.Labels, o.Bins, o.Topics, o.Interval = b.groups.labels, b.info.Calendars[0].Unit, topics, -1
	r, err := prevalence.Compute(b.ctx, b.model, o)
	if err != nil {
		return err
	}
	tokens, counts := make([]uint64, cells), make([]uint64, cells*len(topics))
	for c, cell := range r.Cells {
		// Documents with a label may span fewer periods than all documents.
		at := slices.Index(b.groups.labels, cell.Label)*len(b.info.Calendars[0].Bins) +
			slices.Index(b.info.Calendars[0].Bins, cell.Period.Name)
		tokens[at] = cell.Tokens
		for i, s := range r.Shares[c] {
			counts[i*cells+at] = s.Tokens
		}
	}
	webpage.Varint(b.pack, "crossTopics", topics)
	webpage.Varint(b.pack, "crossTokens", tokens)
	webpage.Varint(b.pack, "crossCounts", counts)
	return nil
}
