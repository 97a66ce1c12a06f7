// Package bench measures training on generated corpora: how soon it begins, how
// many tokens a second it draws, and when it reaches which held-out score.
package bench

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/human"
)

// Options say what is measured: every sampler with every number of topics on
// every corpus.
type Options struct {
	Device     string        // as Options.Device of package topoi
	Tokens     []int         // sizes of corpora
	Topics     []int         // K
	Samplers   []string      // names
	Iterations int           // sweeps of each run
	Evaluate   int           // sweeps between held-out scores
	TimeLimit  time.Duration // of each run; 0: none. A run that it ends is scored once more
	Threads    int           // 0: all cores
	Seed       uint64

	Say func(text string) // told what begins; may be nil
}

// Row is what one run gave.
type Row struct {
	Tokens          int           // in training
	Topics          int           // K
	Asked           string        // the sampler's name, or "auto"
	Sampler         string        // the sampler that ran
	Device          string        // where it ran
	Ready           time.Duration // from the opened corpus to the end of the first sweep
	TokensPerSecond float64       // median over all sweeps but the first, or that of the only one
	Points          []Point       // one for each evaluation
	Whole           time.Duration // from the opened corpus to the saved model, scores included
}

// Point is a held-out score and the time spent training for it.
type Point struct {
	Iteration int
	Training  time.Duration
	Heldout   float64 // nats per token
}

// meanLength and heldOut shape the corpora: documents as long as newspaper
// articles, every hundredth of them held out, but no more than heldOutDocs, since
// scoring takes K operations for each of their tokens.
const (
	meanLength  = 350
	heldOut     = 0.01
	heldOutDocs = 200
)

// Run measures, and gives every row to done as soon as it is there.
func Run(ctx context.Context, o Options, done func(Row)) error {
	dir, err := os.MkdirTemp("", "topoi-bench-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for i, tokens := range o.Tokens {
		path := filepath.Join(dir, fmt.Sprint(i))
		o.say("generating a corpus of %d tokens", tokens)
		if err := o.generate(ctx, path, tokens); err != nil {
			return err
		}
		if err := o.runAll(ctx, path, done); err != nil {
			return err
		}
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	return nil
}

func (o *Options) say(format string, args ...any) {
	if o.Say != nil {
		o.Say(fmt.Sprintf(format, args...))
	}
}

func (o *Options) generate(ctx context.Context, path string, tokens int) error {
	_, err := corpus.Generate(ctx, path, corpus.GenerateOptions{
		Docs: max(100, tokens/meanLength), Words: min(100_000, max(1000, tokens/100)), MeanLength: meanLength, Topics: 500,
		Seed: o.Seed, Threads: o.Threads,
	})
	return err
}

// runAll trains on one corpus with all samplers and numbers of topics.
func (o *Options) runAll(ctx context.Context, path string, done func(Row)) error {
	c, err := corpus.Open(path)
	if err != nil {
		return err
	}
	defer c.Close()
	for _, topics := range o.Topics {
		for _, sampler := range o.Samplers {
			o.say("training %d topics with %s", topics, sampler)
			row, err := o.train(ctx, c, topics, sampler, path+".model")
			if err != nil {
				return fmt.Errorf("%s with %d topics: %w", sampler, topics, err)
			}
			done(row)
		}
	}
	return nil
}

// train measures one run: α = 50/K and β = 0.01, as papers have them, and kept. The model
// is saved at path and removed.
func (o *Options) train(ctx context.Context, c *corpus.Corpus, topics int, sampler, path string) (Row, error) {
	row, begin := Row{Topics: topics, Asked: sampler}, time.Now()
	var speeds []float64
	m, err := topoi.Train(ctx, c, topoi.Options{
		Topics: topics, Sampler: sampler, Device: o.Device, Threads: o.Threads, Seed: o.Seed,
		AlphaSum: 50, Beta: 0.01, OptimizeInterval: -1, Tolerance: -1,
		Iterations: o.Iterations, EvaluateEvery: o.Evaluate, TimeLimit: o.TimeLimit,
		Holdout: min(heldOut, heldOutDocs/float64(c.NumDocs())), HoldoutLast: true, HoldoutTokens: -1,
		Events: topoi.Events{
			Start: func(s topoi.StartInfo) { row.Tokens, row.Sampler, row.Device = s.Tokens, s.Sampler, s.Device },
			Iteration: func(i topoi.IterationInfo) {
				if i.Iteration == 1 {
					row.Ready, row.TokensPerSecond = i.Elapsed, i.TokensPerSecond
				} else {
					speeds = append(speeds, i.TokensPerSecond)
				}
				if i.Score != nil {
					row.Points = append(row.Points, Point{i.Iteration, i.Training, *i.Score.Heldout})
				}
			},
		},
	})
	if err != nil {
		return row, err
	}
	defer m.Close()
	defer os.RemoveAll(path)
	err = m.SaveWith(path, topoi.SaveOptions{})
	row.Whole = time.Since(begin)
	if len(speeds) > 0 {
		slices.Sort(speeds)
		row.TokensPerSecond = speeds[len(speeds)/2]
	}
	return row, err
}

// WriteTable writes a line for every run: training is the time of its sweeps, whole that
// from the opened corpus to the saved model. Runs on the same corpus with the same K, which
// must follow each other, are compared by two scores: the highest that all of them
// reach, and the highest that one does, both rounded down to hundredths.
func WriteTable(w io.Writer, rows []Row) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "tokens\tK\tsampler\ttokens/s\tstart, s\tsweeps\ttraining, s\twhole, s\theld-out\tall reach\tafter, s\tbest\tafter, s\t")
	for len(rows) > 0 {
		n := 1
		for n < len(rows) && rows[n].Tokens == rows[0].Tokens && rows[n].Topics == rows[0].Topics {
			n++
		}
		writeGroup(t, rows[:n])
		rows = rows[n:]
	}
	_ = t.Flush() // what is written is no reason to fail
}

