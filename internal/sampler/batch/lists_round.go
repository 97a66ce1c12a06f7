package batch

import (
	"math"

	"github.com/topoi-lda/topoi/internal/alloc"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/draw32"
)

// listRound is what is frozen while the tokens of a mini-batch are drawn, and what is made of it
// for all words once.
type listRound struct {
	rows   *narrowRows
	groups int // groups of 32 topics

	inv       []float32 // whole groups: 1/(n_k + Vβ), 0 beyond K
	smooth    []float32 // whole groups: α_k inv_k
	whole     []int64   // K: Q_k, inv_k as whole numbers, of which the largest has 40 bits
	base      []float32 // groups: Σ α_k inv_k β of a group
	beta      float32
	restScale float32 // β over the factor of Q_k

	bits []([maskWords]uint32) // V: bit k mod 1024 is set if n_wk > 0
	sums []float32             // V × groups: S_g, running sums of α_k inv_k (n_wk + β) over groups

	words []wordRound // V
	lists []uint32    // topics of words whose counts fit 16 bits: as the entries of docLists, in increasing order
	room  []uint64    // ranges of words + 1: where the lists of a range begin
}

// wordRound is what is looked up of a word before its tokens are drawn, together because it is in no cache.
type wordRound struct {
	rowPlace
	list   uint64  // where its list begins
	length uint32  // how many topics it has; 0: they are not listed
	total  float32 // S_w, the last of sums
}

// wholeBits is how many bits the largest Q_k has, and tokensMost how many tokens a document
// may have so that their sum has less than 64.
const (
	wholeBits  = 40
	tokensMost = 1 << 23
)

func newListRound(p *sampler.Problem, rows *narrowRows, most []uint64, ranges []int) *listRound {
	f := &listRound{rows: rows, groups: rows.stride / draw32.Lanes}
	f.inv, f.smooth = make([]float32, rows.stride), make([]float32, rows.stride)
	f.whole, f.base = make([]int64, p.K), make([]float32, f.groups)
	f.bits, f.sums = make([][maskWords]uint32, p.V), make([]float32, p.V*f.groups)
	f.words = make([]wordRound, p.V)
	cells := uint64(0)
	for i := range ranges[1:] {
		f.room = append(f.room, cells)
		for w := ranges[i]; w < ranges[i+1]; w++ {
			if f.words[w].rowPlace = rows.place[w]; rows.place[w].log2 < 2 {
				cells += min(most[w], uint64(p.K))
			}
		}
		cells += matchRun // whole registers are written
	}
	f.lists = make([]uint32, cells)
	alloc.HugePages(f.lists)
	alloc.HugePages(f.bits)
	alloc.HugePages(f.sums)
	return f
}

// begin takes priors and n_k for a round.
func (f *listRound) begin(nk []int64, words int, priors *sampler.Priors) {
	vbeta, most := float64(words)*priors.Beta, 0.0
	for _, n := range nk {
		most = max(most, 1/(float64(n)+vbeta))
	}
	_, exponent := math.Frexp(most)
	factor := math.Ldexp(1, wholeBits-exponent)
	for k, n := range nk {
		inv := 1 / (float64(n) + vbeta)
		f.inv[k] = float32(inv)
		f.smooth[k] = float32(priors.Alpha[k]) * f.inv[k]
		f.whole[k] = int64(math.RoundToEven(inv * factor))
	}
	f.beta, f.restScale = float32(priors.Beta), float32(priors.Beta/factor)
	for g := range f.base {
		var p [draw32.Lanes]float32
		for l := range p {
			p[l] = f.smooth[g*draw32.Lanes+l] * f.beta
		}
		f.base[g] = draw32.Sum(&p)
	}
}

// prepareGo makes the bits and sums of a word, and no list. It is the specification of the assembly versions.
func (f *listRound) prepareGo(w int) {
	sums := f.sums[w*f.groups : (w+1)*f.groups]
	r := f.rows
	switch p := r.place[w]; p.log2 {
	case 0:
		prepareRow(f, &f.bits[w], sums, rowOf(r.bytes, p, r.stride))
	case 1:
		prepareRow(f, &f.bits[w], sums, rowOf(r.halves, p, r.stride))
	default:
		prepareRow(f, &f.bits[w], sums, rowOf(r.words, p, r.stride))
	}
	f.words[w].total, f.words[w].length = sums[f.groups-1], 0
}

func prepareRow[C uint8 | uint16 | uint32](f *listRound, bits *[maskWords]uint32, sums []float32, row []C) {
	clear(bits[:])
	sum := float32(0)
	for g := range sums {
		cells, here := (*[draw32.Lanes]C)(row[g*draw32.Lanes:]), uint32(0)
		for l, n := range cells {
			if n > 0 {
				here |= 1 << l
			}
		}
		if here == 0 {
			sum += f.base[g]
		} else {
			bits[g%maskWords] |= here
			smooth := (*[draw32.Lanes]float32)(f.smooth[g*draw32.Lanes:])
			var p [draw32.Lanes]float32
			for l, n := range cells {
				p[l] = smooth[l] * (float32(n) + f.beta)
			}
			sum += draw32.Sum(&p)
		}
		sums[g] = sum
	}
}
