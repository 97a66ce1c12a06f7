package mallet

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/export"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/wholefile"
	"github.com/topoi-lda/topoi/train"
)

// begin opens the documents, and the model that the run begins with; nil: there is none. Who closes the model closes
// its documents.
func (c *TrainTopics) begin(fs *pflag.FlagSet) (*corpus.Corpus, *topoi.Model, error) {
	if c.inputModel != "" {
		return c.beginWithModel(fs)
	}
	docs, err := openCorpus("--input", c.input)
	if err != nil || c.inputState == "" {
		return docs, nil, err
	}
	o := &c.options
	if o.Start, err = readState(c.inputState, docs); err != nil {
		return nil, nil, errors.Join(err, docs.Close())
	}
	o.Topics = len(o.Start.Alpha)
	return docs, nil, nil
}

// beginWithModel opens a model to be trained further. Its documents, its number of topics and its priors are taken
// over, and its seed unless another one is given, so that it goes on as if it had not been stopped.
func (c *TrainTopics) beginWithModel(fs *pflag.FlagSet) (*corpus.Corpus, *topoi.Model, error) {
	m, err := openModel("--input-model", c.inputModel)
	if err != nil {
		return nil, nil, err
	}
	docs, err := m.Docs()
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("--input-model %s: %w", c.inputModel, err), m.Close())
	}
	o, before := &c.options, m.Manifest()
	o.Topics, o.Start = m.NumTopics(), m.Start()
	if !fs.Changed("random-seed") {
		o.Seed = before.Options.Seed
	}
	o.Sampler, o.Tuning = before.Options.Sampler, before.Options.Tuning
	o.Iterations += before.Iterations
	o.BurnIn = before.Iterations + max(0, o.BurnIn) // which MALLET counts from here
	return docs, m, nil
}

// train trains, tells the likelihood as MALLET does, and saves on the way what is asked for. A run that does so is
// made of several, each of which goes on from the checkpoint of the one before with the same result.
func (c *TrainTopics) train(ctx context.Context, docs *corpus.Corpus, env Env) (*topoi.Model, error) {
	o := c.options
	o.Program = env.Program
	if c.model == "" {
		c.modelInterval = 0
	}
	if c.state == "" {
		c.stateInterval = 0
	}
	if c.modelInterval <= 0 && c.stateInterval <= 0 {
		o.Events = c.events(env, true)
		return train.Run(ctx, docs, o)
	}
	first := c.state
	if c.modelInterval > 0 {
		first = c.model
	}
	dir, err := wholefile.MakeDir(first + ".run")
	if err != nil {
		return nil, err
	}
	defer dir.Abort()
	o.Checkpoint, o.CheckpointEvery, o.Resume = filepath.Join(dir.Temporary, "checkpoint"), math.MaxInt, true
	at := 0
	if o.Start != nil {
		at = o.Start.Iteration
	}
	for {
		at = c.nextStop(at)
		o.Iterations, o.Events = at, c.events(env, at == c.options.Iterations)
		m, err := train.Run(ctx, docs, o)
		if err != nil {
			return nil, err
		}
		if err := c.saveOnTheWay(ctx, m, at); err != nil || at == c.options.Iterations {
			return m, err
		}
	}
}

// nextStop returns the next sweep after which something is saved.
func (c *TrainTopics) nextStop(at int) int {
	next := c.options.Iterations
	for _, interval := range []int{c.modelInterval, c.stateInterval} {
		if interval > 0 {
			next = min(next, (at/interval+1)*interval)
		}
	}
	return next
}

// saveOnTheWay saves what is due after a sweep.
func (c *TrainTopics) saveOnTheWay(ctx context.Context, m *topoi.Model, at int) error {
	if c.stateInterval > 0 && at%c.stateInterval == 0 {
		path := fmt.Sprintf("%s.%d", c.state, at)
		if err := export.Write(ctx, m, "mallet-state", path, export.Options{Compress: "gzip"}); err != nil {
			return err
		}
	}
	if c.modelInterval > 0 && at%c.modelInterval == 0 {
		return m.Save(fmt.Sprintf("%s.%d", c.model, at), topoi.SaveOptions{Overwrite: true})
	}
	return nil
}

