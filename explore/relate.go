package explore

import (
	"cmp"
	"slices"

	"github.com/topoi-lda/topoi/analysis/eval"
	"github.com/topoi-lda/topoi/analysis/topicmap"

	"github.com/topoi-lda/topoi/internal/lists"
	"github.com/topoi-lda/topoi/internal/webpage"
)

// measure adds the coherence of topics.
func (b *builder) measure() error {
	r, err := eval.Coherence(b.ctx, b.docs, b.top)
	if err != nil {
		return err
	}
	b.pack.F64("npmi", r.NPMI)
	return nil
}

const (
	neighbours   = 8   // nearest topics of a topic in the page
	matrixTopics = 500 // topics up to which the page has all correlations
	related      = 12  // strongest correlations of a topic, beyond
	pairsMost    = 400 // pairs that stand out, of each sign
)

// relate adds the map, the neighbours, the tree and the correlations of topics.
func (b *page) relate() error {
	k := b.model.NumTopics()
	if k > topicmap.PairedTopics {
		layout, err := topicmap.Map(b.ctx, b.model, b.options.Threads)
		if err != nil {
			return err
		}
		b.packMap(layout)
		return nil
	}
	if err := b.compare(); err != nil {
		return err
	}
	return b.correlate()
}

// compare adds what follows from the distances between topics.
func (b *page) compare() error {
	distances, err := topicmap.Between(b.ctx, b.model, b.options.Threads)
	if err != nil {
		return err
	}
	var layout *topicmap.Layout
	if distances.Measure() == "jensen-shannon" {
		layout, err = distances.Map()
	} else {
		layout, err = topicmap.Map(b.ctx, b.model, b.options.Threads)
	}
	if err != nil {
		return err
	}
	b.packMap(layout)
	b.packNearest(distances)
	b.packTree(distances)
	return nil
}

func (b *page) packMap(l *topicmap.Layout) {
	b.pack.F32("mapX", lists.Of(l.Points, func(p topicmap.Point) float32 { return float32(p.X) }))
	b.pack.F32("mapY", lists.Of(l.Points, func(p topicmap.Point) float32 { return float32(p.Y) }))
	b.info.Map = "classical scaling of " + distanceName(l.Measure)
}

// distanceName returns the name of a measure for readers.
func distanceName(measure string) string {
	if measure == "hellinger" {
		return "Hellinger distances"
	}
	return "Jensen-Shannon divergences"
}

func (b *page) packNearest(d *topicmap.Distances) {
	var all []topicmap.Neighbour
	for k := range b.model.NumTopics() {
		all = append(all, d.Nearest(k, neighbours)...)
	}
	webpage.Varint(b.pack, "nearTopics", lists.Of(all, func(n topicmap.Neighbour) int { return n.Topic }))
	b.pack.F32("nearDistances", lists.Of(all, func(n topicmap.Neighbour) float32 { return float32(n.Distance) }))
	b.info.Distance = distanceName(d.Measure())
}

func (b *page) packTree(d *topicmap.Distances) {
	merges := d.Tree().Merges
	webpage.Varint(b.pack, "treeLeft", lists.Of(merges, func(m topicmap.Merge) int { return m.A }))
	webpage.Varint(b.pack, "treeRight", lists.Of(merges, func(m topicmap.Merge) int { return m.B }))
	b.pack.F32("treeHeights", lists.Of(merges, func(m topicmap.Merge) float32 { return float32(m.Height) }))
	b.info.Tree = "average linkage of " + distanceName(d.Measure())
}

// correlate adds the correlations of topics over documents.
func (b *page) correlate() error {
	c, err := topicmap.Correlate(b.ctx, b.model)
	if err != nil {
		return err
	}
	k := c.NumTopics()
	if k <= matrixTopics {
		all := make([]float32, 0, k*(k-1)/2)
		for j := range k {
			for i := range j {
				all = append(all, float32(c.At(i, j)))
			}
		}
		b.pack.F32("correlations", all)
	} else {
		b.packRelated(c)
	}
	b.packPairs(c)
	return nil
}

func (b *page) packRelated(c *topicmap.Correlations) {
	var all []topicmap.Correlation
	for k := range c.NumTopics() {
		all = append(all, c.Strongest(k, related)...)
	}
	webpage.Varint(b.pack, "relatedTopics", lists.Of(all, func(r topicmap.Correlation) int { return r.Topic }))
	b.pack.F32("relatedValues", lists.Of(all, func(r topicmap.Correlation) float32 { return float32(r.Correlation) }))
}

// packPairs adds the highest and the lowest correlations.
func (b *page) packPairs(c *topicmap.Correlations) {
	high := lists.NewFirst(pairsMost, func(x, y pair) int { return cmp.Compare(y.r, x.r) })
	low := lists.NewFirst(pairsMost, func(x, y pair) int { return cmp.Compare(x.r, y.r) })
	for j := range c.NumTopics() {
		for i := range j {
			if p := (pair{i, j, c.At(i, j)}); p.r > 0 {
				high.Add(p)
			} else if p.r < 0 {
				low.Add(p)
			}
		}
	}
	all := slices.Concat(high.List(), low.List())
	webpage.Varint(b.pack, "pairA", lists.Of(all, func(p pair) int { return p.a }))
	webpage.Varint(b.pack, "pairB", lists.Of(all, func(p pair) int { return p.b }))
	b.pack.F32("pairR", lists.Of(all, func(p pair) float32 { return float32(p.r) }))
}

// pair is the correlation of two topics.
type pair struct {
	a, b int
	r    float64
}
