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
