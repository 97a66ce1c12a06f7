package explore

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/topoi-lda/topoi/column"
	"github.com/topoi-lda/topoi/effects"
	"github.com/topoi-lda/topoi/internal/webpage"
	"github.com/topoi-lda/topoi/prevalence"
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
	b.pack.F64(numbered("columnNumbers", i), each(b.chosen, func(d int) float64 { return numbers[d] }))
}

// packLevels adds which values documents have: sizes of lists, then 1 + the place in
// Levels, or one more than there are levels for a rarer value.
func (b *builder) packLevels(c *column.Column, info *columnInfo, i int) {
	items := func(d int) []string {
		s := c.Values.At(d)
		switch {
		case c.Kind == column.List:
			return column.Items(s)
		case column.IsMissing(s):
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
	levels := slices.SortedFunc(maps.Keys(counts), func(x, y string) int { return cmp.Or(cmp.Compare(counts[y], counts[x]), cmp.Compare(x, y)) })
	levels = levels[:min(len(levels), levelsMost)]
	slices.SortFunc(levels, column.Compare)
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
	o := b.shareOptions(prevalence.By(info.Name), 0)
	o.Labels = nil
	all, err := prevalence.Group(b.docs, o)
	most := min(groupsMost, *cells/b.model.NumTopics())
	if err != nil || most < 2 || len(all.Cells) < 2 { // a name with a comma, or no room: the page can filter by it
		return nil
	}
	slices.SortStableFunc(all.Cells, func(x, y prevalence.Cell) int { return cmp.Compare(y.Docs, x.Docs) })
	o = b.shareOptions(o.By, min(most, len(all.Cells)))
	o.Labels = nil
	for _, c := range all.Cells[:min(most, len(all.Cells))] {
		o.Labels = append(o.Labels, c.Label)
	}
	slices.SortFunc(o.Labels, column.Compare)
	r, err := prevalence.Compute(b.ctx, b.model, o)
	if err != nil {
		return err
	}
	for _, c := range r.Cells {
		info.Groups = append(info.Groups, group{Name: shorten(c.Label), Docs: c.Docs})
	}
	info.Left = len(all.Cells) - len(r.Cells)
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
		return fmt.Errorf("there are %d effects, and a page holds at most %d: choose a formula with fewer terms", n, cellBudget)
	}
	b.info.Effects = &effectsInfo{Formula: b.options.Effects, Methods: r.Methods(b.model.NumTopics()), Terms: r.Names}
	var lists [4][]float32
	for _, topic := range r.Effects {
		for _, e := range topic {
			for i, x := range []float64{e.Estimate, e.Low, e.High, e.P()} {
				lists[i] = append(lists[i], float32(x))
			}
		}
	}
	for i, name := range []string{"effects", "effectLow", "effectHigh", "effectP"} {
		b.pack.F32(name, lists[i])
	}
	return nil
}
