package guide

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/analysis/prevalence"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/lists"
	"github.com/topoi-lda/topoi/topic"
	"github.com/topoi-lda/topoi/train"
)

// ByTimeOptions say how topics are followed through time.
type ByTimeOptions struct {
	Bins  string  // length of a slice of time, as in prevalence.Options. Default: chosen to fit the times
	Carry float64 // c, the share from 0 to 1 of a slice's counts with which the next one begins; 0.8 suits most

	Options topoi.Options // options of each slice's run; its checkpoints are not kept

	Slice func(name string, docs int) // called before each slice; may be nil
}

// ByTime trains one slice of time after the other. Slice t has the pseudo-counts
//
//	m_t = ⌊c · (n_{t−1} + m_{t−1})⌋
//
// so that topics keep their ids while their words change. ByTime returns one model of all documents, with
// the topics that their slices found. [Drift] returns a topic's words in each slice. Documents without a
// time belong to no slice; the last model gives them their topics.
func ByTime(ctx context.Context, c *corpus.Corpus, o ByTimeOptions) (*topoi.Model, error) {
	if !(o.Carry >= 0 && o.Carry <= 1) {
		return nil, fmt.Errorf("the share carried from slice to slice is %g: it must be between 0 and 1", o.Carry)
	}
	if o.Options.Holdout > 0 || o.Options.Pseudo != nil || o.Options.Memory > 0 {
		return nil, errors.New("training by time cannot be combined with held-out documents, seeds or a memory limit: leave them out")
	}
	g, err := prevalence.Group(c, prevalence.Options{By: "time", Bins: o.Bins})
	if err != nil {
		return nil, err
	}
	members := docsOf(g)
	z := make([]uint32, c.NumTokens())
	var last *topoi.Model
	for i, docs := range members {
		if len(docs) == 0 {
			continue
		}
		if o.Slice != nil {
			o.Slice(g.Cells[i].Period.Name, len(docs))
		}
		m, err := train.Run(ctx, c.Select(docs), sliceOptions(o, last))
		if err != nil {
			return nil, fmt.Errorf("slice %s: %w", g.Cells[i].Period.Name, err)
		}
		put(z, c, docs, m)
		last = m
	}
	if last == nil {
		return nil, errors.New("no document has a time that can be read")
	}
	return joined(ctx, c, g, z, last, o)
}

// docsOf lists the documents of every slice, in the order of time.
func docsOf(g *prevalence.Grouping) [][]uint32 {
	list := make([][]uint32, len(g.Cells))
	for d, cell := range g.Of {
		if cell >= 0 {
			list[cell] = append(list[cell], uint32(d))
		}
	}
	return list
}

// sliceOptions are those of a slice that follows a model.
func sliceOptions(o ByTimeOptions, last *topoi.Model) topoi.Options {
	run := o.Options
	run.Checkpoint, run.Resume = "", false
	if last == nil || o.Carry == 0 {
		return run
	}
	run.Pseudo = topic.NewPseudoCounts(last.NumWords(), last.NumTopics(), func(w int) []topic.Count {
		return carried(last.Row(w), o.Carry)
	})
	if run.Pseudo.Tokens() == 0 {
		run.Pseudo = nil
	}
	return run
}

// put puts the topics of a model's documents, which are some of c, where they belong among all.
func put(z []uint32, c *corpus.Corpus, docs []uint32, m *topoi.Model) {
	at, base := 0, c.Offsets()[0]
	for _, d := range docs {
		for i := c.Offsets()[d] - base; i < c.Offsets()[d+1]-base; i++ {
			z[i] = m.Topic(at)
			at++
		}
	}
}

