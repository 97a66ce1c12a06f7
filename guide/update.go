package guide

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/holdout"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/topic"
	"github.com/topoi-lda/topoi/train"
)

// UpdateOptions say how new documents are joined to a model. The zero value forgets no word and keeps no old document.
type UpdateOptions struct {
	// Weight is the weight of a token of the old model: its counts n_wk become ⌊Weight · n_wk⌋ pseudo-counts.
	// Below 1 old topics give way to new documents sooner. Default 1.
	Weight float64

	// Keep is the number of old documents that are trained on again, a random sample; they count as documents and
	// not by Weight. Default 0: none. Negative: all.
	Keep int

	NewTopics int // free topics beside the old ones. Default 0
	MinDocs   int // in how many new documents a word must occur that the model does not know, to be learned. Default 2

	// Options are those of the run. Topics, Start, Pseudo and Lineage are set by Update. Default: at most 200 sweeps, and
	// the old model's α and β where the documents have fewer than half as many tokens as it counts.
	Options topoi.Options

	// Train trains, for programs that do it elsewhere, in a cluster for example. Default: train.Run.
	Train func(context.Context, *corpus.Corpus, topoi.Options) (*topoi.Model, error)
}

// Updated is a model with new documents, and what changed.
type Updated struct {
	Model    *topoi.Model
	Docs     *corpus.Corpus // the documents that it was trained on; close it after the model
	NewWords int            // words that the old model did not know
	Quiet    int            // words of the old model that do not occur in the documents
}

// updateSweeps is the most sweeps of an update: topics are where they should be from the start.
const updateSweeps = 200

// Update returns a model of new documents whose topics are those of an old model, with their ids and names,
// and new ones if the options say so. The new documents are cut into words as the old ones were, but keep words
// that the old model does not know: load them with Model.ImportOptions without its Vocabulary.
func Update(ctx context.Context, old *topoi.Model, docs *corpus.Corpus, o UpdateOptions) (*Updated, error) {
	o.Weight, o.MinDocs = cmp.Or(o.Weight, 1), cmp.Or(o.MinDocs, 2)
	if o.Train == nil {
		o.Train = train.Run
	}
	switch {
	case !(o.Weight > 0) || o.Weight > mostWeight:
		return nil, fmt.Errorf("the weight of the older model is %g: it must be above 0 and at most %d", o.Weight,
			mostWeight)
	case o.NewTopics < 0:
		return nil, fmt.Errorf("%d new topics were asked for: it must be 0 or more", o.NewTopics)
	case docs.NumTokens() == 0:
		return nil, errors.New("there is nothing to learn: the new documents have no words")
	}
	if o.Keep != 0 {
		old = old.LastDraw() // kept documents take their own tokens out of its counts
	}
	kept, z, err := keptDocs(old, o.Keep, o.Options.Seed)
	if err != nil {
		return nil, err
	}
	u := &Updated{Docs: kept.Concat(docs, o.MinDocs)}
	u.NewWords = u.Docs.NumWords() - old.NumWords()
	u.Quiet = quiet(u.Docs, old.NumWords())
	start, err := startOf(ctx, old, u.Docs, kept.NumDocs(), z, o)
	if err != nil {
		return nil, err
	}
	u.Model, err = o.Train(ctx, u.Docs, u.options(old, kept, z, start, o))
	if err != nil {
		return nil, err
	}
	labels, err := old.Labels()
	if err != nil {
		return nil, errors.Join(err, u.Model.Close())
	}
	return u, u.Model.SetLabels(topic.Labels{Names: labels.Names, Hidden: labels.Hidden})
}

// keptDocs returns the old documents that are trained on again, with their topics.
func keptDocs(old *topoi.Model, n int, seed uint64) (*corpus.Corpus, []uint32, error) {
	docs, z, err := old.Trained()
	if err != nil {
		return nil, nil, err
	}
	if n < 0 || n >= docs.NumDocs() {
		return docs, z, nil
	}
	var drawn []uint32
	if n > 0 {
		_, drawn = holdout.Sample(docs.NumDocs(), n, seed)
	}
	slices.Sort(drawn)
	var topics []uint32
	for _, d := range drawn {
		base := docs.Offsets()[0]
		topics = append(topics, z[docs.Offsets()[d]-base:docs.Offsets()[d+1]-base]...)
	}
	return docs.Select(drawn), topics, nil
}

// options are those of the run: the old model's counts, without those of documents that are kept, as pseudo-counts.
func (u *Updated) options(old *topoi.Model, kept *corpus.Corpus, z []uint32, start *topoi.Start,
	o UpdateOptions,
) topoi.Options {
	own := make(map[uint64]uint32, len(z)) // n_wk of the documents that are kept
	for i, w := range kept.Tokens() {
		own[uint64(w)<<32|uint64(z[i])]++
	}
	k, before := old.NumTopics()+o.NewTopics, old.Manifest()
	run := o.Options
	run.Topics, run.Start, run.BurnIn = k, start, -1
	run.Iterations = cmp.Or(run.Iterations, updateSweeps)
	if run.OptimizeInterval == 0 && 2*uint64(u.Docs.NumTokens()) < before.PerDraw(before.Counted()) {
		run.OptimizeInterval = -1 // a few documents say little about α: topics that they lack would lose theirs
	}
	run.Pseudo = topic.NewPseudoCounts(u.Docs.NumWords(), k, func(w int) (row []topic.Count) {
		if w >= old.NumWords() {
			return nil
		}
		for _, e := range meanRow(old, w) {
			n := weighted(o.Weight, e.Count-own[uint64(w)<<32|uint64(e.Topic)])
			row = append(row, topic.Count{Topic: e.Topic, Count: n})
		}
		return row
	})
	if run.Pseudo.Tokens() == 0 {
		run.Pseudo = nil
	}
	run.Lineage = append(slices.Clone(before.Lineage), topoi.Ancestor{
		Kind: "update", From: old.Fingerprint(), Docs: before.Docs,
		Detail: fmt.Sprintf("%s with weight %g, %s kept, %s and %s added", human.Of(before.Docs, "document"), o.Weight,
			human.Of(kept.NumDocs(), "document"), human.Of(o.NewTopics, "topic"), human.Of(u.NewWords, "word")),
	})
	return run
}

