package blob

import (
	"bytes"
	"errors"
	"maps"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/topoi-lda/topoi/internal/counts"
)

// table is n_wk or a change of it, without zeros, by word and topic.
type table map[uint32]map[uint32]int64

func drawID(t *rapid.T, k Kind) ID {
	n := rapid.OneOf(rapid.Uint32Max(3), rapid.Uint32())
	return ID{
		Kind: k, Job: rapid.Uint64().Draw(t, "job"), Round: n.Draw(t, "round"), Slice: n.Draw(t, "slice"), Part: n.Draw(t, "part"),
		Topics: rapid.SampledFrom([]uint32{1, 2, 64, 65, 1000, 4097, 1 << 20}).Draw(t, "K"),
	}
}

// drawTable draws rows of small and huge words, gaps and values.
func drawTable(t *rapid.T, topics uint32, value *rapid.Generator[int64]) table {
	word := rapid.OneOf(rapid.Uint32Max(5), rapid.Uint32Max(1000), rapid.Uint32(), rapid.Just(uint32(math.MaxUint32)))
	topic := rapid.OneOf(rapid.Uint32Max(min(8, topics-1)), rapid.Uint32Max(topics-1), rapid.Just(topics-1))
	row := rapid.MapOfN(topic, value, 1, 20)
	return rapid.MapOfN(word, row, 0, 12).Draw(t, "rows")
}

func drawCounts(t *rapid.T, topics uint32) table {
	return drawTable(t, topics, rapid.OneOf(rapid.Int64Range(1, 5), rapid.Int64Range(1, math.MaxUint32)))
}

func drawChanges(t *rapid.T, topics uint32) table {
	v := rapid.OneOf(rapid.Int64Range(-3, 3), rapid.Int64Range(math.MinInt32, math.MaxInt32))
	return drawTable(t, topics, v.Filter(func(n int64) bool { return n != 0 }))
}

// encode writes a table as the blob id.
func encode(id ID, rows table) []byte {
	var e Encoder
	e.Begin(nil, id)
	for _, w := range slices.Sorted(maps.Keys(rows)) {
		var list []counts.Entry
		var changes []counts.Change
		for _, k := range slices.Sorted(maps.Keys(rows[w])) {
			list = append(list, counts.Entry{Topic: k, Count: uint32(rows[w][k])})
			changes = append(changes, counts.Change{Topic: k, Delta: int32(rows[w][k])})
		}
		if id.Kind == Counts {
			e.Counts(w, list)
		} else {
			e.Changes(w, changes)
		}
	}
	return e.Finish()
}

// decode reads a blob and checks its order and its numbers on the way.
func decode(t interface{ Fatalf(string, ...any) }, b []byte, id ID) table {
	d, err := Open(b, id)
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	rows, entries, last := table{}, 0, int64(-1)
	for d.Next() {
		row := map[uint32]int64{}
		if id.Kind == Changes {
			for _, x := range d.Changes(nil) {
				row[x.Topic] = int64(x.Delta)
			}
		} else {
			for _, x := range d.Counts(nil) {
				row[x.Topic] = int64(x.Count)
			}
		}
		entries += len(row)
		if int64(d.Word()) <= last {
			t.Fatalf("word %d after %d", d.Word(), last)
		}
		last = int64(d.Word())
		rows[d.Word()] = row
	}
	if d.Err() != nil || d.NumRows() != len(rows) || int(d.entries) != entries {
		t.Fatalf("%d of %d rows, %d of %d entries, %v", len(rows), d.NumRows(), entries, int(d.entries), d.Err())
	}
	return rows
}

func equal(a, b table) bool {
	return maps.EqualFunc(a, b, func(x, y map[uint32]int64) bool { return maps.Equal(x, y) })
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := drawID(t, rapid.SampledFrom([]Kind{Counts, Changes}).Draw(t, "kind"))
		rows := drawCounts(t, id.Topics)
		if id.Kind == Changes {
			rows = drawChanges(t, id.Topics)
		}
		b := encode(id, rows)
		if got, err := parse(b); got.ID != id || err != nil {
			t.Fatalf("parse gives %v, %v", got.ID, err)
		}
		if got := decode(t, b, id); !equal(got, rows) {
			t.Fatalf("got %v, want %v", got, rows)
		}
	})
}

// Adding tables as blobs is adding them number by number.
func TestApplyAndMerge(t *testing.T) {
	var s Summer // kept, so that a call that leaves something behind is found out
	rapid.Check(t, func(t *rapid.T) {
		id := drawID(t, Counts)
		change := id
		change.Kind = Changes
		// Few words and topics, so that blobs meet.
		base := drawTable(t, id.Topics, rapid.Int64Range(100, 110))
		want := table{}
		add := func(rows table) {
			for w, row := range rows {
				if want[w] == nil {
					want[w] = map[uint32]int64{}
				}
				for k, n := range row {
					if want[w][k] += n; want[w][k] == 0 {
						delete(want[w], k)
					}
				}
				if len(want[w]) == 0 {
					delete(want, w)
				}
			}
		}
		var parts [][]byte
		for range rapid.IntRange(0, 4).Draw(t, "parts") {
			v := rapid.Int64Range(-30, 30).Filter(func(n int64) bool { return n != 0 })
			rows := drawTable(t, id.Topics, v)
			add(rows)
			parts = append(parts, encode(change, rows))
		}
		merged, err := s.Merge(nil, change, open(t, parts, change))
		if err != nil || !equal(decode(t, merged, change), want) {
			t.Fatalf("merged into %v, want %v (%v)", decode(t, merged, change), want, err)
		}
		add(base)
		negative := false
		for _, row := range want {
			for _, n := range row {
				negative = negative || n < 0
			}
		}
		for _, changes := range [][][]byte{parts, {merged}} {
			d, _ := Open(encode(id, base), id)
			got, err := s.Apply([]byte("kept"), id, &d, open(t, changes, change))
			if negative {
				if !errors.Is(err, ErrIdentity) || string(got) != "kept" {
					t.Fatalf("%v with a negative count", err)
				}
				continue
			}
			if err != nil || string(got[:4]) != "kept" || !bytes.Equal(got[4:], encode(id, want)) {
				t.Fatalf("applied gives %v, want %v (%v)", decode(t, got[4:], id), want, err)
			}
		}
	})
}

func open(t *rapid.T, blobs [][]byte, id ID) []Decoder {
	var list []Decoder
	for _, b := range blobs {
		d, err := Open(b, id)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, d)
	}
	return list
}

// A model begins with changes alone, and an empty one is a blob too.
func TestApplyWithoutBase(t *testing.T) {
	id := ID{Kind: Counts, Topics: 9}
	change := ID{Kind: Changes, Topics: 9}
	first, _ := Open(encode(change, table{3: {0: 5, 8: 1}}), change)
	none, _ := Open(encode(change, nil), change)
	var s Summer
	got, err := s.Apply(nil, id, nil, []Decoder{first, none})
	if want := encode(id, table{3: {0: 5, 8: 1}}); err != nil || !bytes.Equal(got, want) {
		t.Errorf("got % x, %v", got, err)
	}
}
