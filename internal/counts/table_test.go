package counts

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

var _ Rows = (*Table)(nil)

// TestTableIsAMap moves tokens about as a sampler does and compares the table
// with one map per row after every step.
func TestTableIsAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		topics := rapid.SampledFrom([]int{1, 2, 15, 100, 1000, 1 << 16, 1<<16 + 1, 1 << 20}).Draw(t, "K")
		frequency := rapid.OneOf(rapid.Uint64Range(0, 5), rapid.Uint64Range(0, 60), rapid.Just(uint64(1)<<20))
		frequencies := rapid.SliceOfN(frequency, 1, 5).Draw(t, "n_w")
		table := NewTable(topics, frequencies)
		oracle := make([]map[int]int32, len(frequencies))
		totals := make([]uint64, len(frequencies))
		for w := range oracle {
			oracle[w] = map[int]int32{}
		}
		// Few topics far apart, so that counts come and go and homes collide.
		topic := rapid.Map(rapid.IntRange(0, 60), func(i int) int { return i * max(1, topics/61) % topics })
		for range rapid.IntRange(1, 150).Draw(t, "steps") {
			w := rapid.IntRange(0, len(frequencies)-1).Draw(t, "w")
			k := topic.Draw(t, "k")
			delta := int32(1)
			if held := slices.Sorted(maps.Keys(oracle[w])); len(held) > 0 && (totals[w] == frequencies[w] || rapid.Bool().Draw(t, "take")) {
				k = rapid.SampledFrom(held).Draw(t, "held")
				delta = -rapid.Int32Range(1, oracle[w][k]).Draw(t, "delta")
			} else if totals[w] == frequencies[w] {
				continue
			}
			totals[w] += uint64(int64(delta))
			if oracle[w][k] += delta; oracle[w][k] == 0 {
				delete(oracle[w], k)
			}
			if got := table.Add(w, k, delta); got != oracle[w][k] {
				t.Fatalf("Add(%d, %d, %d) = %d, want %d", w, k, delta, got, oracle[w][k])
			}
			compare(t, table, oracle, w)
		}
		for w := range oracle {
			compare(t, table, oracle, w)
		}
		table.Clear()
		for w := range oracle {
			if row := table.AppendRow(nil, w); len(row) != 0 {
				t.Fatalf("row %d is %v after Clear", w, row)
			}
		}
	})
}

// compare checks row w by Get and by AppendRow.
func compare(t *rapid.T, table *Table, oracle []map[int]int32, w int) {
	want := []Entry{{Topic: 7, Count: 7}} // AppendRow must leave what is there alone
	for _, k := range slices.Sorted(maps.Keys(oracle[w])) {
		want = append(want, Entry{Topic: uint32(k), Count: uint32(oracle[w][k])})
	}
	if got := table.AppendRow([]Entry{{Topic: 7, Count: 7}}, w); !slices.Equal(got, want) {
		t.Fatalf("row %d is %v, want %v", w, got, want)
	}
	for k := range min(70, table.topics) {
		if got := table.Get(w, k); got != oracle[w][k] {
			t.Fatalf("n[%d,%d] = %d, want %d", w, k, got, oracle[w][k])
		}
	}
	for k, n := range oracle[w] {
		if got := table.Get(w, k); got != n {
			t.Fatalf("n[%d,%d] = %d, want %d", w, k, got, n)
		}
	}
}

// Rows are hashed exactly while that is smaller, and never more than two thirds full.
func TestRowSizes(t *testing.T) {
	for _, c := range []struct {
		topics    int
		frequency uint64
		bytes     int // of the row
		dense     bool
	}{
		{1000, 0, 2 * 4, false},
		{1000, 1, 2 * 4, false},
		{1000, 3, 5 * 4, false},
		{1000, 332, 499 * 4, false},
		{1000, 333, 1008 * 4, true}, // 500 slots would be half as large
		{1000, 1 << 40, 1008 * 4, true},
		{1 << 16, 1 << 14, (3<<13 + 1) * 4, false},
		{1 << 16, 1 << 15, 1 << 16 * 4, true},
		{1 << 20, 1 << 18, (3<<17 + 1) * 8, false},
		{1 << 20, 349_524, 524_287 * 8, false},
		{1 << 20, 349_525, 1 << 20 * 4, true}, // 524,288 slots would be as large
		{1, 5, 16 * 4, true},
		{15, 4, 7 * 4, false},
		{15, 5, 16 * 4, true},
		{15, 1 << 40, 16 * 4, true},
	} {
		table := NewTable(c.topics, []uint64{c.frequency})
		if got := table.MemoryBytes() - 16; got != c.bytes {
			t.Errorf("K = %d, n_w = %d: %d bytes, want %d", c.topics, c.frequency, got, c.bytes)
		}
		if row := table.DenseRow(0); (row != nil) != c.dense || (c.dense && len(row) != c.topics) {
			t.Errorf("K = %d, n_w = %d: dense row of %d", c.topics, c.frequency, len(row))
		}
	}
}

