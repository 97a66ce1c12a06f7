package discrete

import (
	"cmp"

	"github.com/topoi-lda/topoi/internal/alloc"
)

// Butterfly draws one outcome from each of up to W distributions, one per lane of a SIMD machine, from a table of
// partial sums that is cheap to compute when lanes read memory together. It is an exact simulation: every lane adds
// the same numbers in the same order as the paper's W threads do.
//
// The K outcomes are cut into a remnant of K mod W outcomes, which comes first, and blocks of W. The remnant's rows
// of the table are plain prefix sums. A block is loaded transposed, so that row k of it holds the weights of lane k,
// one per lane; then log₂ W rounds replace, for each power of two "bit", the four entries where two rows and two
// lanes differ by it:
//
//	AddSubtract:  a b  →  a    d        Plain:  a b  →  a    c
//	              c d     a+b  c+d              c d     a+b  c+d
//
// The last row of a block then holds every lane's sum of the block, to which the sums of all earlier blocks are
// added. The rows above it hold, spread over the lanes, for every lane a binary tree of partial sums, from which a
// search computes the few prefix sums it visits. Writing X_v^w for the sum of lane X's weights v to w of the block,
// the entry in row i and lane j is X_v^w with
//
//	m = i ⊕ (i+1),  k = ⌊m/2⌋,  X = (i & ¬m) + (j & m),  w = v + k,
//	v = j & ¬k (AddSubtract)  or  v = j & ¬m (Plain)
//
// Build costs K additions per lane, of which K (W-1)/W need a partner lane (W-1 shuffles per block instead of the ½ W
// log₂ W that transposing a block takes). Draw costs log₂ (K/W) + log₂ W comparisons, or K mod W in the remnant.
// Memory is K sums per lane. On a CPU it is no faster than Binary: prefer it to foretell what a SIMD kernel draws.
// Pairwise sums lose less to rounding than prefix sums do.
//
// Steele and Tristan, PPoPP 2017, Algorithms 7 to 10 and Figures 3 to 5. Two things differ. The last row of block j
// is stored in that block's last row (line 24 of Algorithm 8 leaves out j). And an outcome of weight zero, which the
// paper's search can reach when two sums that should be equal are rounded differently, gives way to its neighbour:
// see nearestPositive.
type Butterfly[F Float] struct {
	// Lanes is W, a power of two up to 32, the most distributions that can be
	// built at once. 0 means 32, the width of a CUDA warp.
	Lanes int

	// Form is the butterfly pattern. The zero value is AddSubtract.
	Form Form

	built    int      // lanes in use
	outcomes int      // K
	table    []F      // [K, W] p', row by row
	sum      []F      // [W] σ of each lane
	positive []uint32 // [K] bit r: the weight of the outcome in lane r is above zero
}

// Form chooses one of the two butterfly patterns of the paper.
type Form uint8

const (
	// AddSubtract keeps the left half's sum in half of the lanes and the right half's in the others (Figure 5); a
	// search adds the former to its lower bound or subtracts the latter from its upper bound. It saves every lane a
	// selection per entry, and is the form of Algorithms 8 and 10.
	AddSubtract Form = iota

	// Plain keeps the left half's sum in all lanes (Figure 4): a search only ever adds to its lower bound.
	Plain
)

const (
	maxLanes   = 32
	faultWidth = "discrete: Lanes must be a power of two up to 32"
)

// width returns W.
func (b *Butterfly[F]) width() int {
	w := cmp.Or(b.Lanes, maxLanes)
	if w < 1 || w > maxLanes || w&(w-1) != 0 {
		panic(faultWidth)
	}
	return w
}

// Build implements Many. Up to W lanes can be given; the others stay idle.
func (b *Butterfly[F]) Build(weights [][]F) {
	w := b.width()
	if len(weights) == 0 || len(weights) > w {
		panic(faultLanes)
	}
	b.built, b.outcomes = len(weights), len(weights[0])
	notNegative := b.load(weights, w)
	b.sum = alloc.Resize(b.sum, w)
	clear(b.sum)

	remnant := b.outcomes % w
	for j := range remnant { // lines 6 to 8 of Algorithm 8
		b.accumulate(b.row(j, w))
	}
	for j := remnant; j < b.outcomes; j += w { // lines 9 to 25
		b.butterfly(b.table[j*w:(j+w)*w], w)
		b.accumulate(b.row(j+w-1, w))
	}
	for r, row := range weights {
		mustBuild(row, notNegative, b.sum[r])
	}
}

