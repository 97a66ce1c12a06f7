package sweep

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/lists"
	"github.com/topoi-lda/topoi/internal/metrics"
	"github.com/topoi-lda/topoi/internal/portable"
)

// recommend weighs the measures.
func recommend(r *Result) Recommendation {
	w := weighing{Result: r, Recommendation: Recommendation{
		Reasons: []string{}, Cautions: []string{},
		Others: []Other{},
	}}
	w.predictions()
	w.choose()
	w.again()
	w.others()
	w.cautions()
	return w.Recommendation
}

// weighing is a recommendation in the making.
type weighing struct {
	*Result
	Recommendation
	best   *Group // by held-out score; nil without one
	silent bool   // no reasons are wanted
}

// argmax returns the group with the highest mean of a metric, the first of equals; nil if none has it.
func (r *Result) argmax(metric string) *Group {
	var best *Group
	for i := range r.Groups {
		g := &r.Groups[i]
		if v := g.Mean(metric); !math.IsNaN(v) && (best == nil || v > best.Mean(metric)) {
			best = g
		}
	}
	return best
}

func (r *Result) group(topics int) *Group {
	i := slices.IndexFunc(r.Groups, func(g Group) bool { return g.Topics == topics })
	return &r.Groups[i]
}

// predictions finds the numbers of topics that predict as well as the best one.
func (w *weighing) predictions() {
	if w.best = w.argmax(metrics.HeldOut); w.best == nil {
		return
	}
	top, low, variance, n := w.best.Mean(metrics.HeldOut), math.Inf(1), 0.0, 0.0
	for i := range w.Groups {
		g := &w.Groups[i]
		low = min(low, g.Mean(metrics.HeldOut))
		if s := g.Spread(metrics.HeldOut); !math.IsNaN(s) {
			variance += float64(s * s)
			n++
		}
	}
	w.Tolerance = (top - low) / 50
	if n > 0 {
		w.Tolerance = max(w.Tolerance, 2*math.Sqrt(2*variance/n/float64(len(w.best.Records))))
	}
	for i := range w.Groups {
		if w.Groups[i].Mean(metrics.HeldOut) >= top-w.Tolerance {
			w.AsGood = append(w.AsGood, w.Groups[i].Topics)
		}
	}
	last := w.Groups[len(w.Groups)-1].Topics
	w.Rising = len(w.Groups) > 1 && len(w.AsGood) == 1 && w.AsGood[0] == last
	w.Knee = w.knee(metrics.HeldOut)
}

// knee returns the number of topics after which a rising metric gains least for its cost: the point farthest above
// the line from the first to the last one, with the logarithm of the number of topics on one axis and the metric's
// running maximum on the other (Satopää, Albrecht, Irwin and Raghavan, "Finding a kneedle in a haystack", 2011). 0 if
// there are fewer than three points or none lies above the line.
func (r *Result) knee(metric string) int {
	if len(r.Groups) < 3 {
		return 0
	}
	first, last := r.Groups[0], r.Groups[len(r.Groups)-1]
	high, best, knee := math.Inf(-1), 1e-9, 0
	top := r.argmax(metric).Mean(metric)
	low := first.Mean(metric)
	if !(top > low) {
		return 0
	}
	for i := range r.Groups {
		g := &r.Groups[i]
		high = max(high, g.Mean(metric))
		x := portable.Log(float64(g.Topics)/float64(first.Topics)) / portable.Log(float64(last.Topics)/float64(first.Topics))
		if above := (high-low)/(top-low) - x; above > best {
			best, knee = above, g.Topics
		}
	}
	return knee
}

// choose recommends a number and says why.
func (w *weighing) choose() {
	stable := w.argmax(metrics.Stability)
	switch {
	case w.best == nil && stable == nil:
		w.Cautions = append(w.Cautions,
			"without held-out documents and with a single seed nothing can be compared: sweep again with both")
	case w.best == nil:
		w.Topics = stable.Topics
		w.because("topics are the most stable when the seed changes: agreement %.3f", stable.Mean(metrics.Stability))
	case w.Rising:
		w.chooseKnee()
	default:
		w.chooseStable()
	}
}

func (w *weighing) because(format string, args ...any) {
	if w.silent {
		return
	}
	w.Reasons = append(w.Reasons, fmt.Sprintf(format, args...))
}

