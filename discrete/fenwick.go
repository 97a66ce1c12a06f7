package discrete

import "math/bits"

// Fenwick draws by descending a binary indexed tree, and can change one weight
// without building again. Node i (counted from 1) sums the weights of the
// lowbit(i) outcomes that end at outcome i-1:
//
//	t_i = a_{i - lowbit(i)} + … + a_{i-1},    lowbit(i) = i & -i
//
// Build costs K additions, Draw log₂ K comparisons, Update log² K additions,
// memory is K weights and K sums. Prefer it when weights change between draws,
// as in collapsed Gibbs sampling, where one token changes two weights; Binary
// is faster when they do not.
//
// A node is always computed afresh from its children, in one fixed order, never
// by adding a difference: rounding errors do not pile up, and the tree depends
// on the weights alone, not on how they came about.
//
// Fenwick, "A new data structure for cumulative frequency tables", Software:
// Practice and Experience 24(3), 1994.
type Fenwick[F Float] struct {
	weights []F // [K]
	tree    []F // [K+1], t_0 unused
	sum     F   // σ
}

// Build implements Sampler.
func (s *Fenwick[F]) Build(weights []F) {
	s.weights = append(s.weights[:0], weights...)
	s.tree = resize(s.tree, len(weights)+1)
	notNegative := true
	for i := 1; i < len(s.tree); i++ {
		notNegative = notNegative && s.weights[i-1] >= 0
		s.tree[i] = s.node(i)
	}
	s.sum = s.total()
	mustBuild(weights, notNegative, s.sum)
}

// Weight returns the weight of outcome k.
func (s *Fenwick[F]) Weight(k int) F { return s.weights[k] }

// Update gives outcome k a new weight. All weights may become zero on the way to
// others; a Draw in that state panics.
func (s *Fenwick[F]) Update(k int, weight F) {
	switch {
	case weight != weight:
		panic(faultNaN)
	case weight < 0:
		panic(faultNegative)
	case isInf(weight):
		panic(faultInf)
	}
	s.weights[k] = weight
	for i := k + 1; i < len(s.tree); i += i & -i {
		s.tree[i] = s.node(i)
	}
	if s.sum = s.total(); isInf(s.sum) {
		panic(faultOverflow)
	}
}

// node computes t_i from its outcome's weight and its children, smallest first.
func (s *Fenwick[F]) node(i int) F {
	t := s.weights[i-1]
	for span := 1; span < i&-i; span *= 2 {
		t += s.tree[i-span]
	}
	return t
}

// total adds the nodes that cover all outcomes, the widest first, as Draw
// passes them.
func (s *Fenwick[F]) total() F {
	var sum F
	k := len(s.weights)
	for i := 0; i < k; {
		i += 1 << (bits.Len(uint(k-i)) - 1)
		sum += s.tree[i]
	}
	return sum
}

// Draw implements Sampler.
func (s *Fenwick[F]) Draw(u F) int {
	n := len(s.weights)
	if n == 0 {
		panic(faultUnbuilt)
	}
	if s.sum == 0 {
		panic(faultZero)
	}
	t := target(u, s.sum)
	k := 0 // outcomes before k are passed; t is counted from k on
	for span := 1 << (bits.Len(uint(n)) - 1); span > 0; span /= 2 {
		if i := k + span; i <= n && t >= s.tree[i] {
			t -= s.tree[i]
			k = i
		}
	}
	if k < n && s.weights[k] > 0 {
		return k
	}
	return nearestPositive(k, n, func(k int) bool { return s.weights[k] > 0 })
}
