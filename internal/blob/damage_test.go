package blob

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"
)

// Every cut and every flipped bit is noticed, each with one sentence.
func TestDamage(t *testing.T) {
	id := ID{Kind: Counts, Job: 7, Round: 3, Slice: 1, Topics: 500}
	whole := encode(id, table{0: {1: 1, 77: 3}, 9: {499: 1 << 20}})
	for n := range whole {
		if _, err := Open(whole[:n], id); !errors.Is(err, ErrDamaged) {
			t.Errorf("%d of %d bytes: %v", n, len(whole), err)
		}
		for bit := range 8 {
			b := bytes.Clone(whole)
			b[n] ^= 1 << bit
			if _, err := Open(b, id); !errors.Is(err, ErrDamaged) {
				t.Errorf("bit %d of byte %d: %v", bit, n, err)
			}
		}
	}
	if _, err := Open(append(whole, 0), id); !errors.Is(err, ErrDamaged) {
		t.Errorf("a byte too many: %v", err)
	}
}

func TestMessages(t *testing.T) {
	id := ID{Kind: Counts, Job: 0xabc, Round: 3, Slice: 1, Topics: 500}
	whole := encode(id, table{0: {1: 1}})
	old := resealed(whole, func(b []byte) { b[4] = 9 })
	kind := resealed(whole, func(b []byte) { b[5] = 7 })
	for _, c := range []struct {
		b    []byte
		want string
	}{
		{nil, "damaged blob: it does not begin as a blob does"},
		{[]byte("hello world"), "damaged blob: it does not begin as a blob does"},
		{whole[:20], "damaged blob: it is cut short: only 20 bytes are there"},
		{whole[:len(whole)-1], "damaged blob: it should hold 3 bytes of rows and holds 2"},
		{append(bytes.Clone(whole[:len(whole)-1]), 0), "damaged blob: the checksum does not match"},
		{old, "damaged blob: it has version 9 and this program reads version 1: run the same program everywhere"},
		{kind, "damaged blob: it is of unknown kind 7"},
		{whole, "another blob than expected: it holds counts of job 0000000000000abc, round 3, slice 1, part 0, 500 topics," +
			" where changes of job 0000000000000abc, round 4, slice 1, part 0, 500 topics was expected"},
	} {
		_, err := Open(c.b, ID{Kind: Changes, Job: 0xabc, Round: 4, Slice: 1, Topics: 500})
		if err == nil || err.Error() != c.want {
			t.Errorf("got  %v\nwant %s", err, c.want)
		}
	}
}

// resealed returns a changed copy of a blob with the right checksum.
func resealed(b []byte, change func([]byte)) []byte {
	b = bytes.Clone(b)
	change(b)
	body := len(b) - digestBytes
	binary.LittleEndian.PutUint64(b[body:], xxh3.Hash(b[:body]))
	return b
}

// rows wraps the bytes of rows in a header and a checksum that are right.
func wrapped(id ID, rows []byte) []byte {
	b := append(appendHeader(nil, id), rows...)
	binary.LittleEndian.PutUint64(b[48:], uint64(len(rows)))
	return binary.LittleEndian.AppendUint64(b, xxh3.Hash(b))
}

// Rows that no encoder writes, in a blob that is otherwise right.
func TestBrokenRows(t *testing.T) {
	id := ID{Kind: Counts, Topics: 10}
	for name, c := range map[string]struct {
		rows string
		want string
	}{
		"no length":        {"\x00", "a row does not fit"},
		"too long":         {"\x00\x05\x01", "a row does not fit"},
		"empty":            {"\x00\x00", "a row does not fit"},
		"word gap":         {"\xff\xff\xff\xff\x10\x01\x01", "a row does not fit"},
		"endless number":   {strings.Repeat("\xff", 12), "a row does not fit"},
		"cut entry":        {"\x00\x01\x80", "an entry is cut short"},
		"no count":         {"\x00\x01\x00", "a count is cut short or too large"},
		"count too large":  {"\x00\x06\x00\xfc\xff\xff\xff\x0f", "a count is cut short or too large"},
		"topic too large":  {"\x00\x01\x29", "a topic is too large"},
		"second too large": {"\x00\x02\x25\x01", "a topic is too large"},
	} {
		d, err := Open(wrapped(id, []byte(c.rows)), id)
		if err != nil {
			t.Fatal(name, err)
		}
		for d.Next() {
			d.Counts(nil)
		}
		if !errors.Is(d.Err(), ErrDamaged) || !strings.Contains(d.Err().Error(), c.want) {
			t.Errorf("%s: %v", name, d.Err())
		}
		d, _ = Open(wrapped(id, []byte(c.rows)), id)
		if got, err := new(Summer).Apply([]byte("x"), id, &d, nil); !errors.Is(err, ErrDamaged) || string(got) != "x" {
			t.Errorf("%s: Apply returns %q, %v", name, got, err)
		}
	}
}

// FuzzDecoder feeds arbitrary rows: the decoder must end without a panic, keep
// its promises about order, and what it accepts must encode to a blob that reads
// the same.
func FuzzDecoder(f *testing.F) {
	id := ID{Kind: Changes, Topics: 300}
	f.Add(encode(id, table{1: {2: -3}, 70: {0: 1, 299: 4000}})[headerBytes:])
	f.Add([]byte("\x00\x02\x01\x01\x03\x01\xff"))
	dense := map[uint32]int64{}
	for k := range uint32(60) {
		dense[k*k%300] = int64(k) - 70
	}
	f.Add(encode(id, table{3: dense, 4: {9: 9}})[headerBytes:])
	f.Fuzz(func(t *testing.T, rows []byte) {
		d, err := Open(wrapped(id, rows), id)
		if err != nil {
			t.Fatal(err)
		}
		var e Encoder
		e.Begin(nil, id)
		got := table{}
		for d.Next() {
			row := d.Changes(nil)
			if d.Err() != nil {
				return
			}
			e.Changes(d.Word(), row) // panics if the order is wrong
			sum, totals := make([]int32, id.Topics), make([]uint64, id.Topics)
			d.AddTo(sum, totals, 1)
			for _, x := range row {
				sum[x.Topic] -= x.Delta
			}
			if slices.ContainsFunc(sum, func(n int32) bool { return n != 0 }) {
				t.Errorf("% x: a row is added as another than it is listed", rows)
			}
			got[d.Word()] = map[uint32]int64{}
			for _, x := range row {
				got[d.Word()][x.Topic] = int64(x.Delta)
			}
		}
		if d.Err() == nil && !equal(decode(t, e.Finish(), id), got) {
			t.Errorf("% x does not come back", rows)
		}
	})
}

// FuzzOpen feeds arbitrary bytes.
func FuzzOpen(f *testing.F) {
	id := ID{Kind: Counts, Topics: 300}
	f.Add(encode(id, table{1: {2: 3}, 70: {0: 1, 299: 4000}}))
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, b []byte) {
		if h, err := parse(b); err == nil {
			if _, err := Open(b, h.ID); err != nil {
				t.Error(err)
			}
		}
	})
}