// load fills the table with the weights, the remnant as it is and the blocks
// transposed, and notes which are positive. It reports whether none is negative.
func (b *Butterfly[F]) load(weights [][]F, w int) (notNegative bool) {
	remnant := b.outcomes % w
	b.table = alloc.Resize(b.table, b.outcomes*w)
	clear(b.table)
	b.positive = alloc.Resize(b.positive, b.outcomes)
	clear(b.positive)
	notNegative = true
	for lane, row := range weights {
		if len(row) != b.outcomes {
			panic(faultRagged)
		}
		for k, a := range row {
			notNegative = notNegative && a >= 0
			if a > 0 {
				b.positive[k] |= 1 << lane
			}
		}
		for k, a := range row[:remnant] {
			b.table[k*w+lane] = a
		}
		for j := remnant; j < b.outcomes; j += w {
			copy(b.row(j+lane, w), row[j:j+w])
		}
	}
	return notNegative
}

// butterfly turns a transposed W × W block into the pattern of the form, in
// place: lines 13 to 23 of Algorithm 8. The inner loops are the W lanes.
func (b *Butterfly[F]) butterfly(block []F, w int) {
	plain := b.Form == Plain
	for bit := 1; bit < w; bit *= 2 {
		for d := bit - 1; d < w; d += 2 * bit {
			upper := block[d*w : (d+1)*w]
			lower := block[(d+bit)*w : (d+bit+1)*w]
			for pair := 0; pair < w; pair += 2 * bit {
				for r := pair; r < pair+bit; r++ {
					left, right := lower[r], lower[r+bit]
					lower[r] = upper[r] + upper[r+bit]
					lower[r+bit] = left + right
					if plain {
						upper[r+bit] = left
					} else {
						upper[r+bit] = right
					}
				}
			}
		}
	}
}

// accumulate adds a row to the lanes' running sums and stores those in it.
func (b *Butterfly[F]) accumulate(row []F) {
	for r, a := range row {
		b.sum[r] += a
		row[r] = b.sum[r]
	}
}

// row returns row k of the table.
func (b *Butterfly[F]) row(k, w int) []F { return b.table[k*w : (k+1)*w] }

// Draw implements Many.
func (b *Butterfly[F]) Draw(dst []int, u []F) {
	if b.built == 0 {
		panic(faultUnbuilt)
	}
	if len(dst) != b.built || len(u) != b.built {
		panic(faultLanes)
	}
	for r := range dst {
		k := b.search(r, target(u[r], b.sum[r]))
		if b.positive[k]>>r&1 == 0 {
			k = nearestPositive(k, b.outcomes, func(k int) bool { return b.positive[k]>>r&1 != 0 })
		}
		dst[r] = k
	}
}

// search finds the outcome of lane r for u' = t: Algorithm 9. A lane on its own looks at the remnant first, where
// lanes in lock step must search a block together before any of them may find that its outcome is not there.
func (b *Butterfly[F]) search(r int, t F) int {
	w := b.width()
	remnant := b.outcomes % w
	if remnant > 0 && t < b.table[(remnant-1)*w+r] {
		for i := 0; ; i++ {
			if t < b.table[i*w+r] {
				return i
			}
		}
	}
	j, k := 0, b.outcomes/w-1
	for j < k {
		mid := (j + k) / 2
		if t < b.table[(remnant+mid*w+w-1)*w+r] {
			k = mid
		} else {
			j = mid + 1
		}
	}
	return b.searchBlock(r, remnant+j*w, t)
}

// searchBlock finds the outcome of lane r for u' = t in the block whose first
// outcome is base: Algorithm 10. It walks down the lane's tree, keeping
//
//	low  = the sum of all weights before the outcomes still possible
//	high = the sum of all weights up to the last of them
//
// flip ⊕ r holds the bits of the outcome found so far, and r's own bits below. A lane reads its node from the lane r
// ⊕ flip; a warp has each lane fetch for its readers in turn, which costs shuffles but gives the same numbers.
func (b *Butterfly[F]) searchBlock(r, base int, t F) int {
	w := b.width()
	var low F
	if base > 0 {
		low = b.table[(base-1)*w+r]
	}
	high := b.table[(base+w-1)*w+r]
	flip := 0
	for bit := w / 2; bit > 0; bit /= 2 {
		mask := (w - 1) &^ (2*bit - 1)
		d := bit - 1 + r&mask
		y := b.table[(base+d)*w+(r^flip)]
		compare := low + y
		if b.Form == AddSubtract && r&bit != 0 {
			compare = high - y
		}
		if t < compare {
			high = compare
			flip ^= bit & r
		} else {
			low = compare
			flip ^= bit &^ r
		}
	}
	return base + (flip ^ r)
}
