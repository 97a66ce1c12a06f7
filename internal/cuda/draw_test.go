package cuda

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/internal/rng"
)

// drawCase is a small corpus with weights.
type drawCase[T Float] struct {
	K, V           int
	offsets, words []uint32
	theta, phi     []T // M×K, V×K
}

// randomCase makes a case with empty and one-token documents, a word that is
// half of all tokens, and weights of which some are zero.
func randomCase[T Float](r *rand.Rand, M, K int) drawCase[T] {
	c := drawCase[T]{K: K, V: 1 + r.IntN(50), offsets: []uint32{0}}
	for range M {
		n := []int{0, 1, r.IntN(8), r.IntN(40)}[r.IntN(4)]
		for range n {
			w := uint32(r.IntN(c.V))
			if r.IntN(2) == 0 {
				w = 0
			}
			c.words = append(c.words, w)
		}
		c.offsets = append(c.offsets, uint32(len(c.words)))
	}
	weights := func(n int) []T {
		out := make([]T, n)
		for i := range out {
			if r.IntN(5) > 0 {
				out[i] = T(r.ExpFloat64())
			}
		}
		return out
	}
	c.theta, c.phi = weights(M*K), weights(c.V*K)
	return c
}

// products are θ_m · φ_w, each rounded.
func (c *drawCase[T]) products(m int, w uint32) []T {
	a := make([]T, c.K)
	for k := range a {
		a[k] = T(c.theta[m*c.K+k] * c.phi[int(w)*c.K+k])
	}
	return a
}

// drawByPrefixSums is the specification of Baseline and Transposed: add in
// order, take the first partial sum above sum·u.
func drawByPrefixSums[T Float](a []T, u T) uint32 {
	p := make([]T, len(a))
	var sum T
	for k, x := range a {
		sum += x
		p[k] = sum
	}
	stop := T(sum * u)
	for k, x := range p {
		if stop < x {
			return uint32(k)
		}
	}
	return uint32(len(a) - 1)
}

// treeSum adds as a balanced binary tree.
func treeSum[T Float](a []T) T {
	if len(a) == 1 {
		return a[0]
	}
	half := len(a) / 2
	return treeSum(a[:half]) + treeSum(a[half:])
}

// drawByTree is the specification of Butterfly for the document in lane: the
// remnant is added in order, each block of 32 as a tree; inside a block the
// middle of a range is its low end plus the left half where the lane has the bit
// of the level clear, its high end minus the right half where it has it set.
func drawByTree[T Float](a []T, u T, lane int) uint32 {
	remnant, blocks := len(a)%32, len(a)/32
	if blocks == 0 {
		return drawByPrefixSums(a, u)
	}
	var sum T
	partial := make([]T, remnant) // of the remnant
	for k := range remnant {
		sum += a[k]
		partial[k] = sum
	}
	low := make([]T, blocks+1) // at the start of each block
	low[0] = sum
	for b := range blocks {
		sum += treeSum(a[remnant+32*b : remnant+32*b+32])
		low[b+1] = sum
	}
	stop := T(sum * u)
	for k, x := range partial {
		if stop < x {
			return uint32(k)
		}
	}
	b := 0
	for b < blocks-1 && stop >= low[b+1] {
		b++
	}
	from, to := remnant+32*b, remnant+32*b+32
	lo, hi := low[b], low[b+1]
	for bit := 16; bit > 0; bit /= 2 {
		mid := from + bit
		middle := lo + treeSum(a[from:mid])
		if lane&bit != 0 {
			middle = hi - treeSum(a[mid:to])
		}
		if stop < middle {
			hi, to = middle, mid
		} else {
			lo, from = middle, mid
		}
	}
	return uint32(from)
}

// want draws every topic in plain Go.
func (c *drawCase[T]) want(method DrawMethod, key rng.Key, iteration uint32, purpose rng.Purpose) []uint32 {
	topics := make([]uint32, len(c.words))
	for m := range len(c.offsets) - 1 {
		for i := c.offsets[m]; i < c.offsets[m+1]; i++ {
			x := key.Block(i, iteration, uint32(purpose), 0)
			u := T(rng.Float32(x[0]))
			if suffix[T]() == "_f64" {
				u = T(rng.Float64(x[0], x[1]))
			}
			if a := c.products(m, c.words[i]); method == Butterfly {
				topics[i] = drawByTree(a, u, m%warpLanes)
			} else {
				topics[i] = drawByPrefixSums(a, u)
			}
		}
	}
	return topics
}