// events tells of a run as MALLET does, and at its end how long it took.
func (c *TrainTopics) events(env Env, last bool) topoi.Events {
	e := topoi.Events{
		Phase:   env.Report.Phase,
		Warning: env.Report.Events().Warning,
		Iteration: func(i topoi.IterationInfo) {
			if i.Score != nil && i.Iteration%c.options.EvaluateEvery == 0 {
				env.Report.Say(fmt.Sprintf("<%d> LL/token: %.5f", i.Iteration, i.Score.LogLikelihood))
			}
		},
	}
	if last {
		e.Done = func(d topoi.DoneInfo) { env.Report.Say("\nTotal time: " + inWords(d.Elapsed)) }
	}
	return e
}

// modelOf makes a model of given topics, without a sweep.
func (c *TrainTopics) modelOf(
	ctx context.Context, docs *corpus.Corpus, start *topoi.Start, env Env,
) (*topoi.Model, error) {
	start.Iteration = max(1, start.Iteration)
	o := topoi.Options{
		Topics: len(start.Alpha), Start: start, Iterations: start.Iteration, Tolerance: -1, Sampler: "batch",
		Device: "cpu", Seed: c.options.Seed, Program: env.Program,
	}
	return train.Run(ctx, docs, o)
}

// maximize gives every token of a model its most probable topic, for some sweeps or until nothing changes.
func (c *TrainTopics) maximize(
	ctx context.Context, docs *corpus.Corpus, m *topoi.Model, env Env,
) (*topoi.Model, error) {
	start := m.Start()
	icm := newMaximizer(start, docs)
	for range c.maximizations {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		changed := icm.sweep()
		env.Report.Say(fmt.Sprintf("ICM: %d tokens changed", changed))
		if changed == 0 {
			break
		}
	}
	return c.modelOf(ctx, docs, start, env)
}

// maximizer does iterated conditional modes: in turn every token gets the topic that is most probable given all others,
//
//	argmax_k (α_k + n_dk) (β + n_wk) / (Vβ + n_k),
//
// the token itself taken out of the counts. A sweep costs O(K) for every token.
type maximizer struct {
	start *topoi.Start
	docs  *corpus.Corpus
	vBeta float64
	rows  *counts.Table  // n_wk
	row   []counts.Entry // those of the word at hand
	total []float64      // K: n_k
	inDoc []float64      // K: n_dk of the document at hand
	each  []float64      // K: (α_k + n_dk) / (Vβ + n_k)
	score []float64      // K: what is maximized, for the token at hand
}

func newMaximizer(start *topoi.Start, docs *corpus.Corpus) *maximizer {
	k := len(start.Alpha)
	m := &maximizer{
		start: start, docs: docs, vBeta: float64(docs.NumWords()) * start.Beta,
		rows:  counts.NewTable(k, counts.Frequencies(docs.Tokens(), docs.NumWords())),
		total: make([]float64, k), inDoc: make([]float64, k), each: make([]float64, k), score: make([]float64, k),
	}
	for i, w := range docs.Tokens() {
		m.add(w, start.Topics[i], 1)
	}
	return m
}

// sweep maximizes the topic of every token once and returns how many changed.
func (m *maximizer) sweep() (changed int) {
	offsets := m.docs.Offsets()
	for d := range m.docs.NumDocs() {
		words, z := m.docs.Doc(d), m.start.Topics[offsets[d]:offsets[d+1]]
		clear(m.inDoc)
		for _, k := range z {
			m.inDoc[k]++
		}
		for i, w := range words {
			before := z[i]
			m.inDoc[before]--
			m.add(w, before, -1)
			z[i] = m.mode(w)
			m.inDoc[z[i]]++
			m.add(w, z[i], 1)
			if z[i] != before {
				changed++
			}
		}
	}
	return changed
}

// mode returns the most probable topic of a word, the lowest of equally probable ones.
func (m *maximizer) mode(w uint32) (best uint32) {
	for k := range m.score {
		m.each[k] = (m.start.Alpha[k] + m.inDoc[k]) / (m.vBeta + m.total[k])
		m.score[k] = m.start.Beta * m.each[k]
	}
	m.row = m.rows.AppendRow(m.row[:0], int(w))
	for _, c := range m.row {
		m.score[c.Topic] = (m.start.Beta + float64(c.Count)) * m.each[c.Topic]
	}
	for k, x := range m.score {
		if x > m.score[best] {
			best = uint32(k)
		}
	}
	return best
}

func (m *maximizer) add(w, k uint32, n int32) {
	m.total[k] += float64(n)
	m.rows.Add(int(w), int(k), n)
}
