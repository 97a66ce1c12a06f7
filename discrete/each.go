package discrete

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
