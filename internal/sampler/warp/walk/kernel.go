package walk

import (
	"math"

	"github.com/topoi-lda/topoi/internal/rng"
)

//go:generate go run ../../../../tools/kernels .

// Mix is the mixture of a row and its prior from which proposals are drawn (see warp).
type Mix struct {
	Cut   uint32 // y < Cut takes a topic of the row
	mul   uint32 // place = y·mul >> shift
	shift uint32 // 64 - e
}

// NewMix returns the mixture for a row of n tokens; smooth is the sum of the prior.
func NewMix(n int, smooth float64) Mix {
	total := float64(n) + smooth
	frac, e := math.Frexp(total)
	return Mix{
		Cut:   uint32(min(math.MaxUint32, float64(n)/total*(1<<32))),
		mul:   uint32(frac * (1 << 32)),
		shift: uint32(64 - e),
	}
}

// Place returns the place in the row for y < Cut.
func (m Mix) Place(y uint32) uint32 { return uint32(uint64(y) * uint64(m.mul) >> m.shift) }

// Row holds the numbers from which the acceptance of a proposal is computed.
type Row struct {
	Cells []TopicCell // K: n_xk and inv_k
	Each  bool        // prior_k is Cells[k].Prior, …
	Prior float32     // … otherwise Prior for all topics
}

// weight returns f(k) of a token that had topic own when the phase began.
func (r *Row) weight(k, own uint32) float32 {
	cell, prior := &r.Cells[k], r.Prior
	n := cell.N
	if k == own {
		n--
	}
	if r.Each {
		prior = cell.Prior
	}
	return float32(float32(n)+prior) * cell.Inv
}

// StepGo makes one Metropolis-Hastings step with every token: random number x decides whether the proposal
// replaces the topic z.
func StepGo(z, own, proposal, x []uint32, row *Row) {
	own, proposal, x = own[:len(z)], proposal[:len(z)], x[:len(z)]
	for i, s := range z {
		t := proposal[i]
		if float32(rng.Float32(x[i])*row.weight(s, own[i])) < row.weight(t, own[i]) {
			z[i] = t
		}
	}
}

// DrawGo draws a proposal for every token: the topic of a place in the row, or a topic from the prior.
func DrawGo(proposal, x, y, places []uint32, mix Mix, topics uint32, alias Alias) {
	x, y = x[:len(proposal)], y[:len(proposal)]
	for i := range proposal {
		if y[i] < mix.Cut {
			proposal[i] = places[mix.Place(y[i])]
		} else {
			proposal[i] = WarpSmooth(x[i], y[i], topics, alias)
		}
	}
}

// WarpSmooth draws a topic from the prior.
func WarpSmooth(x, y, topics uint32, alias Alias) uint32 {
	v := (y<<8 | x&255) * 0x9E3779B1
	column := uint64(v) * uint64(topics)
	k := uint32(column >> 32)
	if alias.Threshold != nil && uint32(column) >= alias.Threshold[k] {
		k = alias.Other[k]
	}
	return k
}

// ExpandGo writes every topic k to dst Cells[k].N times.
func ExpandGo(dst []uint32, topics []uint32, cells []TopicCell) {
	at := 0
	for _, k := range topics {
		for range cells[k].N {
			dst[at] = k
			at++
		}
	}
}

// TopicCell is one goroutine's record of a topic. Topics come in any order, and with very many of them
// each access is a cache miss. So what is needed together is stored together, four topics to a cache line.
type TopicCell struct {
	N     int32   // count in the current row; zero between rows
	Inv   float32 // warp's inv_k
	Prior float32 // float32(α_k)
	Total uint32  // tokens with the topic, until flush adds them to n_k
}

// setDenseGo sets the counts of topics from first on, lists those that occur, and returns their number and
// the sum of their counts. As in Add, no branch depends on the counts.
func setDenseGo(cells []TopicCell, seen []uint32, row []int32, first int) (n, sum int) {
	cells = cells[:len(row)]
	for k := first; k < len(row); k++ {
		cells[k].N = row[k]
		seen[n] = uint32(k)
		next := n + 1
		if row[k] == 0 {
			next = n
		}
		n = next
		sum += int(row[k])
	}
	return n, sum
}
