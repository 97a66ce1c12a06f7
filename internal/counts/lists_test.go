package counts

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/topic"
)

// onlyRows are rows that can only be appended. They count how often that is done.
type onlyRows struct {
	rows  [][]Entry
	calls *int
}

func (r onlyRows) AppendRow(dst []Entry, w int) []Entry {
	*r.calls++
	return append(dst, r.rows[w]...)
}

// sizedRows know how many entries are marked.
type sizedRows struct{ onlyRows }

func (r sizedRows) Entries(words []bool) (n int) {
	for w, marked := range words {
		if marked {
			n += len(r.rows[w])
		}
	}
	return n
}

// numbered returns rows of which word w has w % 5 entries.
func numbered(words int) (rows [][]Entry) {
	for w := range words {
		var row []Entry
		for i := range w % 5 {
			row = append(row, Entry{Topic: uint32(i), Count: uint32(w)})
		}
		rows = append(rows, row)
	}
	return rows
}

// Rows that are in memory are used where they are. Of others the marked ones are copied, once.
func TestInPlaceOf(t *testing.T) {
	rows, calls := numbered(10), 0
	if got := InPlaceOf(pseudoCounts(), make([]bool, 4), 1); !slices.Equal(got.Row(2), []Entry{{Topic: 2, Count: 2}}) {
		t.Errorf("rows in memory are copied: %v", got.Row(2))
	}
	marked := []bool{true, false, true, false, true, true, true, true, false, true}
	for _, from := range []Rows{onlyRows{rows, &calls}, sizedRows{onlyRows{rows, &calls}}} {
		calls = 0
		got := InPlaceOf(from, marked, 1)
		if calls != 7 {
			t.Errorf("%d rows were copied", calls)
		}
		for w, row := range rows {
			if !marked[w] {
				row = nil
			}
			if !slices.Equal(got.Row(w), row) {
				t.Errorf("word %d has %v, want %v", w, got.Row(w), row)
			}
		}
		list := got.(copied).entries
		if _, sized := from.(sizedRows); len(list) != 13 || sized && cap(list) != 13 {
			t.Errorf("%T: a list of %d with room for %d", from, len(list), cap(list))
		}
	}
}

// Rows are gathered in the order of words, wherever they are, by any number of threads.
func TestGather(t *testing.T) {
	for _, words := range []int{0, 1, 2, 63, 64, 65, 130} {
		rows, calls := numbered(words), 0
		var want []Entry
		ends := make([]uint64, words)
		for w, row := range rows {
			want = append(want, row...)
			ends[w] = uint64(len(want))
		}
		for _, from := range []Rows{listedRows{rows}, onlyRows{rows, &calls}} {
			got, gotEnds := Gather(from, words, 1)
			if !slices.Equal(got, want) || !slices.Equal(gotEnds, ends) {
				t.Errorf("%d words, %T: %v ending at %v", words, from, got, gotEnds)
			}
		}
		if calls != 2*words {
			t.Errorf("%d words: %d rows were appended", words, calls)
		}
		if got, gotEnds := Gather(listedRows{rows}, words, 3); !slices.Equal(got, want) || !slices.Equal(gotEnds, ends) {
			t.Errorf("%d words, three threads: %v ending at %v", words, got, gotEnds)
		}
	}
}

// listedRows are rows in memory, which nobody has to append.
type listedRows struct{ listed }

func (listedRows) AppendRow([]Entry, int) []Entry { panic("rows in memory are not appended") }

// Totals are sums by topic. The first word with a row that is not sorted, or has a topic twice, beyond the last or
// 0 times, is told.
func TestTotals(t *testing.T) {
	const words, topics = 3000, 5
	rows := numbered(words)
	want := make([]uint64, topics)
	for _, row := range rows {
		for _, e := range row {
			want[e.Topic] += uint64(e.Count)
		}
	}
	if got, wrong := Totals(listed(rows), words, topics); wrong != -1 || !slices.Equal(got, want) {
		t.Errorf("totals %v, word %d is wrong; want %v", got, wrong, want)
	}
	if got, wrong := Totals(listed(nil), 0, topics); wrong != -1 || !slices.Equal(got, make([]uint64, topics)) {
		t.Errorf("totals of no words are %v, word %d is wrong", got, wrong)
	}
	for name, row := range map[string][]Entry{
		"not sorted": {{Topic: 2, Count: 1}, {Topic: 1, Count: 1}},
		"twice":      {{Topic: 2, Count: 1}, {Topic: 2, Count: 1}},
		"beyond":     {{Topic: topics, Count: 1}},
		"0 times":    {{Topic: 1}},
	} {
		for _, w := range []int{0, 1023, 1024, words - 1} {
			broken := slices.Clone(rows)
			broken[w], broken[words-1] = row, row
			if _, wrong := Totals(listed(broken), words, topics); wrong != w {
				t.Errorf("%s: word %d is wrong, want %d", name, wrong, w)
			}
		}
	}
	last := [][]Entry{{{Topic: topics - 1, Count: 3}}}
	if got, wrong := Totals(listed(last), 1, topics); wrong != -1 || got[topics-1] != 3 {
		t.Errorf("the last topic: %v, word %d is wrong", got, wrong)
	}
}

