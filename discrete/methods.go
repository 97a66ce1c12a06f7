package discrete

import (
	"fmt"
	"slices"
	"strings"
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
		{"fenwick", each(func() Sampler[F] { return new(Fenwick[F]) })},
		{"butterfly", func() Many[F] { return &Butterfly[F]{} }},
		{"butterfly-plain", func() Many[F] { return &Butterfly[F]{Form: Plain} }},
	}
}

// Names returns the names that ByName knows.
func Names() []string {
	var names []string
	for _, m := range methods[float64]() {
		names = append(names, m.name)
	}
	return names
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

// Each draws from many distributions with one Sampler per lane. It gives the
// methods for one distribution the form of those for many, at the sum of their
// costs.
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
