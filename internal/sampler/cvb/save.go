package cvb

import "fmt"

// Save returns the responsibilities: K bytes a pair, in the order of the layout.
// They are the whole state.
func (s *State) Save() []byte {
	saved := make([]byte, 0, len(s.l.pairs)*s.c.K)
	for i := range s.l.pairs {
		saved = append(saved, s.row(i)[:s.c.K]...)
	}
	return saved
}

// Load sets the state to a saved one. It refuses bytes of another corpus or K, and
// such as no sweep can leave.
func (s *State) Load(saved []byte) error {
	k := s.c.K
	if len(saved) != len(s.l.pairs)*k {
		return fmt.Errorf("cvb: %d bytes of responsibilities, need %d: saved from another corpus or number of topics", len(saved), len(s.l.pairs)*k)
	}
	empty := emptyRow(s.kpad)
	var sums [lanes]int32
	for i := range s.l.pairs {
		gamma := s.row(i)
		copy(gamma, empty)
		copy(gamma, saved[i*k:(i+1)*k])
		if total := totalOf(&sums, gamma); total < One/2 || total > 2*One {
			return fmt.Errorf("cvb: the responsibilities of pair %d sum to %.2f, not 1", i, float64(total)/One)
		}
	}
	s.recount()
	return nil
}
