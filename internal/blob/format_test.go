package blob

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi/internal/counts"
)

// sealed returns bytes with their checksum.
func sealed(b []byte) []byte { return binary.LittleEndian.AppendUint64(b, xxh3.Hash(b)) }

// headerOf returns the header of a blob as the package comment describes it.
func headerOf(kind byte, rows uint32, entries, length uint64) []byte {
	le := binary.LittleEndian
	b := append([]byte("\x89tpb"), 1, kind, 0, 0)
	b = le.AppendUint64(b, 0x1122334455667788)
	for _, n := range []uint32{7, 5, 3, 60} { // round, slice, part, topics
		b = le.AppendUint32(b, n)
	}
	b = le.AppendUint32(le.AppendUint32(b, rows), 0)
	return le.AppendUint64(le.AppendUint64(b, entries), length)
}

func formatID(kind Kind) ID {
	return ID{Kind: kind, Job: 0x1122334455667788, Round: 7, Slice: 5, Part: 3, Topics: 60}
}

// A blob has the bytes that the package comment describes.
func TestFormat(t *testing.T) {
	var e Encoder
	e.Begin([]byte("before"), formatID(Counts))
	e.Counts(2, []counts.Entry{{Topic: 0, Count: 1}, {Topic: 3, Count: 3}, {Topic: 40, Count: 2}, {Topic: 41, Count: 300}})
	e.Counts(3, nil)
	e.Counts(200, []counts.Entry{{Topic: 59, Count: 4}})
	rows := []byte{
		2, 7, // word 2, 7 bytes
		1,       // topic 0 once
		4*2 + 3, // two topics skipped, 3 times
		0x92, 1, // 4 · 36 + 2 in two bytes
		0,       // the next topic, more than 3 times
		0xa8, 2, // 300 - 4 in two bytes
		0xc5, 1, // 197 words skipped
		3,          // bytes
		0xec, 1, 0, // 4 · 59, and 4 - 4
	}
	want := append([]byte("before"), sealed(append(headerOf(1, 2, 5, uint64(len(rows))), rows...))...)
	if got := e.Finish(); !bytes.Equal(got, want) {
		t.Errorf("counts:\n% x, want\n% x", got, want)
	}
	e.Begin(nil, formatID(Changes))
	e.Changes(0, []counts.Change{
		{Topic: 1, Delta: -1}, {Topic: 2, Delta: 1}, {Topic: 3, Delta: -2}, {Topic: 4, Delta: 2}, {Topic: 5, Delta: -200},
	})
	var many []counts.Change
	for k := range uint32(8) { // an eighth of 60 topics
		many = append(many, counts.Change{Topic: 8 * k / 2 * 2, Delta: int32(k) - 9})
	}
	many[7] = counts.Change{Topic: 59, Delta: 127}
	e.Changes(1, many)
	rows = []byte{
		0, 7, // word 0
		4 + 1, 2, 3, 0, 0, 0, 0x8b, 3, // zigzag 1, 2, 3, 4 and 399
		0, 0, 16, // word 1, dense, 8 bytes of bits and 8 values
		1, 1, 1, 1, 1, 1, 1, 8,
		0xf7, 0xf8, 0xf9, 0xfa, 0xfb, 0xfc, 0xfd, 127,
	}
	rows[1] = 8
	want = sealed(append(headerOf(2, 2, 13, uint64(len(rows))), rows...))
	if got := e.Finish(); !bytes.Equal(got, want) {
		t.Errorf("changes:\n% x, want\n% x", got, want)
	}
	want = sealed(append(headerOf(4, 0, 2, 8), 1, 0, 0, 0, 0, 1, 0, 0))
	if got := EncodeTotals(formatID(Totals), []uint64{1, 256}); !bytes.Equal(got, want) {
		t.Errorf("totals: % x", got)
	}
	want = sealed(append(headerOf(5, 0, 4, 5), 0x80, 2, 1, 0, 9))
	if got := EncodeStatistics(formatID(Statistics), []uint64{256, 1}, []uint64{0, 9}); !bytes.Equal(got, want) {
		t.Errorf("statistics: % x", got)
	}
}