// check draws the case on the device by every method and compares.
func (c *drawCase[T]) check(s *Stream, key rng.Key, iteration uint32, purpose rng.Purpose) error {
	d, err := NewDraws[T](s, c.K, c.V, c.offsets, c.words)
	if err != nil {
		return err
	}
	defer d.Free()
	if err := d.Theta.Upload(s, c.theta); err != nil {
		return err
	}
	if err := d.Phi.Upload(s, c.phi); err != nil {
		return err
	}
	for _, method := range DrawMethods {
		if err := FillAsync(s, d.Topics, 0xffffffff); err != nil { // a token not written shows
			return err
		}
		if err := d.DrawAsync(s, method, key, iteration, purpose); err != nil {
			return err
		}
		got := make([]uint32, len(c.words))
		if err := d.Topics.Download(s, got); err != nil {
			return err
		}
		want := c.want(method, key, iteration, purpose)
		for i := range want {
			if got[i] != want[i] {
				return fmt.Errorf("%v%s, K = %d, M = %d: token %d of %d has topic %d, plain Go draws %d",
					method, suffix[T](), c.K, len(c.offsets)-1, i, len(want), got[i], want[i])
			}
		}
	}
	return nil
}

var awkwardK = []int{1, 2, 3, 31, 32, 33, 63, 64, 65, 96, 100, 127, 255, 1000, 1024}

func TestDrawsEqualGoAtAwkwardSizes(t *testing.T) {
	s := gpuStream(t)
	r := rand.New(rand.NewPCG(1, 2))
	for _, K := range append(slices.Clone(awkwardK), 65535) {
		for _, M := range []int{1, 31, 32, 33, 70} {
			if K > 5000 && M > 1 {
				continue // plain Go would take long
			}
			c32, c64 := randomCase[float32](r, M, K), randomCase[float64](r, M, K)
			if err := c32.check(s, rng.NewKey(5), 1, 2); err != nil {
				t.Error(err)
			}
			if err := c64.check(s, rng.NewKey(6), 3, 4); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestDrawsEqualGoOnRandomCases(t *testing.T) {
	s := gpuStream(t)
	for seed := range uint64(1000) {
		r := rand.New(rand.NewPCG(seed, 7))
		M, K := 1+r.IntN(100), 1+r.IntN(200)
		c32, c64 := randomCase[float32](r, M, K), randomCase[float64](r, M, K)
		if err := c32.check(s, rng.NewKey(r.Uint64()), r.Uint32(), rng.Purpose(r.Uint32())); err != nil {
			t.Fatalf("case %d: %v", seed, err)
		}
		if err := c64.check(s, rng.NewKey(r.Uint64()), r.Uint32(), rng.Purpose(r.Uint32())); err != nil {
			t.Fatalf("case %d: %v", seed, err)
		}
	}
}

// The two specifications draw from the same distribution: with u on a fine grid,
// each topic's share is its weight to within one grid step and rounding.
func TestSpecificationsDrawByWeight(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, K := range []int{1, 31, 32, 33, 100} {
		a := randomCase[float64](r, 1, K).theta
		a[0]++ // not all zero
		var sum float64
		for _, x := range a {
			sum += x
		}
		const grid = 1 << 12
		for lane := range 32 {
			counts := make([]int, K)
			for i := range grid {
				counts[drawByTree(a, float64(i)/grid, lane)]++
			}
			for k := range counts {
				if diff := float64(counts[k]) - a[k]/sum*grid; diff < -1.001 || diff > 1.001 {
					t.Fatalf("K = %d, lane %d: topic %d drawn %d times of %d, its weight is %.4f", K, lane, k, counts[k], grid, a[k]/sum)
				}
			}
		}
	}
}

func TestDrawsRefuseBadInput(t *testing.T) {
	for name, err := range map[string]error{
		"no topics":     checkDraws(0, 1, []uint32{0}, nil),
		"no offsets":    checkDraws(1, 1, nil, nil),
		"short offsets": checkDraws(1, 1, []uint32{0, 1}, []uint32{0, 0}),
		"backwards":     checkDraws(1, 1, []uint32{0, 2, 1, 3}, []uint32{0, 0, 0}),
		"unknown word":  checkDraws(1, 1, []uint32{0, 1}, []uint32{1}),
	} {
		if err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if err := checkDraws(1, 1, []uint32{0, 0, 1}, []uint32{0}); err != nil {
		t.Error(err)
	}
}
