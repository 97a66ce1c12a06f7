package rows

import (
	"context"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/counts"
)

// entries returns a row of pairs of topic and count.
func entries(pairs ...uint32) (row []counts.Entry) {
	for i := 0; i < len(pairs); i += 2 {
		row = append(row, counts.Entry{Topic: pairs[i], Count: pairs[i+1]})
	}
	return row
}

// idOf returns the IDs of blobs of a kind, slice by slice.
func idOf(kind blob.Kind, topics int) func(slice int) blob.ID {
	return func(slice int) blob.ID {
		return blob.ID{Kind: kind, Job: 3, Slice: uint32(slice), Topics: uint32(topics)}
	}
}

// countsOf writes a blob of counts of slice 0. Words without a row are left out.
func countsOf(topics int, rows map[uint32][]counts.Entry) []byte {
	var e blob.Encoder
	e.Begin(nil, idOf(blob.Counts, topics)(0))
	for w := range uint32(20) {
		e.Counts(w, rows[w])
	}
	return e.Finish()
}

// changesOf writes a blob of changes of slice 0.
func changesOf(topics int, rows map[uint32][]counts.Change) []byte {
	var e blob.Encoder
	e.Begin(nil, idOf(blob.Changes, topics)(0))
	for w := range uint32(20) {
		e.Changes(w, rows[w])
	}
	return e.Finish()
}

// opened returns a decoder of a blob of slice 0.
func opened(t *testing.T, kind blob.Kind, topics int, b []byte) *blob.Decoder {
	t.Helper()
	d, err := blob.Open(b, idOf(kind, topics)(0))
	if err != nil {
		t.Fatal(err)
	}
	return &d
}

// damaged returns a blob whose last row, a sparse one, is cut short, with the right checksum.
func damaged(b []byte) []byte {
	b = slices.Clone(b)
	b[len(b)-9] = 0x80 // a number that goes on
	binary.LittleEndian.PutUint64(b[len(b)-8:], xxh3.Hash(b[:len(b)-8]))
	return b
}

// The rows of a part's tokens are counted word by word, whether a word has few tokens or many among the topics, and
// every slice has its blob.
func TestCountPart(t *testing.T) {
	const vocabulary, topics = 9, 40
	r := rand.New(rand.NewPCG(1, 2))
	var words, z []uint32
	frequencies := make([]uint64, vocabulary)
	table := make([][]int32, vocabulary)
	for w := range table {
		table[w] = make([]int32, topics)
	}
	for w, n := range []int{0, 1, 5, 6, 200, 0, 3, 4, 5} { // 5 = K/8 is the last that is sorted
		for range n {
			words, z = append(words, uint32(w)), append(z, r.Uint32N(topics)/2*2)
		}
	}
	r.Shuffle(len(words), func(i, j int) { words[i], words[j], z[i], z[j] = words[j], words[i], z[j], z[i] })
	for i, w := range words {
		frequencies[w]++
		table[w][z[i]]++
	}
	cut, id := NewCut(frequencies, topics, 3), idOf(blob.Counts, topics)
	got, err := CountPart(t.Context(), words, z, cut, topics, id)
	if err != nil || len(got) != 3 {
		t.Fatal(err, len(got))
	}
	var e blob.Encoder
	for i := range got {
		e.Begin(nil, id(i))
		for _, w := range cut.Words[i] {
			e.Counts(w, appendDense(nil, table[w]))
		}
		if want := e.Finish(); !slices.Equal(got[i], want) {
			t.Errorf("slice %d has other rows", i)
		}
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if got, err := CountPart(stopped, words, z, cut, topics, id); !errors.Is(err, context.Canceled) || got != nil {
		t.Errorf("a run that was stopped: %v", err)
	}
}

// Topics that occur seldom and often are listed in order, and the counters are zero again.
func TestCountTopics(t *testing.T) {
	count := make([]uint32, 16)
	for _, c := range []struct{ z, want []uint32 }{
		{nil, nil},
		{[]uint32{15}, []uint32{15, 1}},
		{[]uint32{3, 3}, []uint32{3, 2}},
		{[]uint32{9, 0}, []uint32{0, 1, 9, 1}},
		{[]uint32{9, 0, 9}, []uint32{0, 1, 9, 2}},
		{[]uint32{15, 2, 15, 15, 2, 0}, []uint32{0, 1, 2, 2, 15, 3}},
	} {
		kept := entries(7, 7)
		got := countTopics(kept, count, slices.Clone(c.z))
		if !slices.Equal(got, append(kept, entries(c.want...)...)) || slices.Max(count) > 0 {
			t.Errorf("topics %v: row %v, counters %v", c.z, got[1:], count)
		}
	}
}

// An excerpt has the rows of the words that are asked for and there, and no others.
func TestExcerpt(t *testing.T) {
	rows := map[uint32][]counts.Entry{2: entries(0, 1), 3: entries(4, 9), 7: entries(1, 2, 5, 1), 8: entries(5, 5)}
	whole := countsOf(6, rows)
	for _, c := range []struct{ words, want []uint32 }{
		{nil, nil},
		{[]uint32{0, 1}, nil},
		{[]uint32{9, 10}, nil},
		{[]uint32{2}, []uint32{2}},
		{[]uint32{8}, []uint32{8}},
		{[]uint32{0, 3, 5, 6, 7, 12}, []uint32{3, 7}},
		{[]uint32{2, 3, 7, 8}, []uint32{2, 3, 7, 8}},
	} {
		var got []uint32
		err := Excerpt(c.words, opened(t, blob.Counts, 6, whole), func(w uint32, row []byte) {
			got = append(got, w)
			d := blob.RowOf(row, 6)
			if list := d.Counts(nil); !slices.Equal(list, rows[w]) {
				t.Errorf("word %d has the row %v", w, list)
			}
		})
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("of %v: %v, %v, want %v", c.words, got, err, c.want)
		}
	}
	calls := 0
	err := Excerpt([]uint32{7, 8}, opened(t, blob.Counts, 6, damaged(whole)), func(uint32, []byte) { calls++ })
	if !errors.Is(err, blob.ErrDamaged) || calls != 1 {
		t.Errorf("a damaged row: %v after %d rows", err, calls)
	}
	err = Excerpt([]uint32{3}, opened(t, blob.Counts, 6, damaged(whole)), func(uint32, []byte) {})
	if err != nil {
		t.Errorf("what comes after the last word is read: %v", err)
	}
}

