package grid

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// skewed makes a matrix with Zipf words and documents of very unequal length.
func skewed(seed uint64, d, v int) Matrix {
	r := rand.New(rand.NewPCG(seed, 0))
	zipf := rand.NewZipf(r, 1.1, 5, uint64(v-1))
	m := Matrix{Offsets: []uint64{0}, V: v}
	for range d {
		doc := make([]uint32, r.IntN(40)*r.IntN(10))
		for i := range doc {
			doc[i] = uint32(zipf.Uint64())
		}
		slices.Sort(doc)
		m.Words = append(m.Words, doc...)
		m.Offsets = append(m.Offsets, uint64(len(m.Words)))
	}
	return m
}

// Every diagonal must be free of conflicts and all epochs together must cover
// every tile once.
func TestScheduleCoversAllTilesWithoutConflict(t *testing.T) {
	for _, p := range []int{1, 2, 3, 7} {
		part := Partition{P: p}
		seen := map[[2]int]bool{}
		for l := range p {
			words := map[int]bool{}
			for m := range p {
				n := part.Group(m, l)
				if words[n] {
					t.Fatalf("P = %d: word group %d twice in epoch %d", p, n, l)
				}
				words[n], seen[[2]int{m, n}] = true, true
			}
		}
		if len(seen) != p*p {
			t.Fatalf("P = %d: %d tiles of %d", p, len(seen), p*p)
		}
	}
}

func TestEfficiencyByHand(t *testing.T) {
	// Tiles for groups {doc 0}, {doc 1} × {word 0}, {word 1}: 2 1 / 0 3.
	m := Matrix{Offsets: []uint64{0, 3, 6}, Words: []uint32{0, 0, 1, 1, 1, 1}, V: 2}
	p := Even(m, 2)
	// Epochs: max(2, 3) + max(1, 0) = 4; best 6/2 = 3.
	if got, want := p.Efficiency(m), 0.75; got != want {
		t.Errorf("η = %v, want %v", got, want)
	}
	m.Distinct = true // 1 1 / 0 1: max(1, 1) + max(1, 0) = 2; best 1.5
	if got, want := p.Efficiency(m), 0.75; got != want {
		t.Errorf("distinct: η = %v, want %v", got, want)
	}
}

func TestCutsAreNearestToEqualShares(t *testing.T) {
	// Sums 0 5 6 7 12; targets 4, 8, 12 → ends after items 1, 3, 4.
	got := cut([]uint64{5, 1, 1, 5}, []uint32{0, 1, 2, 3}, 3)
	if want := []uint32{0, 1, 1, 2}; !slices.Equal(got, want) {
		t.Errorf("groups %v, want %v", got, want)
	}
}

// The ordering that the paper reports: its algorithm beats the random
// partition and the even one; more tries never hurt.
func TestBalancedBeatsOthers(t *testing.T) {
	m := skewed(1, 2000, 3000)
	for _, p := range []int{10, 30} {
		part, eta := Balanced(m, p, 10, 0)
		if part.Efficiency(m) != eta {
			t.Errorf("P = %d: η returned is not that of the partition", p)
		}
		_, once := Balanced(m, p, 1, 0)
		random, even := Random(m, p, 0).Efficiency(m), Even(m, p).Efficiency(m)
		if eta < once || eta <= random || eta <= even || eta > 1 {
			t.Errorf("P = %d: balanced %.3f, one try %.3f, random %.3f, even %.3f", p, eta, once, random, even)
		}
	}
}

func TestDegenerateMatrices(t *testing.T) {
	for name, m := range map[string]Matrix{
		"no documents": {Offsets: []uint64{0}, V: 3},
		"empty":        {Offsets: []uint64{0, 0, 0}, V: 1},
		"one token":    {Offsets: []uint64{0, 0, 1}, Words: []uint32{2}, V: 3},
	} {
		for _, p := range []int{1, 2, 50} {
			balanced, _ := Balanced(m, p, 3, 0)
			for _, part := range []Partition{balanced, Even(m, p), Random(m, p, 0)} {
				for _, g := range append(slices.Clone(part.Docs), part.Words...) {
					if int(g) >= p {
						t.Fatalf("%s: group %d of %d", name, g, p)
					}
				}
				if eta := part.Efficiency(m); eta <= 0 || eta > 1 {
					t.Fatalf("%s: η = %v", name, eta)
				}
			}
		}
	}
}

func TestRandomIsAPermutationOfEven(t *testing.T) {
	m := skewed(2, 101, 57)
	even, random := Even(m, 7), Random(m, 7, 5)
	if slices.Equal(even.Words, random.Words) {
		t.Error("the random partition is the even one")
	}
	for _, pair := range [][2][]uint32{{even.Docs, random.Docs}, {even.Words, random.Words}} {
		a, b := slices.Sorted(slices.Values(pair[0])), slices.Sorted(slices.Values(pair[1]))
		if !slices.Equal(a, b) {
			t.Error("group sizes differ")
		}
	}
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
