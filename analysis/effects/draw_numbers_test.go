package effects

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/topoi-lda/topoi/corpus/column"
)

// moments returns mean and variance of n draws.
func moments(n int, draw func(i int) float64) (mean, variance float64) {
	sum, squares := 0.0, 0.0
	for i := range n {
		x := draw(i)
		sum += x
		squares += x * x
	}
	mean = sum / float64(n)
	return mean, squares/float64(n) - mean*mean
}

// A gamma distribution of shape a has mean a and variance a. Bounds are five standard errors: the fourth central
// moment is 3a² + 6a.
func TestGammaDraws(t *testing.T) {
	const n = 40_000
	for _, a := range []float64{0.2, 0.9, 1, 3.5, 40} {
		r := rand.New(rand.NewPCG(5, 6))
		mean, variance := moments(n, func(int) float64 { return gamma(r, a) })
		if math.Abs(mean-a) > 5*math.Sqrt(a/n) || math.Abs(variance-a) > 5*math.Sqrt((2*a*a+6*a)/n) {
			t.Errorf("shape %v: mean %v and variance %v", a, mean, variance)
		}
	}
}

// The same generator gives the same draws in every release and on every machine.
func TestGammaDrawsStay(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, c := range []struct{ shape, want float64 }{
		{0.5, 0.6472141498598099},
		{1, 5.0914425644413255},
		{1.5, 0.4195735115169509},
		{7, 6.2473551476269416},
		{300, 310.17728904697486},
	} {
		if got := gamma(r, c.shape); got != c.want {
			t.Errorf("shape %v: %v, want %v", c.shape, got, c.want)
		}
	}
}

// Shares of a document with 30 tokens, n = (20, 0, 10), α = (1.5, 1, 2) and Σα = 5: θ ~ Dirichlet(n + α), where a
// topic that was not chosen has the rest, and y = (θ·35 - α)/30 has mean n/30 and variance (35/30)²·m(1-m)/36, m = (n
// + α)/35.
func TestDrawnShares(t *testing.T) {
	const n = 40_000
	post := posterior{alpha: []float64{1.5, 1, 2}, total: 5}
	for k, c := range []float64{20, 0, 10} {
		w, y := post.newDrawer(), make([]float64, 3)
		mean, variance := moments(n, func(i int) float64 {
			w.draw(y, 7, i, 3, 30, []share{{0, 20}, {2, 10}})
			return y[k]
		})
		m := (c + post.alpha[k]) / 35
		want := 35.0 / 30 * 35 / 30 * m * (1 - m) / 36
		if math.Abs(mean-c/30) > 5*math.Sqrt(want/n) || math.Abs(variance-want) > 0.06*want {
			t.Errorf("topic %d: mean %v and variance %v, want %v and %v", k, mean, variance, c/30, want)
		}
	}
}

// Another seed, draw or document gives other shares; the same give the same.
func TestDrawsDependOnSeedNumberAndDocument(t *testing.T) {
	post := posterior{alpha: []float64{1, 2}, total: 3}
	w := post.newDrawer()
	draw := func(seed uint64, number int, doc uint32) float64 {
		y := make([]float64, 2)
		w.draw(y, seed, number, doc, 10, []share{{1, 10}})
		return y[0]
	}
	first := draw(1, 2, 3)
	if again := draw(1, 2, 3); again != first {
		t.Errorf("the same draw gives %v and %v", first, again)
	}
	for _, other := range []float64{draw(2, 2, 3), draw(1, 3, 3), draw(1, 2, 4), draw(1, 3, 2)} {
		if other == first {
			t.Error("another draw gives the same share")
		}
	}
}

// Draws are pooled by the rules of Rubin (1987): the mean of the coefficients; the mean of their covariances, and 1 +
// 1/S times the covariance of the coefficients between draws, whose divisor is S - 1.
func TestDrawsArePooled(t *testing.T) {
	const draws = 3
	m, columns := unbalanced()
	r, err := prepare(m, Options{Formula: "~ party + x", Columns: columns, Draws: draws, Seed: 4, Cluster: "speaker"})
	if err != nil {
		t.Fatal(err)
	}
	r.scale = newScale(r.design)
	s, err := r.sumUp(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if err := r.solve(s); err != nil {
		t.Fatal(err)
	}
	pooled, err := r.drawn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var single [draws][]fit
	for i := range single {
		if single[i], err = r.oneDraw(context.Background(), i); err != nil {
			t.Fatal(err)
		}
	}
	for k, f := range pooled {
		for i := range 4 {
			for j := range 4 {
				mi, mj, within, between := 0.0, 0.0, 0.0, 0.0
				for _, one := range single {
					mi, mj = mi+one[k].b[i]/draws, mj+one[k].b[j]/draws
					within += one[k].cov[i*4+j] / draws
				}
				for _, one := range single {
					between += (one[k].b[i] - mi) * (one[k].b[j] - mj) / (draws - 1)
				}
				near(t, "a pooled coefficient", f.b[i], mi)
				near(t, "a pooled covariance", f.cov[i*4+j], within+4.0/3*between)
			}
		}
	}
}

// A regression through draws regresses each: its coefficients are those of least squares on the drawn shares, by the
// normal equations X'(y - Xb) = 0.
func TestADrawIsRegressed(t *testing.T) {
	m, columns := unbalanced()
	columns = append(columns, column.Column{Name: "z", Kind: column.Number, Values: values{"3", "1", "4", "1", "5", "9", "2", "6"}})
	o := Options{Formula: "~ x + z", Columns: columns, Draws: 2, Seed: 9}
	result := compute(t, m, o)
	r, err := prepare(m, o)
	if err != nil {
		t.Fatal(err)
	}
	r.scale = scale{mean: make([]float64, 3), size: []float64{1, 1, 1}}
	e, w, y := r.newReader(), r.posterior.newDrawer(), make([]float64, 2)
	for k := range 2 {
		var sums [3]float64
		for number := range 2 {
			for _, d := range r.design.docs {
				w.draw(y, 9, number, d, e.read(d), e.counts)
				residual := y[k] - dot(result.coefficients[k], e.x)
				for i, x := range e.x {
					sums[i] += residual * x
				}
			}
		}
		for _, sum := range sums {
			near(t, "Σ (y - xb) x over both draws", sum, 0)
		}
	}
}