// joined makes the model of all documents.
func joined(ctx context.Context, c *corpus.Corpus, g *prevalence.Grouping, z []uint32, last *topoi.Model,
	o ByTimeOptions,
) (*topoi.Model, error) {
	var rest []uint32
	for d, cell := range g.Of {
		if cell < 0 && len(c.Doc(d)) > 0 {
			rest = append(rest, uint32(d))
		}
	}
	if len(rest) > 0 {
		start, err := startOf(ctx, last, c.Select(rest), 0, nil, UpdateOptions{Options: o.Options})
		if err != nil {
			return nil, err
		}
		at, base := 0, c.Offsets()[0]
		for _, d := range rest {
			at += copy(z[c.Offsets()[d]-base:c.Offsets()[d+1]-base], start.Topics[at:])
		}
	}
	run := o.Options
	run.Sampler, run.Tuning, run.Events = drawing(run.Topics), topoi.Tuning{}, topoi.Events{}
	run.Start = &topoi.Start{Topics: z, Alpha: last.Alpha(), Beta: last.Beta(), Iteration: last.Manifest().Iterations}
	run.Iterations, run.Tolerance, run.Checkpoint, run.Resume = run.Start.Iteration, -1, "", false
	run.Lineage = []topoi.Ancestor{{
		Kind: "by-time", By: string(g.Bins), Carry: o.Carry,
		Detail: fmt.Sprintf("%s of a %s, each with %g of the counts of the one before",
			human.Of(len(g.Cells), "slice"), g.Bins, o.Carry),
	}}
	return train.Run(ctx, c, run)
}

// slicesOf returns the slices of time with which a model was trained, and the share that each carried on. A model that
// was not trained by slices has none of its own, and the usual share.
func slicesOf(m *topoi.Model) (bins string, carry float64) {
	for _, a := range m.Manifest().Lineage {
		if a.Kind == "by-time" {
			return a.By, a.Carry
		}
	}
	return "", usualCarry
}

// usualCarry is the share of counts that a slice is shown with where training carried none.
const usualCarry = 0.8

// SliceWords are the words of a topic in a slice of time.
type SliceWords struct {
	Topic  int
	Period string
	Tokens uint64             // of the topic in the slice
	Top    []topoi.WordWeight // its most probable words there, by the counts of the slice and what is carried from those before
}

// Drift returns the n most probable words of some topics (nil means all) in every slice of time, in order of
// slices, then of topics. bins and carry are as in ByTimeOptions; empty bins and a negative carry are those that the
// model was trained with, or else bins that fit the times and 0.8. It works with any model whose documents have times.
func Drift(m *topoi.Model, bins string, carry float64, topics []int, n int) ([]SliceWords, error) {
	docs, z, err := m.Trained()
	if err != nil {
		return nil, err
	}
	ownBins, ownCarry := slicesOf(m)
	bins = cmp.Or(bins, ownBins)
	if carry < 0 {
		carry = ownCarry
	}
	g, err := prevalence.Group(docs, prevalence.Options{By: "time", Bins: bins})
	if err != nil {
		return nil, err
	}
	if topics == nil {
		topics = lists.Upto(m.NumTopics())
	}
	counts := make([]map[uint32]float64, m.NumTopics()) // n_wk and what is carried, by topic
	for _, k := range topics {
		if k < 0 || k >= m.NumTopics() {
			return nil, fmt.Errorf("there is no topic %d: the model has the topics 0 to %d", k, m.NumTopics()-1)
		}
		counts[k] = map[uint32]float64{}
	}
	var list []SliceWords
	base := docs.Offsets()[0]
	for i, members := range docsOf(g) {
		tokens := make([]uint64, m.NumTopics())
		for _, row := range counts {
			for w, x := range row {
				if row[w] = math.Floor(carry * x); row[w] == 0 {
					delete(row, w)
				}
			}
		}
		for _, d := range members {
			for j, w := range docs.Doc(int(d)) {
				k := z[docs.Offsets()[d]-base+uint64(j)]
				tokens[k]++
				if counts[k] != nil {
					counts[k][w]++
				}
			}
		}
		for _, k := range topics {
			list = append(list, SliceWords{k, g.Cells[i].Period.Name, tokens[k], largest(m, counts[k], n)})
		}
	}
	return list, nil
}

// largest returns the n words with the largest counts.
func largest(m *topoi.Model, row map[uint32]float64, n int) []topoi.WordWeight {
	var words []uint32
	sum := 0.0
	for w, x := range row {
		words = append(words, w)
		sum += x
	}
	slices.SortFunc(words, func(a, b uint32) int { return cmp.Or(cmp.Compare(row[b], row[a]), cmp.Compare(a, b)) })
	list := []topoi.WordWeight{}
	for _, w := range words[:min(n, len(words))] {
		phi := (row[w] + m.Beta()) / (sum + float64(float64(m.NumWords())*m.Beta()))
		list = append(list, topoi.WordWeight{Word: int(w), Term: m.Words().At(int(w)), Count: uint32(row[w]), Phi: phi})
	}
	return list
}
