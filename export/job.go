package export

import (
	"context"
	"runtime"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/column"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/topic"
)

// modelJob is what an export of the model alone works on.
type modelJob struct {
	ctx     context.Context
	model   *topoi.Model
	labels  topic.Labels
	prior   *priors
	options Options
}

// priors are the α of a model.
type priors struct {
	alpha    []float64 // K: α_k
	alphaSum float64   // Σα
	byAlpha  []uint32  // K topics by falling α; equal ones by number
	runEnd   []uint32  // K: for each position in byAlpha, where the run of equal α ends
}

// mean returns the mean of all α.
func (p *priors) mean() float64 { return p.alphaSum / float64(len(p.alpha)) }

// job is one call of Write.
type job struct {
	modelJob
	docs    *corpus.Corpus // the training documents; nil for formats that do not need them
	heldOut *corpus.Corpus // the held-out documents, if they are written
	train   bool           // whether the training documents are written
	how     topoi.InferOptions
	with    map[*corpus.Corpus][]column.Column // Options.With of docs and heldOut
}

// threads returns the number of goroutines to use.
func (j *modelJob) threads() int {
	if j.options.Threads > 0 {
		return j.options.Threads
	}
	return runtime.GOMAXPROCS(0)
}

// words returns Options.Words, or the format's default.
func (j *modelJob) words(normal int) int {
	switch {
	case j.options.Words == 0:
		return normal
	case j.options.Words < 0:
		return j.model.NumWords()
	}
	return j.options.Words
}

// progressEvery is the number of units between reports.
const progressEvery = 4096

// step reports that unit i of n is about to be written. It returns an error if the work was cancelled.
func (j *modelJob) step(i, n int) error {
	if i%progressEvery == 0 || i == n {
		return j.advance(i, n)
	}
	return nil
}

// advance is step for every unit, for units that come in large groups.
func (j *modelJob) advance(i, n int) error {
	if j.options.Progress != nil {
		j.options.Progress(int64(i), int64(n))
	}
	return j.ctx.Err()
}
