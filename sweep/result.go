package sweep

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/topoi-lda/topoi/compare"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/metrics"
	"github.com/topoi-lda/topoi/stability"
)

// Result is a sweep that is done.
type Result struct {
	Name           string
	Dir            string
	Corpus         *corpus.Corpus // what was swept, with the words of Record.Top
	Sample         Sampled
	HeldOut        int     // documents left out of training
	Groups         []Group // by number of topics
	Recommendation Recommendation
}

// Group is all runs with one number of topics.
type Group struct {
	Topics  int
	Records []*Record // by seed

	// Stability says how the runs agree; nil if there is but one.
	Stability *stability.Result

	Best *Record // the run that predicts best

	mean, spread map[string]float64 // of every metric over seeds
}

// Mean returns the mean of a metric over seeds, NaN if no run has it.
func (g *Group) Mean(metric string) float64 { return orNaN(g.mean, metric) }

// Spread returns the standard deviation of a metric over seeds, NaN for fewer than two.
func (g *Group) Spread(metric string) float64 { return orNaN(g.spread, metric) }

func orNaN(values map[string]float64, name string) float64 {
	if v, ok := values[name]; ok {
		return v
	}
	return math.NaN()
}

// Typical returns the run that agrees best with the others; the only one if there is but one.
func (g *Group) Typical() *Record {
	if g.Stability == nil {
		return g.Records[0]
	}
	return g.Records[g.Stability.Typical]
}

// finish measures what needs all runs, and writes tables and pages.
func (s *Sweep) finish(ctx context.Context) (*Result, error) {
	for _, run := range s.Runs() {
		if err := s.tidy(run); err != nil {
			return nil, err
		}
	}
	r := &Result{Name: s.options.Name, Dir: s.dir, Corpus: s.corpus, Sample: s.plan.Sample}
	if held := s.shared.Heldout(); held != nil {
		r.HeldOut = held.NumDocs()
	}
	var all []*metrics.Result
	for _, k := range s.options.Topics {
		records, err := s.recordsOf(k)
		if err != nil {
			return nil, err
		}
		if len(records) != s.options.Seeds {
			return nil, fmt.Errorf("%d of %d runs with %d topics have been done", len(records), s.options.Seeds, k)
		}
		for _, rec := range records {
			all = append(all, &rec.Result)
		}
		r.Groups = append(r.Groups, Group{Topics: k, Records: records, Best: best(records)})
	}
	s.options.Events.phase("measure coherence", 0, 0)
	if err := metrics.AddCoherence(ctx, s.shared.Docs(), all); err != nil {
		return nil, err
	}
	for i := range r.Groups {
		s.options.Events.phase("match topics", i, len(r.Groups))
		if err := s.match(ctx, &r.Groups[i]); err != nil {
			return nil, err
		}
		r.Groups[i].summarize()
	}
	r.Recommendation = recommend(r)
	if err := s.writePages(ctx, r); err != nil {
		return nil, err
	}
	return r, r.writeTables()
}

// match finds how the runs of a number of topics agree.
func (s *Sweep) match(ctx context.Context, g *Group) error {
	if len(g.Records) < 2 {
		return nil
	}
	var models []compare.Model
	for _, rec := range g.Records {
		topics := make([][]string, len(rec.Top))
		for k, list := range rec.Top {
			for _, w := range list {
				topics[k] = append(topics[k], s.corpus.Word(w))
			}
		}
		models = append(models, stability.Lists(topics))
	}
	found, err := stability.Of(ctx, models, stability.Options{Words: metrics.MatchedWords, Threads: s.threads()})
	if err != nil {
		return err
	}
	g.Stability = found
	for i, rec := range g.Records {
		rec.SetTopics(metrics.Stability, found.Topics[i])
	}
	return nil
}

// summarize makes means and standard deviations over seeds.
func (g *Group) summarize() {
	g.mean, g.spread = map[string]float64{}, map[string]float64{}
	for _, m := range metrics.All() {
		var values []float64
		for _, rec := range g.Records {
			if v := rec.metric(m.Name); !math.IsNaN(v) {
				values = append(values, v)
			}
		}
		if len(values) == 0 {
			continue
		}
		mean := metrics.Mean(values)
		g.mean[m.Name] = mean
		if len(values) < 2 {
			continue
		}
		sum := 0.0
		for _, v := range values {
			sum += (v - mean) * (v - mean)
		}
		g.spread[m.Name] = math.Sqrt(sum / float64(len(values)-1))
	}
}

// metric returns the value of a metric, the seconds included.
func (r *Record) metric(name string) float64 {
	if name == metrics.Seconds {
		if r.Seconds == 0 {
			return math.NaN()
		}
		return r.Seconds
	}
	return r.Value(name)
}

// Model returns the directory of a run's model, relative to that of the sweep; "" if it was not kept.
func (r *Result) Model(run Run) string { return r.there("models/" + run.Name()) }

// Page returns the page of a run's model, likewise.
func (r *Result) Page(run Run) string { return r.there("pages/" + run.Name() + ".html") }

func (r *Result) there(path string) string {
	if _, err := os.Stat(filepath.Join(r.Dir, filepath.FromSlash(path))); err != nil {
		return ""
	}
	return path
}
