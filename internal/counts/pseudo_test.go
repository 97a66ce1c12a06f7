package counts

import (
	"reflect"
	"slices"
	"testing"
)

// pseudoCounts are those of four words and three topics: word 1 has none, and that of word 3 in topic 0 is 0.
func pseudoCounts() *Pseudo {
	rows := [][]Entry{
		{{Topic: 0, Count: 2}, {Topic: 2, Count: 5}},
		nil,
		{{Topic: 2, Count: 2}},
		{{Topic: 0}, {Topic: 1, Count: 7}},
	}
	return NewPseudo(4, 3, func(w int) []Entry { return rows[w] })
}

// Pseudo-counts are told word by word, and summed by word, by topic and altogether.
func TestPseudo(t *testing.T) {
	m := pseudoCounts()
	want := [][]Entry{{{Topic: 0, Count: 2}, {Topic: 2, Count: 5}}, nil, {{Topic: 2, Count: 2}}, {{Topic: 1, Count: 7}}}
	kept := Entry{Topic: 8, Count: 8}
	for w, row := range want {
		if got := m.Row(w); !slices.Equal(got, row) {
			t.Errorf("word %d has %v, want %v", w, got, row)
		}
		if got := m.AppendRow([]Entry{kept}, w); !slices.Equal(got, append([]Entry{kept}, row...)) {
			t.Errorf("word %d appends %v", w, got)
		}
	}
	if !slices.Equal(m.Totals(), []uint64{2, 7, 7}) || m.Words() != 4 || m.Entries() != 4 || m.Tokens() != 16 {
		t.Errorf("totals %v, %d words, %d entries, %d tokens", m.Totals(), m.Words(), m.Entries(), m.Tokens())
	}
	if m.WordTokens(0) != 7 || m.WordTokens(1) != 0 || m.WordTokens(3) != 7 {
		t.Errorf("words have %d, %d and %d tokens", m.WordTokens(0), m.WordTokens(1), m.WordTokens(3))
	}
	var cells [][3]uint32
	m.Cells(func(w int, e Entry) { cells = append(cells, [3]uint32{uint32(w), e.Topic, e.Count}) })
	if want := [][3]uint32{{0, 0, 2}, {0, 2, 5}, {2, 2, 2}, {3, 1, 7}}; !reflect.DeepEqual(cells, want) {
		t.Errorf("cells %v, want %v", cells, want)
	}
	h := HistogramsOf(m)
	if !slices.Equal(h.WordTopic, []uint64{0, 0, 2, 0, 0, 1, 0, 1}) || !slices.Equal(h.TopicTotals, m.Totals()) {
		t.Errorf("histograms %v and %v", h.WordTopic, h.TopicTotals)
	}
	if h.TopicTotals[0]++; m.Totals()[0] != 2 {
		t.Error("histograms share memory with the pseudo-counts")
	}
	if got := m.AddFrequencies([]uint64{1, 1, 1, 1}); !slices.Equal(got, []uint64{8, 1, 3, 8}) {
		t.Errorf("frequencies %v", got)
	}
	nk := []int64{-1, 0, 3}
	if AddTotals(nk, m); !slices.Equal(nk, []int64{1, 7, 10}) {
		t.Errorf("n_k %v", nk)
	}
	rows := []int32{1, 1, 1, 9, 1, 1, 1, 9, 1, 1, 1, 9} // three words of four numbers, of which three are topics
	if m.AddRows(rows, 4, 1); !slices.Equal(rows, []int32{1, 1, 1, 9, 1, 1, 3, 9, 1, 8, 1, 9}) {
		t.Errorf("rows of words 1 to 3 are %v", rows)
	}
	if other := pseudoCounts(); m.Number() == other.Number() || m.Number() <= 0 || other.Number() <= 0 {
		t.Errorf("numbers %d and %d", m.Number(), other.Number())
	}
}

// No pseudo-counts are none of anything.
func TestNoPseudo(t *testing.T) {
	var m *Pseudo
	if m.Number() != 0 || m.Row(3) != nil || m.AppendRow(nil, 3) != nil || m.Totals() != nil || m.Words() != 0 ||
		m.Entries() != 0 || m.Tokens() != 0 || m.WordTokens(3) != 0 || m.Hash() != "" {
		t.Error("nothing has something")
	}
	m.Cells(func(int, Entry) { t.Error("nothing has cells") })
	if h := HistogramsOf(m); len(h.WordTopic)+len(h.TopicTotals) > 0 {
		t.Errorf("nothing has the histograms %v", h)
	}
	nk, rows := []uint64{1}, []int32{1, 2}
	AddTotals(nk, m)
	m.AddRows(rows, 1, 0)
	if got := m.AddFrequencies([]uint64{4}); got[0] != 4 || nk[0] != 1 || !slices.Equal(rows, []int32{1, 2}) {
		t.Errorf("nothing adds to %v, %v, %v", got, nk, rows)
	}
}

// Pseudo-counts have the same hash exactly if they are the same: words, topics and counts.
func TestPseudoHash(t *testing.T) {
	of := func(v, k, word int, row ...Entry) string {
		return NewPseudo(v, k, func(w int) []Entry {
			if w == word {
				return row
			}
			return nil
		}).Hash()
	}
	one := Entry{Topic: 1, Count: 1}
	hashes := []string{
		of(4, 3, 0, one), of(4, 3, 1, one), of(5, 3, 0, one), of(4, 4, 0, one), of(4, 3, 0),
		of(4, 3, 0, Entry{Topic: 0, Count: 1}), of(4, 3, 0, Entry{Topic: 1, Count: 2}),
		of(4, 3, 0, one, Entry{Topic: 2, Count: 1}), pseudoCounts().Hash(),
	}
	for i, h := range hashes {
		if len(h) != 32 || slices.Index(hashes, h) != i {
			t.Errorf("number %d has the hash %q of number %d", i, h, slices.Index(hashes, h))
		}
	}
	if again := of(4, 3, 0, one, Entry{Topic: 2}); again != hashes[0] {
		t.Errorf("a count of 0 changes the hash to %q", again)
	}
	if again := pseudoCounts().Hash(); again != hashes[8] {
		t.Errorf("the same counts have the hashes %q and %q", again, hashes[8])
	}
}