// chooseStable recommends the most stable of the numbers that predict best.
func (w *weighing) chooseStable() {
	chosen := w.group(w.AsGood[0])
	for _, k := range w.AsGood[1:] {
		if g := w.group(k); g.Mean(metrics.Stability) > chosen.Mean(metrics.Stability) {
			chosen = g
		}
	}
	w.Topics = chosen.Topics
	score := chosen.Mean(metrics.HeldOut)
	if chosen == w.best {
		w.because("held-out documents are predicted best with %d topics: %.4f nats per token", chosen.Topics, score)
	} else {
		w.because("held-out documents are predicted as well with %d topics as with any number: %.4f nats per token, "+
			"the best is %.4f with %d",
			chosen.Topics, score, w.best.Mean(metrics.HeldOut), w.best.Topics)
	}
	if len(w.AsGood) == 1 {
		w.because("all other numbers are worse by more than %.4f, the uncertainty of these scores", w.Tolerance)
		return
	}
	w.Plateau = w.level()
	plateau := ""
	if w.Plateau {
		plateau = ": a plateau, on which they do not tell numbers apart"
	}
	w.because("%s are within %.4f of the best, the uncertainty of these scores%s", list(w.AsGood), w.Tolerance, plateau)
	if s := chosen.Mean(metrics.Stability); !math.IsNaN(s) {
		w.because("of these, %d topics are the most stable when the seed changes: agreement %.3f", chosen.Topics, s)
	} else {
		w.because("of these, %d is the smallest", chosen.Topics)
	}
}

// level reports whether at least three numbers in a row predict as well as the best one.
func (w *weighing) level() bool {
	first := slices.IndexFunc(w.Groups, func(g Group) bool { return g.Topics == w.AsGood[0] })
	last := slices.IndexFunc(w.Groups, func(g Group) bool { return g.Topics == w.AsGood[len(w.AsGood)-1] })
	return len(w.AsGood) >= 3 && last-first == len(w.AsGood)-1
}

// chooseKnee recommends the knee of a curve that still rises.
func (w *weighing) chooseKnee() {
	first, last := w.Groups[0], w.best
	w.Topics = w.Knee
	if w.Knee == 0 || w.Knee == last.Topics || w.Knee == first.Topics {
		w.Topics = last.Topics
		w.because("held-out documents are predicted best with %d topics, the largest number tried: %.4f nats per token",
			last.Topics, last.Mean(metrics.HeldOut))
		return
	}
	knee := w.group(w.Knee)
	gain := func(a, b *Group) float64 {
		return (b.Mean(metrics.HeldOut) - a.Mean(metrics.HeldOut)) / portable.Log2(float64(b.Topics)/float64(a.Topics))
	}
	w.because("the held-out curve has its knee at %d topics: up to there twice as many topics gain %.4f nats per token, "+
		"beyond it %.4f", knee.Topics, gain(&first, knee), gain(knee, last))
	if s := knee.Mean(metrics.Stability); !math.IsNaN(s) {
		w.because("its topics have a stability of %.3f when the seed changes; those of %d topics %.3f", s, last.Topics,
			last.Mean(metrics.Stability))
	}
}

// others names what else has something for it.
func (w *weighing) others() {
	add := func(k int, why string) {
		if k == 0 || k == w.Topics {
			return
		}
		if i := slices.IndexFunc(w.Others, func(o Other) bool { return o.Topics == k }); i >= 0 {
			w.Others[i].Why += "; " + why
			return
		}
		w.Others = append(w.Others, Other{k, why})
	}
	if w.best != nil {
		add(w.best.Topics, fmt.Sprintf("predicts best (%.4f)", w.best.Mean(metrics.HeldOut)))
	}
	add(w.Knee, "the knee of the held-out curve")
	for _, m := range []struct{ name, why string }{
		{metrics.Stability, "most stable over seeds (%.3f)"},
		{metrics.NPMI, "most coherent by NPMI (%.3f)"},
		{metrics.CV, "most coherent by C_V (%.3f)"},
	} {
		if g := w.argmax(m.name); g != nil {
			add(g.Topics, fmt.Sprintf(m.why, g.Mean(m.name)))
		}
	}
	slices.SortFunc(w.Others, func(a, b Other) int { return a.Topics - b.Topics })
}

// weakAgreement is the agreement below which fewer than half of the top words of a topic come back.
const weakAgreement = 1.0 / 3

