package discrete

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
