package copies

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// doc returns n words of a vocabulary of the given size.
func doc(r *rand.Rand, n, vocabulary int) []uint64 {
	words := make([]uint64, n)
	for i := range words {
		words[i] = uint64(1+r.IntN(vocabulary)) * mix3
	}
	return words
}

func setOf(words []uint64) Set {
	var shingles []uint32
	for i := 2; i < len(words); i++ {
		shingles = append(shingles, uint32(Shingle(words[i-2], words[i-1], words[i])))
	}
	return SetOf(shingles)
}

// find returns the first document of the group of every document.
func find(t *testing.T, docs [][]uint64) (firsts []uint32, exact, near int) {
	f := NewFinder(t.TempDir(), false)
	defer f.Close()
	var s Sketcher
	for d, words := range docs {
		s.Reset()
		for _, w := range words {
			s.Add(w)
		}
		if err := f.Add(int64(d), &s.Sketch, false); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Search(); err != nil {
		t.Fatal(err)
	}
	for d, words := range docs {
		if f.Needs(uint32(d)) {
			f.Show(uint32(d), setOf(words))
		}
		firsts = append(firsts, uint32(d))
	}
	g := f.Groups()
	if len(f.pending) > 0 {
		t.Errorf("%d sets are kept for nothing", len(f.pending))
	}
	for _, p := range g.Copies {
		firsts[p[0]] = p[1]
	}
	return firsts, g.Exact, g.Near
}

// share returns the part of the shingles of the longer document that both have.
func share(a, b []uint64) float64 {
	x, y := setOf(a), setOf(b)
	both := 0
	for _, h := range x.low {
		if _, has := slices.BinarySearch(y.low, h); has {
			both++
		}
	}
	return float64(both) / float64(max(x.size, y.size))
}

// changed returns the words with some replaced, one at a time, until at most so many shingles are shared.
func changed(r *rand.Rand, words []uint64, least float64) []uint64 {
	last := words
	for {
		next := slices.Clone(last)
		next[r.IntN(len(next))] = r.Uint64()
		if share(words, next) < least {
			return last
		}
		last = next
	}
}

// All exact copies are found, and nine of ten near ones that share just 60 % of their shingles, whatever their length.
// Of 300, 292 to 300 are found; seeds differ by 6.
func TestFinds(t *testing.T) {
	for _, n := range []int{12, 30, 100, 500} {
		r := rand.New(rand.NewPCG(7, uint64(n)))
		var docs [][]uint64
		for range 600 { // half of them are copied
			docs = append(docs, doc(r, n, 5000))
		}
		for i := range 300 {
			docs = append(docs, docs[i], changed(r, docs[300+i], 0.6))
		}
		firsts, exact, near := find(t, docs)
		if exact != 300 {
			t.Errorf("%d words: %d of 300 exact copies", n, exact)
		}
		t.Logf("%d words: %d exact and %d near copies", n, exact, near)
		if near < 270 {
			t.Errorf("%d words: %d of 300 near copies", n, near)
		}
		for d, first := range firsts {
			if own := uint32(d); d >= 600 && first != own && int(first) != (d-600)/2+300*((d-600)%2) || d < 600 && first != own {
				t.Errorf("%d words: document %d is a copy of %d", n, d, first)
			}
		}
	}
}

// Documents of which each is like the next, but the last not like the first, are no group.
func TestDoesNotChain(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	docs := [][]uint64{doc(r, 100, 5000)}
	for range 40 {
		docs = append(docs, changed(r, docs[len(docs)-1], 0.75))
	}
	firsts, _, near := find(t, docs)
	if near < 20 {
		t.Errorf("only %d are found to be like an earlier one", near)
	}
	for d, first := range firsts {
		if got := share(docs[d], docs[first]); got < 0.6 {
			t.Errorf("document %d is in the group of %d and shares %.2f with it", d, first, got)
		}
	}
}

// Common phrases do not make copies: every document has some of a hundred sentences.
func TestPhrasesAreNoCopies(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	var phrases, docs [][]uint64
	for range 100 {
		phrases = append(phrases, doc(r, 10, 5000))
	}
	for range 2000 {
		var words []uint64
		for range 4 {
			words = append(append(words, phrases[r.IntN(100)]...), doc(r, 15, 5000)...)
		}
		docs = append(docs, words)
	}
	if _, exact, near := find(t, docs); exact+near > 0 {
		t.Errorf("%d exact and %d near copies", exact, near)
	}
}

// Short documents are equal by chance.
func TestShortDocuments(t *testing.T) {
	docs := [][]uint64{{1, 2, 3, 4}, {1, 2, 3, 4}, {}, {}, {1, 2, 3, 4, 5}, {1, 2, 3, 4, 5}, {5, 4, 3, 2, 1}}
	firsts, exact, near := find(t, docs)
	if want := []uint32{0, 1, 2, 3, 4, 4, 6}; !slices.Equal(firsts, want) || exact != 1 || near != 0 {
		t.Errorf("%v, %d exact, %d near", firsts, exact, near)
	}
}

// Letters with the same signature are no copies, unless there is hardly anything else; neither are documents that differ
// in one place, unless that is small.
func TestOnePlace(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	signature := doc(r, 30, 5000)
	for own, want := range map[int]bool{0: true, 3: true, 12: false, 18: false, 40: false} {
		a := append(doc(r, own, 5000), signature...)
		b := append(doc(r, own, 5000), signature...)
		if got := setOf(a).Alike(setOf(b)); got != want {
			t.Errorf("%d words above a signature of 30: alike is %v", own, got)
		}
	}
	letter := doc(r, 100, 5000)
	for other, want := range map[int]bool{3: true, 12: true, 30: false} {
		if got := setOf(letter).Alike(setOf(append(doc(r, other, 5000), letter[other:]...))); got != want {
			t.Errorf("the first %d words of 100 differ: alike is %v", other, got)
		}
	}
}

// Long documents are compared by a sample of their shingles, which decides as all of them would.
func TestLongDocuments(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	words := doc(r, 20000, 50000)
	for _, test := range []struct {
		kept float64
		want bool
	}{{0.5, false}, {0.75, true}} {
		other := append(slices.Clone(words[:int(test.kept*20000)]), doc(r, int((1-test.kept)*20000), 50000)...)
		if got := setOf(words).Alike(setOf(other)); got != test.want {
			t.Errorf("%v shared: alike is %v", test.kept, got)
		}
	}
	a, b := setOf(words[:12000]), setOf(words[12000:])
	if joined := a.Join(b); !joined.Alike(setOf(words)) || joined.size < 19900 {
		t.Errorf("two pieces are not the whole: %d shingles", joined.size)
	}
}

// Documents that are left out because they are empty change the numbers of copies. A group whose first document is left
// out goes on with its next one.
func TestListOf(t *testing.T) {
	got := ListOf([][2]uint32{{4, 2}, {5, 1}, {7, 1}, {8, 2}, {9, 1}}, []uint32{0, 1, 6, 8})
	if want := (List{2, 0, 4, 3, 5, 3}); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// A list that contradicts itself is refused.
func TestCheck(t *testing.T) {
	for _, list := range []List{{0, 0}, {2, 1, 1, 0}, {2, 2}, {500, 1}, {2, 1, 3, 2}, {2}, {3, 1, 3, 1}} {
		if Check(list, 500) == nil {
			t.Errorf("%v is accepted", list)
		}
	}
	if err := Check(List{2, 1, 3, 1, 499, 0}, 500); err != nil {
		t.Error(err)
	}
}
