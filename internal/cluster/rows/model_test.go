package rows

import (
	"bytes"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/counts"
)

// Slices are runs of words that share the rows evenly.
func TestCut(t *testing.T) {
	const topics = 300
	rapid.Check(t, func(t *rapid.T) {
		frequencies := rapid.SliceOfN(rapid.Uint64Max(1000), 1, 200).Draw(t, "frequencies")
		n := rapid.IntRange(1, len(frequencies)).Draw(t, "slices")
		c := NewCut(frequencies, topics, n)
		next, total := 0, len(frequencies)
		for _, f := range frequencies {
			total += int(MostEntries(f, topics))
		}
		for s, words := range c.Words {
			size := 0
			for i, w := range words {
				if int(w) != next || c.Slice[w] != uint32(s) || c.place(w) != i || c.Begins[s]+i != next {
					t.Fatalf("word %d, slice %d, place %d; slice %d at %d is noted, and %d as its first word", w, s, i, c.Slice[w], c.place(w), c.Begins[s])
				}
				next++
				size += int(MostEntries(frequencies[w], topics)) + 1
			}
			if size > total/n+topics+1 {
				t.Fatalf("a slice of %d has %d of %d entries", n, size, total)
			}
		}
		if next != len(frequencies) || c.Begins[n] != next {
			t.Fatalf("%d of %d words", next, len(frequencies))
		}
	})
}

// Shifting a model forwards and backwards is adding and subtracting.
func TestModelShift(t *testing.T) {
	const words, topics = 12, 9
	rapid.Check(t, func(t *rapid.T) {
		count := rapid.Uint32Range(0, 6)
		var table, parts [3][words][topics]int32 // table[0] is the base; parts are changes
		frequencies := make([]uint64, words)
		for w := range words {
			for k := range topics {
				table[0][w][k] = int32(count.Draw(t, "count"))
				frequencies[w] += uint64(table[0][w][k])
				for p := range 2 {
					parts[p][w][k] = rapid.Int32Range(-table[0][w][k]/2, 3).Draw(t, "change")
				}
			}
		}
		if rapid.Bool().Draw(t, "sparse") {
			clear(frequencies) // no row is dense then
		}
		c := NewCut(frequencies, topics, 3)
		id := func(kind blob.Kind, part int) func(int) blob.ID {
			return func(slice int) blob.ID {
				return blob.ID{Kind: kind, Slice: uint32(slice), Part: uint32(part), Topics: topics}
			}
		}
		m := NewModel(c, topics)
		if err := m.Load(4, encodeTable(c, &table[0], id(blob.Counts, 0)), id(blob.Counts, 0), unnamed); err != nil {
			t.Fatal(err)
		}
		check := func(what string, want func(w, k int) int32) {
			t.Helper()
			for w := range words {
				var row [topics]int32
				for _, e := range m.AppendRow(nil, w) {
					row[e.Topic] = int32(e.Count)
				}
				for k := range topics {
					if row[k] != want(w, k) {
						t.Fatalf("%s: word %d topic %d: %d, want %d", what, w, k, row[k], want(w, k))
					}
				}
			}
			for k, n := range m.Totals {
				sum := int32(0)
				for w := range words {
					sum += want(w, k)
				}
				if n != uint64(sum) {
					t.Fatalf("%s: topic %d has %d tokens, want %d", what, k, n, sum)
				}
			}
		}
		base := func(w, k int) int32 { return table[0][w][k] }
		check("loaded", base)
		var g Merger
		open := func(slice int) (sources []Source) {
			for p := range 2 {
				d, err := blob.Open(encodeTable(c, &parts[p], id(blob.Changes, p))[slice], id(blob.Changes, p)(slice))
				if err != nil {
					t.Fatal(err)
				}
				sources = append(sources, Source{Decoder: d})
			}
			return sources
		}
		shift := func(sign int32) {
			for i := range m.slices {
				if err := g.Shift(m, i, open(i), sign, m.Totals); err != nil {
					t.Fatal(err)
				}
			}
		}
		var sum [words][topics]int32
		for w := range sum {
			for k := range sum[w] {
				sum[w][k] = table[0][w][k] + parts[0][w][k] + parts[1][w][k]
			}
		}
		for i, want := range encodeTable(c, &sum, id(blob.Counts, 0)) {
			var e blob.Encoder
			e.Begin(nil, id(blob.Counts, 0)(i))
			sums := NewStatistics(topics)
			err := g.Each(m, i, open(i), func(w uint32, row []counts.Entry) {
				e.Counts(w, row)
				sums.Add(row)
			})
			if got := e.Finish(); err != nil || !bytes.Equal(got, want) {
				t.Fatalf("slice %d with its changes: %v, or other bytes", i, err)
			}
			if !reflect.DeepEqual(sums, statisticsOf(c.Words[i], &sum)) {
				t.Fatalf("slice %d: statistics %v, want %v", i, sums, statisticsOf(c.Words[i], &sum))
			}
		}
		check("encoded", base)
		shift(1)
		check("forwards", func(w, k int) int32 { return table[0][w][k] + parts[0][w][k] + parts[1][w][k] })
		shift(-1)
		check("back", base)
	})
}

// statisticsOf counts the rows of some words of a table.
func statisticsOf(words []uint32, table *[12][9]int32) *Statistics {
	s := NewStatistics(len(table[0]))
	for _, w := range words {
		for k, n := range table[w] {
			s.Totals[k] += uint64(n)
			if n > 0 {
				s.Counted = append(s.Counted, make([]uint64, max(0, int(n)+1-len(s.Counted)))...)
				s.Counted[n]++
			}
		}
	}
	return s
}

// encodeTable writes a table of counts or changes as blobs.
func encodeTable[T [12][9]int32](c *Cut, table *T, id func(slice int) blob.ID) [][]byte {
	encoders := make([]blob.Encoder, len(c.Words))
	for i := range encoders {
		encoders[i].Begin(nil, id(i))
	}
	for w := range *table {
		var list []counts.Entry
		var changes []counts.Change
		for k, n := range (*table)[w] {
			if n != 0 {
				list = append(list, counts.Entry{Topic: uint32(k), Count: uint32(n)})
				changes = append(changes, counts.Change{Topic: uint32(k), Delta: n})
			}
		}
		e := &encoders[c.Slice[w]]
		if id(0).Kind == blob.Counts {
			e.Counts(uint32(w), list)
		} else {
			e.Changes(uint32(w), changes)
		}
	}
	blobs := make([][]byte, len(encoders))
	for i := range encoders {
		blobs[i] = encoders[i].Finish()
	}
	return blobs
}