// Lists of numbers by topic and rows are turned into each other without their zeros.
func TestLists(t *testing.T) {
	changes := AppendChanges([]Change{{7, 7}}, []int32{0, -2, 0, 5})
	if want := []Change{{7, 7}, {1, -2}, {3, 5}}; !slices.Equal(changes, want) {
		t.Errorf("changes %v, want %v", changes, want)
	}
	row := []Entry{{Topic: 1, Count: 4}, {Topic: 3, Count: 2}, {Topic: 4, Count: 9}}
	if got := AppendDense(nil, []uint32{0, 4, 0, 2, 9}); !slices.Equal(got, row) {
		t.Errorf("row %v", got)
	}
	for k, want := range []uint32{0, 4, 0, 2, 9, 0} {
		if got := CountIn(row, uint32(k)); got != want {
			t.Errorf("topic %d is %d times in the row, want %d", k, got, want)
		}
	}
	if got := CountIn(nil, 0); got != 0 {
		t.Errorf("an empty row has %d", got)
	}
	float := make([]float64, 3)
	if Copy(float[:2], []int32{-1, 3}); !slices.Equal(float, []float64{-1, 3, 0}) {
		t.Errorf("copied %v", float)
	}
	if got := Occurring([]uint32{4, 0, 4, 2}, 6); !slices.Equal(got, []uint32{0, 2, 4}) {
		t.Errorf("words %v occur", got)
	}
	if got := addTo([]uint64{1, 2}, []uint64{1, 1, 5}); !slices.Equal(got, []uint64{2, 3, 5}) {
		t.Errorf("a short and a long list add up to %v", got)
	}
	if got := addTo([]uint64{1, 2, 3}, []uint64{1}); !slices.Equal(got, []uint64{2, 2, 3}) {
		t.Errorf("a long and a short list add up to %v", got)
	}
	if got := (Bin{Cell: Cell(6, 3, 4)}).Topic(4); got != 3 || Cell(6, 3, 4) != 33 {
		t.Errorf("cell %d is of topic %d", Cell(6, 3, 4), got)
	}
	if got := (Bin{Cell: Cell(6, 4, 4)}).Topic(4); got != 4 {
		t.Errorf("lengths are of topic %d", got)
	}
}

// Histograms add up bin by bin, those of groups too, and come from a device if they are there.
func TestHistogramsAdd(t *testing.T) {
	h := &Histograms{
		DocLengths: []uint64{0, 1}, Topic: [][]uint32{{0, 1}, nil}, WordTopic: []uint64{0, 4}, TopicTotals: []uint64{3, 1},
		Groups: []Bin{{0, 1, 2}, {1, 1, 1}},
	}
	h.Add(&Histograms{
		DocLengths: []uint64{0, 2, 1}, Topic: [][]uint32{{0, 0, 1}, {0, 1}},
		WordTopic: []uint64{0, 1, 1}, TopicTotals: []uint64{1, 2},
		Groups: []Bin{{0, 0, 1}, {0, 1, 1}, {1, 1, 5}, {2, 0, 1}},
	})
	want := &Histograms{
		DocLengths: []uint64{0, 3, 1}, Topic: [][]uint32{{0, 1, 1}, {0, 1}},
		WordTopic: []uint64{0, 5, 1}, TopicTotals: []uint64{4, 3},
		Groups: []Bin{{0, 0, 1}, {0, 1, 3}, {1, 1, 6}, {2, 0, 1}},
	}
	if !reflect.DeepEqual(h, want) {
		t.Errorf("%+v, want %+v", h, want)
	}
	if got, err := h.Bins(); err != nil || !slices.Equal(got, want.Groups) {
		t.Errorf("%v, %v", got, err)
	}
	h.Raised = onDevice{bins: []Bin{{9, 9, 9}}}
	if got, err := h.Bins(); err != nil || !slices.Equal(got, []Bin{{9, 9, 9}}) {
		t.Errorf("on a device: %v, %v", got, err)
	}
	h.Raised = onDevice{err: errors.New("no device")}
	if _, err := h.Bins(); err == nil {
		t.Error("a device that fails gives bins")
	}
}

