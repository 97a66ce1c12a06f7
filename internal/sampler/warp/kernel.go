package warp

import (
	"math"

	"github.com/topoi-lda/topoi/internal/rng"
)

// warpMix is the mixture of a row and its prior from which proposals are drawn
// (see warp).
type warpMix struct {
	cut   uint32 // y below it takes a topic of the row
	mul   uint32 // place = y·mul >> shift
	shift uint32 // 64 - e
}

// newWarpMix is for a row of n tokens.
func newWarpMix(n int, smooth float64) warpMix {
	total := float64(n) + smooth
	frac, e := math.Frexp(total)
	return warpMix{
		cut:   uint32(min(math.MaxUint32, float64(n)/total*(1<<32))),
		mul:   uint32(frac * (1 << 32)),
		shift: uint32(64 - e),
	}
}

// place returns the place in the row that y < cut stands for.
func (m warpMix) place(y uint32) uint32 { return uint32(uint64(y) * uint64(m.mul) >> m.shift) }

// warpRow is what the acceptance of a proposal looks at.
type warpRow struct {
	cells []topicCell // K: n_xk and inv_k
	each  bool        // prior_k is that of the cell, …
	prior float32     // … or this one for all topics
}

// weight returns f(k) of a token that had topic own when the phase began.
func (r *warpRow) weight(k, own uint32) float32 {
	cell, prior := &r.cells[k], r.prior
	n := cell.n
	if k == own {
		n--
	}
	if r.each {
		prior = cell.prior
	}
	return float32(float32(n)+prior) * cell.inv
}

// warpStepGo makes one Metropolis-Hastings step with every token: its topic z is
// replaced by its proposal if random number x says so.
func warpStepGo(z, own, proposal, x []uint32, row *warpRow) {
	own, proposal, x = own[:len(z)], proposal[:len(z)], x[:len(z)]
	for i, s := range z {
		t := proposal[i]
		if float32(rng.Float32(x[i])*row.weight(s, own[i])) < row.weight(t, own[i]) {
			z[i] = t
		}
	}
}

// warpDrawGo draws a proposal for every token: the topic of a place of the row,
// or one from the prior.
func warpDrawGo(proposal, x, y, places []uint32, mix warpMix, topics uint32, alias warpAlias) {
	x, y = x[:len(proposal)], y[:len(proposal)]
	for i := range proposal {
		if y[i] < mix.cut {
			proposal[i] = places[mix.place(y[i])]
		} else {
			proposal[i] = warpSmooth(x[i], y[i], topics, alias)
		}
	}
}

// warpSmooth draws from the prior.
func warpSmooth(x, y, topics uint32, alias warpAlias) uint32 {
	v := (y<<8 | x&255) * 0x9E3779B1
	column := uint64(v) * uint64(topics)
	k := uint32(column >> 32)
	if alias.threshold != nil && uint32(column) >= alias.threshold[k] {
		k = alias.other[k]
	}
	return k
}

// warpExpandGo writes every topic as often as it is counted.
func warpExpandGo(dst []uint32, topics []uint32, cells []topicCell) {
	at := 0
	for _, k := range topics {
		for range cells[k].n {
			dst[at] = k
			at++
		}
	}
}