// Topics and histograms have the bytes that their comments describe.
func TestFormatOfParts(t *testing.T) {
	id := PartID{Job: 0x1122334455667788, Part: 3, Round: 7}
	head := []byte{0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11, 3, 0, 0, 0, 7, 0, 0, 0}
	for k, want := range map[int][]byte{
		1 << 16:   {2, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0xff, 0xff},
		1<<16 + 1: {2, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0, 0xff, 0xff, 0, 0},
	} {
		want := sealed(append(slices.Clone(head), want...))
		if got := EncodeTopics(id, []uint32{1, 1<<16 - 1}, k); !bytes.Equal(got, want) {
			t.Errorf("%d topics:\n% x, want\n% x", k, got, want)
		}
		var b bytes.Buffer
		if err := WriteTopics(&b, id, 2, func(f func([]uint32) error) error {
			return errors.Join(f([]uint32{1}), f(nil), f([]uint32{1<<16 - 1}))
		}, k); err != nil || !bytes.Equal(b.Bytes(), want) {
			t.Errorf("%d topics, written in pieces: %v\n% x, want\n% x", k, err, b.Bytes(), want)
		}
	}
	got, err := EncodeNarrowTopics(id, 2, func(z []uint16) (bool, error) {
		z[0], z[1] = 1, 1<<16-1
		return true, nil
	})
	if err != nil || !bytes.Equal(got, EncodeTopics(id, []uint32{1, 1<<16 - 1}, 9)) {
		t.Errorf("narrow topics: %v\n% x", err, got)
	}
	got, err = EncodeNarrowTopics(id, 2, func([]uint16) (bool, error) { return false, nil })
	if got != nil || err != nil {
		t.Errorf("topics that are not narrow: % x, %v", got, err)
	}
	got, err = EncodeNarrowTopics(id, 2, func([]uint16) (bool, error) { return true, io.EOF })
	if got != nil || !errors.Is(err, io.EOF) {
		t.Errorf("topics that cannot be had: % x, %v", got, err)
	}
	h := &counts.Histograms{
		DocLengths: []uint64{0, 300}, Topic: [][]uint32{{0, 1}, nil}, Groups: []counts.Bin{{Cell: 1, N: 2, Times: 200}},
	}
	want := sealed(append(slices.Clone(head), 2, 0, 0xac, 2, 2, 0, 1, 0, 1, 2, 0xc8, 1))
	if got := EncodeHistograms(id, h); !bytes.Equal(got, want) {
		t.Errorf("histograms:\n% x, want\n% x", got, want)
	}
}

// full takes so many writes.
type full struct{ left int }

func (f *full) Write(b []byte) (int, error) {
	if f.left--; f.left < 0 {
		return 0, io.ErrShortWrite
	}
	return len(b), nil
}

// A disk that is full is told at every write of topics, and what keeps topics from coming too.
func TestWriteTopicsFaults(t *testing.T) {
	each := func(f func([]uint32) error) error {
		if err := f(make([]uint32, 1<<16)); err != nil {
			return err
		}
		return f(make([]uint32, 1<<16+1))
	}
	const n = 1<<17 + 1
	for writes := range 6 { // the header, three pieces, and the checksum
		err := WriteTopics(&full{writes}, PartID{}, n, each, 5)
		if (err == nil) != (writes == 5) {
			t.Errorf("after %d writes: %v", writes, err)
		}
	}
	broken := func(func([]uint32) error) error { return io.ErrClosedPipe }
	if err := WriteTopics(io.Discard, PartID{}, n, broken, 5); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("topics that cannot be had: %v", err)
	}
}

// Topics in a blob with the right checksum are refused where they are of another part, wider, too many or too large.
func TestDecodeTopicsFaults(t *testing.T) {
	id := PartID{Job: 9, Part: 3, Round: 7}
	whole := EncodeTopics(id, []uint32{4, 0}, 5)
	z := make([]uint32, 2)
	if err := DecodeTopics(z, whole, id, 5); err != nil || !slices.Equal(z, []uint32{4, 0}) {
		t.Fatalf("%v, %v", z, err)
	}
	if err := DecodeTopics(z, whole, id, 4); !errors.Is(err, ErrDamaged) {
		t.Errorf("topic 4 of 4: %v", err)
	}
	if err := DecodeTopics(make([]uint32, 1), whole, id, 5); !errors.Is(err, ErrDamaged) {
		t.Errorf("one token more than expected: %v", err)
	}
	for name, other := range map[string]PartID{"job": {8, 3, 7}, "part": {9, 2, 7}, "round": {9, 3, 6}} {
		if err := DecodeTopics(z, whole, other, 5); !errors.Is(err, ErrDamaged) {
			t.Errorf("another %s: %v", name, err)
		}
	}
	wider := resealed(whole, func(b []byte) { b[20] = 4 })
	if err := DecodeTopics(z, wider, id, 5); !errors.Is(err, ErrDamaged) {
		t.Errorf("another width: %v", err)
	}
}