// Prior returns ⌊weight · n_wk⌋ of an old model as pseudo-counts of a corpus that is to be trained with k topics, words
// matched by their spelling.
func Prior(old *topoi.Model, c *corpus.Corpus, k int, weight float64) (*topic.PseudoCounts, error) {
	switch {
	case k < old.NumTopics():
		return nil, fmt.Errorf("the older model has %d topics, and only %d were asked for: ask for at least as many",
			old.NumTopics(), k)
	case !(weight > 0) || weight > mostWeight:
		return nil, fmt.Errorf("the weight of the older model is %g: it must be above 0 and at most %d", weight,
			mostWeight)
	}
	ids := make(map[string]int, old.NumWords())
	for w, word := range old.Words().All() {
		ids[word] = w
	}
	m := topic.NewPseudoCounts(c.NumWords(), k, func(w int) []topic.Count {
		if id, ok := ids[c.Words().At(w)]; ok {
			return carried(meanRow(old, id), weight)
		}
		return nil
	})
	if m.Tokens() == 0 {
		return nil, errors.New("the older model has no word in common with the corpus, or too small a weight")
	}
	return m, nil
}

// mostWeight bounds the weight of an old model.
const mostWeight = 1000

// startOf gives the new documents, which follow the kept ones, topics to begin with: a token of word w draws from θ_dk
// φ_wk, where θ is what the old model infers. A word that it does not know draws from the new topics, and from θ if
// there are none.
func startOf(ctx context.Context, old *topoi.Model, docs *corpus.Corpus, kept int, z []uint32,
	o UpdateOptions,
) (*topoi.Start, error) {
	start := &topoi.Start{
		Topics: slices.Clone(z), Beta: old.Manifest().BetaPerDraw(), Iteration: 1, Alpha: slices.Clone(old.Alpha()),
	}
	mean := 0.0
	for _, a := range old.Alpha() {
		mean += a / float64(old.NumTopics())
	}
	start.Alpha = append(start.Alpha, slices.Repeat([]float64{mean}, o.NewTopics)...)
	random, vbeta := draws(o.Options.Seed), float64(old.NumWords())*old.Beta()
	var theta []float64
	weights := make([]float64, old.NumTopics())
	infer := topoi.InferOptions{
		Seed: o.Options.Seed, Threads: o.Options.Threads, Device: o.Options.Device,
		Iterations: startSweeps,
	}
	err := old.Infer(ctx, knownWords(old, docs, kept), infer, func(t *topoi.DocTopics) error {
		theta = t.Theta(theta)
		for _, w := range docs.Doc(kept + t.Doc) {
			u := rng.Float64(random.Pair(uint64(len(start.Topics))))
			copy(weights, theta)
			known := int(w) < old.NumWords()
			if known {
				spread(weights, old, int(w), vbeta)
			}
			k := drawn(weights, u)
			if !known && o.NewTopics > 0 {
				k = uint32(old.NumTopics() + int(u*float64(o.NewTopics)))
			}
			start.Topics = append(start.Topics, k)
		}
		return nil
	})
	return start, err
}

// startSweeps are those of the inference that an update begins with: its own sweeps follow.
const startSweeps = 20

// knownWords returns the documents from first on in the words of the old model.
func knownWords(old *topoi.Model, docs *corpus.Corpus, first int) *corpus.Corpus {
	list := make([][]uint32, 0, docs.NumDocs()-first)
	for d := first; d < docs.NumDocs(); d++ {
		words := docs.Doc(d)
		end, _ := slices.BinarySearch(words, uint32(old.NumWords()))
		list = append(list, words[:end])
	}
	return corpus.FromIDs(old.Words().List(), list)
}

// spread multiplies weights by φ_wk.
func spread(weights []float64, m *topoi.Model, w int, vbeta float64) {
	totals := m.TopicTotals()
	for k := range weights {
		weights[k] *= m.Beta() / (float64(totals[k]) + vbeta)
	}
	for _, e := range m.Row(w) {
		weights[e.Topic] *= (float64(e.Count) + m.Beta()) / m.Beta()
	}
}

// drawn returns the place at which running sums of weights exceed u times their sum.
func drawn(weights []float64, u float64) uint32 {
	sum := 0.0
	for _, x := range weights {
		sum += x
	}
	target := u * sum
	for k, x := range weights {
		if target -= x; target < 0 {
			return uint32(k)
		}
	}
	return uint32(len(weights) - 1)
}

// quiet counts the first v words that do not occur.
func quiet(docs *corpus.Corpus, v int) (n int) {
	seen := make([]bool, docs.NumWords())
	for _, w := range docs.Tokens() {
		seen[w] = true
	}
	for _, here := range seen[:v] {
		if !here {
			n++
		}
	}
	return n
}

// carried returns ⌊c · n⌋ of a row.
func carried(row []topic.Count, c float64) []topic.Count {
	next := slices.Clone(row)
	for i := range next {
		next[i].Count = weighted(c, next[i].Count)
	}
	return next
}

// weighted returns ⌊c · n⌋, or the largest count where that is more: no run takes so many pseudo-counts, and says so.
func weighted(c float64, n uint32) uint32 {
	return uint32(min(math.Floor(c*float64(n)), math.MaxUint32))
}