// Equal counts are counted, over all blobs.
func TestCountCounts(t *testing.T) {
	first := countsOf(6, map[uint32][]counts.Entry{2: entries(0, 1, 3, 2), 3: entries(4, 2)})
	second := countsOf(6, map[uint32][]counts.Entry{2: entries(0, 1), 5: entries(2, 4)})
	list, err := CountCounts(nil, opened(t, blob.Counts, 6, first))
	if err != nil || !slices.Equal(list, []uint64{0, 1, 2}) {
		t.Errorf("%v, %v", list, err)
	}
	list, err = CountCounts(list, opened(t, blob.Counts, 6, second))
	if err != nil || !slices.Equal(list, []uint64{0, 2, 2, 0, 1}) {
		t.Errorf("%v, %v", list, err)
	}
	if _, err = CountCounts(nil, opened(t, blob.Counts, 6, damaged(second))); !errors.Is(err, blob.ErrDamaged) {
		t.Errorf("a damaged row: %v", err)
	}
}

// Rows that are kept slice by slice change and change back. A slice begins with any word.
func TestApart(t *testing.T) {
	const topics = 5
	cut := &Cut{Slice: []uint32{0, 0, 1, 1, 1}}
	words := [][]uint32{{0, 1}, {2, 3, 4}}
	rows := map[uint32][]counts.Entry{0: entries(1, 1), 2: entries(0, 2, 4, 1), 4: entries(3, 6)}
	whole := OpenSlices{Cut: cut, Totals: []uint64{2, 1, 0, 6, 1}}
	for i, list := range words {
		own := map[uint32][]counts.Entry{}
		for _, w := range list {
			own[w] = rows[w]
		}
		a := &OpenSlice{}
		if err := a.Read(list, opened(t, blob.Counts, topics, countsOf(topics, own))); err != nil {
			t.Fatal(i, err)
		}
		whole.Slices = append(whole.Slices, a)
	}
	check := func(what string, want map[uint32][]counts.Entry) {
		t.Helper()
		frozen := whole.Frozen()
		for w := range cut.Slice {
			got := frozen.Rows.AppendRow(entries(9, 9), w)
			if !slices.Equal(got, append(entries(9, 9), want[uint32(w)]...)) {
				t.Errorf("%s: row of word %d is %v, want %v", what, w, got[1:], want[uint32(w)])
			}
		}
		if !slices.Equal(frozen.Totals, whole.Totals) {
			t.Errorf("%s: totals %v", what, frozen.Totals)
		}
	}
	check("read", rows)
	changes := changesOf(topics, map[uint32][]counts.Change{
		2: {{Topic: 0, Delta: -2}, {Topic: 1, Delta: 3}},
		3: {{Topic: 2, Delta: 1}},
	})
	var g Merger
	shift := func(sign int32, sources ...Source) {
		t.Helper()
		if err := whole.Slices[1].Add(&g, words[1], sources, sign); err != nil {
			t.Fatal(err)
		}
	}
	shift(1)
	check("nothing added", rows)
	shift(1, Source{Decoder: *opened(t, blob.Changes, topics, changes)})
	check("added", map[uint32][]counts.Entry{0: rows[0], 2: entries(1, 3, 4, 1), 3: entries(2, 1), 4: rows[4]})
	shift(-1, Source{Decoder: *opened(t, blob.Changes, topics, changes)})
	check("taken out", rows)
	again := []Source{{Decoder: *opened(t, blob.Changes, topics, changes)}}
	if err := whole.Slices[1].Add(&g, words[1], again, -1); err == nil {
		t.Error("counts below zero are accepted")
	}
	check("after a fault", rows)
	if err := (&OpenSlice{}).Read(nil, opened(t, blob.Counts, topics, countsOf(topics, nil))); err != nil {
		t.Errorf("a slice without words: %v", err)
	}
	if err := (&OpenSlice{}).Read(words[0], opened(t, blob.Counts, topics, countsOf(topics, rows))); err == nil {
		t.Error("rows of another slice are accepted")
	}
}

