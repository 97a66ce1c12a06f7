package figures

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/topoi-lda/topoi/analysis/eval"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/hyper"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/registry"
	"github.com/topoi-lda/topoi/internal/svg"
)

// lab holds the data and runs samplers on it.
type lab struct {
	opts    Options
	corpus  *corpus.Corpus
	name    string // of the data
	cleanup func() error
}

// What is generated: a corpus about as large as KOS, or for figures of a GPU, which
// wants to be kept busy, as the Enron letters of the UCI collection.
var (
	kosLike   = corpus.GenerateOptions{Docs: 3000, Words: 5000, MeanLength: 130, Topics: 50}
	enronLike = corpus.GenerateOptions{Docs: 39_861, Words: 28_102, MeanLength: 161, Topics: 50}
)

// newLab takes the data of the options or generates a corpus.
func newLab(ctx context.Context, opts Options, data corpus.GenerateOptions) (*lab, error) {
	if opts.Corpus != nil {
		return &lab{opts: opts, corpus: opts.Corpus, name: opts.Name, cleanup: func() error { return nil }}, nil
	}
	dir, err := os.MkdirTemp("", "topoi-figures-")
	if err != nil {
		return nil, err
	}
	data.Seed = opts.Seed
	path := filepath.Join(dir, "generated.topoi")
	c, err := generate(ctx, path, data)
	if err != nil {
		return nil, fmt.Errorf("generating a corpus: %w", err)
	}
	return &lab{opts: opts, corpus: c, name: "generated", cleanup: func() error {
		_ = c.Close() // read only: nothing is lost
		return os.RemoveAll(dir)
	}}, nil
}

func generate(ctx context.Context, path string, options corpus.GenerateOptions) (*corpus.Corpus, error) {
	if _, err := corpus.Generate(ctx, path, options); err != nil {
		return nil, err
	}
	return corpus.Open(path)
}

func (l *lab) close() { _ = l.cleanup() }

// spec is one run of a sampler.
type spec struct {
	label      string
	sampler    string
	tuning     sampler.Tuning
	topics     int
	alpha      float64 // α of every topic
	beta       float64
	iterations int
	every      int            // sweeps between looks
	device     *device.Device // where it runs; nil: on the CPU
	dashed     bool           // how its curve is drawn
}

// look describes a run after an iteration.
type look struct {
	sampler   sampler.Sampler
	priors    *sampler.Priors
	iteration int
	seconds   float64 // spent in sweeps so far
}

