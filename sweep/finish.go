package sweep

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"slices"
	"time"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/analysis/compare"
	"github.com/topoi-lda/topoi/analysis/eval"
	"github.com/topoi-lda/topoi/internal/metrics"
	"github.com/topoi-lda/topoi/internal/wholefile"
	"github.com/topoi-lda/topoi/topic"
	"github.com/topoi-lda/topoi/train"
)

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
	var all []*eval.Measured
	for _, k := range s.options.Topics {
		records, err := s.recordsOf(k)
		if err != nil {
			return nil, err
		}
		if len(records) != s.options.Seeds {
			return nil, fmt.Errorf("%d of %d runs with %d topics have been done", len(records), s.options.Seeds, k)
		}
		for _, rec := range records {
			all = append(all, &rec.Measured)
		}
		r.Groups = append(r.Groups, Group{Topics: k, Records: records, Best: best(records)})
	}
	s.options.Events.phase("measure coherence", 0, 0)
	if err := eval.AddCoherence(ctx, s.shared.Docs(), all); err != nil {
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
	var models []topic.Model
	for _, rec := range g.Records {
		topics := make([][]string, len(rec.Top))
		for k, list := range rec.Top {
			for _, w := range list {
				topics[k] = append(topics[k], s.corpus.Word(w))
			}
		}
		models = append(models, compare.FromWords(topics))
	}
	found, err := compare.Runs(ctx, models, compare.Options{Words: metrics.MatchedWords, Threads: s.threads()})
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
	for _, m := range eval.Metrics() {
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
			sum += float64((v - mean) * (v - mean))
		}
		g.spread[m.Name] = math.Sqrt(sum / float64(len(values)-1))
	}
}

// tidy removes what a run that is done had kept to go on from, and what kills have left of it.
func (s *Sweep) tidy(r Run) error {
	wholefile.Clear(s.runFile(r, ".checkpoint"))
	wholefile.Clear(s.runFile(r, ".json"))
	return train.RemoveState(s.runOptions(r))
}

// prune removes models that are not to be kept.
func (s *Sweep) prune(topics ...int) error {
	if s.options.Keep == keepAll {
		return nil
	}
	for _, k := range topics {
		records, err := s.recordsOf(k)
		if err != nil {
			return err
		}
		keep := best(records)
		for _, rec := range records {
			if s.options.Keep == keepBest && rec == keep {
				continue
			}
			if err := os.RemoveAll(s.modelDir(rec.Run())); err != nil {
				return err
			}
		}
	}
	return nil
}

// recordsOf returns the records of the runs with k topics that have been done, by seed.
func (s *Sweep) recordsOf(k int) ([]*Record, error) {
	var list []*Record
	for _, r := range s.Runs() {
		if r.Topics != k {
			continue
		}
		rec, err := s.readRecord(r)
		if err == nil {
			list = append(list, rec)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return list, nil
}

// best returns the record of the run that predicts best, the first of equals; nil if there are none.
func best(records []*Record) *Record {
	if len(records) == 0 {
		return nil
	}
	return slices.MaxFunc(records, func(a, b *Record) int {
		return cmp.Or(cmp.Compare(a.predicts(), b.predicts()), cmp.Compare(b.Seed, a.Seed))
	})
}

// begin tells that a run begins.
func (s *Sweep) begin(r Run, left []Run) {
	if s.options.Events.Begin != nil {
		s.options.Events.Begin(s.info(r, left, nil))
	}
}

func (s *Sweep) info(r Run, left []Run, rec *Record) RunInfo {
	all := s.Runs()
	return RunInfo{Run: r, Number: slices.Index(all, r) + 1, Of: len(all), Left: s.estimate(left), Record: rec}
}

// done tells that a run is done.
func (s *Sweep) done(r Run, left []Run) {
	if s.options.Events.Done == nil {
		return
	}
	if rec, err := s.readRecord(r); err == nil { // it was written a moment ago: who removed it will be told later
		s.options.Events.Done(s.info(r, left, rec))
	}
}

// estimate returns how long runs will take, from those that are done: a time that rises with the number of topics by a
// straight line, the least squares of what was seen.
func (s *Sweep) estimate(left []Run) time.Duration {
	var n, sx, sy, sxx, sxy float64
	for _, r := range s.Runs() {
		rec, err := s.readRecord(r)
		if err != nil || rec.Seconds == 0 {
			continue
		}
		x, y := float64(r.Topics), rec.Seconds
		n, sx, sy, sxx, sxy = n+1, sx+x, sy+y, sxx+float64(x*x), sxy+float64(x*y)
	}
	if n == 0 {
		return 0
	}
	slope := 0.0
	if d := float64(n*sxx) - float64(sx*sx); d > 0 {
		slope = max(0, (float64(n*sxy)-float64(sx*sy))/d)
	}
	seconds := 0.0
	for _, r := range left {
		seconds += max(sy/n/10, sy/n+float64(slope*(float64(r.Topics)-sx/n)))
	}
	return time.Duration(seconds * float64(time.Second))
}

// complete measures a model and keeps it. The record comes last: a run that has one is done, and all of it can be
// done again until then.
func (s *Sweep) complete(ctx context.Context, r Run, m *topoi.Model, spent time.Duration) error {
	rec, err := s.measure(ctx, r, m)
	if err != nil {
		return err
	}
	if s.options.Keep != keepNone {
		if err := m.Save(s.modelDir(r), topoi.SaveOptions{Overwrite: true}); err != nil {
			return err
		}
	}
	s.keepTime(r, spent)
	if err := writeSealed(s.runFile(r, ".json"), rec); err != nil {
		return err
	}
	if err := s.tidy(r); err != nil {
		return err
	}
	return s.prune(r.Topics)
}
