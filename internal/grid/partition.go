package grid

import (
	"sort"

	"github.com/topoi-lda/topoi/internal/rng"
)

// forPermutation keeps the random numbers of permutations apart from those of
// the samplers, whose purposes are small numbers.
const forPermutation rng.Purpose = 0x7065726d

// Matrix is the D × V matrix R of the work r_dw that document d and word w cause
// together: the number of tokens, or 1 for each distinct pair.
type Matrix struct {
	Offsets  []uint64 // D+1 positions; document d is Words[Offsets[d]:Offsets[d+1]]
	Words    []uint32 // word ids, sorted inside each document
	V        int      // words in the vocabulary
	Distinct bool     // count distinct (document, word) pairs instead of tokens
}

// each calls f for every unit of work.
func (m Matrix) each(f func(d int, w uint32)) {
	for d := range len(m.Offsets) - 1 {
		doc := m.Words[m.Offsets[d]:m.Offsets[d+1]]
		for i, w := range doc {
			if m.Distinct && i > 0 && doc[i-1] == w {
				continue
			}
			f(d, w)
		}
	}
}

// Partition cuts documents and words into P groups each, and so R into P × P
// tiles. In epoch l = 0 … P-1 the tiles (m, m ⊕ l), with ⊕ addition modulo P,
// share no document and no word, so P processors may work on them at once (Yan,
// Xu and Qi 2009, §3.1).
type Partition struct {
	P     int
	Docs  []uint32 // D: group m of each document
	Words []uint32 // V: group n of each word
}

// Group returns the word group that document group m works on in epoch l: m ⊕ l.
func (p Partition) Group(m, l int) int { return (m + l) % p.P }

// Tiles returns C_mn, the work of every tile, at [m*P + n].
func (p Partition) Tiles(r Matrix) []uint64 {
	tiles := make([]uint64, p.P*p.P)
	r.each(func(d int, w uint32) {
		tiles[int(p.Docs[d])*p.P+int(p.Words[w])]++
	})
	return tiles
}

// Efficiency returns Yan's η = C_opt / C (§3.3, eq. 5 and 6), where
//
//	C     = Σ_l max_m C_(m, m ⊕ l)    the time of P processors that wait for the slowest
//	C_opt = Σ_mn C_mn / P             the time if no one ever waited
//
// It is at most 1, and 1 for an empty matrix.
func (p Partition) Efficiency(r Matrix) float64 {
	tiles := p.Tiles(r)
	var cost, work uint64
	for l := range p.P {
		slowest := uint64(0)
		for m := range p.P {
			c := tiles[m*p.P+p.Group(m, l)]
			slowest = max(slowest, c)
			work += c
		}
		cost += slowest
	}
	if cost == 0 {
		return 1
	}
	return float64(work) / float64(p.P) / float64(cost)
}

// Balanced is the partition algorithm of Yan §3.3: put documents and words in
// random order, cut each order where the running sums of work come nearest to
// multiples of 1/P, and keep the best η of so many tries. The first try leaves
// the order as it is.
func Balanced(r Matrix, p, tries int, seed uint64) (Partition, float64) {
	docWork, wordWork := make([]uint64, len(r.Offsets)-1), make([]uint64, r.V)
	r.each(func(d int, w uint32) {
		docWork[d]++
		wordWork[w]++
	})
	var best Partition
	bestEta := -1.0
	for try := range max(1, tries) {
		candidate := Partition{
			P:     p,
			Docs:  cut(docWork, order(len(docWork), seed, 2*try), p),
			Words: cut(wordWork, order(len(wordWork), seed, 2*try+1), p),
		}
		if eta := candidate.Efficiency(r); eta > bestEta {
			best, bestEta = candidate, eta
		}
		if p == 1 {
			break
		}
	}
	return best, bestEta
}

// Even cuts documents and words, in the order in which they come, into groups
// of equal number: Yan's "even" partition.
func Even(r Matrix, p int) Partition {
	return Partition{P: p, Docs: even(len(r.Offsets)-1, p), Words: even(r.V, p)}
}

// Random cuts a random order of documents and of words into groups of equal
// number: Yan's "random" partition.
func Random(r Matrix, p int, seed uint64) Partition {
	return Partition{
		P:     p,
		Docs:  permuted(even(len(r.Offsets)-1, p), order(len(r.Offsets)-1, seed, 2)),
		Words: permuted(even(r.V, p), order(r.V, seed, 3)),
	}
}

// even gives item i the group ⌊iP/n⌋.
func even(n, p int) []uint32 {
	groups := make([]uint32, n)
	for i := range groups {
		groups[i] = uint32(uint64(i) * uint64(p) / uint64(n))
	}
	return groups
}

func permuted(groups, order []uint32) []uint32 {
	out := make([]uint32, len(groups))
	for i, item := range order {
		out[item] = groups[i]
	}
	return out
}

// cut gives each item its group: with S_i the work of the first i items of the
// order, group m ends at the i that minimises |S_i - m·S_n/P|.
func cut(work []uint64, order []uint32, p int) []uint32 {
	sums := make([]uint64, len(order)+1)
	for i, item := range order {
		sums[i+1] = sums[i] + work[item]
	}
	groups := make([]uint32, len(order))
	begin := 0
	for m := 1; m <= p; m++ {
		end := max(begin, nearest(sums, float64(m)*float64(sums[len(order)])/float64(p)))
		if m == p {
			end = len(order)
		}
		for _, item := range order[begin:end] {
			groups[item] = uint32(m - 1)
		}
		begin = end
	}
	return groups
}

// nearest returns the index of the increasing value nearest to target.
func nearest(increasing []uint64, target float64) int {
	i := sort.Search(len(increasing), func(i int) bool { return float64(increasing[i]) >= target })
	if i == len(increasing) || i > 0 && target-float64(increasing[i-1]) < float64(increasing[i])-target {
		i--
	}
	return i
}

// order returns a random permutation of 0 … n-1, a different one for every
// stream; streams 0 and 1 are the order as it is.
func order(n int, seed uint64, stream int) []uint32 {
	items := make([]uint32, n)
	for i := range items {
		items[i] = uint32(i)
	}
	if stream < 2 {
		return items
	}
	key := rng.NewKey(seed)
	for i := n - 1; i > 0; i-- {
		word := key.Block(uint32(i), uint32(stream), uint32(forPermutation), 0)[0]
		j := rng.Below(word, uint32(i)+1)
		items[i], items[j] = items[j], items[i]
	}
	return items
}
