package discrete

import "github.com/topoi-lda/topoi/internal/alloc"

// Alias draws by Walker's alias method with Vose's table. The K outcomes become K columns of equal height 1; column k
// is filled by outcome k up to f_k and by one other outcome, its alias, from there on:
//
//	K a_k / σ = f_k + Σ_{i: alias_i = k} (1 - f_i)
//
// A draw picks a column uniformly, then one of its two outcomes.
//
// Build costs about 4 K operations and Draw one table look-up whatever K, memory is K floats and K indices, and as
// much again while building. Prefer it where one distribution is drawn from a few times K or more, as the Metropolis-
// Hastings proposals of AliasLDA and LightLDA are. It defines no order: draws for one u have nothing to do with those
// of the other methods.
//
// Draw takes the column and the place in it from the same u. Float32 leaves 24 - log₂ K bits for the place; where
// that is too coarse, use float64 or give Pick two random numbers.
//
// Walker, "An efficient method for generating discrete random variables with general distributions", ACM TOMS 3(3),
// 1977; Vose, "A linear algorithm for generating random numbers with a given distribution", IEEE TSE 17(9), 1991.
type Alias[F Float] struct {
	own   []F     // [K] f_k in [0, 1]
	alias []int32 // [K]

	// Scratch of Build.
	height []float64 // [K] what is left of K a_k / σ
	stack  []int32   // [K] columns below 1 grow from the front, others from the back
}

// Build implements Sampler. The table is computed in float64 for either F.
func (s *Alias[F]) Build(weights []F) {
	s.scaleHeights(weights)
	n := len(weights)
	low, high := s.split()
	for low > 0 && high < n {
		low--
		small, large := s.stack[low], s.stack[high]
		s.own[small], s.alias[small] = F(s.height[small]), large
		s.height[large] -= 1 - s.height[small]
		if s.height[large] < 1 {
			high++
			s.stack[low] = large
			low++
		}
	}
	s.settle(weights, low, high)
}

// settle gives out the columns left over, which would be exactly 1 high without
// rounding: stack[:low] and stack[high:], of which one is empty.
func (s *Alias[F]) settle(weights []F, low, high int) {
	for _, k := range s.stack[high:] {
		s.own[k], s.alias[k] = 1, k
	}
	for _, k := range s.stack[:low] {
		s.own[k], s.alias[k] = 1, k
		if weights[k] == 0 { // takes rounding errors that sum to 1, but then must not be drawn
			s.own[k], s.alias[k] = 0, argmax(weights)
		}
	}
}

// scaleHeights sizes the table and sets height_k = K a_k / σ.
func (s *Alias[F]) scaleHeights(weights []F) {
	n := len(weights)
	s.own, s.alias = alloc.Resize(s.own, n), alloc.Resize(s.alias, n)
	s.height, s.stack = alloc.Resize(s.height, n), alloc.Resize(s.stack, n)
	var sum F
	notNegative := true
	for _, a := range weights {
		notNegative = notNegative && a >= 0
		sum += a
	}
	mustBuild(weights, notNegative, sum)
	// The sum in float64: one rounded in float32 would scale all heights wrong.
	var exact float64
	for _, a := range weights {
		exact += float64(a)
	}
	for k, a := range weights {
		s.height[k] = float64(a) / exact * float64(n)
	}
}

// split stacks the columns lower than 1 at [0, low) and the others at [high, K).
func (s *Alias[F]) split() (low, high int) {
	high = len(s.stack)
	for k, h := range s.height {
		if h < 1 {
			s.stack[low] = int32(k)
			low++
		} else {
			high--
			s.stack[high] = int32(k)
		}
	}
	return low, high
}

// Draw implements Sampler.
func (s *Alias[F]) Draw(u F) int {
	if len(s.own) == 0 {
		panic(faultUnbuilt)
	}
	if !(u >= 0 && u < 1) {
		panic(faultU)
	}
	x := float64(float64(u) * float64(len(s.own))) // the conversion forbids fusing with the subtraction
	column := min(int(x), len(s.own)-1)
	return s.Pick(column, F(x-float64(column)))
}

// Pick returns the outcome for a column chosen uniformly from 0, …, K-1 and a second random number u in [0, 1).
func (s *Alias[F]) Pick(column int, u F) int {
	if u < s.own[column] {
		return column
	}
	return int(s.alias[column])
}

func argmax[F Float](weights []F) int32 {
	best := 0
	for k, a := range weights {
		if a > weights[best] {
			best = k
		}
	}
	return int32(best)
}

// Table returns the columns: outcome k fills its own column up to own[k] and alias[k] the rest. Callers who pack many
// tables into slices of their own copy them from here; both slices are valid until the next Build.
func (s *Alias[F]) Table() (own []F, alias []int32) { return s.own, s.alias }
