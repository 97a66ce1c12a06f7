package discrete

import (
	"math"
	"math/bits"
	"testing"

	"pgregory.net/rapid"
)

// outcomes generates K: one, fewer than a warp, multiples of it, and neither.
func outcomes() *rapid.Generator[int] {
	return rapid.OneOf(rapid.IntRange(1, 40), rapid.SampledFrom([]int{8, 16, 32, 64, 96, 256}), rapid.IntRange(41, 200))
}

// TestOrderAgrees: where all sums are exact, every method that defines the
// prefix order returns the outcome that integer arithmetic gives. Weights are
// whole, with σ below 2^24, so that float32 sums and differences are exact in
// any order; u is j/2^m with j σ below 2^24, so that u σ is exact too.
func TestOrderAgrees(t *testing.T) {
	t.Run("float32", rapid.MakeCheck(orderAgrees[float32]))
	t.Run("float64", rapid.MakeCheck(orderAgrees[float64]))
}

func orderAgrees[F Float](t *rapid.T) {
	n := outcomes().Draw(t, "K")
	whole := rapid.SliceOfN(rapid.OneOf(rapid.Just(0), rapid.IntRange(0, 3), rapid.IntRange(0, 4000)), n, n).Draw(t, "weights")
	whole[rapid.IntRange(0, n-1).Draw(t, "positive")]++
	weights := make([]F, n)
	sum := 0
	for k, a := range whole {
		weights[k] = F(a)
		sum += a
	}
	// Raise σ to a power of two, so that some u lie exactly on a border.
	pad := 1<<bits.Len(uint(sum)) - sum
	whole[n-1] += pad
	weights[n-1] += F(pad)
	sum += pad

	resolution := 1 // 2^m with 2^m σ ≤ 2^24
	for resolution*2*sum <= 1<<24 && resolution < 1<<20 {
		resolution *= 2
	}
	j := rapid.IntRange(0, resolution-1).Draw(t, "j")
	if border := rapid.IntRange(0, n-1).Draw(t, "border"); rapid.Bool().Draw(t, "on border") {
		j = 0
		for _, a := range whole[:border] {
			j += a
		}
		j = j * resolution / sum
	}
	want, prefix := 0, whole[0]
	for prefix*resolution <= j*sum {
		want++
		prefix += whole[want]
	}
	u := F(j) / F(resolution)
	for _, v := range variants[F]() {
		if !v.ordered {
			continue
		}
		for r, got := range drawInAllLanes(v, weights, u) {
			if got != want {
				t.Fatalf("%s, lane %d draws %d, exact arithmetic %d", v.name, r, got, want)
			}
		}
	}
}

// adversarial generates float32 weights of wildly different sizes: zeros,
// subnormals, values that vanish when added to others, and one huge weight.
func adversarial(t *rapid.T) []float32 {
	n := outcomes().Draw(t, "K")
	weights := rapid.SliceOfN(rapid.OneOf(
		rapid.Just(float32(0)),
		rapid.Just(float32(math.SmallestNonzeroFloat32)),
		rapid.Float32Range(0, 1),
		rapid.Float32Range(0, 1e-38),
		rapid.SampledFrom([]float32{1, 1 << 24, 1 << 25, 1e30}),
	), n, n).Draw(t, "weights")
	k := rapid.IntRange(0, n-1).Draw(t, "positive")
	weights[k] += rapid.SampledFrom([]float32{math.SmallestNonzeroFloat32, 1e-30, 1, 1e38}).Draw(t, "more")
	return weights
}

// adversarialU favours the ends of [0, 1) and the neighbourhoods of the shares'
// borders, where roundings that differ lead to different outcomes.
func adversarialU(t *rapid.T, weights []float32) float32 {
	prefix := exactPrefix(weights)
	u := rapid.OneOf(
		rapid.SampledFrom([]float32{0, math.SmallestNonzeroFloat32, below(float32(1)), 0.5}),
		rapid.Map(rapid.Uint32Range(0, 1<<24-1), func(x uint32) float32 { return float32(x) / (1 << 24) }),
		rapid.Map(rapid.SampledFrom(prefix), func(p float64) float32 { return float32(p / prefix[len(prefix)-1]) }),
	).Draw(t, "u")
	for range rapid.IntRange(0, 3).Draw(t, "up") {
		u = math.Nextafter32(u, 1)
	}
	for range rapid.IntRange(0, 3).Draw(t, "down") {
		u = math.Nextafter32(u, 0)
	}
	return min(u, below(float32(1)))
}

