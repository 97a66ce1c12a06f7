package export

import (
	"math"
	"runtime"

	"github.com/topoi-lda/topoi/internal/eigen"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/portable"
	"github.com/topoi-lda/topoi/topic"
)

// coordinates places topics in the plane as pyLDAvis does: by classical scaling (principal coordinates) of
// the Jensen-Shannon divergences between their word distributions φ_k. The solver is for symmetric
// matrices, so that coordinates are real whatever the rounding. It costs O(K² nnz/K + K³).
func (j *modelJob) coordinates(c [][]topic.WordCount) (x, y []float64, err error) {
	k := j.model.NumTopics()
	x, y = make([]float64, k), make([]float64, k)
	distances, err := j.divergences(c)
	if err != nil || k < 2 {
		return x, y, err
	}
	values, vectors, ok := eigen.Largest(centred(distances, k), k, 2)
	if !ok {
		return x, y, nil // all topics at the origin; better than no export
	}
	for axis, out := range [][]float64{x, y} {
		scale := math.Sqrt(max(values[k-1-axis], 0)) * sign(vectors[axis])
		for i, v := range vectors[axis] {
			out[i] = float64(scale*v) + 0 // adding 0 removes negative zeros
		}
	}
	return x, y, nil
}

// sign fixes the direction of an axis: its largest component is positive.
func sign(v []float64) float64 {
	largest := 0.0
	for _, x := range v {
		if math.Abs(x) > math.Abs(largest) {
			largest = x
		}
	}
	return math.Copysign(1, largest)
}

// centred returns −½ d² with the means of rows and columns subtracted.
func centred(distances []float64, k int) []float64 {
	mean, all := make([]float64, k), 0.0
	for i := range k {
		for l := range k {
			d := distances[i*k+l]
			mean[i] += -0.5 * d * d / float64(k)
		}
		all += mean[i] / float64(k)
	}
	b := make([]float64, k*k)
	for i := range k {
		for l := range i + 1 {
			d := distances[i*k+l]
			b[i*k+l] = float64(-0.5*d*d) - mean[i] - mean[l] + all
		}
	}
	return b
}

// divergences returns the K × K Jensen-Shannon divergences H((φ_i + φ_l)/2) − (H(φ_i) + H(φ_l))/2 in nats.
// All cores share the pairs.
func (j *modelJob) divergences(c [][]topic.WordCount) ([]float64, error) {
	k := j.model.NumTopics()
	entropy := topicEntropy(j.model)
	d := make([]float64, k*k)
	err := parallel.Do(j.ctx, runtime.GOMAXPROCS(0), k, func(_, i int) {
		for l := i + 1; l < k; l++ {
			v := max(j.mixedEntropy(c, i, l)-float64((entropy[i]+entropy[l])/2), 0)
			d[i*k+l], d[l*k+i] = v, v
		}
	})
	return d, err
}

// mixedEntropy returns H((φ_a + φ_b)/2) from the words that occur in either topic; all the others have the same
// probability.
func (j *modelJob) mixedEntropy(c [][]topic.WordCount, a, b int) float64 {
	rest, entropy := j.model.NumWords(), 0.0
	add := func(na, nb uint32) {
		p := (j.phi(na, a) + j.phi(nb, b)) / 2
		entropy -= float64(p * portable.Log(p))
		rest--
	}
	x, y := c[a], c[b]
	for len(x) > 0 || len(y) > 0 {
		switch {
		case len(y) == 0 || len(x) > 0 && x[0].Word < y[0].Word:
			add(x[0].Count, 0)
			x = x[1:]
		case len(x) == 0 || y[0].Word < x[0].Word:
			add(0, y[0].Count)
			y = y[1:]
		default:
			add(x[0].Count, y[0].Count)
			x, y = x[1:], y[1:]
		}
	}
	p := (j.phi(0, a) + j.phi(0, b)) / 2
	return entropy - float64(float64(rest)*p*portable.Log(p))
}
