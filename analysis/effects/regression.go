package effects

import (
	"math"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/corpus/column"
	"github.com/topoi-lda/topoi/topic"
)

// regression is one call of Compute.
type regression struct {
	options   Options
	model     topic.Documents
	corpus    *corpus.Corpus
	slots     []int32 // K: place of a topic among the chosen ones, or −1
	parts     [][]int // the topics of each chosen one
	design    *design
	scale     scale
	posterior posterior

	prior, priorFormula string // of the model, see Result
	training            string
	redrawn             int

	squares  []float64 // p×p: Σ x̃ x̃'
	factored *factored // of squares
	inverse  []float64 // p×p: of squares
	free     float64   // n − rank
	groups   *groups   // nil without clusters
}

// groups are the documents of the regression sorted by cluster.
type groups struct {
	docs   []uint32
	begins []int // where clusters begin among docs, and the number of docs
}

func (g *groups) len() int { return len(g.begins) - 1 }

func (g *groups) at(i int) []uint32 { return g.docs[g.begins[i]:g.begins[i+1]] }

// determined reports whether the documents determine a sum of the coefficients of standardised columns: its factors are
// a combination of rows of X. Each aliased column is one of the others, with weights (X'X)⁻¹ X'x, and its factor must
// be the same one of theirs.
func (r *regression) determined(factors []float64) bool {
	p := len(factors)
	for j, aliased := range r.factored.aliased {
		if !aliased {
			continue
		}
		want, size := 0.0, math.Abs(factors[j])
		for i, weight := range times(r.inverse, r.squares[j*p:(j+1)*p]) {
			want += float64(weight * factors[i])
			size = max(size, math.Abs(float64(weight*factors[i])))
		}
		if math.Abs(factors[j]-want) > float64(1e-6*max(1, size)) {
			return false
		}
	}
	return true
}

// fit is the regression of one topic on standardised columns.
type fit struct {
	b   []float64 // p: coefficients
	cov []float64 // p×p: their pooled covariance

	between []float64 // p×p: the part of it that comes from differences between draws; nil without draws
}

// posterior is the posterior of θ of one document given its topics' counts: θ_d ~ Dirichlet(n_d + α).
//
// The prior pulls θ towards the shares of all documents, and would shrink every effect by N_d / (N_d + Σα). So what
// is regressed is y = (θ (N_d + Σα) - α) / N_d, without that pull. Its mean is n_dk / N_d.
type posterior struct {
	alpha []float64 // of the chosen topics
	total float64   // Σα over all topics
}

// scale standardises columns, so that sums of squares keep their digits: x̃ = (x - mean)/size. Without an intercept
// nothing is subtracted, and neither is it from a column that is 0 in most documents, as those of categories and their
// interactions are: rows stay sparse, which makes a regression with many columns several times as fast.
type scale struct {
	mean, size []float64 // p
}

func (s *scale) apply(x []float64) {
	for i := range x {
		x[i] = (x[i] - s.mean[i]) / s.size[i]
	}
}

// newScale finds mean and size of all columns.
func newScale(x *design) scale {
	p := len(x.names)
	s := scale{make([]float64, p), make([]float64, p)}
	row, room, zeros := make([]float64, p), x.newScratch(), make([]int, p)
	for _, d := range x.docs {
		x.row(row, int(d), room, nil)
		for i, v := range row {
			s.mean[i] += v
			if v == 0 {
				zeros[i]++
			}
		}
	}
	for i := range s.mean {
		s.mean[i] /= float64(len(x.docs))
		if !x.intercept || i == 0 || 2*zeros[i] > len(x.docs) {
			s.mean[i] = 0
		}
	}
	for _, d := range x.docs {
		x.row(row, int(d), room, nil)
		for i, v := range row {
			s.size[i] += float64((v - s.mean[i]) * (v - s.mean[i]))
		}
	}
	for i := range s.size {
		s.size[i] = math.Sqrt(s.size[i] / float64(len(x.docs)))
		if s.size[i] == 0 {
			s.size[i] = 1
		}
	}
	return s
}

// back turns coefficients of standardised columns into those of the columns.
func (s *scale) back(b []float64, intercept bool) []float64 {
	out := make([]float64, len(b))
	for i := range b {
		out[i] = b[i] / s.size[i]
		if intercept && i > 0 {
			out[0] -= float64(out[i] * s.mean[i])
		}
	}
	return out
}

// factors returns the factors of coefficients of standardised columns with which they have the sum that coefficients of
// the columns have with the factors c: the opposite of back.
func (s *scale) factors(c []float64, intercept bool) []float64 {
	out := make([]float64, len(c))
	for i := range c {
		out[i] = c[i] / s.size[i]
		if intercept && i > 0 {
			out[i] -= float64(c[0]*s.mean[i]) / s.size[i]
		}
	}
	return out
}

// backCovariance does the same for the covariance of coefficients.
func (s *scale) backCovariance(c []float64, intercept bool) []float64 {
	p := len(s.size)
	half := make([]float64, p*p)
	for i := range p { // back applied to every column
		column := make([]float64, p)
		for j := range p {
			column[j] = c[j*p+i]
		}
		for j, x := range s.back(column, intercept) {
			half[j*p+i] = x
		}
	}
	for i := range p { // and to every row
		copy(half[i*p:(i+1)*p], s.back(half[i*p:(i+1)*p], intercept))
	}
	return half
}

// Options say what is estimated.
type Options struct {
	Formula  string            // such as "~ party * s(date) + log(length)"
	Columns  []column.Column   // of the training documents
	Base     map[string]string // the value of a column that others are compared with. Default: the first
	Topics   []int             // default: all, or none beside Sums
	Sums     [][]int           // topics whose shares are added up: they are taken as one
	Interval float64           // share of an interval, below 1. Default 0.95
	Cluster  string            // name of a column: errors of documents with the same value may be correlated
	Draws    int               // draws of θ, for the method of composition. Default 0: none
	Seed     uint64            // of the draws
	Threads  int               // goroutines; never changes the result. Default: all cores

	Progress func(done, total int64) // told how far the work is; may be nil
}