// cautions returns how far the recommendation is to be trusted.
func (w *weighing) cautions() {
	say := func(format string, args ...any) { w.Cautions = append(w.Cautions, fmt.Sprintf(format, args...)) }
	if w.Topics == 0 {
		return
	}
	first, last := w.Groups[0].Topics, w.Groups[len(w.Groups)-1].Topics
	switch {
	case w.Rising:
		say("predictions still improve at %d topics, the largest number tried: try more topics", last)
	case w.Topics == last && len(w.Groups) > 1:
		say("%d is the largest number tried: larger ones may do as well", last)
	case w.Topics == first && len(w.Groups) > 1:
		say("%d is the smallest number tried: smaller ones may do as well", first)
	}
	if w.Low < w.High {
		say("with other seeds the scores may suggest any number from %d to %d (95 %% of sweeps like this one): "+
			"more seeds narrow that", w.Low, w.High)
	}
	if w.best == nil {
		say("no documents were held out, so it is unknown how well these models predict")
	}
	g := w.group(w.Topics)
	if g.Stability == nil {
		say("stability was not measured: it needs at least two seeds")
	} else if s := g.Mean(metrics.Stability); s < weakAgreement {
		say("with %d topics fewer than half of a topic's top words stay when the seed changes (agreement %.3f): "+
			"trust the stable topics; topics.csv has the stability of each", w.Topics, s)
	}
	runs, early := 0, 0
	for _, g := range w.Groups {
		for _, rec := range g.Records {
			runs++
			if rec.Stopped == topoi.StopIterations {
				early++
			}
		}
	}
	if early > 0 {
		say("%d of %s reached their last iteration before predictions settled: more iterations may change the scores",
			early,
			human.Of(runs, "run"))
	}
	w.sampled(say)
}

// sampled returns how far a sample is to be trusted.
func (w *weighing) sampled(say func(string, ...any)) {
	if w.Sample.Share == 0 {
		return
	}
	say("these are %s of %s, %.3g %% of the corpus, and fewer documents show fewer topics: "+
		"expect at least %d in the whole corpus, and sweep it from there to twice as many",
		human.Count(w.Corpus.NumDocs()), human.Of(w.Sample.Docs, "document"), 100*w.Sample.Share, w.Topics)
	say("compare scores of the sample with each other, not with those of the whole corpus")
}

// list writes numbers as people do.
func list(numbers []int) string {
	words := lists.Of(numbers, strconv.Itoa)
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// simulated is the number of sweeps that are imagined, and insideShare the share of them whose choices an interval holds.
const (
	simulated   = 1000
	insideShare = 0.95
)

// again finds which numbers of topics other sweeps over the same documents would suggest, with other seeds: an interval
// that holds 95 % of their choices. Means over n seeds differ between two sweeps by √(2/n) standard deviations of one
// run, pooled over numbers of topics. A mean of agreements of pairs differs by twice as much, as each run is in n−1 of them.
func (w *weighing) again() {
	spread := map[string]float64{metrics.HeldOut: 1, metrics.Stability: 2}
	for name, factor := range spread {
		spread[name] = factor * w.pooled(name) * math.Sqrt(2/float64(len(w.Groups[0].Records)))
	}
	if w.Topics == 0 || len(w.Groups) < 2 || spread[metrics.HeldOut] == 0 && spread[metrics.Stability] == 0 {
		return
	}
	random := rand.New(rand.NewPCG(1, 54))
	choices := make([]int, simulated)
	for i := range choices {
		other := weighing{Result: &Result{Groups: slices.Clone(w.Groups)}, silent: true}
		for j := range other.Groups {
			g := &other.Groups[j]
			g.mean = map[string]float64{}
			for _, name := range []string{metrics.HeldOut, metrics.Stability} {
				if v := w.Groups[j].Mean(name); !math.IsNaN(v) {
					g.mean[name] = v + float64(spread[name]*normal(random))
				}
			}
		}
		other.predictions()
		other.choose()
		choices[i] = other.Topics
	}
	slices.Sort(choices)
	outside := int(math.Round(simulated * (1 - insideShare) / 2))
	w.Low, w.High = choices[outside], choices[simulated-1-outside]
}

// normal returns a number that is nearly normal, of mean 0 and variance 1, with the same bits on every processor.
func normal(r *rand.Rand) float64 {
	sum := -6.0
	for range 12 {
		sum += float64(r.Float64()) // a division by a power of two, which would be rounded together with the sum
	}
	return sum
}

// pooled returns the standard deviation of a measure between seeds, pooled over numbers of topics; 0 without any.
func (w *weighing) pooled(name string) float64 {
	variance, n := 0.0, 0.0
	for i := range w.Groups {
		if s := w.Groups[i].Spread(name); !math.IsNaN(s) {
			variance += float64(s * s)
			n++
		}
	}
	return math.Sqrt(variance / max(1, n))
}
