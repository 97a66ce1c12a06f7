package discrete

// Linear draws by a linear search of the prefix sums:
//
//	p_k = a_0 + … + a_k,    draw the smallest k with u p_{K-1} < p_k
//
// Build costs K additions, Draw K/2 comparisons on average, memory is K sums.
// It is as fast as any for K up to about 16 and the simplest to follow;
// otherwise Binary needs log₂ K comparisons on the same table.
//
// Steele and Tristan, "Using butterfly-patterned partial sums to draw from
// discrete distributions", PPoPP 2017, Algorithms 1 and 2.
type Linear[F Float] struct {
	prefix prefixSums[F]
}

// Build implements Sampler.
func (s *Linear[F]) Build(weights []F) { s.prefix = s.prefix.build(weights) }

// Draw implements Sampler.
func (s *Linear[F]) Draw(u F) int {
	t := target(u, s.prefix.sum())
	for k, p := range s.prefix {
		if t < p {
			return k
		}
	}
	panic("unreachable: the target is below the last prefix sum")
}

// prefixSums holds p_k = a_0 + … + a_k, added in increasing k.
type prefixSums[F Float] []F

// build returns the sums of the weights, in p's memory where it suffices.
func (p prefixSums[F]) build(weights []F) prefixSums[F] {
	p = resize(p, len(weights))
	var sum F
	notNegative := true
	for k, a := range weights {
		notNegative = notNegative && a >= 0
		sum += a
		p[k] = sum
	}
	mustBuild(weights, notNegative, sum)
	return p
}

// sum returns σ = p_{K-1}.
func (p prefixSums[F]) sum() F {
	if len(p) == 0 {
		panic(faultUnbuilt)
	}
	return p[len(p)-1]
}

// Binary draws by a binary search of the prefix sums:
//
//	p_k = a_0 + … + a_k,    draw the smallest k with u p_{K-1} < p_k
//
// Build costs K additions, Draw log₂ K comparisons, memory is K sums. It draws
// exactly what Linear draws from the same weights. Prefer it once K passes
// about 16, and where each distribution is drawn from once; prefer Alias when
// one is drawn from a few times K, and Fenwick when weights change between draws.
//
// Steele and Tristan, PPoPP 2017, Algorithms 1 and 3.
type Binary[F Float] struct {
	prefix prefixSums[F]
}

// Build implements Sampler.
func (s *Binary[F]) Build(weights []F) { s.prefix = s.prefix.build(weights) }

// Draw implements Sampler.
func (s *Binary[F]) Draw(u F) int {
	t := target(u, s.prefix.sum())
	j, k := 0, len(s.prefix)-1
	for j < k {
		mid := int(uint(j+k) / 2)
		if t < s.prefix[mid] {
			k = mid
		} else {
			j = mid + 1
		}
	}
	return j
}
