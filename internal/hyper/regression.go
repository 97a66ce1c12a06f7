package hyper

import (
	"math"
	"slices"

	"github.com/topoi-lda/topoi/internal/portable"
)

// Regression is the prior of Dirichlet-multinomial regression: documents are in groups, a group has a row x of numbers, and
//
//	α_gk = exp(x_g · λ_k),   λ_k0 ~ N(0, 10²),   λ_kf ~ N(0, σ²) for f > 0
//
// The first number of a row is 1. Mimno and McCallum, "Topic models conditioned on arbitrary features with
// Dirichlet-multinomial regression", UAI 2008.
type Regression struct {
	Rows    [][]float64 // G rows of F numbers
	Sigma   float64     // σ
	Threads int         // goroutines; never changes the result
}

// DocCounts are the topics of a document: its group, its length, and n_dk of the topics that it has.
type DocCounts struct {
	Group, Length int
	Topics        []TopicN
}

// TopicN is n_dk of topic k.
type TopicN struct{ K, N uint32 }

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

// Learn returns λ (K rows of F numbers) after a few steps from lambda. Each step maximises a lower bound of the posterior that
// touches it at the present α, as Minka's fixed point does. Given that bound topics are independent, and each is a Poisson
// regression:
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
				x, rise := alpha[d.Group][t.K], 0.0
				for i := range t.N {
					rise += 1 / (x + float64(i))
				}
				a[d.Group][t.K] += float64(x * rise)
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
func (r Regression) precision(f int) float64 {
	if f == 0 {
		return 0.01
	}
	return 1 / float64(r.Sigma*r.Sigma)
}

// bound returns what a topic's regression maximises.
func (r Regression) bound(lambda []float64, a func(g int) float64, b []float64) float64 {
	sum := 0.0
	for g, x := range r.Rows {
		log := logAlpha(x, lambda)
		sum += float64(a(g)*log) - float64(b[g]*portable.Exp(log))
	}
	for f, l := range lambda {
		sum -= float64(float64(l*l)*r.precision(f)) / 2
	}
	return sum
}

// newton returns the step (XᵀWX + 1/σ²)⁻¹ gradient, by Cholesky's factors.
func (r Regression) newton(lambda []float64, a func(g int) float64, b []float64) []float64 {
	n := len(lambda)
	step, matrix := make([]float64, n), make([][]float64, n)
	for f := range matrix {
		matrix[f] = make([]float64, f+1)
		matrix[f][f] = r.precision(f)
		step[f] = -float64(lambda[f] * r.precision(f))
	}
	for g, x := range r.Rows {
		weight := float64(b[g] * portable.Exp(logAlpha(x, lambda)))
		rest := a(g) - weight
		for f, v := range x {
			step[f] += float64(v * rest)
			scaled := float64(v * weight)
			for h := range matrix[f] {
				matrix[f][h] += float64(scaled * x[h])
			}
		}
	}
	solve(matrix, step)
	return step
}

// solve replaces y by the solution of a positive definite system, whose lower triangle is given and destroyed.
func solve(m [][]float64, y []float64) {
	for i := range m {
		for j := range m[i] {
			sum := m[i][j]
			for h := range j {
				sum -= float64(m[i][h] * m[j][h])
			}
			if i == j {
				m[i][i] = math.Sqrt(max(sum, 1e-12))
			} else {
				m[i][j] = sum / m[j][j]
			}
		}
		for h := range i {
			y[i] -= float64(m[i][h] * y[h])
		}
		y[i] /= m[i][i]
	}
	for i := len(m) - 1; i >= 0; i-- {
		for h := i + 1; h < len(m); h++ {
			y[i] -= float64(m[h][i] * y[h])
		}
		y[i] /= m[i][i]
	}
}

// DocTerms returns Σ_d { log Γ(A_d) − log Γ(A_d + N_d) + Σ_k [log Γ(α_dk + n_dk) − log Γ(α_dk)] }, where alpha gives α of a group.
func DocTerms(docs []DocCounts, alpha func(group int) []float64) float64 {
	var total compensatedSum
	sums := map[int]float64{}
	for _, d := range docs {
		a := alpha(d.Group)
		if _, known := sums[d.Group]; !known {
			for _, x := range a {
				sums[d.Group] += x
			}
		}
		total.add(-lgammaRise(sums[d.Group], d.Length))
		for _, t := range d.Topics {
			total.add(lgammaRise(a[t.K], int(t.N)))
		}
	}
	return total.value()
}

// lgammaRise returns log Γ(x + n) − log Γ(x).
func lgammaRise(x float64, n int) float64 {
	with, _ := math.Lgamma(x + float64(n))
	without, _ := math.Lgamma(x)
	return with - without
}