// unnamed returns an error as it is.
func unnamed(_ int, err error) error { return err }

// model returns a model of one slice with a dense row, of word 1, and one version of counts.
func model(t *testing.T) *Model {
	t.Helper()
	m := NewModel(NewCut([]uint64{1, 3, 2}, 12, 1), 12)
	b := countsOf(12, map[uint32][]counts.Entry{0: entries(0, 1), 1: entries(0, 1, 11, 2), 2: entries(3, 1, 5, 1)})
	if err := m.Load(6, [][]byte{b}, idOf(blob.Counts, 12), unnamed); err != nil {
		t.Fatal(err)
	}
	return m
}

// Rows of words that occur K/4 times are dense. A model begins at the version it was loaded at, with no part ahead.
func TestModelRows(t *testing.T) {
	empty := NewModel(NewCut([]uint64{1, 3, 2}, 12, 1), 12)
	if empty.Solo != -1 || len(empty.Totals) != 12 {
		t.Errorf("an empty model has %d topics and part %d ahead", len(empty.Totals), empty.Solo)
	}
	m := model(t)
	if m.Round != 6 || m.Solo != -1 || m.SoloDense != 0 || m.Totals[0] != 2 || m.Totals[11] != 2 || m.Totals[3] != 1 {
		t.Errorf("version %d, part %d ahead, totals %v", m.Round, m.Solo, m.Totals)
	}
	m.Solo, m.SoloDense = 2, 9
	want := entries(0, 1)
	b := countsOf(12, map[uint32][]counts.Entry{2: want})
	if err := m.Load(7, [][]byte{b}, idOf(blob.Counts, 12), unnamed); err != nil {
		t.Fatal(err)
	}
	if m.Round != 7 || m.Solo != -1 || m.SoloDense != 0 || m.Totals[0] != 1 || m.Totals[11] != 0 {
		t.Errorf("loaded again: version %d, part %d ahead, totals %v", m.Round, m.Solo, m.Totals)
	}
	if got := m.AppendRow(nil, 1); len(got) > 0 {
		t.Errorf("loaded again: a row without counts is %v", got)
	}
	for w, dense := range []bool{false, true, false} {
		if row := m.DenseRow(w, nil); (row != nil) != dense || dense && len(row) != 12 {
			t.Errorf("word %d: dense row of %d", w, len(row))
		}
	}
	if got := WholeBytes([]uint64{0, 1, 2, 3, 4, 100}, 12); got != 3*48+16+32 {
		t.Errorf("a model takes %d bytes", got)
	}
	var e blob.Encoder
	got := m.slices[0].Encode(&e, idOf(blob.Counts, 12)(0), []uint32{0, 1, 2})
	if !slices.Equal(got, b) {
		t.Error("rows are written as other bytes than they were read from")
	}
}

// An error of a blob is told with its slice, and the version stays.
func TestModelLoadFaults(t *testing.T) {
	m := NewModel(NewCut([]uint64{1, 1, 1, 1}, 4, 2), 4)
	good, other := countsOf(4, nil), idOf(blob.Counts, 4)
	var e blob.Encoder
	e.Begin(nil, other(1))
	e.Counts(0, entries(0, 1)) // a word of slice 0
	foreign := e.Finish()
	for name, b := range map[string][]byte{"another blob": good, "another slice's word": foreign, "nothing": nil} {
		var at []int
		cause := errors.New("the blob of slice 1")
		err := m.Load(5, [][]byte{good, b}, other, func(slice int, err error) error {
			at = append(at, slice)
			return errors.Join(cause, err)
		})
		if !errors.Is(err, cause) || !slices.Equal(at, []int{1}) || m.Round == 5 {
			t.Errorf("%s: %v, at slice %v, version %d", name, err, at, m.Round)
		}
	}
}

