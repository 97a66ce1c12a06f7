package grouping

// Runs lists the tokens of words as kernels of packed warp read them: in runs of 32, each with the
// segments that begin in it. It is Runs of warp_packed.h.
type Runs struct {
	Wide bool // members of groups have bytes of their own, because spots need all of 32 bits

	begins, before []uint32 // runs
	segments       []uint32
	memberOf       []uint8 // segments, if wide
	tokens         int     // in all runs, with gaps
}

// RunTokens is how many tokens a run has.
const RunTokens = 32

// Add adds n tokens of a group's member from a spot on.
func (r *Runs) Add(spot, member, n uint32) {
	for n > 0 {
		lane := uint32(r.tokens % RunTokens)
		if lane == 0 {
			r.begins = append(r.begins, 0)
			r.before = append(r.before, uint32(len(r.segments)))
		}
		r.begins[len(r.begins)-1] |= 1 << lane
		if r.Wide {
			r.segments, r.memberOf = append(r.segments, spot), append(r.memberOf, uint8(member))
		} else {
			r.segments = append(r.segments, spot|member<<27)
		}
		took := min(n, RunTokens-lane)
		r.tokens += int(took)
		spot, n = spot+took, n-took
	}
}

// End makes the next tokens begin a run.
func (r *Runs) End() { r.tokens = RunRoom(r.tokens) }

// RunRoom is how many tokens the runs for n tokens have room for.
func RunRoom(n int) int { return (n + RunTokens - 1) &^ (RunTokens - 1) }

// Join adds the runs of more, which begin a run.
func (r *Runs) Join(more *Runs) {
	for _, n := range more.before {
		r.before = append(r.before, n+uint32(len(r.segments)))
	}
	r.begins = append(r.begins, more.begins...)
	r.segments = append(r.segments, more.segments...)
	r.memberOf = append(r.memberOf, more.memberOf...)
	r.tokens += more.tokens
}

// Lists are the lists of runs as a load has them.
func (r *Runs) Lists() [][]uint32 {
	members := make([]uint32, (len(r.memberOf)+3)/4)
	for i, m := range r.memberOf {
		members[i/4] |= uint32(m) << (8 * (i % 4))
	}
	return [][]uint32{r.begins, r.before, r.segments, members}
}