// A row as full as its word's frequency allows, in the order that is worst for
// clusters, still holds every count, and gives all of them up again.
func TestFullRow(t *testing.T) {
	for _, topics := range []int{1 << 16, 1 << 18} {
		const frequency = 5000
		table := NewTable(topics, []uint64{frequency, frequency})
		for k := range frequency {
			table.Add(0, k, 1)
			table.Add(1, topics-1-k, 1)
		}
		if row := table.AppendRow(nil, 0); len(row) != frequency || row[frequency-1] != (Entry{Topic: frequency - 1, Count: 1}) {
			t.Fatalf("K = %d: row has %d entries", topics, len(row))
		}
		for k := range frequency {
			table.Add(0, k, -1)
			if got := table.Get(0, frequency-1); k < frequency-1 && got != 1 {
				t.Fatalf("K = %d: the last topic is lost after %d removals", topics, k+1)
			}
		}
		if row := table.AppendRow(nil, 0); len(row) != 0 {
			t.Fatalf("K = %d: %d entries are left", topics, len(row))
		}
		if row := table.AppendRow(nil, 1); len(row) != frequency {
			t.Fatalf("K = %d: the other row has %d entries", topics, len(row))
		}
	}
}

func TestMisuse(t *testing.T) {
	for _, c := range []struct {
		name string
		f    func()
		want string
	}{
		{"below zero, hash", func() { NewTable(1000, []uint64{3}).Add(0, 5, -1) }, faultBelow},
		{"below zero, dense", func() { NewTable(10, []uint64{300}).Add(0, 5, -1) }, faultBelow},
		{"too many topics", func() {
			table := NewTable(1000, []uint64{2})
			for k := range 5 {
				table.Add(0, k, 1)
			}
		}, faultCrowded},
		{"too large a count", func() { NewTable(1000, []uint64{2}).Add(0, 5, 1<<16) }, faultCrowded},
		{"topic K", func() { NewTable(10, []uint64{300, 300}).Get(0, 10) }, faultTopic},
		{"topic -1", func() { NewTable(10, []uint64{300, 300}).Add(1, -1, 1) }, faultTopic},
		{"no topics", func() { NewTable(0, nil) }, faultTopics},
	} {
		if got := panicOf(c.f); got != c.want {
			t.Errorf("%s: panics with %v, want %q", c.name, got, c.want)
		}
	}
}

func panicOf(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}

// A search in a row that misuse has filled ends all the same.
func TestCrowdedRowStillAnswers(t *testing.T) {
	table := NewTable(1000, []uint64{2})
	for k := range 4 {
		table.Add(0, k, 1)
	}
	if got := table.Get(0, 9); got != 0 {
		t.Errorf("absent topic counts %d", got)
	}
	table.Add(0, 2, -1)
	if got := fmt.Sprint(table.AppendRow(nil, 0)); got != "[{0 1} {1 1} {3 1}]" {
		t.Errorf("row is %s", got)
	}
}

// One goroutine per row; the race detector would see them meet.
func TestRowsAreIndependent(t *testing.T) {
	const words, frequency = 64, 40
	table := NewTable(1000, slices.Repeat([]uint64{frequency, 1000}, words/2))
	var wait sync.WaitGroup
	for w := range words {
		wait.Go(func() {
			for i := range frequency {
				table.Add(w, (w+i*i)%1000, 1)
			}
		})
	}
	wait.Wait()
	for w := range words {
		total := uint32(0)
		for _, e := range table.AppendRow(nil, w) {
			total += e.Count
		}
		if total != frequency {
			t.Errorf("row %d sums to %d", w, total)
		}
	}
}

func TestFrequencies(t *testing.T) {
	if got := fmt.Sprint(Frequencies([]uint32{2, 0, 2}, 4)); got != "[1 0 2 0]" {
		t.Errorf("frequencies are %s", got)
	}
}