// onDevice has the bins of a device, or fails.
type onDevice struct {
	Raised
	bins []Bin
	err  error
}

func (d onDevice) Bins() ([]Bin, error) { return d.bins, d.err }

// What was counted elsewhere, with any number of counters for a cell, has the same bins.
func TestTallyOf(t *testing.T) {
	tally := TallyOf([]uint32{0, 2, 1, 0, 0, 5}, 3, []uint32{1, 7, 0, 3, 1, 7, 1, 0})
	want := []Bin{{0, 1, 2}, {0, 2, 1}, {0, 3, 1}, {1, 0, 1}, {1, 2, 5}, {1, 7, 2}}
	if got := tally.Bins(); !slices.Equal(got, want) {
		t.Errorf("bins %v, want %v", got, want)
	}
	if tally := NewTally([]uint32{2, 0}, 3); tally.near != 256 || len(tally.cells) != 3*4*256 {
		t.Errorf("%d counters for each of %d", tally.near, len(tally.cells))
	}
	if tally := NewTally([]uint32{1<<14 - 1}, 3); tally.near != 16 || len(tally.cells) != nearCells {
		t.Errorf("%d counters for each, %d together", tally.near, len(tally.cells))
	}
	bins := []Bin{{0, 1, 1}, {3, 1, 1}, {8, 2, 1}, {11, 2, 1}} // of groups 0 and 2 of three topics
	if got := ByGroup(bins, 4, 3); !reflect.DeepEqual(got, [][]Bin{bins[:2], bins[2:2], bins[2:], bins[4:]}) {
		t.Errorf("by group %v", got)
	}
}

// A row holds the largest counts that half a slot can.
func TestLargestCounts(t *testing.T) {
	narrow, wide, dense := NewTable(1000, []uint64{2}), NewTable(1<<17, []uint64{2}), NewTable(2, []uint64{1 << 31})
	for name, c := range map[string]struct {
		table *Table
		most  int32
	}{"narrow": {narrow, 1<<16 - 1}, "wide": {wide, 1<<31 - 1}, "dense": {dense, 1<<31 - 1}} {
		if got := c.table.Add(0, 1, c.most); got != c.most || c.table.Get(0, 1) != c.most {
			t.Errorf("%s: %d, then %d, want %d", name, got, c.table.Get(0, 1), c.most)
		}
	}
	if got := panicOf(func() { narrow.Add(0, 1, 1) }); got != faultCrowded {
		t.Errorf("one more: %v", got)
	}
	if got := panicOf(func() { wide.Add(0, 1, 1) }); got != faultCrowded {
		t.Errorf("one more in a wide row: %v", got)
	}
}

// Rows are packed into large slabs, and each row is whole.
func TestAppendToSlab(t *testing.T) {
	rows := onlyRows{[][]Entry{{{Topic: 1, Count: 1}}, {{Topic: 2, Count: 2}, {Topic: 3, Count: 3}}}, new(int)}
	first, slab := appendToSlab(rows, 0, nil)
	second, slab := appendToSlab(rows, 1, slab)
	if !slices.Equal(first, rows.rows[0]) || !slices.Equal(second, rows.rows[1]) {
		t.Errorf("rows %v and %v", first, second)
	}
	if len(slab) != 3 || cap(slab) != slabEntries {
		t.Errorf("a slab of %d, %d used", cap(slab), len(slab))
	}
	if cap(first) != 1 || &slab[1] != &second[0] {
		t.Error("a row reaches into the next one")
	}
	almost := slab[:slabEntries-slabEntries/8]
	if _, same := appendToSlab(rows, 0, almost); len(same) != len(almost)+1 {
		t.Error("a slab that has an eighth left is given up")
	}
	if _, fresh := appendToSlab(rows, 0, slab[:slabEntries-slabEntries/8+1]); len(fresh) != 1 {
		t.Error("a slab that has less than an eighth left is used")
	}
}

// The highest counts are found with the words in any order, and equal ones by word.
func TestTopOfEqualCounts(t *testing.T) {
	var column []topic.WordCount
	for w := range uint32(12) {
		column = append(column, topic.WordCount{Word: w, Count: 1 + w%3})
	}
	want := []topic.WordCount{{Word: 2, Count: 3}, {Word: 5, Count: 3}, {Word: 8, Count: 3}, {Word: 11, Count: 3}}
	for n := range 5 {
		if got := Top(nil, column, n); !slices.Equal(got, want[:n]) {
			t.Errorf("the %d highest are %v, want %v", n, got, want[:n])
		}
	}
}
