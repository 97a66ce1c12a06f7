package fold

import (
	"context"
	"errors"
	"io"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/device/emulated"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/batch"
)

// row makes a row from pairs of topic and count.
func row(pairs ...uint32) (list []counts.Entry) {
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, counts.Entry{Topic: pairs[i], Count: pairs[i+1]})
	}
	return list
}

// smallFold has a model of six words, of which the last never occurs, and four topics.
func smallFold() *Fold {
	return &Fold{
		V: 6, Totals: []uint64{40, 25, 10, 7}, Threads: 1, Seed: 5,
		Priors: sampler.Priors{Alpha: []float64{0.5, 0.1, 0.05, 0.3}, Beta: 0.02}, AlphaSum: 0.95,
		Rows: listRows{row(0, 20, 1, 5), row(0, 20), row(1, 20, 2, 2), row(2, 8, 3, 1), row(3, 6), nil},
	}
}

// smallDocs are documents of none, one, some and many of its words.
func smallDocs() (offsets []uint64, words []uint32) {
	offsets = []uint64{0}
	for _, doc := range [][]uint32{
		{}, {5}, {0}, {0, 0, 0, 2, 3}, {1, 2, 2, 3, 3, 4, 4, 4, 4, 5}, slices.Repeat([]uint32{2}, 40),
	} {
		words = append(words, doc...)
		offsets = append(offsets, uint64(len(words)))
	}
	return offsets, words
}

// Topics of new documents stay what they always were: expected ones, the largest of them, and drawn ones. Those of the
// second document, of one word that the model does not have, are α_k b_k by hand: 0.1962, 0.0627, 0.0778 and 0.6633 of
// 256 parts.
func TestFoldStays(t *testing.T) {
	for name, c := range map[string]struct {
		top, sweeps, skip int
		want              [][]counts.Entry
	}{
		"expected": {0, 0, 0, [][]counts.Entry{
			nil, row(0, 50, 1, 16, 2, 20, 3, 170), row(0, 237, 1, 19), row(0, 638, 1, 332, 2, 263, 3, 47),
			row(0, 247, 1, 335, 2, 556, 3, 1422), row(1, 10_229, 2, 11),
		}},
		"the two largest": {2, 0, 0, [][]counts.Entry{
			nil, row(3, 170, 0, 50), row(0, 237, 1, 19), row(0, 638, 1, 332), row(3, 1422, 2, 556), row(1, 10_229, 2, 11),
		}},
		"drawn": {0, 10, 4, [][]counts.Entry{
			nil, row(0, 1, 1, 1, 2, 1, 3, 3), row(0, 6), row(0, 18, 1, 5, 2, 5, 3, 2), row(0, 6, 1, 7, 2, 8, 3, 39),
			row(1, 239, 2, 1),
		}},
	} {
		offsets, words := smallDocs()
		for threads := 1; threads <= 2; threads++ {
			f := smallFold()
			f.Top, f.Sweeps, f.Skip, f.Threads = c.top, c.sweeps, c.skip, threads
			got, err := emitted(func(emit func(int, []counts.Entry) error) error {
				return f.of(offsets, words).Run(t.Context(), emit)
			})
			if err != nil || !slices.EqualFunc(got, c.want, slices.Equal[[]counts.Entry]) {
				t.Errorf("%s, %d threads: %v\n%v, want\n%v", name, threads, err, got, c.want)
			}
		}
	}
}

// What emit returns ends a run, and so does the end of its context.
func TestFoldEnds(t *testing.T) {
	offsets, words := smallDocs()
	many := smallFold()
	many.Priors.Alpha, many.Totals = make([]float64, MostExpected+1), make([]uint64, MostExpected+1)
	for k := range many.Totals {
		many.Priors.Alpha[k], many.Totals[k] = 0.1, 10
	}
	drawn := smallFold()
	drawn.Sweeps = 3
	for name, f := range map[string]*Fold{"expected": smallFold(), "drawn": drawn, "many topics": many} {
		docs := 0
		err := f.of(offsets, words).Run(t.Context(), func(doc int, _ []counts.Entry) error {
			if docs++; doc == 2 {
				return io.ErrClosedPipe
			}
			return nil
		})
		if !errors.Is(err, io.ErrClosedPipe) || docs != 3 {
			t.Errorf("%s: %v after %d documents", name, err, docs)
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		err = f.of(offsets, words).Run(ended, func(int, []counts.Entry) error { return nil })
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: a run that was stopped: %v", name, err)
		}
	}
}

