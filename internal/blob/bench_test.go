package blob

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/klauspost/compress/s2"

	"github.com/topoi-lda/topoi/internal/counts"
)

// The benchmarks use rows as training leaves them at K = 1000: word w of V = 20,000
// occurs 2,000,000/(w + 10) times (Zipf), nine tenths of its tokens in topics of
// its own (few for rare words, at most 60), the rest anywhere; a part changes one token in
// fifty.
//
// Sizes, raw entries being 8 bytes:
//
//	two uvarints                     2.02 bytes an entry
//	one uvarint, as here             1.45
//	the same through S2              1.39
//
// Decoding gives about 0.9 GB/s of raw entries on one busy core. S2 would
// save 4 % of the bytes and, at 0.7 GB/s for both ways, take longer over it than
// a network of 1 GB/s takes over all of them; so there is none.

const (
	benchWords  = 20_000
	benchTopics = 1000
)

func benchRows() (rows [][]counts.Entry, changes [][]counts.Change) {
	r := rand.New(rand.NewPCG(1, 2))
	for w := range benchWords {
		tokens := 2_000_000 / (w + 10)
		own := make([]int, 1+min(tokens/20, 59))
		for i := range own {
			own[i] = r.IntN(benchTopics)
		}
		var n, d [benchTopics]int
		topic := func() int {
			if r.IntN(10) == 0 {
				return r.IntN(benchTopics)
			}
			return own[r.IntN(1+r.IntN(len(own)))]
		}
		for i := range tokens {
			k := topic()
			n[k]++
			if i%50 == w%50 {
				d[k]--
				d[topic()]++
			}
		}
		var row []counts.Entry
		var change []counts.Change
		for k := range n {
			if n[k] > 0 {
				row = append(row, counts.Entry{Topic: uint32(k), Count: uint32(n[k])})
			}
			if d[k] != 0 {
				change = append(change, counts.Change{Topic: uint32(k), Delta: int32(d[k])})
			}
		}
		rows, changes = append(rows, row), append(changes, change)
	}
	return rows, changes
}

func benchBlob(e *Encoder, dst []byte, id ID, rows [][]counts.Entry) []byte {
	e.Begin(dst, id)
	for w, row := range rows {
		e.Counts(uint32(w), row)
	}
	return e.Finish()
}

func entriesOf(rows [][]counts.Entry) int {
	n := 0
	for _, row := range rows {
		n += len(row)
	}
	return n
}

var benchID = ID{Kind: Counts, Topics: benchTopics}

func BenchmarkEncode(b *testing.B) {
	rows, _ := benchRows()
	var e Encoder
	var out []byte
	b.SetBytes(int64(8 * entriesOf(rows)))
	b.ReportAllocs()
	for b.Loop() {
		out = benchBlob(&e, out[:0], benchID, rows)
	}
	b.ReportMetric(float64(len(out))/float64(entriesOf(rows)), "bytes/entry")
}

func BenchmarkDecode(b *testing.B) {
	rows, _ := benchRows()
	in := benchBlob(new(Encoder), nil, benchID, rows)
	b.SetBytes(int64(8 * entriesOf(rows)))
	b.ReportAllocs()
	row := make([]counts.Entry, 0, benchTopics)
	for b.Loop() {
		d, err := Open(in, benchID)
		if err != nil {
			b.Fatal(err)
		}
		for d.Next() {
			row = d.Counts(row[:0])
		}
	}
}

func BenchmarkDecodeChanges(b *testing.B) {
	_, changes := benchRows()
	id := ID{Kind: Changes, Topics: benchTopics}
	var e Encoder
	entries := 0
	e.Begin(nil, id)
	for w, row := range changes {
		e.Changes(uint32(w), row)
		entries += len(row)
	}
	in := e.Finish()
	b.SetBytes(int64(8 * entries))
	row := make([]counts.Change, 0, benchTopics)
	for b.Loop() {
		d, err := Open(in, id)
		if err != nil {
			b.Fatal(err)
		}
		for d.Next() {
			row = d.Changes(row[:0])
		}
	}
	b.ReportMetric(float64(len(in))/float64(entries), "bytes/entry")
}

// BenchmarkApply adds the changes of four parts to counts.
func BenchmarkApply(b *testing.B) {
	rows, changes := benchRows()
	in := benchBlob(new(Encoder), nil, benchID, rows)
	id := ID{Kind: Changes, Topics: benchTopics}
	var e Encoder
	e.Begin(nil, id)
	for w, row := range changes {
		if w%10 > 0 { // a part does not hold every word
			e.Changes(uint32(w), slices.DeleteFunc(row, func(x counts.Change) bool { return x.Delta < 0 }))
		}
	}
	part := e.Finish()
	var s Summer
	var out []byte
	b.SetBytes(int64(8 * entriesOf(rows)))
	b.ReportAllocs()
	for b.Loop() {
		base, _ := Open(in, benchID)
		var parts []Decoder
		for range 4 {
			d, _ := Open(part, id)
			parts = append(parts, d)
		}
		var err error
		if out, err = s.Apply(out[:0], benchID, &base, parts); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkAlternatives measures the sizes of the table above.
func BenchmarkAlternatives(b *testing.B) {
	rows, _ := benchRows()
	blob := benchBlob(new(Encoder), nil, benchID, rows)
	var plain []byte
	for _, row := range rows {
		last := uint32(0)
		for _, x := range row {
			plain = binary.AppendUvarint(plain, uint64(x.Topic-last))
			plain = binary.AppendUvarint(plain, uint64(x.Count))
			last = x.Topic
		}
	}
	n := float64(entriesOf(rows))
	var packed, back []byte
	b.SetBytes(int64(len(blob)))
	for b.Loop() {
		packed = s2.Encode(packed, blob)
		back, _ = s2.Decode(back, packed)
	}
	b.ReportMetric(float64(len(plain))/n, "plain-bytes/entry")
	b.ReportMetric(float64(len(packed))/n, "s2-bytes/entry")
}