// TestAdversarialWeights: whatever the weights, an outcome of weight zero is
// never drawn, and a method in prefix order draws k only if u σ lies within
// rounding of [p_{k-1}, p_k].
//
// The bound: a prefix sum in float32 has passed at most K + 2 log₂ W additions
// and subtractions of partial sums of at most σ, each off by at most 2^-24 of its result
// (which itself may be above σ by rounding; the factor 2 covers that, the
// rounding of u σ, and the same errors in σ).
func TestAdversarialWeights(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		weights := adversarial(t)
		u := adversarialU(t, weights)
		prefix := exactPrefix(weights)
		sum := prefix[len(prefix)-1]
		x := float64(u) * sum
		slack := 2*float64(len(weights)+12)*sum/(1<<24) + 2*math.SmallestNonzeroFloat32
		for _, v := range variants[float32]() {
			for r, k := range drawInAllLanes(v, weights, u) {
				if weights[k] == 0 {
					t.Fatalf("%s, lane %d draws outcome %d of weight zero", v.name, r, k)
				}
				low := prefix[k] - float64(weights[k])
				if v.ordered && (x < low-slack || x > prefix[k]+slack) {
					t.Fatalf("%s, lane %d draws %d: u σ = %g outside [%g, %g] by more than %g", v.name, r, k, x, low, prefix[k], slack)
				}
			}
		}
	})
}

// The same for ordinary weights with many zeros among them, at every border: the
// sums reached along two paths are what makes a search stray.
func TestZeroWeightsAtBorders(t *testing.T) {
	for seed := range uint64(300) {
		weights := make([]float32, 17+seed%64)
		for k := range weights {
			weights[k] = max(0, uniform[float32](seed, k)-0.5)
		}
		prefix := exactPrefix(weights)
		var us []float32
		for _, p := range prefix {
			u := math.Nextafter32(math.Nextafter32(float32(p/prefix[len(prefix)-1]), 0), 0)
			for range 5 {
				us = append(us, min(u, below(float32(1))))
				u = math.Nextafter32(u, 1)
			}
		}
		for _, v := range variants[float32]() {
			for i, k := range drawLanes(v, weights, us) {
				if weights[k] == 0 {
					t.Fatalf("%s draws outcome %d of weight zero for u = %g (seed %d)", v.name, k, us[i], seed)
				}
			}
		}
	}
}

// Ones added to 2^24 one by one vanish in float32; added to each other first,
// as the butterfly adds the blocks and pairs, they do not.
func TestPrefixOrderLosesSmallWeights(t *testing.T) {
	weights := make([]float32, 64)
	for k := range weights {
		weights[k] = 1
	}
	weights[0] = 1 << 24
	for _, v := range variants[float32]() {
		for r, k := range drawInAllLanes(v, weights, below(float32(1))) {
			switch v.name {
			case "linear", "binary":
				if k != 0 {
					t.Errorf("%s draws %d: have the ones not vanished?", v.name, k)
				}
			case "butterfly", "butterfly-plain":
				if k < 32 {
					t.Errorf("%s, lane %d draws %d, want one of the later outcomes", v.name, r, k)
				}
			}
		}
	}
}

// The shares of the alias table are the weights' shares to float32 rounding.
func TestAliasShares(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		weights := adversarial(t)
		var s Alias[float32]
		s.Build(weights)
		n := float64(len(weights))
		share := make([]float64, len(weights))
		for k := range weights {
			share[k] += float64(s.own[k]) / n
			share[s.alias[k]] += (1 - float64(s.own[k])) / n
		}
		prefix := exactPrefix(weights)
		for k, a := range weights {
			want := float64(a) / prefix[len(prefix)-1]
			// Each of up to K columns that add to the share was rounded once.
			if d := math.Abs(share[k] - want); d > 1.0/(1<<24) || (a == 0 && share[k] != 0) {
				t.Fatalf("outcome %d has share %g, want %g", k, share[k], want)
			}
		}
	})
}

// Rounding could leave columns over after all higher ones are used up: those
// of positive weight become their own, those of weight zero are never drawn.
func TestAliasLeftOver(t *testing.T) {
	weights := []float32{1, 0, 5}
	var s Alias[float32]
	s.Build(weights)
	s.stack = []int32{0, 1, 2}
	s.settle(weights, 2, 2)
	for k, want := range []int{0, 2, 2} {
		if got := s.Pick(k, 0); got != want {
			t.Errorf("column %d gives %d, want %d", k, got, want)
		}
		if got := s.Pick(k, below(float32(1))); got != want {
			t.Errorf("column %d ends in %d, want %d", k, got, want)
		}
	}
}
