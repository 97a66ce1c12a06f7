package discrete

import (
	"fmt"
	"slices"
	"strings"

	"github.com/topoi-lda/topoi/internal/alloc"
	"github.com/topoi-lda/topoi/internal/lists"
)

// method is one line of the registry.
type method[F Float] struct {
	name string
	many func() Many[F]
}

// methods lists every method under the name users choose it by.
func methods[F Float]() []method[F] {
	each := func(one func() Sampler[F]) func() Many[F] {
		return func() Many[F] { return &Each[F]{New: one} }
	}
	return []method[F]{
		{"linear", each(func() Sampler[F] { return new(Linear[F]) })},
		{"binary", each(func() Sampler[F] { return new(Binary[F]) })},
		{"alias", each(func() Sampler[F] { return new(Alias[F]) })},
		{"butterfly", func() Many[F] { return &Butterfly[F]{} }},
		{"butterfly-plain", func() Many[F] { return &Butterfly[F]{Form: Plain} }},
	}
}

// Names returns the names that ByName knows.
func Names() []string {
	return lists.Of(methods[float64](), func(m method[float64]) string { return m.name })
}

// ByName returns a method for many distributions by its name. Up to 32
// distributions can be drawn from at once with any of them.
func ByName[F Float](name string) (Many[F], error) {
	all := methods[F]()
	i := slices.IndexFunc(all, func(m method[F]) bool { return m.name == name })
	if i < 0 {
		return nil, fmt.Errorf("discrete: unknown method %q: use one of %s", name, strings.Join(Names(), ", "))
	}
	return all[i].many(), nil
}

// Each draws from many distributions with one Sampler per lane. It gives the methods for one distribution the form of
// those for many, at the sum of their costs.
type Each[F Float] struct {
	// New makes the Sampler of one more lane.
	New func() Sampler[F]

	lanes []Sampler[F] // as many as the largest Build so far needed
	built int          // lanes of the last Build
}

// Build implements Many.
func (m *Each[F]) Build(weights [][]F) {
	if len(weights) == 0 {
		panic(faultLanes)
	}
	for len(m.lanes) < len(weights) {
		m.lanes = append(m.lanes, m.New())
	}
	m.built = len(weights)
	for r, row := range weights {
		if len(row) != len(weights[0]) {
			panic(faultRagged)
		}
		m.lanes[r].Build(row)
	}
}

// Draw implements Many.
func (m *Each[F]) Draw(dst []int, u []F) {
	if m.built == 0 {
		panic(faultUnbuilt)
	}
	if len(dst) != m.built || len(u) != m.built {
		panic(faultLanes)
	}
	for r, s := range m.lanes[:m.built] {
		dst[r] = s.Draw(u[r])
	}
}

// Linear draws by a linear search of the prefix sums:
//
//	p_k = a_0 + … + a_k,    draw the smallest k with u p_{K-1} < p_k
//
// Build costs K additions, Draw K/2 comparisons on average, memory is K sums. It is as fast as any for K up to about
// 16 and the simplest to follow; otherwise Binary needs log₂ K comparisons on the same table.
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
	p = alloc.Resize(p, len(weights))
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
// Build costs K additions, Draw log₂ K comparisons, memory is K sums. It draws exactly what Linear draws from the
// same weights. Prefer it once K passes about 16, and where each distribution is drawn from once; prefer Alias when
// one is drawn from a few times K.
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