func writeGroup(t io.Writer, rows []Row) {
	common, best := math.Inf(1), math.Inf(-1)
	for _, r := range rows {
		common, best = min(common, r.highest()), max(best, r.highest())
	}
	for _, r := range rows {
		fmt.Fprintf(t, "%s\t%d\t%s\t%s\t%.2f\t", human.Count(r.Tokens), r.Topics, r.Name(), human.Rate(r.TokensPerSecond), r.Ready.Seconds())
		if len(r.Points) == 0 {
			fmt.Fprint(t, "–\t–\t–\t–\t–\t–\t–\t–\t\n")
			continue
		}
		last := r.Points[len(r.Points)-1]
		fmt.Fprintf(t, "%d\t%.3g\t%.3g\t%.4f\t", last.Iteration, last.Training.Seconds(), r.Whole.Seconds(), last.Heldout)
		for _, score := range []float64{common, best} {
			level := math.Floor(score*100) / 100
			fmt.Fprintf(t, "%.2f\t%s\t", level, r.timeTo(level))
		}
		fmt.Fprintln(t)
	}
}

// Name says which sampler ran, and whether it was chosen by "auto".
func (r Row) Name() string {
	if r.Asked == "auto" {
		return "auto: " + r.Sampler
	}
	return r.Sampler
}

// highest is the highest score that the run reached.
func (r Row) highest() float64 {
	highest := math.Inf(-1)
	for _, p := range r.Points {
		highest = max(highest, p.Heldout)
	}
	return highest
}

// timeTo is how long the run trained until its first score of the level or above.
func (r Row) timeTo(level float64) string {
	for _, p := range r.Points {
		if p.Heldout >= level {
			return fmt.Sprintf("%.3g", p.Training.Seconds())
		}
	}
	return "–"
}