// The topics with the largest shares come first, by n_dk + α_k, and the earlier one of equal shares.
func TestLargest(t *testing.T) {
	for _, c := range []struct {
		top        int
		sums, want []counts.Entry
	}{
		{2, nil, nil},
		{2, row(3, 9), row(3, 9)},
		{1, row(0, 256, 1, 512, 2, 256), row(1, 512)},
		{2, row(0, 256, 1, 512, 2, 1024), row(2, 1024, 1, 512)},
		{3, row(0, 256, 1, 512, 2, 1024), row(2, 1024, 1, 512, 0, 256)},
		{2, row(1, 256, 4, 256, 5, 256), row(1, 256, 4, 256)}, // equal α
		{2, row(1, 256, 3, 256), row(3, 256, 1, 256)},         // α of 0.3 and 0.1
		{1, row(1, 300, 3, 256), row(3, 256)},                 // 44/256 is less than the difference of α
		{4, row(0, 1, 1, 600, 2, 300, 3, 900, 4, 400), row(3, 900, 1, 600, 4, 400, 2, 300)},
	} {
		f := &Fold{Top: c.top, AlphaSum: 1, Priors: sampler.Priors{Alpha: []float64{0.1, 0.1, 0.1, 0.3, 0.1, 0.1}}}
		sums := slices.Clone(c.sums)
		if got := sums[:f.largest(sums, 10)]; !slices.Equal(got, c.want) {
			t.Errorf("the %d largest of %v are %v, want %v", c.top, c.sums, got, c.want)
		}
	}
}

// Topics with less than a sixteenth of the average, and less than a 32nd of a token, are left out, and their part is
// shared out.
func TestAppendParts(t *testing.T) {
	f := smallFold()
	w := &folder{f: f, k: 4, kpad: 16, prior: make([]float32, 16)}
	for _, c := range []struct {
		tokens int
		n      []float32
		want   []counts.Entry
	}{
		// least is min(1/32, 1/16 · 1/4) = 1/64 for one token
		{1, []float32{0.5, 0.25, 0.25, 0}, row(0, 128, 1, 64, 2, 64)},
		{1, []float32{0.75, 0.25 - 1./128, 1. / 128, 0}, row(0, 194, 1, 62)}, // 0.75 / (1 - 1/128) is 0.75591
		{1, []float32{0.75, 0.25 - 1./64, 1. / 64, 0}, row(0, 192, 1, 60, 2, 4)},
		{4, []float32{3, 1 - 1./64, 1. / 64, 0}, row(0, 771, 1, 253)}, // least is 1/32, 3 / (4 - 1/64) is 0.75294
		{4, []float32{3, 1 - 1./32, 1. / 32, 0}, row(0, 768, 1, 248, 2, 8)},
	} {
		w.listed.held = append([]float32{}, c.n...)
		for k, a := range []float32{0.5, 0.125, 0.0625, 0.25} {
			w.prior[k] = a
			w.listed.held[k] += a
		}
		if got := w.appendParts(row(9, 9), c.tokens); !slices.Equal(got, append(row(9, 9), c.want...)) {
			t.Errorf("%v of %d tokens: %v, want %v", c.n, c.tokens, got[1:], c.want)
		}
	}
}

// A document's random numbers depend on its words alone, and on all of them.
func TestFoldCounter(t *testing.T) {
	seen := map[uint64]bool{}
	for _, doc := range [][]uint32{nil, {0}, {1}, {0, 1}, {1, 0}, {0, 0}, {256}} {
		counter := foldCounter(doc)
		if counter<<32 != 0 || seen[counter] || counter != foldCounter(slices.Clone(doc)) {
			t.Errorf("%v has the counter %x", doc, counter)
		}
		seen[counter] = true
	}
}

// A number is found among increasing ones behind those that are at most as large.
func TestUpper(t *testing.T) {
	list := []float32{1, 2, 2, 5}
	for x, want := range map[float32]int{0: 0, 1: 1, 1.5: 1, 2: 3, 4.9: 3, 5: 4, 9: 4} {
		if got := upper(list, x); got != want {
			t.Errorf("%v is behind %d, want %d", x, got, want)
		}
	}
}

