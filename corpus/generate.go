package corpus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"runtime"
	"time"

	"github.com/topoi-lda/topoi/corpus/internal/synthetic"
	"github.com/topoi-lda/topoi/internal/conveyor"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/machine"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/wholefile"
)

// Generate draws a corpus from a known LDA model and writes it to the corpus file out, whole or not at all. The same
// options give the same bytes on every machine and for any number of threads.
//
// The model, where p is Zipf's law over words:
//
//	φ_k ~ Dirichlet(BetaSum · p), then smoothed with 1/16 of p
//	θ_d ~ Dirichlet(AlphaSum/K, …, AlphaSum/K)
//	n_d ~ log-normal with the given mean
//	z ~ θ_d and w ~ φ_z for each of the n_d tokens
//
// Generate forms neither φ nor θ. It draws from each by its Pólya urn (Blackwell and MacQueen 1973), with one integer
// operation a token: a topic is an urn of 8192 balls, and a token takes a new topic or that of an earlier token of
// its document. Memory is 32 KB a topic and a few megabytes a thread. The corpus is written directly to disk.
func Generate(ctx context.Context, out string, opts GenerateOptions) (*Report, error) {
	if err := opts.Validate(); err != nil {
		return nil, err
	}
	if err := opts.WithDefaults().fits(filepath.Dir(out)); err != nil {
		return nil, err
	}
	f, err := wholefile.Create(out)
	if err != nil {
		return nil, err
	}
	defer f.Abort()
	report, err := opts.WithDefaults().generate(ctx, f, filepath.Dir(out))
	if err != nil {
		return nil, explainWrite(out, err)
	}
	return report, nil
}

// generate makes topics, then documents, in parallel, and writes them in order.
func (o GenerateOptions) generate(ctx context.Context, f *wholefile.File, tempDir string) (*Report, error) {
	g := synthetic.NewGenerator(synthetic.Model{
		Words: o.Words, Topics: o.Topics, MeanLength: o.MeanLength, AlphaSum: o.AlphaSum, BetaSum: o.BetaSum,
		Seed: o.Seed,
	})
	m := &meter{tell: o.Progress}
	defer m.run(phaseGenerate)()
	m.total.Store(int64(o.Docs))
	if err := parallel.Do(ctx, o.Threads, o.Topics, func(_, k int) { g.FillUrn(k) }); err != nil {
		return nil, err
	}
	words := MakeStrings(synthetic.InventWords(o.Words))
	out := newSink(f, sinkOptions{tempDir: tempDir, words: words})
	defer out.Close()
	perJob := min(max(1<<18/int(o.MeanLength), 1), 4096)
	next := 0
	c := conveyor.Conveyor[*synthetic.Documents]{
		Threads: o.Threads,
		Fill: func(b *synthetic.Documents) error {
			b.First, b.Docs = next, min(perJob, o.Docs-next)
			next += b.Docs
			if b.Docs == 0 {
				return io.EOF
			}
			return nil
		},
		Work: func(_ int, b *synthetic.Documents) error { g.Draw(b); return nil },
		Drain: func(b *synthetic.Documents) error {
			m.advance(b.Docs, int64(len(b.Tokens)))
			return writing(out.add(b.Tokens, b.Lengths, nil))
		},
	}
	for range 2*c.Threads + 2 {
		c.Jobs = append(c.Jobs, new(synthetic.Documents))
	}
	if err := c.Run(ctx); err != nil {
		return nil, err
	}
	if err := writing(out.finish()); err != nil {
		return nil, err
	}
	if err := f.Commit(); err != nil {
		return nil, err
	}
	return &Report{
		Docs: int64(out.docs), Words: int64(words.Len()), Tokens: int64(out.tokens),
		Seconds: time.Since(m.start).Seconds(),
	}, nil
}

// GenerateOptions set the size of a synthetic corpus. The zero value makes a small one.
type GenerateOptions struct {
	Docs       int     // D. Default: 10,000
	Words      int     // V. Default: 10,000
	MeanLength float64 // mean number of tokens in a document. Default: 100
	Topics     int     // K of the true model, at most 65,536. Default: 100
	Seed       uint64  // determines topics and documents

	// AlphaSum is Σα of the documents' Dirichlet prior over topics. A document of n tokens has about
	// AlphaSum · ln(1 + n/AlphaSum) topics. Default: 5.
	AlphaSum float64

	// BetaSum is Σβ of the topics' Dirichlet prior over words, whose mean is Zipf's law. Small values give
	// topics with few words. Default: 500.
	BetaSum float64

	Threads  int            // number of goroutines; 0 means all cores. It never changes the result
	Progress func(Progress) // called at least once a second when set; calls never overlap
}

// WithDefaults returns o with every default filled in.
func (o GenerateOptions) WithDefaults() GenerateOptions {
	o.Docs = cmp.Or(o.Docs, 10_000)
	o.Words = cmp.Or(o.Words, 10_000)
	o.MeanLength = cmp.Or(o.MeanLength, 100)
	o.Topics = cmp.Or(o.Topics, 100)
	o.AlphaSum = cmp.Or(o.AlphaSum, 5)
	o.BetaSum = cmp.Or(o.BetaSum, 500)
	o.Threads = cmp.Or(o.Threads, runtime.GOMAXPROCS(0))
	return o
}

// Validate returns all faults of the options at once, or nil.
func (o GenerateOptions) Validate() error {
	o = o.WithDefaults()
	var faults []error
	inRange := func(name string, x, lo, hi float64) {
		if !(x >= lo && x <= hi) {
			faults = append(faults, fmt.Errorf("the %s is %v; it must be between %.14g and %.14g", name, x, lo, hi))
		}
	}
	inRange("number of documents", float64(o.Docs), 1, 1<<40)
	inRange("number of words", float64(o.Words), 1, 1<<28)
	inRange("mean length of documents", o.MeanLength, 1, 1<<24)
	inRange("number of topics", float64(o.Topics), 1, 1<<16)
	inRange("sum of α", o.AlphaSum, 0.001, 1<<20)
	inRange("sum of β", o.BetaSum, 0.001, 1<<20)
	inRange("number of threads", float64(o.Threads), 1, 1<<16)
	return errors.Join(faults...)
}

// bytes estimates the size of the corpus file: four bytes a token and an offset for every document. Offsets
// are also held in a temporary file.
func (o GenerateOptions) bytes() float64 {
	return float64(float64(o.Docs)*(float64(4*o.MeanLength)+16)) + float64(16*float64(o.Words))
}

// fits returns an error if the corpus is larger than the free space in dir, before anything is written.
func (o GenerateOptions) fits(dir string) error {
	free, known := machine.DiskFree(dir)
	if !known || o.bytes() <= float64(free) {
		return nil
	}
	return fmt.Errorf("the corpus needs about %s, and %s has %s free: ask for fewer or shorter documents, or write to another place",
		human.Bytes(int64(min(o.bytes(), math.MaxInt64/2))), dir, human.Bytes(int64(min(free, math.MaxInt64/2))))
}
