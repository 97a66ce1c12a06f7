package simulate

import (
	"math"
	"strings"
	"testing"
	"time"
)

// Counted on a corpus of 20,000,031 tokens and 74,165 words with K = 1000, by
// warp: entries of n_wk, their bytes as a blob, the share of tokens that a sweep
// changed, and the entries changed in the first eighth of the documents, in half of
// them and in all.
var counted = []struct {
	sweep          int
	spread         float64 // fitted to entries
	changed        float64
	entries, bytes float64
	changes        [3]float64
}{
	{1, 0.906, 0.962, 6048451, 8.0e6, [3]float64{2179983, 4752144, 6236941}},
	{3, 0.863, 0.837, 4992135, 7.1e6, [3]float64{1758091, 3814388, 5194758}},
	{5, 0.832, 0.750, 4340327, 6.4e6, [3]float64{1508658, 3291680, 4583860}},
	{10, 0.777, 0.592, 3343424, 5.2e6, [3]float64{1117842, 2485715, 3580644}},
	{40, 0.649, 0.282, 1748589, 3.1e6, [3]float64{463922, 1069292, 1586655}},
	{60, 0.624, 0.253, 1534449, 2.8e6, [3]float64{396653, 900007, 1325372}},
}

// The law of sparsity against what was counted. One exponent per line is fitted,
// so entries must agree closely; bytes and changes follow from the law.
func TestLoad(t *testing.T) {
	for _, c := range counted {
		l := Load{Tokens: 20_000_031, Words: 74165, Topics: 1000, Spread: c.spread, Changed: c.changed}
		entries, bytes := l.rows()
		t.Logf("sweep %d: entries %.2f, bytes %.2f of what was counted", c.sweep, entries/c.entries, bytes/c.bytes)
		within(t, "entries", entries, c.entries, 0.02)
		within(t, "bytes", bytes, c.bytes, 0.15)
		for i, part := range []struct{ share, bound float64 }{{0.1219, 0.05}, {0.4942, 0.4}, {1, 0.2}} {
			changes, _ := l.changes(part.share)
			t.Logf("  changes in %.2f of the tokens: %.2f", part.share, changes/c.changes[i])
			within(t, "changes", changes, c.changes[i], part.bound)
		}
	}
}

func within(t *testing.T, what string, got, want, share float64) {
	t.Helper()
	if math.Abs(got/want-1) > share {
		t.Errorf("%s: %.4g, where %.4g was counted", what, got, want)
	}
}

// lightLDA is the run of Yuan et al., "LightLDA: big topic models on modest
// computer clusters", WWW 2015, section 7: 200 billion tokens, a million topics, a
// million words, on 24 machines of 20 cores, 256 GB and 1 Gbit/s, each sampling 50
// million documents of 200 tokens in an hour; after a hundred iterations the model
// has 2 billion non-zeros. It begins with eight topics per word, which on corpora here kept the most
// entries that rows ever had at 0.36 to 0.6 of those of a uniform start: 0.43, for a word of the mean
// frequency, is an exponent of 0.93.
func lightLDA() (Job, Machines) {
	job := Job{
		Load:    Load{Tokens: 200e9, Words: 1e6, Topics: 1e6, Spread: 0.67, Changed: 0.25},
		Workers: 24, Shards: 24, Parts: 24, Staleness: 1, Rounds: 1, Barriers: 10,
		Apart: true, State: true, First: 0.93,
	}
	machines := Machines{
		TokenRate: 50e6 * 200 / 3600, CodeRate: 50e6,
		Bandwidth: 1e9 / 8, StoreRate: 1e9, Latency: 200 * time.Microsecond, Jitter: 0.05,
	}
	return job, machines
}

// The paper's model has 2 billion non-zeros (section 7.1), and its 24 machines
// need 60 hours for a run whose 8 machines need 180: sampling takes all the time.
func TestLightLDA(t *testing.T) {
	j, m := lightLDA()
	if err := j.Validate(m); err != nil {
		t.Fatal(err)
	}
	f := Predict(j, m)
	within(t, "entries of n_wk", f.RowEntries, 2e9, 0.05)
	if f.Iteration < f.Sampling || f.Iteration > 2*f.Sampling {
		t.Errorf("an iteration takes %v, of which sampling %v", f.Iteration, f.Sampling)
	}
}

// What must be so whatever the numbers are.
func TestPredictionsMakeSense(t *testing.T) {
	j := Job{
		Load:    Load{Tokens: 1e9, Words: 100_000, Topics: 10_000, Spread: 0.7, Changed: 0.3},
		Workers: 8, Shards: 2, Parts: 16, Rounds: 1, Barriers: 10,
	}
	m := Machines{TokenRate: 1e7, CodeRate: 5e7, Bandwidth: 1.25e8, StoreRate: 1e9, Latency: time.Millisecond, Jitter: 0.05}
	base := Predict(j, m)
	less := func(name string, change func(*Job, *Machines)) {
		t.Helper()
		j2, m2 := j, m
		change(&j2, &m2)
		if f := Predict(j2, m2); f.Iteration >= base.Iteration {
			t.Errorf("%s: %v instead of %v", name, f.Iteration, base.Iteration)
		}
	}
	less("staleness", func(j *Job, _ *Machines) { j.Staleness = 1 })
	less("faster network and store", func(_ *Job, m *Machines) { m.Bandwidth, m.StoreRate = 1e10, 1e10 })
	less("more shards", func(j *Job, _ *Machines) { j.Shards = 8 })
	less("faster workers", func(_ *Job, m *Machines) { m.TokenRate *= 2 })
	less("sparser model", func(j *Job, _ *Machines) { j.Spread = 0.6 })
	less("fewer changes", func(j *Job, _ *Machines) { j.Changed = 0.1 })
	less("fewer barriers", func(j *Job, _ *Machines) { j.Barriers = 100 })
	less("equal workers", func(_ *Job, m *Machines) { m.Jitter = 0 })
	less("no latency", func(_ *Job, m *Machines) { m.Latency = 0 })
	if base.Waiting <= 0 || base.Waiting >= 1 {
		t.Errorf("waiting share %v", base.Waiting)
	}
	one := j
	one.Workers, one.Parts = 1, 1
	if f := Predict(one, m); f.Received != 0 {
		t.Errorf("a single worker receives %v bytes", f.Received)
	}
}

func TestValidate(t *testing.T) {
	j, m := lightLDA()
	for want, change := range map[string]func(){
		"the number of workers is 0":                        func() { j.Workers = 0 },
		"the bandwidth is 0":                                func() { m.Bandwidth = 0 },
		"the number of tokens is NaN":                       func() { j.Tokens = math.NaN() },
		"the staleness is -1":                               func() { j.Staleness = -1 },
		"3 parts are too few for 24 workers":                func() { j.Parts = 3 },
		"the share of changed tokens is 2":                  func() { j.Changed = 2 },
		"the spread is 0: it must be above 0 and at most 1": func() { j.Spread = 0 },
		"jitter and latency must not be below 0":            func() { m.Jitter = -1 },
	} {
		j, m = lightLDA()
		change()
		if err := j.Validate(m); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