// Sums are added up by halves.
func TestHalved(t *testing.T) {
	var sums [lanes]float32
	for l := range sums {
		sums[l] = float32(int(1) << l)
	}
	if got := halved(&sums); got != 1<<16-1 {
		t.Errorf("%v", got)
	}
	large := [lanes]float32{0: 1 << 24, 1: 1, 8: 1} // 1 << 24 + 1 is rounded to 1 << 24, twice
	if got := halved(&large); got != 1<<24 {
		t.Errorf("%v: other halves", got)
	}
}

// The limits of a load on a device are halved, but not below the least, and take what their arrays take.
func TestFoldLimits(t *testing.T) {
	l := foldLimits{docs: 100, tokens: 1000, rows: 30, entries: 500, blocks: 8, scratch: 7}
	least := foldLimits{docs: 60, tokens: 5, rows: 15, entries: 251, blocks: 1}
	if got, want := l.halved(least), (foldLimits{docs: 60, tokens: 500, rows: 15, entries: 251, blocks: 4}); got != want {
		t.Errorf("halved: %+v, want %+v", got, want)
	}
	if got := l.bytes(64); got != 6*1000+16*100+12+4*30*64+8*500+4*7 {
		t.Errorf("draws take %d bytes", got)
	}
	l.rows = 0
	if got := l.bytes(64); got != 20*1000+16*100+12+8*500+4*7 {
		t.Errorf("expected topics take %d bytes", got)
	}
}

// Loads have room for all documents if the device has, and for the longest one at least. What they take is known to
// the byte.
func TestFoldPlan(t *testing.T) {
	offsets, words := smallDocs() // 57 tokens in six documents, 40 of them in one
	d := emulated.New("")
	for name, c := range map[string]struct {
		sweeps, top int
		want, least foldLimits
		warps       int // numbers of scratch of a warp: the most topics of the distinct words of a document
	}{
		"drawn": {
			5, 0,
			foldLimits{docs: 6, tokens: 57, rows: 6, entries: 6 * 4, blocks: 2},
			foldLimits{docs: 1, tokens: 40, rows: 6, entries: 4, blocks: 1},
			0,
		},
		"expected": {
			0, 0,
			foldLimits{docs: 6, tokens: 57, entries: 6 * 4, blocks: 2},
			foldLimits{docs: 1, tokens: 40, entries: 4, blocks: 1},
			6,
		},
		"the largest": {
			0, 1,
			foldLimits{docs: 6, tokens: 57, entries: 6, blocks: 2},
			foldLimits{docs: 1, tokens: 40, entries: 1, blocks: 1},
			6,
		},
	} {
		f := smallFold()
		f.Sweeps, f.Top = c.sweeps, c.top
		d.Limit(0)
		s := newFoldOn(f.of(offsets, words), d)
		got, err := s.plan()
		c.want.scratch, c.least.scratch = 2*c.warps*batch.Warps, c.warps*batch.Warps
		if err != nil || got != c.want {
			t.Errorf("%s: %v, %+v, want %+v", name, err, got, c.want)
		}
		limit := 8*int64(s.pad) + s.model.bytes() + foldSlots*c.least.bytes(s.pad)
		for more, fits := range map[int64]bool{-1: false, 0: true} {
			d.Limit(limit + more)
			got, err := newFoldOn(f.of(offsets, words), d).plan()
			if (err == nil) != fits || fits && got != c.least {
				t.Errorf("%s: %d bytes more than needed: %v, %+v", name, more, err, got)
			}
		}
		if n := s.entries(0); n != 0 {
			t.Errorf("%s: a document without tokens has %d topics", name, n)
		}
	}
	d.Limit(0)
}

