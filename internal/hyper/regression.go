package hyper

import (
	"slices"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/portable"
)

// Regression is the prior of Dirichlet-multinomial regression: documents are in groups, a group has a row x of numbers, and
//
//	α_gk = exp(x_g · λ_k),   λ_k0 ~ N(0, 10²),   λ_kf ~ N(0, 1) for f > 0
//
// The first number of a row is 1. Mimno and McCallum, "Topic models conditioned on arbitrary features with
// Dirichlet-multinomial regression", UAI 2008.
type Regression struct {
	Rows    [][]float64 // G rows of F numbers
	Threads int         // goroutines; never changes the result
}

// DocCounts are the topics of a document: its group, its length, and n_dk of the topics that it has.
type DocCounts struct {
	Group, Length int
	Topics        []counts.Entry
}

// The bounds of x · λ: α stays between 10^-9 and 400.
const leastLog, mostLog = -20, 6

// Alpha returns α_gk, group by group.
func (r Regression) Alpha(lambda [][]float64) [][]float64 {
	alpha := make([][]float64, len(r.Rows))
	each(len(alpha), r.Threads, func(g int) {
		alpha[g] = make([]float64, len(lambda))
		for k, l := range lambda {
			alpha[g][k] = portable.Exp(logAlpha(r.Rows[g], l))
		}
	})
	return alpha
}

func logAlpha(x, lambda []float64) float64 {
	sum := 0.0
	for f, v := range x {
		sum += float64(v * lambda[f])
	}
	return min(max(sum, leastLog), mostLog)
}

// Learn returns λ (K rows of F numbers) after a few steps from lambda. Each step maximises a lower bound of the
// posterior that touches it at the present α, as Minka's fixed point does. Given that bound topics are independent,
// and each is a Poisson regression:
//
//	Σ_g a_gk (x_g · λ_k) − b_g exp(x_g · λ_k),   a_gk = α_gk Σ_d [ψ(α_gk + n_dk) − ψ(α_gk)],   b_g = Σ_d [ψ(A_g + N_d) − ψ(A_g)]
func (r Regression) Learn(lambda [][]float64, docs []DocCounts) [][]float64 {
	for range rounds {
		alpha := r.Alpha(lambda)
		a, b := make([][]float64, len(alpha)), make([]float64, len(alpha))
		sums := make([]float64, len(alpha))
		for g, row := range alpha {
			a[g] = make([]float64, len(lambda))
			for _, x := range row {
				sums[g] += x
			}
		}
		for _, d := range docs {
			b[d.Group] += digamma(sums[d.Group]+float64(d.Length)) - digamma(sums[d.Group])
			for _, t := range d.Topics {
				x, rise := alpha[d.Group][t.Topic], 0.0
				for i := range t.Count {
					rise += 1 / (x + float64(i))
				}
				a[d.Group][t.Topic] += float64(x * rise)
			}
		}
		next := make([][]float64, len(lambda))
		each(len(lambda), r.Threads, func(k int) {
			next[k] = r.poisson(lambda[k], func(g int) float64 { return a[g][k] }, b)
		})
		lambda = next
	}
	return lambda
}

// poisson takes two Newton steps of one topic's regression, each shortened until the bound rises.
func (r Regression) poisson(lambda []float64, a func(g int) float64, b []float64) []float64 {
	lambda = slices.Clone(lambda)
	before := r.bound(lambda, a, b)
	for range 2 {
		step := r.newton(lambda, a, b)
		for length := 1.0; length > 1e-3; length /= 2 {
			try := slices.Clone(lambda)
			for f, s := range step {
				try[f] += float64(length * s)
			}
			if after := r.bound(try, a, b); after > before {
				lambda, before = try, after
				break
			}
		}
	}
	return lambda
}

// precision is 1/σ² of λ_f.
func precision(f int) float64 {
	if f == 0 {
		return 0.01
	}
	return 1
}

// bound returns what a topic's regression maximises.
func (r Regression) bound(lambda []float64, a func(g int) float64, b []float64) float64 {
	sum := 0.0
	for g, x := range r.Rows {
		log := logAlpha(x, lambda)
		sum += float64(a(g)*log) - float64(b[g]*portable.Exp(log))
	}
	for f, l := range lambda {
		sum -= float64(float64(l*l)*precision(f)) / 2
	}
	return sum
}

// newton returns the step (XᵀWX + 1/σ²)⁻¹ gradient.
func (r Regression) newton(lambda []float64, a func(g int) float64, b []float64) []float64 {
	step, matrix := make([]float64, len(lambda)), make([][]float64, len(lambda))
	for f, l := range lambda {
		matrix[f] = make([]float64, len(lambda))
		matrix[f][f], step[f] = precision(f), -float64(l*precision(f))
	}
	for g, x := range r.Rows {
		weight := float64(b[g] * portable.Exp(logAlpha(x, lambda)))
		for f, v := range x {
			step[f] += float64(v * (a(g) - weight))
			for h, u := range x[f:] {
				matrix[f][f+h] += float64(float64(v*weight) * u)
			}
		}
	}
	solve(matrix, step)
	return step
}

// solve replaces y by the solution of a positive definite system, of which the upper triangle is given and destroyed.
func solve(m [][]float64, y []float64) {
	for i, row := range m {
		for j := i + 1; j < len(m); j++ {
			factor := row[j] / row[i]
			y[j] -= float64(factor * y[i])
			for h := j; h < len(m); h++ {
				m[j][h] -= float64(factor * row[h])
			}
		}
	}
	for i := len(m) - 1; i >= 0; i-- {
		for h := i + 1; h < len(m); h++ {
			y[i] -= float64(m[i][h] * y[h])
		}
		y[i] /= m[i][i]
	}
}

// DocTerms returns Σ_d { log Γ(A_d) − log Γ(A_d + N_d) + Σ_k [log Γ(α_dk + n_dk) − log Γ(α_dk)] }, where sums gives
// A_d and alpha α_dk of a group.
func DocTerms(docs []DocCounts, sums []float64, alpha func(group int, k uint32) float64) float64 {
	var total compensatedSum
	for _, d := range docs {
		total.add(-(&riser{x: sums[d.Group]}).by(d.Length))
		for _, t := range d.Topics {
			total.add((&riser{x: alpha(d.Group, t.Topic)}).by(int(t.Count)))
		}
	}
	return total.value()
}