// run trains on docs and calls see after the first iteration and every so many.
func (l *lab) run(ctx context.Context, p sampler.Problem, s spec, see func(look) error) error {
	if l.opts.Progress != nil {
		l.opts.Progress(fmt.Sprintf("%s: %s, K = %d", s.sampler, s.label, s.topics))
	}
	p.K, p.Seed, p.Threads, p.Tuning = s.topics, l.opts.Seed, max(1, l.opts.Threads), s.tuning
	model, fetch, finish, err := s.place(&p)
	if err != nil {
		return err
	}
	defer finish()
	priors := &sampler.Priors{Alpha: slices.Repeat([]float64{s.alpha}, s.topics), Beta: s.beta}
	if err := model.Start(nil, priors); err != nil {
		return err
	}
	seconds := 0.0
	for i := 1; i <= s.iterations; i++ {
		begin := time.Now()
		if err := model.Sweep(ctx, i, priors); err != nil {
			return err
		}
		seconds += time.Since(begin).Seconds()
		if i == 1 || i%s.every == 0 || i == s.iterations {
			if err := fetch(); err != nil {
				return err
			}
			if err := see(look{model, priors, i, seconds}); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

// curves adds to a chart, for every run on docs, a curve of what point makes of each look.
func (l *lab) curves(
	ctx context.Context, chart svg.Chart, p sampler.Problem, runs []spec, point func(look) (x, y float64, err error),
) (svg.Chart, error) {
	for _, s := range runs {
		series := svg.Series{Name: s.label, Dashed: s.dashed}
		err := l.run(ctx, p, s, func(v look) error {
			x, y, err := point(v)
			add(&series, x, y)
			return err
		})
		if err != nil {
			return chart, err
		}
		chart.Series = append(chart.Series, series)
	}
	return chart, nil
}

// scores makes points of curves: the score of left-out documents, against x.
func (l *lab) scores(ctx context.Context, heldout *corpus.Corpus, against func(look) float64) func(look) (x, y float64, err error) {
	return func(v look) (x, y float64, err error) {
		y, err = v.heldout(ctx, heldout, max(1, l.opts.Threads))
		return against(v), y, err
	}
}

// sweeps is the axis of most curves.
func sweeps(v look) float64 { return float64(v.iteration) }

// place makes the sampler where it is to run; fetch brings its state here, and finish gives the device's memory back.
func (s spec) place(p *sampler.Problem) (model sampler.Sampler, fetch func() error, finish func(), err error) {
	info, ok := registry.Find(s.sampler)
	switch {
	case !ok:
		return nil, nil, nil, fmt.Errorf("unknown sampler %q", s.sampler)
	case s.device == nil:
		model, err = info.Make(p)
		return model, func() error { return nil }, func() {}, err
	}
	remote, err := info.On(p, s.device)
	if err != nil {
		return nil, nil, nil, err
	}
	return remote, remote.Fetch, func() { _ = remote.Close() }, nil // what was seen has been fetched
}

// problem is the corpus as samplers want it.
func problem(c *corpus.Corpus) sampler.Problem {
	offsets := make([]uint64, len(c.Offsets()))
	for i, o := range c.Offsets() {
		offsets[i] = o - c.Offsets()[0]
	}
	return sampler.Problem{Offsets: offsets, Words: c.Tokens(), V: c.NumWords()}
}

// split leaves the last tenth of the documents out of training.
func (l *lab) split() (train, heldout *corpus.Corpus) {
	d := l.corpus.NumDocs()
	return l.corpus.Docs(0, d-d/10), l.corpus.Docs(d-d/10, d)
}

// likelihoods returns log p(w, z) = log p(z) + log p(w | z) and its two parts,
// the likelihoods of documents and of words (LightLDA Fig. 11).
func (v look) likelihoods(words int) (joint, doc, word float64) {
	joint, word = hyper.LogLikelihoods(v.sampler.Histograms(), v.priors.Alpha, v.priors.Beta, words, 1)
	return joint, joint - word, word
}

// heldout returns the document completion score, nats per token.
func (v look) heldout(ctx context.Context, docs *corpus.Corpus, threads int) (float64, error) {
	result, err := eval.Completion(ctx, model{v.sampler, v.priors, docs.NumWords()}, docs, eval.Options{Threads: threads})
	return result.PerToken, err
}

// model shows a sampler's state to package eval.
type model struct {
	sampler.Sampler
	priors *sampler.Priors
	words  int
}

func (m model) NumTopics() int   { return len(m.priors.Alpha) }
func (m model) NumWords() int    { return m.words }
func (m model) Alpha() []float64 { return m.priors.Alpha }
func (m model) Beta() float64    { return m.priors.Beta }

// add appends a point to a series.
func add(s *svg.Series, x, y float64) {
	s.X, s.Y = append(s.X, x), append(s.Y, y)
}

// forHolding keeps the choice of tokens apart from other uses of randomness.
const forHolding rng.Purpose = 0x686f6c64

// heldTokens is Yan's test set: a tenth of all tokens, drawn at random, the rest
// of their documents being the training set.
type heldTokens struct {
	train sampler.Problem
	docs  []uint32 // document of each test token
	words []uint32 // its word
}

func holdTokens(c *corpus.Corpus, seed uint64) heldTokens {
	h := heldTokens{train: sampler.Problem{Offsets: []uint64{0}, V: c.NumWords()}}
	key := rng.NewKey(seed)
	token := uint64(0)
	for d := range c.NumDocs() {
		for _, w := range c.Doc(d) {
			word := key.Block(uint32(token), 0, uint32(forHolding), uint32(token>>32))[0]
			if rng.Below(word, 10) == 0 {
				h.docs, h.words = append(h.docs, uint32(d)), append(h.words, w)
			} else {
				h.train.Words = append(h.train.Words, w)
			}
			token++
		}
		h.train.Offsets = append(h.train.Offsets, uint64(len(h.train.Words)))
	}
	return h
}

// perplexity returns exp(-1/N Σ log Σ_k θ_dk φ_wk) over the test tokens, with
// θ_dk = (n_dk + α_k)/(N_d + Σα) and φ_wk = (n_wk + β)/(n_k + Vβ) of one state;
// for samplers that know expectations of the counts, with those.
func (h heldTokens) perplexity(v look) float64 {
	z := make([]uint32, len(h.train.Words))
	v.sampler.Topics(z)
	phi, expected := phiOf(v, h.train.V), v.sampler.Capabilities().ExpectedDoc
	theta := make([]float64, len(v.priors.Alpha))
	sum := 0.0
	for i := 0; i < len(h.docs); {
		d := h.docs[i]
		clear(theta)
		if expected != nil {
			expected(theta, int(d))
		} else {
			for _, k := range z[h.train.Offsets[d]:h.train.Offsets[d+1]] {
				theta[k]++
			}
		}
		total := 0.0
		for k, a := range v.priors.Alpha {
			theta[k] += a
			total += theta[k]
		}
		for ; i < len(h.docs) && h.docs[i] == d; i++ {
			p := 0.0
			for k, x := range phi[h.words[i]] {
				p += theta[k] * x
			}
			sum += math.Log(p / total)
		}
	}
	return math.Exp(-sum / float64(len(h.docs)))
}

// phiOf returns φ by word and topic, from expected counts where the sampler has them.
func phiOf(v look, words int) [][]float64 {
	phi, totals := make([][]float64, words), make([]float64, len(v.priors.Alpha))
	expected := v.sampler.Capabilities().ExpectedRow
	for w := range phi {
		phi[w] = make([]float64, len(totals))
		if expected != nil {
			expected(phi[w], w)
		} else {
			for _, e := range v.sampler.AppendRow(nil, w) {
				phi[w][e.Topic] = float64(e.Count)
			}
		}
		for k, n := range phi[w] {
			totals[k] += n
		}
	}
	for _, row := range phi {
		for k, n := range row {
			row[k] = (n + v.priors.Beta) / (totals[k] + float64(words)*v.priors.Beta)
		}
	}
	return phi
}