// The topics of words are listed one after the other, those of all words or of the words that occur.
func TestNewWordTopics(t *testing.T) {
	f := smallFold()
	inv := []float32{0.5, 0.25, 1, 2}
	offsets, words := []uint64{0, 0, 3, 5}, []uint32{0, 0, 2, 0, 3}
	m := newWordTopics(f.Rows, f.V, 1, 0.5, inv, offsets, words) // five tokens, six words: words 0, 2 and 3
	if !slices.Equal(m.begins, []uint32{0, 2, 2, 4, 6, 6, 6}) || !slices.Equal(m.topics, []uint16{0, 1, 1, 2, 2, 3}) {
		t.Errorf("topics %v of words at %v", m.topics, m.begins)
	}
	if !slices.Equal(m.weights, []float32{10, 1.25, 5, 2, 8, 2}) || !slices.Equal(m.b, []float32{0.25, 0.125, 0.5, 1}) {
		t.Errorf("weights %v and %v", m.weights, m.b)
	}
	if m.most != 4 || m.bytes() != 4*7+6*6+16*4 { // either document has two words of two topics
		t.Errorf("%d topics of a document, %d bytes", m.most, m.bytes())
	}
	words = append(words, 1, 1)
	all := newWordTopics(f.Rows, f.V, 2, 0.5, inv, append(offsets, 7), words)
	if !slices.Equal(all.begins, []uint32{0, 2, 3, 5, 7, 8, 8}) || len(all.topics) != 8 || all.most != 4 {
		t.Errorf("all words: topics %v at %v, at most %d", all.topics, all.begins, all.most)
	}
	if (*wordTopics)(nil).bytes() != 0 {
		t.Error("no lists take memory")
	}
	many := make([]uint64, 1)
	var tokens []uint32
	for d := range 600 { // more documents than a task has; the last has most topics
		tokens = append(tokens, uint32(d%2)*4)
		if d == 599 {
			tokens = append(tokens, 0, 2, 3)
		}
		many = append(many, uint64(len(tokens)))
	}
	if got := all.longest(2, many, tokens); got != 1+2+2+2 {
		t.Errorf("at most %d topics", got)
	}
}

// Documents are folded in order, in tasks of some thousand tokens.
func TestEachDoc(t *testing.T) {
	f := &Fold{Threads: 1}
	lengths := []int{0, 5, 8000, 192, 1, 0, 9000, 3, 8192, 1}
	offsets, words := []uint64{0}, []uint32(nil)
	for d, n := range lengths {
		words = append(words, slices.Repeat([]uint32{uint32(d)}, n)...)
		offsets = append(offsets, uint64(len(words)))
	}
	next := 0
	err := f.of(offsets, words).eachDoc(t.Context(), func(_ int, dst []counts.Entry, doc []uint32) []counts.Entry {
		if len(doc) == 0 {
			return dst
		}
		return append(dst, counts.Entry{Topic: doc[0], Count: uint32(len(doc))})
	}, func(doc int, sums []counts.Entry) error {
		want := row(uint32(doc), uint32(lengths[doc]))
		if lengths[doc] == 0 {
			want = nil
		}
		if doc != next || !slices.Equal(sums, want) {
			t.Errorf("document %d comes as number %d with %v, want %v", doc, next, sums, want)
		}
		next++
		return nil
	})
	if err != nil || next != len(lengths) {
		t.Errorf("%d documents, %v", next, err)
	}
	none := func(int, []counts.Entry) error { return io.ErrClosedPipe }
	if err := f.of([]uint64{0}, nil).eachDoc(t.Context(), nil, none); err != nil {
		t.Errorf("no documents: %v", err)
	}
}

// A fold that has to draw makes 100 sweeps, of which 80 count.
func TestDraws(t *testing.T) {
	if sweeps, skip := (&Fold{Skip: 7}).draws(); sweeps != 100 || skip != 20 {
		t.Errorf("%d sweeps, %d of them skipped", sweeps, skip)
	}
	if sweeps, skip := (&Fold{Sweeps: 9, Skip: 7}).draws(); sweeps != 9 || skip != 7 {
		t.Errorf("%d sweeps, %d of them skipped", sweeps, skip)
	}
}

// A word of the model is n_wk + β by topic; priors are α_k and 1/(n_k + Vβ).
func TestFillRow(t *testing.T) {
	f := smallFold()
	dst := []float32{9, 9, 9, 9, 9, 9}
	f.fillRow(dst, 4, 2, nil)
	if want := []float32{0.02, 20.02, 2.02, 0.02, 0, 0}; !reflect.DeepEqual(dst, want) {
		t.Errorf("%v, want %v", dst, want)
	}
	prior, inv := make([]float32, 5), make([]float32, 5)
	f.fillPriors(prior, inv)
	for k, n := range f.Totals {
		if want := 1 / (float64(n) + 0.12); !(math.Abs(float64(inv[k])-want) <= 1e-8) || prior[k] != float32(f.Priors.Alpha[k]) {
			t.Errorf("topic %d: %v and %v, want %v", k, prior[k], inv[k], want)
		}
	}
	if prior[4] != 0 || inv[4] != 0 {
		t.Errorf("beyond the topics: %v and %v", prior[4], inv[4])
	}
}
