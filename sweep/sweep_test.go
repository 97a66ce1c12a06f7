package sweep

import (
	"context"
	"encoding/csv"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/analysis/eval"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/metrics"
	"github.com/topoi-lda/topoi/train"
)

// small makes a corpus file in a new directory of a sweep.
func small(t *testing.T) (*corpus.Corpus, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "x.sweep")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	_, err := corpus.Generate(t.Context(), Dir(dir).Corpus(), corpus.GenerateOptions{Docs: 120, Words: 200, MeanLength: 30, Topics: 4, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	return open(t, dir), dir
}

func open(t *testing.T, dir string) *corpus.Corpus {
	t.Helper()
	c, err := corpus.Open(Dir(dir).Corpus())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func smallOptions() Options {
	return Options{
		Topics: []int{2, 4, 6}, Seeds: 2, Pages: keepNone,
		Train: topoi.Options{Iterations: 30, Holdout: 0.2, EvaluateEvery: 5, CheckpointEvery: 5, Threads: 1, Seed: 7},
	}
}

// do sweeps and returns the result.
func do(t *testing.T, dir string, c *corpus.Corpus, o Options, resume bool) *Result {
	t.Helper()
	s, err := Begin(dir, c, o, resume)
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func read(t *testing.T, path ...string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Every run is the one that Train gives, and its metrics are those of its model.
func TestRunsAreThoseOfTrain(t *testing.T) {
	c, dir := small(t)
	r := do(t, dir, c, smallOptions(), false)
	if len(r.Groups) != 3 || len(r.Groups[0].Records) != 2 {
		t.Fatalf("%d numbers of topics", len(r.Groups))
	}
	for _, g := range r.Groups {
		for _, rec := range g.Records {
			o := smallOptions().Train
			o.Topics, o.Seed = rec.Topics, rec.Seed
			m, err := train.Run(t.Context(), c, o)
			if err != nil {
				t.Fatal(err)
			}
			saved, err := topoi.Open(filepath.Join(dir, r.Model(rec.Run())))
			if err != nil {
				t.Fatal(err)
			}
			defer saved.Close()
			if m.Fingerprint() != rec.Fingerprint || saved.Fingerprint() != rec.Fingerprint {
				t.Errorf("%s is another model than that of Train", rec.Run().Name())
			}
			checkMetrics(t, rec, saved)
		}
	}
}

// checkMetrics compares a record with what is measured of the saved model.
func checkMetrics(t *testing.T, rec *Record, saved *topoi.Model) {
	t.Helper()
	heldout, err := saved.Heldout()
	if err != nil {
		t.Fatal(err)
	}
	states, err := states(saved.Manifest())
	if err != nil {
		t.Fatal(err)
	}
	want, err := eval.Measure(t.Context(), saved, eval.MeasureOptions{Heldout: heldout, States: states})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range eval.Metrics() {
		switch m.Name {
		case metrics.Seconds:
			if rec.Seconds <= 0 {
				t.Errorf("%s took %v s", rec.Run().Name(), rec.Seconds)
			}
		case metrics.Stability:
			if v := rec.Value(m.Name); !(v > 0 && v <= 1) {
				t.Errorf("stability is %v", v)
			}
		default:
			if rec.Value(m.Name) != want.Value(m.Name) {
				t.Errorf("%s of %s is %v, measured alone %v", m.Name, rec.Run().Name(), rec.Value(m.Name), want.Value(m.Name))
			}
		}
	}
}

// The tables have a row for every run and topic; Parquet has what CSV has.
func TestTables(t *testing.T) {
	c, dir := small(t)
	o := smallOptions()
	o.Keep = keepNone
	r := do(t, dir, c, o, false)
	for name, want := range map[string]int{"sweep.csv": 6, "topics.csv": 2 * (2 + 4 + 6), "stability.csv": 3, "times.csv": 6} {
		rows, err := csv.NewReader(strings.NewReader(read(t, dir, name))).ReadAll()
		if err != nil || len(rows) != want+1 {
			t.Errorf("%s has %d rows, want %d, %v", name, len(rows)-1, want, err)
		}
	}
	rows, err := parquet.ReadFile[runRow](filepath.Join(dir, "sweep.parquet"))
	if err != nil || len(rows) != 6 {
		t.Fatalf("%d runs, %v", len(rows), err)
	}
	if rec := r.Groups[1].Records[1]; rows[3].Fingerprint != rec.Fingerprint || *rows[3].HeldOut != rec.Value(metrics.HeldOut) || rows[3].Seed != 8 {
		t.Errorf("row 3 is %+v", rows[3])
	}
	topics, err := parquet.ReadFile[topicRow](filepath.Join(dir, "topics.parquet"))
	if err != nil || len(topics) != 24 || len(strings.Fields(topics[0].TopWords)) != metrics.TopWords {
		t.Errorf("%d topics, %v", len(topics), err)
	}
	header, _, _ := strings.Cut(read(t, dir, "sweep.csv"), "\n")
	for _, m := range eval.Metrics() {
		if has := slices.Contains(strings.Split(header, ","), m.Name); has == (m.Name == metrics.Seconds) {
			t.Errorf("column %s: %v", m.Name, has)
		}
	}
	if list, _ := os.ReadDir(filepath.Join(dir, "models")); len(list) > 0 {
		t.Errorf("models are kept: %v", list)
	}
	if _, err := os.Stat(filepath.Join(dir, "index.html")); err != nil {
		t.Error(err)
	}
}

// A sweep that is interrupted in the middle of a run goes on, also with more runs than
// before, and its tables are those of one that was not.
func TestInterruptedAndExtended(t *testing.T) {
	c, whole := small(t)
	do(t, whole, c, smallOptions(), false)

	_, dir := small(t)
	o := smallOptions()
	o.Topics = []int{2, 4}
	ctx, cancel := context.WithCancel(t.Context())
	sweeps := 0
	o.Events.Train.Iteration = func(topoi.IterationInfo) {
		if sweeps++; sweeps == 70 { // in the third run
			cancel()
		}
	}
	s, err := Begin(dir, c, o, false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Run(ctx); !errors.Is(err, train.ErrInterrupted) {
		t.Fatalf("interrupted: %v", err)
	}
	if left, err := s.Pending(); err != nil || len(left) != 2 {
		t.Errorf("left are %v, %v", left, err)
	}
	o = smallOptions()
	var runs []string
	o.Events.Begin = func(i RunInfo) { runs = append(runs, i.Name()) }
	do(t, dir, c, o, true)
	if got := strings.Join(runs, " "); got != "k6-seed7 k2-seed8 k4-seed8 k6-seed8" {
		t.Errorf("the runs that were left are %s", got)
	}
	for _, name := range []string{"sweep.csv", "topics.csv", "stability.csv", "sweep.parquet", "topics.parquet", "recommendation.json"} {
		if read(t, dir, name) != read(t, whole, name) {
			t.Errorf("%s differs from that of a sweep that was not interrupted", name)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "runs", "*.checkpoint*")); len(left) > 0 {
		t.Errorf("%v are left", left)
	}
}

// Only the best run of each number of topics stays.
func TestKeepBest(t *testing.T) {
	c, dir := small(t)
	o := smallOptions()
	o.Keep, o.Pages = keepBest, keepBest
	r := do(t, dir, c, o, false)
	for _, g := range r.Groups {
		for _, rec := range g.Records {
			if kept := r.Model(rec.Run()) != ""; kept != (rec == g.Best) || kept != (r.Page(rec.Run()) != "") {
				t.Errorf("%s: kept %v, best %v, page %q", rec.Run().Name(), kept, rec == g.Best, r.Page(rec.Run()))
			}
			if rec.Value(metrics.HeldOut) > g.Best.Value(metrics.HeldOut) {
				t.Errorf("%s predicts better than the best", rec.Run().Name())
			}
		}
	}
}

// What does not fit is refused before the first run, and what is there stays.
func TestRefusals(t *testing.T) {
	c, dir := small(t)
	defer func(m func() uint64, f func(string) (uint64, bool)) { machineMemory, freeBytes = m, f }(machineMemory, freeBytes)
	machineMemory = func() uint64 { return 1 << 10 }
	s, err := Begin(dir, c, smallOptions(), false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "of memory, and this machine has 1.02 kB") {
		t.Errorf("memory: %v", err)
	}
	machineMemory = func() uint64 { return 1 << 40 }
	freeBytes = func(string) (uint64, bool) { return 1 << 12, true }
	if _, err := s.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "on disk, and only 4.10 kB are free") {
		t.Errorf("disk: %v", err)
	}
	if left, err := s.Pending(); err != nil || len(left) != 6 {
		t.Errorf("runs were done: %v left, %v", left, err)
	}
	if _, err := Begin(dir, c, smallOptions(), false); !errors.Is(err, errExists) {
		t.Errorf("a sweep that is there: %v", err)
	}
	other := smallOptions()
	other.Train.Iterations = 31
	if _, err := Begin(dir, c, other, true); err == nil || !strings.Contains(err.Error(), "was begun with iterations 30, not 31") {
		t.Errorf("other options: %v", err)
	}
	d, err := topoiSample(c)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Begin(dir, d, smallOptions(), true); err == nil || !strings.Contains(err.Error(), "another corpus") {
		t.Errorf("another corpus: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, planFile), []byte("{"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Begin(dir, c, smallOptions(), true); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a broken plan: %v", err)
	}
}

func topoiSample(c *corpus.Corpus) (*corpus.Corpus, error) {
	d, _, err := Sample(c, 0.5, 1)
	return d, err
}

func TestSample(t *testing.T) {
	c, _ := small(t)
	large, _, err := Sample(c, 0.5, 1)
	if err != nil {
		t.Fatal(err)
	}
	less, about, err := Sample(c, 0.2, 1)
	if err != nil || less.NumDocs() != 24 || large.NumDocs() != 60 || about.Docs != 120 || about.Fingerprint != c.Fingerprint() {
		t.Fatalf("%d and %d documents of %+v, %v", less.NumDocs(), large.NumDocs(), about, err)
	}
	in := map[int]bool{}
	for d := range large.NumDocs() {
		in[large.Number(d)] = true
	}
	for d := range less.NumDocs() {
		if !in[less.Number(d)] {
			t.Errorf("document %d is in the smaller sample only", less.Number(d))
		}
	}
	for _, share := range []float64{0, 1, -0.1, 0.001} {
		if _, _, err := Sample(c, share, 1); err == nil {
			t.Errorf("a share of %v is sampled", share)
		}
	}
}

func TestOptionsAreValidated(t *testing.T) {
	for _, o := range []Options{{}, {Topics: []int{3, 3}}, {Topics: []int{2}, Seeds: -1}, {Topics: []int{2}, Keep: "some"}, {Topics: []int{2}, Train: topoi.Options{Beta: -1}}} {
		if o.Validate() == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
}
