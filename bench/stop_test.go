package bench

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/train"
)

// stop measures two things that a user of the defaults relies on: that training stops
// neither too early nor much too late, and that learning the priors loses nothing against
// the best of three fixed choices. A case is what/corpus/K, or what/corpus/K/sampler.
// Scores are of a random tenth of the documents, in nats per token.
func (l *lab) stop(name string) error {
	parts := strings.Split(name, "/")
	if len(parts) < 3 {
		return fmt.Errorf("a case is stop, priors, grid or infer, a corpus, a number of topics and perhaps a sampler")
	}
	k, err := strconv.Atoi(parts[2])
	if err != nil {
		return err
	}
	o := topoi.Options{Topics: k, Holdout: 0.1, HoldoutTokens: -1, Seed: *seed, HoldoutSeed: *seed}
	who := ""
	if len(parts) == 4 {
		who = parts[3]
	}
	path, err := l.corpus(parts[1])
	if err != nil {
		return err
	}
	c, err := corpus.Open(path)
	if err != nil {
		return err
	}
	defer c.Close()
	var line string
	switch parts[0] {
	case "grid":
		line, err = measureGrid(c, o, who)
	case "infer":
		o.Sampler = who
		line, err = measureInfer(c, o)
	case "priors":
		o.Sampler = who
		line, err = comparePriors(c, o)
	default:
		o.Sampler = who
		line, err = findStop(c, o)
	}
	if err == nil {
		fmt.Printf("%-22s %s\n", name, line)
	}
	return err
}

// findStop trains twice on the same documents, which takes the same path twice: as a
// user would who holds nothing out, to see when it stops; and for four times as many
// sweeps with some eighty scores on the way, to see what that would have brought.
func findStop(c *corpus.Corpus, o topoi.Options) (string, error) {
	few := o
	few.Iterations, few.Sampler, few.Topics = 1, "batch", 2
	m, err := train.Run(context.Background(), c, few)
	if err != nil {
		return "", err
	}
	docs, err := m.Docs() // those that are not held out
	if err != nil {
		return "", err
	}
	alone := o
	alone.Holdout, alone.HoldoutSeed = 0, 0
	if m, err = train.Run(context.Background(), docs, alone); err != nil {
		return "", err
	}
	stopped, history := m.Manifest().Iterations, m.Manifest().History
	o.EvaluateEvery = interval(stopped)
	scores, err := heldout(c, o, 4*stopped)
	if err != nil {
		return "", err
	}
	at := stopped/o.EvaluateEvery - 1
	here, end := around(scores, at-1, at+1), around(scores, len(scores)-3, len(scores)-1)
	needed := o.EvaluateEvery * (slices.IndexFunc(scores, func(s float64) bool { return s >= end-0.01 }) + 1)
	return fmt.Sprintf("stopped %4d (%s), needed %4d, sample %.4f, held-out %.4f, after four times as many %.4f: %+.4f",
		stopped, m.Manifest().Stopped, needed, *history[len(history)-1].Sample, here, end, here-end), nil
}

// interval returns about a twentieth of the sweeps, so that the last one is scored.
func interval(sweeps int) int {
	for n := 20; n < sweeps/10; n++ {
		if sweeps%n == 0 {
			return sweeps / n
		}
	}
	return 10
}

// heldout trains for so many sweeps and returns the held-out scores on the way.
func heldout(c *corpus.Corpus, o topoi.Options, sweeps int) (scores []float64, err error) {
	o.Iterations, o.Tolerance = sweeps, -1
	m, err := train.Run(context.Background(), c, o)
	if err != nil {
		return nil, err
	}
	for _, s := range m.Manifest().History {
		scores = append(scores, *s.Heldout)
	}
	return scores, nil
}

// around averages the scores from lo to hi, as far as they are there: single sweeps
// differ by some thousandths.
func around(scores []float64, lo, hi int) float64 {
	scores = scores[max(0, lo):min(hi+1, len(scores))]
	sum := 0.0
	for _, s := range scores {
		sum += s
	}
	return sum / float64(len(scores))
}

// comparePriors trains with learned priors and with Σα kept at 1, 5 and 50, and compares
// the held-out scores after a thousand sweeps.
func comparePriors(c *corpus.Corpus, o topoi.Options) (string, error) {
	o.EvaluateEvery = 1000
	learned, err := heldout(c, o, o.EvaluateEvery)
	if err != nil {
		return "", err
	}
	o.OptimizeInterval = -1
	line, best := fmt.Sprintf("learned %.4f", learned[0]), 0.0
	for _, sum := range []float64{1, 5, 50} {
		o.AlphaSum = sum
		scores, err := heldout(c, o, o.EvaluateEvery)
		if err != nil {
			return "", err
		}
		line += fmt.Sprintf(", Σα = %g %.4f", sum, scores[0])
		if best == 0 || scores[0] > best {
			best = scores[0]
		}
	}
	return line + fmt.Sprintf(": %+.4f", learned[0]-best), nil
}
