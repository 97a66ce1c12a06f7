package train

import (
	"fmt"
	"math"
	"path/filepath"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/hyper"
	"github.com/topoi-lda/topoi/internal/plateau"
	"github.com/topoi-lda/topoi/internal/prior"
)

// curve makes a history of n evaluations.
func curve(n int, predictive, joint func(i int) float64) []topoi.Score {
	var list []topoi.Score
	for i := range n {
		p := predictive(i)
		list = append(list, topoi.Score{Iteration: 10 * (i + 1), Sample: &p, LogLikelihood: joint(i)})
	}
	return list
}

// plateaued reports whether scores have stopped rising.
func plateaued(history []topoi.Score, interval int, tolerance float64, windows plateau.Windows) bool {
	return windows.Reached(plateauScores(history), interval, tolerance)
}

func flat(int) float64 { return -8 }

func slope(step float64) func(int) float64 {
	return func(i int) float64 { return -8 + step*float64(i) }
}

func TestPlateau(t *testing.T) {
	logarithm := func(i int) float64 { return -8 + 0.01*math.Log(float64(i+1)) }
	for name, c := range map[string]struct {
		history []topoi.Score
		want    bool
	}{
		"too few":                    {curve(9, flat, flat), false},
		"flat":                       {curve(10, flat, flat), true},
		"falling":                    {curve(10, slope(-0.01), slope(-0.01)), false},
		"falling a little":           {curve(10, slope(-0.0005), slope(-0.01)), true},
		"score rises":                {curve(40, slope(0.001), flat), false},
		"score falls, joint rises":   {curve(40, slope(-0.01), slope(0.01)), false},
		"joint rises a little":       {curve(40, flat, slope(0.001)), true},
		"logarithm, whatever length": {curve(1000, logarithm, flat), false},
	} {
		if got := plateaued(c.history, 10, 0.0005, plateau.Drawn); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if falling := curve(40, slope(-0.001), slope(0.01)); !plateaued(falling, 10, 0.0005, plateau.Late) {
		t.Error("estimates that fit the training ever more closely do not stop")
	}
	if dip := curve(12, slope(-0.001), slope(0.01)); plateaued(dip, 10, 0.0005, plateau.Late) {
		t.Error("estimates stop while priors are on their way")
	}
	if falling := curve(24, slope(-0.01), slope(0.01)); !plateaued(falling, 10, 0.0005, plateau.Soon) || plateaued(falling[:23], 10, 0.0005, plateau.Soon) {
		t.Error("draws of long documents that predict worse do not stop after 240 sweeps")
	}
	if level := curve(8, flat, flat); !plateaued(level, 10, 0.0005, plateau.Averaged) || plateaued(level, 10, 0.0005, plateau.Late) {
		t.Error("estimates before an average do not stop after 80 level sweeps")
	}
}

// A run over a large corpus ends where a rise can no longer be told from noise.
func TestPlateauOfLargeCorpora(t *testing.T) {
	noisy := func(rise float64) func(int) float64 {
		return func(i int) float64 { return -8 + rise*float64(i) + 0.002*float64(i%2) }
	}
	for name, c := range map[string]struct {
		history []topoi.Score
		want    bool
	}{
		"rises within noise":         {curve(40, noisy(0.00006), slope(0.002)), true},
		"rises beyond noise":         {curve(40, noisy(0.0003), slope(0.002)), false},
		"joint rises much":           {curve(40, noisy(0), slope(0.01)), false},
		"falling soon":               {curve(12, slope(-0.01), flat), false},
		"falling late":               {curve(40, slope(-0.01), flat), true},
		"too few":                    {curve(9, flat, flat), false},
		"logarithm, whatever length": {curve(1000, func(i int) float64 { return -8 + 0.01*math.Log(float64(i+1)) }, flat), false},
	} {
		if got := plateau.Drawn.Settled(plateauScores(c.history), 10, 0.0005); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if noise := plateauScores(curve(40, noisy(0.00006), slope(0.002))); plateau.Drawn.Reached(noise, 10, 0.0005) {
		t.Error("the rule for smaller corpora ends the run too")
	}
}

// A run ends by a target first, then by its length, by a plateau, and by time.
func TestStopRule(t *testing.T) {
	heldout := -5.0
	level, rising := curve(40, flat, flat), curve(12, slope(0.01), flat)
	until := stopRule{iterations: 50, untilLL: -7, interval: 10}
	for _, c := range []struct {
		name      string
		rule      stopRule
		iteration int
		history   []topoi.Score
		scored    bool
		drawn     bool
		late      bool
		want      topoi.StopReason
	}{
		{name: "goes on", rule: stopRule{iterations: 50, tolerance: -1}, iteration: 3},
		{name: "length", rule: stopRule{iterations: 50, tolerance: -1}, iteration: 50, late: true, want: topoi.StopIterations},
		{name: "time", rule: stopRule{iterations: 50, tolerance: -1}, iteration: 3, late: true, want: topoi.StopTimeLimit},
		{name: "target", rule: until, iteration: 50, history: []topoi.Score{{LogLikelihood: -6.9}}, scored: true, want: topoi.StopTarget},
		{name: "no target yet", rule: until, iteration: 3, history: []topoi.Score{{LogLikelihood: -7.1}}, scored: true},
		{name: "an old score", rule: until, iteration: 3, history: []topoi.Score{{LogLikelihood: -6.9}}},
		{name: "held-out target", rule: stopRule{iterations: 50, untilHeldout: -5.1}, iteration: 3, history: []topoi.Score{{Heldout: &heldout}}, scored: true, want: topoi.StopTarget},
		{name: "plateau", rule: stopRule{iterations: 5000, tolerance: 0.0005, interval: 10, windows: plateau.Drawn}, iteration: 400, history: level, scored: true, want: topoi.StopPlateau},
		{name: "no plateau unless scored", rule: stopRule{iterations: 5000, tolerance: 0.0005, interval: 10, windows: plateau.Drawn}, iteration: 401, history: level},
		{name: "whole papers", rule: stopRule{iterations: 5000, tolerance: 0.0005, interval: 10, windows: plateau.Drawn, most: 120}, iteration: 120, history: rising, scored: true, drawn: true, want: topoi.StopPlateau},
		{name: "whole papers, sooner", rule: stopRule{iterations: 5000, tolerance: 0.0005, interval: 10, windows: plateau.Drawn, most: 120}, iteration: 110, history: rising, scored: true, drawn: true},
		{name: "whole papers, estimated", rule: stopRule{iterations: 5000, tolerance: 0.0005, interval: 10, windows: plateau.Drawn, most: 120}, iteration: 120, history: rising, scored: true},
		{name: "no plateau with a target", rule: stopRule{iterations: 5000, untilLL: -1, interval: 10}, iteration: 400, history: level, scored: true},
	} {
		if got := c.rule.reason(c.iteration, c.history, c.scored, c.drawn, c.late); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// Only a score that rises is said to rise.
func TestRising(t *testing.T) {
	rule := stopRule{tolerance: 0.0005, interval: 10, windows: plateau.Drawn}
	if !rule.rising(curve(40, slope(0.001), flat)) {
		t.Error("a score that rises does not")
	}
	for name, history := range map[string][]topoi.Score{"falls": curve(40, slope(-0.01), slope(0.01)), "level": curve(40, flat, slope(0.01)), "too few": curve(9, slope(1), flat)} {
		if rule.rising(history) {
			t.Errorf("%s: rises", name)
		}
	}
}

// A falling score ends runs on long documents, and those that estimate probabilities.
func TestFallOfARun(t *testing.T) {
	for _, c := range []struct {
		sampler        string
		length, topics int
		draws          int
		want           plateau.Windows
	}{
		{"cvb", 20, 3, 0, plateau.Late},
		{"cvb", 20, 3, 16, plateau.Averaged},
		{"batch", 20, 3, 0, plateau.Drawn},
		{"batch", 20, 3, 16, plateau.Short},
		{"batch", 25, 3, 16, plateau.Drawn},
		{"batch", 2000, 3, 0, plateau.Soon},
		{"warp", 2000, 301, 0, plateau.Late},
		{"batch", 2000, 301, 16, plateau.Late},
		{"cvb", 20, 301, 16, plateau.ManyAveraged},
		{"cvb", 2000, 3, 16, plateau.Averaged},
	} {
		list := make([][]string, 4)
		for d := range list {
			for i := range c.length {
				list[d] = append(list[d], fmt.Sprint("w", i*(d+2)%50))
			}
		}
		r, _, err := planRun(corpus.FromTokens(list), options{topoi.Options{Topics: c.topics, Sampler: c.sampler, Draws: c.draws}.WithDefaults()}, true)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.rule.windows; got != c.want {
			t.Errorf("%+v: %+v", c, got)
		}
		if got := r.rule.most; (got == 100) != (c.sampler == "cvb" && c.length == 2000) {
			t.Errorf("%+v: at most %d sweeps", c, got)
		}
		if got := r.rule.tolerance; (got == 0.001) != (c.want == plateau.ManyAveraged) {
			t.Errorf("%+v: tolerance %v", c, got)
		}
	}
}

// sparse keeps the scores of a run that scores by default, without EvaluateEvery.
func sparse(history []topoi.Score) []topoi.Score {
	var list []topoi.Score
	for _, s := range history {
		if (options{}).evaluates(s.Iteration) {
			list = append(list, s)
		}
	}
	return list
}

// Windows are quarters of the sweeps, however sparse the scores of a long run have become.
func TestPlateauOfSparseScores(t *testing.T) {
	for n := 20; n <= 400; n++ {
		if flat := sparse(curve(n, flat, flat)); !plateaued(flat, 10, 0.0005, plateau.Drawn) {
			t.Errorf("flat scores after %d sweeps do not end a run", 10*n)
		}
		if rises := sparse(curve(n, slope(0.0005), flat)); plateaued(rises, 10, 0.0005, plateau.Drawn) {
			t.Errorf("rising scores after %d sweeps end a run", 10*n)
		}
	}
	// It rises up to the middle of the run, and of 760 sweeps more than a quarter ago.
	settles := func(i int) float64 { return -8 + 0.001*float64(min(i, 50)) }
	for n, want := range map[int]bool{40: false, 56: false, 72: false, 104: true} {
		if got := plateaued(sparse(curve(n, settles, flat)), 10, 0.0005, plateau.Drawn); got != want {
			t.Errorf("after %d sweeps: %v", 10*n, got)
		}
	}
}

// Scores become sparser unless EvaluateEvery is set.
func TestEvaluates(t *testing.T) {
	count := func(o topoi.Options) (n int) {
		for i := 1; i <= o.Iterations; i++ {
			if (options{o}).evaluates(i) {
				n++
			}
		}
		return n
	}
	for _, c := range []struct{ every, iterations, want int }{
		{0, 200, 20},
		{0, 400, 30},
		{0, 800, 40},
		{0, 1000, 43},
		{0, 7, 1},
		{0, 1 << 20, 143},
		{10, 1000, 100},
		{25, 1000, 40},
		{1, 300, 300},
		{7, 1000, 143},
	} {
		if got := count(topoi.Options{EvaluateEvery: c.every, Iterations: c.iterations}); got != c.want {
			t.Errorf("every %d in %d: %d scores, want %d", c.every, c.iterations, got, c.want)
		}
	}
}

// A run without held-out documents stops by a score that can be compared while the
// priors move. With these documents Σα grows many times over and the joint likelihood
// falls and rises by whole nats, while what the model predicts stays the same.
func TestStopsByWhatCanBeCompared(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.topoi")
	if _, err := corpus.Generate(t.Context(), path, corpus.GenerateOptions{Docs: 600, Words: 1000, MeanLength: 50, Topics: 20, Seed: 1}); err != nil {
		t.Fatal(err)
	}
	c, err := corpus.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	m, err := Run(t.Context(), c, topoi.Options{Topics: 60, Sampler: "batch", Device: "cpu"})
	if err != nil {
		t.Fatal(err)
	}
	history := m.Manifest().History
	last, first := history[len(history)-1], history[4]
	if last.Sample == nil || last.Heldout != nil {
		t.Fatalf("the score of the sample is missing: %+v", last)
	}
	// Topics have formed after 50 sweeps. From there on the joint likelihood moves by two
	// nats with the priors, and predictions by a twentieth of that.
	if moved := math.Abs(last.LogLikelihood - first.LogLikelihood); moved < 1 {
		t.Errorf("the joint likelihood moved by %v only: these documents show nothing", moved)
	}
	if moved := math.Abs(*last.Sample - *first.Sample); moved > 0.2 {
		t.Errorf("the score moved from %v to %v", *first.Sample, *last.Sample)
	}
}

// The sample is scored only where it decides.
func TestSampleOnlyWhereItDecides(t *testing.T) {
	c := themed(200)
	for name, o := range map[string]topoi.Options{
		"held-out documents": {Holdout: 0.3},
		"never stops":        {Tolerance: -1},
		"a target":           {UntilLL: -0.001},
	} {
		o.Topics, o.Iterations, o.Device = 2, 10, "cpu"
		m, err := Run(t.Context(), c, o)
		if err != nil {
			t.Fatal(err)
		}
		if s := m.Manifest().History[0]; s.Sample != nil {
			t.Errorf("%s: sample %v", name, *s.Sample)
		}
	}
}

// Σα is learnt, but does not fall below min(√K, mean length)/2.
func TestLeastAlphaSum(t *testing.T) {
	var docs [][]uint32
	for d := range uint32(400) { // documents of a single topic each want Σα near 0
		doc := make([]uint32, 30)
		for i := range doc {
			doc[i] = d % 25
		}
		docs = append(docs, doc)
	}
	words := make([]string, 25)
	for w := range words {
		words[w] = string(rune('a' + w))
	}
	m, err := Run(t.Context(), corpus.FromIDs(words, docs), topoi.Options{Topics: 25, Iterations: 200, Tolerance: -1, Device: "cpu"})
	if err != nil {
		t.Fatal(err)
	}
	if got := prior.Sum(m.Alpha()); math.Abs(got-2.5) > 1e-9 {
		t.Errorf("Σα = %v, want √25/2", got)
	}
	if got := hyper.LeastSum(10_000, 2); got != 1 {
		t.Errorf("documents of two words: least Σα %v, want 1", got)
	}
}

// A run that its number of iterations ended while scores still rose says so, one that had
// nothing more to gain, or too little to tell, does not.
func TestTellsThatScoresStillRise(t *testing.T) {
	for name, c := range map[string]struct {
		options topoi.Options
		want    bool
	}{
		"still rising":   {topoi.Options{Iterations: 20, EvaluateEvery: 1}, true},
		"too few scores": {topoi.Options{Iterations: 9, EvaluateEvery: 1}, false},
		"not asked":      {topoi.Options{Iterations: 20, EvaluateEvery: 1, Tolerance: -1}, false},
		"one topic":      {topoi.Options{Topics: 1, Iterations: 10, EvaluateEvery: 1, OptimizeInterval: -1}, false},
	} {
		o := c.options
		if o.Topics == 0 {
			o.Topics = 10
		}
		o.Device = "cpu"
		var done topoi.DoneInfo
		o.Events.Done = func(d topoi.DoneInfo) { done = d }
		if _, err := Run(t.Context(), zipf(200), o); err != nil {
			t.Fatal(err)
		}
		if done.Rising != c.want {
			t.Errorf("%s: rising %v after %d (%s)", name, done.Rising, done.Iteration, done.Reason)
		}
	}
}