// Histograms are refused where they are cut, of another part, or do not end with a whole bin.
func TestDecodeHistogramsFaults(t *testing.T) {
	id := PartID{Job: 9, Part: 3, Round: 7}
	h := &counts.Histograms{
		DocLengths: []uint64{0, 1}, Topic: [][]uint32{{0, 1}}, Groups: []counts.Bin{{Cell: 1, N: 1, Times: 1}},
	}
	whole := EncodeHistograms(id, h)
	body := whole[:len(whole)-8]
	for n := range body {
		got, err := DecodeHistograms(whole[:n], id, 1)
		if got != nil || !errors.Is(err, ErrDamaged) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	for name, b := range map[string][]byte{
		"a bin without its times": sealed(slices.Clone(body[:len(body)-1])),
		"a bin with a half":       sealed(append(slices.Clone(body), 1)),
		"a number that goes on":   sealed(append(slices.Clone(body), 1, 1, 0x80)),
		"a bin of no documents":   sealed(append(slices.Clone(body), 1, 1, 0)),
	} {
		if _, err := DecodeHistograms(b, id, 1); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, other := range map[string]PartID{"job": {8, 3, 7}, "part": {9, 2, 7}, "round": {9, 3, 6}} {
		if _, err := DecodeHistograms(whole, other, 1); !errors.Is(err, ErrDamaged) {
			t.Errorf("another %s: %v", name, err)
		}
	}
	long := sealed(append(slices.Clone(whole[:16]), 0xff, 0xff, 0xff, 0xff, 0x0f, 1)) // a list longer than all there is
	if got, err := DecodeHistograms(long, id, 0); err != nil || len(got.DocLengths) != 1 {
		t.Errorf("a list that says it is longer than the blob: %v, %v", got, err)
	}
	nothing := EncodeHistograms(id, &counts.Histograms{})
	if got, err := DecodeHistograms(nothing, id, 0); err != nil || len(got.DocLengths) > 0 {
		t.Errorf("no histograms: %+v, %v", got, err)
	}
}

// panics reports whether f does.
func panics(f func()) (yes bool) {
	defer func() { yes = recover() != nil }()
	f()
	return false
}

// Rows that a blob cannot hold are mistakes of the program.
func TestEncoderMisuse(t *testing.T) {
	id := ID{Kind: Counts, Topics: 5}
	change := ID{Kind: Changes, Topics: 5}
	wide := ID{Kind: Counts, Topics: 1 << 20}
	one := []counts.Entry{{Topic: 1, Count: 1}}
	twice := func(delta int32) []counts.Change {
		return []counts.Change{{Topic: 1, Delta: delta}, {Topic: 1, Delta: 1}}
	}
	for name, c := range map[string]struct {
		id ID
		f  func(e *Encoder)
	}{
		"changes in counts":     {id, func(e *Encoder) { e.Changes(0, nil) }},
		"counts in changes":     {change, func(e *Encoder) { e.Counts(0, nil) }},
		"by topic in counts":    {id, func(e *Encoder) { e.ChangesByTopic(0, make([]int32, 5), nil, nil) }},
		"a word twice":          {id, func(e *Encoder) { e.Counts(1, one); e.Counts(1, one) }},
		"a topic twice":         {id, func(e *Encoder) { e.Counts(0, append(one, one...)) }},
		"topic K":               {id, func(e *Encoder) { e.Counts(0, []counts.Entry{{Topic: 5, Count: 1}}) }},
		"a count of 0":          {id, func(e *Encoder) { e.Counts(0, []counts.Entry{{Topic: 1}}) }},
		"wide: topic K":         {wide, func(e *Encoder) { e.Counts(0, []counts.Entry{{Topic: 1 << 20, Count: 1}}) }},
		"wide: a count of 0":    {wide, func(e *Encoder) { e.Counts(0, []counts.Entry{{Topic: 1}}) }},
		"wide: a topic twice":   {wide, func(e *Encoder) { e.Counts(0, append(one, one...)) }},
		"a dense topic twice":   {change, func(e *Encoder) { e.Changes(0, twice(1)) }},
		"a large change of K":   {change, func(e *Encoder) { e.Changes(0, []counts.Change{{Topic: 5, Delta: 500}}) }},
		"a large change, twice": {change, func(e *Encoder) { e.Changes(0, twice(500)) }},
	} {
		var e Encoder
		e.Begin(nil, c.id)
		if !panics(func() { c.f(&e) }) {
			t.Errorf("%s is written", name)
		}
	}
	var e Encoder
	e.Begin(nil, id)
	e.Counts(math.MaxUint32, []counts.Entry{{Topic: 4, Count: math.MaxUint32}}) // the last of everything
	d, err := Open(e.Finish(), id)
	if err != nil || !d.Next() || d.Word() != math.MaxUint32 ||
		!slices.Equal(d.Counts(nil), []counts.Entry{{Topic: 4, Count: math.MaxUint32}}) {
		t.Errorf("the last word, topic and count: %v, %v", err, d.Err())
	}
}

// Sums of blobs are refused where they are of the wrong kinds or topics, fall below 0, or do not fit.
func TestSummerFaults(t *testing.T) {
	id, change := ID{Kind: Counts, Topics: 5}, ID{Kind: Changes, Topics: 5}
	var s Summer
	if !panics(func() { _, _ = s.Apply(nil, change, nil, nil) }) || !panics(func() { _, _ = s.Merge(nil, id, nil) }) {
		t.Error("a blob of the wrong kind is made")
	}
	of := func(id ID, rows table) Decoder {
		d, err := Open(encode(id, rows), id)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	larger := change
	larger.Topics = 6
	if !panics(func() { _, _ = new(Summer).Merge(nil, change, []Decoder{of(larger, table{0: {0: 1}})}) }) {
		t.Error("blobs of different topics are added")
	}
	most, least := int64(math.MaxInt32), int64(math.MinInt32)
	for _, c := range []struct {
		a, b int64
		fits bool
	}{{most - 1, 1, true}, {most, 1, false}, {least + 1, -1, true}, {least, -1, false}} {
		got, err := s.Merge([]byte("x"), change, []Decoder{of(change, table{3: {4: c.a}}), of(change, table{3: {4: c.b}})})
		if (err == nil) != c.fits || !c.fits && (!errors.Is(err, ErrDamaged) || string(got) != "x") {
			t.Errorf("%d and %d: %v", c.a, c.b, err)
		}
	}
	for _, c := range []struct {
		base, more int64
		fits       bool
	}{{2, -2, true}, {2, -3, false}, {math.MaxUint32 - 1, 1, true}, {math.MaxUint32, 1, false}} {
		base := of(id, table{3: {4: c.base}})
		got, err := s.Apply([]byte("x"), id, &base, []Decoder{of(change, table{3: {4: c.more}})})
		if (err == nil) != c.fits || !c.fits && (!errors.Is(err, ErrIdentity) || string(got) != "x") {
			t.Errorf("%d and %d: %v", c.base, c.more, err)
		}
		if got, err := s.Apply(nil, id, nil, nil); err != nil || !bytes.Equal(got, encode(id, nil)) {
			t.Errorf("a fault before leaves something behind: %v", err)
		}
	}
}

// Changes are numbered by their size, negative ones first.
func TestZigzag(t *testing.T) {
	for d, want := range map[int32]uint32{
		0: 0, -1: 1, 1: 2, -2: 3, 2: 4, math.MaxInt32: math.MaxUint32 - 1, math.MinInt32: math.MaxUint32,
	} {
		if got := zigzag(d); got != want || unzigzag(want) != d {
			t.Errorf("%d is %d, want %d; back it is %d", d, got, want, unzigzag(want))
		}
	}
}

// Numbers of up to 28 bits are written and read as package binary does it.
func TestWideNumbers(t *testing.T) {
	for _, x := range []uint32{0, 1, 127, 128, 1<<14 - 1, 1 << 14, 1<<21 - 1, 1 << 21, 1<<28 - 1} {
		want := binary.AppendUvarint(nil, uint64(x))
		b := bytes.Repeat([]byte{0xff}, 16)
		if at := putWide(b, 3, x); at != 3+len(want) || !bytes.Equal(b[3:at], want) {
			t.Errorf("%d is % x, want % x", x, b[3:at], want)
		}
		got, n := getWide(binary.LittleEndian.Uint64(append(want, 1, 2, 3, 4, 5, 6, 7)))
		if uint32(got) != x || n != len(want) {
			t.Errorf("%d is read as %d of %d bytes", x, got, n)
		}
	}
	if _, n := getWide(binary.LittleEndian.Uint64(binary.AppendUvarint([]byte{}, 1<<60))); n <= most {
		t.Errorf("a number of 61 bits has %d bytes", n)
	}
}

// A set of topics comes back in order, each once, and is empty then.
func TestTopicSet(t *testing.T) {
	var s topicSet
	s.resize(10_000)
	for range 2 {
		want := []uint32{0, 1, 63, 64, 4095, 4096, 8191, 9999}
		for _, k := range slices.Backward(want) {
			s.add(k)
			s.add(k)
		}
		var got []uint32
		s.drain(func(k uint32) { got = append(got, k) })
		if !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	}
	if s.drain(func(k uint32) { t.Errorf("%d is left", k) }); len(s.low) != 157 || len(s.high) != 3 {
		t.Errorf("bitmaps of %d and %d", len(s.low), len(s.high))
	}
}

// Rows with a count of changes below K/8, or with one change that is not small, are lists; others are dense.
func TestDenseRows(t *testing.T) {
	for _, c := range []struct {
		topics, n int
		largest   int32
		dense     bool
	}{
		{80, 10, 127, true},
		{80, 9, 127, false},
		{80, 10, 128, false},
		{80, 10, -127, true},
		{80, 10, -128, false},
		{1, 1, 1, true},
	} {
		id := ID{Kind: Changes, Topics: uint32(c.topics)}
		var row []counts.Change
		for k := range c.n {
			row = append(row, counts.Change{Topic: uint32(k), Delta: 1})
		}
		row[c.n-1].Delta = c.largest
		var e Encoder
		e.Begin(nil, id)
		e.Changes(4, row)
		if e.Place().dense != c.dense || isSmall(row) != (c.largest > -128 && c.largest < 128) {
			t.Errorf("%+v: dense is %v", c, e.Place().dense)
		}
		d, err := Open(e.Finish(), id)
		if err != nil || !d.Next() || d.NumRows() != 1 || !slices.Equal(d.Changes(nil), row) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	change := ID{Kind: Changes, Topics: 12}
	d, err := Open(wrapped(change, []byte{0, 0, 2, 0, 0}), change) // word 0, dense, with no bit set
	if err != nil || d.Next() || !errors.Is(d.Err(), ErrDamaged) {
		t.Errorf("a dense row of nothing: %v, %v", err, d.Err())
	}
	for topics, want := range map[uint32]int{0: 0, 1: 1, 8: 1, 9: 2, math.MaxUint32: 1 << 29} {
		if got := denseBits(topics); got != want {
			t.Errorf("%d topics have %d bytes of bits", topics, got)
		}
	}
	if got := setBits([]byte{1, 3, 7, 15, 31, 63, 127, 255, 1, 128}); got != 38 {
		t.Errorf("%d bits are set", got)
	}
	if n, small := packDenseGo(make([]byte, 1), make([]byte, 9), []int32{0, math.MinInt32}); n != 1 || small {
		t.Errorf("the least number is small: %v", small)
	}
}

// A kind has a name for messages.
func TestKinds(t *testing.T) {
	for kind, want := range map[Kind]string{
		Counts: "counts", Changes: "changes", Totals: "totals", Statistics: "statistics", 3: "kind 3",
	} {
		if got := fmt.Sprint(kind); got != want {
			t.Errorf("kind %d is %q", uint8(kind), got)
		}
	}
	zero := resealed(encode(ID{Kind: Counts}, nil), func(b []byte) { b[5] = 0 })
	if _, err := parse(zero); !errors.Is(err, ErrDamaged) {
		t.Errorf("kind 0: %v", err)
	}
	if _, err := parse(encode(ID{Kind: Counts}, nil)[:headerBytes+digestBytes-1]); !errors.Is(err, ErrDamaged) {
		t.Errorf("a byte too few: %v", err)
	}
}