// Changes that do not belong to the model are noticed, wherever they are added.
func TestForeignChanges(t *testing.T) {
	below := changesOf(12, map[uint32][]counts.Change{2: {{Topic: 3, Delta: -2}}})
	denseBelow := changesOf(12, map[uint32][]counts.Change{1: {{Topic: 11, Delta: -3}}})
	unknown := changesOf(12, map[uint32][]counts.Change{2: {{Topic: 3, Delta: 1}}, 9: {{Topic: 3, Delta: 1}}})
	torn := damaged(changesOf(12, map[uint32][]counts.Change{2: {{Topic: 3, Delta: 1}}}))
	for name, c := range map[string]struct {
		b     []byte
		want  string
		shift bool // notices it too
	}{
		"below zero":       {below, "word 2 would fall below zero", true},
		"dense below zero": {denseBelow, "word 1 would fall below zero", false},
		"unknown word":     {unknown, "word 9, which is not in its slice", true},
		"torn":             {torn, "damaged blob", true},
	} {
		var g Merger
		m := model(t)
		open := func() []Source { return []Source{{Decoder: *opened(t, blob.Changes, 12, c.b)}} }
		err := g.Each(m, 0, open(), func(uint32, []counts.Entry) {})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
		err = g.Shift(m, 0, open(), 1, m.Totals)
		if c.shift && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s, shifted: %v", name, err)
		}
	}
}

// Changes that dense rows have already are not added to them again. Those of sparse rows are.
func TestShiftSkipsDenseRows(t *testing.T) {
	four := []counts.Change{{Topic: 0, Delta: 4}}
	changes := changesOf(12, map[uint32][]counts.Change{0: four, 1: four, 2: four})
	var g Merger
	m := model(t)
	sources := []Source{
		{Decoder: *opened(t, blob.Changes, 12, changes), SkipDense: true},
		{Decoder: *opened(t, blob.Changes, 12, changes)},
	}
	totals := make([]uint64, 12)
	if err := g.Shift(m, 0, sources, 1, totals); err != nil {
		t.Fatal(err)
	}
	for w, want := range [][]counts.Entry{entries(0, 9), entries(0, 5, 11, 2), entries(0, 8, 3, 1, 5, 1)} {
		if got := m.AppendRow(nil, w); !slices.Equal(got, want) {
			t.Errorf("word %d: %v, want %v", w, got, want)
		}
	}
	if totals[0] != 20 { // twice 4 of words 0 and 2, once 4 of word 1
		t.Errorf("totals %v", totals)
	}
}

// Changes are added with their sign, totals modulo 2^64.
func TestAddChanges(t *testing.T) {
	changes := []counts.Change{{Topic: 0, Delta: -2}, {Topic: 2, Delta: 5}}
	row, totals := []int32{3, 1, 0}, []uint64{3, 1, 10, 8}
	AddDense(row, changes, totals)
	if !slices.Equal(row, []int32{1, 1, 5}) || !slices.Equal(totals, []uint64{1, 1, 15, 8}) {
		t.Errorf("row %v, totals %v", row, totals)
	}
	AddTotals(totals, changes, -1)
	if !slices.Equal(totals, []uint64{3, 1, 10, 8}) {
		t.Errorf("totals %v", totals)
	}
	AddTotals(nil, changes, 1)
	other := []counts.Change{{Topic: 0, Delta: 2}, {Topic: 1, Delta: 1}, {Topic: 3, Delta: 4}}
	want := []counts.Change{{Topic: 1, Delta: 1}, {Topic: 2, Delta: 5}, {Topic: 3, Delta: 4}}
	for _, got := range [][]counts.Change{appendChanges(nil, changes, other), appendChanges(nil, other, changes)} {
		if !slices.Equal(got, want) {
			t.Errorf("the sum of changes is %v, want %v", got, want)
		}
	}
}

