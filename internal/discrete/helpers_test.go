package discrete

import (
	"fmt"
	"math"

	"github.com/topoi-lda/topoi/internal/rng"
)

// variant is a method under test, in the form for many distributions.
type variant[F Float] struct {
	name    string
	many    func() Many[F]
	lanes   int  // distributions it can draw from at once
	ordered bool // defines the prefix order
}

func variants[F Float]() []variant[F] {
	var all []variant[F]
	for _, m := range methods[F]() {
		all = append(all, variant[F]{m.name, m.many, maxLanes, m.name != "alias"})
	}
	for _, form := range []Form{AddSubtract, Plain} {
		for _, w := range []int{1, 8, 16} {
			many := func() Many[F] { return &Butterfly[F]{Lanes: w, Form: form} }
			all = append(all, variant[F]{fmt.Sprintf("butterfly/W=%d/form=%d", w, form), many, w, true})
		}
	}
	return all
}

// drawLanes gives the same distribution to every lane and draws once per u, the
// i-th time in lane i mod lanes: no two lanes of a Butterfly add or search alike.
func drawLanes[F Float](v variant[F], weights []F, us []F) []int {
	m := v.many()
	rows := make([][]F, v.lanes)
	for r := range rows {
		rows[r] = weights
	}
	m.Build(rows)
	drawn := make([]int, 0, len(us)+v.lanes)
	for len(drawn) < len(us) {
		batch := make([]F, v.lanes)
		copy(batch, us[len(drawn):])
		drawn = drawn[:len(drawn)+v.lanes]
		m.Draw(drawn[len(drawn)-v.lanes:], batch)
	}
	return drawn[:len(us)]
}

// drawInAllLanes returns what each lane draws for the same weights and u.
func drawInAllLanes[F Float](v variant[F], weights []F, u F) []int {
	us := make([]F, v.lanes)
	for r := range us {
		us[r] = u
	}
	return drawLanes(v, weights, us)
}

// uniform returns the i-th random number of a test.
func uniform[F Float](seed uint64, i int) F {
	x := rng.NewKey(seed).Block(uint32(i), 0, 0, 0)
	if below(F(1)) == F(math.Nextafter(1, 0)) {
		return F(rng.Float64(x[0], x[1]))
	}
	return F(rng.Float32(x[0]))
}

// exactPrefix returns the prefix sums in float64.
func exactPrefix[F Float](weights []F) []float64 {
	p := make([]float64, len(weights))
	sum := 0.0
	for k, a := range weights {
		sum += float64(a)
		p[k] = sum
	}
	return p
}
