package explore

import (
	"io"
	"slices"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/analysis/compare"
	"github.com/topoi-lda/topoi/guide"
	"github.com/topoi-lda/topoi/internal/lists"
	"github.com/topoi-lda/topoi/internal/webpage"
)

// Side is one of two models that were compared.
type Side struct {
	Name  string // shown in the page
	Model *topoi.Model
}

// comparisonInfo is the small part of the data of a comparison, as JSON.
type comparisonInfo struct {
	Version   int         `json:"version"`
	Measure   string      `json:"measure"`
	Threshold float64     `json:"threshold"`
	Mean      float64     `json:"mean"`   // similarity of the matches
	Exact     bool        `json:"exact"`  // all pairs were compared
	Words     int         `json:"words"`  // top words of which the shared ones are counted
	Common    int         `json:"common"` // words of both vocabularies
	Sides     [2]sideInfo `json:"sides"`
}

type sideInfo struct {
	Name        string         `json:"name"`
	Fingerprint string         `json:"fingerprint"`
	Topics      int            `json:"topics"`
	Words       int            `json:"words"`
	Labels      map[int]string `json:"labels"`
}

// fates are the numbers of the fates of topics in the data.
var fates = map[compare.Fate]int{compare.Kept: 0, compare.Split: 1, compare.Merged: 2, compare.Lost: 3, compare.New: 4}

// WriteComparison writes the page of two models and what compare.Models found: which topics were kept, split, merged,
// lost and new. The arrays of its data, for the sides S = 0 and 1, are
//
//	sharesS                      f64     K     n_k/N
//	fatesS                       varint  K     0 kept, 1 split, 2 merged, 3 lost, 4 new
//	wordsS                       text    K     top words, separated by blanks
//	linkA, linkB, linkShared     varint        topics that are linked, top words that both have
//	linkSimilarity               f64
//	linkMatched                  varint        1 for partners, 0 for topics that are only similar
func WriteComparison(a, b Side, r *compare.Result, w io.Writer) error {
	p := webpage.NewPack()
	info := comparisonInfo{
		Version: dataVersion, Measure: r.Measure, Threshold: r.Threshold, Mean: r.Mean, Exact: r.Exact, Words: r.Words,
		Common: r.Vocabulary.Common,
	}
	for s, side := range []Side{a, b} {
		labels, err := side.Model.Labels()
		if err != nil {
			return err
		}
		info.Sides[s] = sideInfo{
			side.Name, side.Model.Fingerprint(), side.Model.NumTopics(), side.Model.NumWords(),
			labels.Names,
		}
		packSide(p, string(rune('0'+s)), side.Model, [][]compare.Fate{r.A, r.B}[s])
	}
	packLinks(p, r)
	p.Info = info
	data, err := p.Bytes()
	if err != nil {
		return err
	}
	return comparisonParts().Write(w, a.Name+" and "+b.Name, data)
}

func packSide(p *webpage.Pack, s string, m *topoi.Model, of []compare.Fate) {
	shares, numbers, words := make([]float64, m.NumTopics()), make([]int, m.NumTopics()), make([]string, m.NumTopics())
	for t := range m.Summary(nil, topWords) {
		shares[t.Topic], numbers[t.Topic] = t.Share, fates[of[t.Topic]]
		for i, w := range t.Words {
			if i > 0 {
				words[t.Topic] += " "
			}
			words[t.Topic] += cutRunes(w.Term, 40)
		}
	}
	p.F64("shares"+s, shares)
	webpage.Varint(p, "fates"+s, numbers)
	p.Text("words"+s, words)
}

func packLinks(p *webpage.Pack, r *compare.Result) {
	partner := map[int]int{}
	for _, m := range r.Matches {
		partner[m.A] = m.B
	}
	webpage.Varint(p, "linkA", lists.Of(r.Links, func(l compare.Pair) int { return l.A }))
	webpage.Varint(p, "linkB", lists.Of(r.Links, func(l compare.Pair) int { return l.B }))
	webpage.Varint(p, "linkShared", lists.Of(r.Links, func(l compare.Pair) int { return l.Shared }))
	p.F64("linkSimilarity", lists.Of(r.Links, func(l compare.Pair) float64 { return l.Similarity }))
	webpage.Varint(p, "linkMatched", lists.Of(r.Links, func(l compare.Pair) int {
		if b, has := partner[l.A]; has && b == l.B {
			return 1
		}
		return 0
	}))
}

// driftWords is the number of words of a topic in a slice of time.
const driftWords = 8

// findDrift finds the words of topics over time, if the model was trained by slices of time and the page has room for
// them.
func (b *builder) findDrift() error {
	lineage := b.model.Manifest().Lineage
	at := slices.IndexFunc(lineage, func(a topoi.Ancestor) bool { return a.Kind == "by-time" })
	if at < 0 {
		return nil
	}
	slice := lineage[at]
	list, err := guide.Drift(b.model, slice.By, slice.Carry, nil, driftWords)
	if err != nil || len(list)*driftWords > cellBudget {
		return err
	}
	b.drift, b.info.Drift = list, &driftInfo{Unit: slice.By, Carry: slice.Carry}
	for i, x := range list {
		if i%b.model.NumTopics() == 0 {
			b.info.Drift.Periods = append(b.info.Drift.Periods, x.Period)
		}
		for _, w := range x.Top {
			b.words.has[w.Word] = true
		}
	}
	return nil
}

// packDrift adds the words of topics over time.
func (b *builder) packDrift() {
	var all []topoi.WordWeight
	for _, x := range b.drift {
		all = append(all, x.Top...)
	}
	webpage.Varint(b.pack, "driftSizes", lists.Of(b.drift, func(x guide.SliceWords) int { return len(x.Top) }))
	webpage.Varint(b.pack, "driftTokens", lists.Of(b.drift, func(x guide.SliceWords) uint64 { return x.Tokens }))
	webpage.Varint(b.pack, "driftWords",
		lists.Of(all, func(w topoi.WordWeight) uint32 { return b.words.place[w.Word] }))
	b.pack.F32("driftPhi", lists.Of(all, func(w topoi.WordWeight) float32 { return float32(w.Phi) }))
}