// A count below zero is noticed before the row's topics, at them and beyond them.
func TestAppendSumBelowZero(t *testing.T) {
	row := entries(2, 1, 5, 3)
	for _, c := range []struct {
		topic uint32
		delta int32
		ok    bool
	}{{1, -1, false}, {2, -1, true}, {2, -2, false}, {5, -3, true}, {5, -4, false}, {6, -1, false}, {6, 1, true}} {
		changes := []counts.Change{{Topic: c.topic, Delta: c.delta}}
		if _, ok := appendSum(nil, row, changes, 1); ok != c.ok {
			t.Errorf("topic %d changed by %d: possible is %v", c.topic, c.delta, ok)
		}
		changes[0].Delta = -c.delta
		if _, ok := appendSum(nil, row, changes, -1); ok != c.ok {
			t.Errorf("topic %d changed back by %d: possible is %v", c.topic, c.delta, ok)
		}
	}
}

// What a part changed is read with the places of its words, or without. Other words, other blobs and torn rows are
// refused.
func TestOwnRead(t *testing.T) {
	const topics = 40
	b := changesOf(topics, map[uint32][]counts.Change{
		1: {{Topic: 2, Delta: 3}},
		3: {{Topic: 2, Delta: -1}, {Topic: 5, Delta: 1}},
	})
	id := idOf(blob.Changes, topics)
	want := make([]uint64, topics)
	want[2], want[5] = 2, 1
	own := NewChangeSet(2, topics)
	if err := own.Read([][]byte{b}, []uint32{0, 2, 0, 1}, id, unnamed); err != nil || !slices.Equal(own.Totals, want) {
		t.Fatalf("%v, totals %v", err, own.Totals)
	}
	d := blob.At(own.Blobs[0], topics, own.Places[0]) // of word 3
	if got := d.Changes(nil); !slices.Equal(got, []counts.Change{{Topic: 2, Delta: -1}, {Topic: 5, Delta: 1}}) {
		t.Errorf("word 3 changes by %v", got)
	}
	own.Clear()
	if own.Blobs != nil || slices.Max(own.Totals) > 0 || !own.Places[0].Empty() || !own.Places[1].Empty() {
		t.Errorf("%+v is not empty", own)
	}
	apart := NewChangeSet(0, topics)
	if err := apart.Read([][]byte{b}, nil, id, unnamed); err != nil || !slices.Equal(apart.Totals, want) {
		t.Errorf("without places: %v, totals %v", err, apart.Totals)
	}
	if err := NewChangeSet(2, topics).Read([][]byte{b}, []uint32{0, 1, 0, 0}, id, unnamed); err == nil {
		t.Error("changes of a word that the part does not have are accepted")
	}
	if err := NewChangeSet(2, topics).Read([][]byte{b}, nil, idOf(blob.Counts, topics), unnamed); !errors.Is(err, blob.ErrIdentity) {
		t.Errorf("another kind of blob: %v", err)
	}
	if err := NewChangeSet(2, topics).Read([][]byte{damaged(b)}, nil, id, unnamed); !errors.Is(err, blob.ErrDamaged) {
		t.Errorf("a damaged row: %v", err)
	}
	var e blob.Encoder
	e.Begin(nil, id(1))
	at := -1
	fault := func(slice int, err error) error {
		at = slice
		return err
	}
	if err := NewChangeSet(2, topics).Read([][]byte{b, damaged(e.Finish())}, nil, id, fault); err == nil || at != 1 {
		t.Errorf("the blob of slice 1 is damaged, slice %d is told: %v", at, err)
	}
}

// Slices end where their share of the entries and words is reached.
func TestCutByHand(t *testing.T) {
	// Four topics: sizes min(n, 4) + 1 are 5, 5, 2, 1, 1 and 4, 18 together, so slices end at 6, 12 and 18.
	c := NewCut([]uint64{100, 4, 1, 0, 0, 3}, 4, 3)
	if !slices.Equal(c.Begins, []int{0, 2, 3, 6}) || !slices.Equal(c.Slice, []uint32{0, 0, 1, 2, 2, 2}) {
		t.Errorf("slices begin at %v, words are in %v", c.Begins, c.Slice)
	}
	if want := [][]uint32{{0, 1}, {2}, {3, 4, 5}}; !reflect.DeepEqual(c.Words, want) {
		t.Errorf("words %v, want %v", c.Words, want)
	}
	one := NewCut([]uint64{9, 0}, 4, 4) // sizes 5 and 1: the first word fills three slices
	if !slices.Equal(one.Begins, []int{0, 1, 1, 1, 2}) || !slices.Equal(one.Slice, []uint32{0, 3}) {
		t.Errorf("slices begin at %v, words are in %v", one.Begins, one.Slice)
	}
}

// changesTo returns a blob in which words 0 to 2 get so many tokens of a topic.
func changesTo(topic uint32, n int32) []byte {
	list := []counts.Change{{Topic: topic, Delta: n}}
	return changesOf(12, map[uint32][]counts.Change{0: list, 1: list, 2: list})
}
