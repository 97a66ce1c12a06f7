package apply

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/reading"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/eval"
	"github.com/topoi-lda/topoi/progress"
)

// topWords returns the ids of the top words of every topic.
func (e *evaluator) topWords(m *topoi.Model) [][]int {
	var top [][]int
	for _, words := range m.EachTopWords(nil, e.words) {
		var ids []int
		for _, w := range words {
			ids = append(ids, w.Word)
		}
		top = append(top, ids)
	}
	return top
}

// topics measures the topics themselves, on the training documents.
func (e *evaluator) topics(ctx context.Context, m *topoi.Model) ([]measurement, error) {
	docs, err := m.Docs()
	if err != nil {
		return nil, err
	}
	top := e.topWords(m)
	c, err := eval.Coherence(ctx, docs, top)
	if err != nil {
		return nil, err
	}
	return []measurement{
		{Measure: "NPMI coherence, mean over topics", Value: meanOf(c.NPMI), Unit: "-1 to 1"},
		{Measure: "UMass coherence, mean over topics", Value: meanOf(c.UMass), Unit: "nats per pair"},
		diversity(top),
	}, nil
}

func diversity(top [][]int) measurement {
	return measurement{Measure: "diversity", Value: eval.Diversity(top), Unit: "share of top words that are unique"}
}

// coherence measures the topics in windows of the input's text.
func (e *evaluator) coherence(ctx context.Context, m *topoi.Model, inputs []string, r progress.Reporter) ([]measurement, error) {
	if len(e.estimators) > 1 && slices.Contains(inputs, "-") {
		return nil, errors.New("standard input can be read only once: ask for coherence alone, or give files")
	}
	options, err := m.ImportOptions()
	if err != nil {
		return nil, err
	}
	options.Source, options.Progress, options.Threads = e.inputs.Options.Source, reading.Progress(r), e.options.Threads
	top := e.topWords(m)
	counters := make([]*eval.WindowCounter, e.options.Threads)
	for i := range counters {
		counters[i] = eval.NewWindowCounter(top)
	}
	err = corpus.EachText(ctx, inputs, options, func(worker int, words []uint32) { counters[worker].Add(words) })
	if err != nil {
		return nil, err
	}
	for _, c := range counters[1:] {
		counters[0].Merge(c)
	}
	c := counters[0].Coherence()
	if !slices.ContainsFunc(c.CV, func(v float64) bool { return !math.IsNaN(v) }) {
		return nil, errors.New("there is nothing to measure: no topic has two top words that occur in the input")
	}
	return []measurement{
		{Measure: "C_V coherence (windows of 110 words), mean over topics", Value: meanOf(c.CV), Unit: "-1 to 1"},
		{Measure: "NPMI coherence (windows of 10 words), mean over topics", Value: meanOf(c.NPMI), Unit: "-1 to 1"},
		{Measure: "UCI coherence (windows of 10 words), mean over topics", Value: meanOf(c.UCI), Unit: "nats per pair"},
		diversity(top),
	}, nil
}

// meanOf leaves out topics that could not be measured.
func meanOf(values []float64) float64 {
	sum, n := 0.0, 0
	for _, v := range values {
		if !math.IsNaN(v) {
			sum += v
			n++
		}
	}
	return sum / float64(max(n, 1))
}
