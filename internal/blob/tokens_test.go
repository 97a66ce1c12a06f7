package blob

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Tokens come back as they were written, of any number of topics, alone and joined.
func TestTokens(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := drawID(t, Tokens)
		id.Topics = rapid.SampledFrom([]uint32{1, 300, 1 << 16, 1<<16 + 1, 1 << 24, 1<<24 + 1, 1<<32 - 1}).Draw(t, "topics")
		z := rapid.SliceOfN(rapid.OneOf(rapid.Uint32Max(id.Topics-1), rapid.Just(id.Topics-1)), 1, 20)
		want := rapid.MapOfN(rapid.Uint32Max(100), z, 0, 10).Draw(t, "tokens")
		words := slices.Sorted(maps.Keys(want))
		half := len(words) / 2
		var e, rest Encoder
		e.Begin(nil, id)
		rest.Begin(nil, id)
		for i, w := range words {
			if i < half {
				e.Tokens(w, want[w])
			} else {
				rest.Tokens(w, want[w])
			}
		}
		e.Tokens(101, nil)
		e.Join(&rest)
		d, err := Open(e.Finish(), id)
		if err != nil {
			t.Fatal(err)
		}
		got, n := map[uint32][]uint32{}, 0
		for d.Next() {
			got[d.Word()] = d.Tokens([]uint32{7})[1:]
			n += len(got[d.Word()])
		}
		if d.Err() != nil || !maps.EqualFunc(got, want, slices.Equal) || d.NumEntries() != n {
			t.Fatalf("%v, %v, want %v", got, d.Err(), want)
		}
	})
}

// Rows of tokens that no encoder writes.
func TestTokensDamage(t *testing.T) {
	id := ID{Kind: Tokens, Topics: 70000}
	for rows, want := range map[string]string{
		"\x00\x02\x01\x02":                     "a row of tokens is cut short",
		"\x00\x00\x03\x01\x02\x03":             "a dense row has other bits than values",
		"\x00\x03\xff\xff\xff":                 "a topic is too large",
		"\x00\x06\x01\x00\x00\x70\x11\x01":     "a topic is too large", // 70,000
		"\x00\x03\x01\x00\x00\x00\x03\x01\x00": "a row does not fit",
	} {
		d, err := Open(wrapped(id, []byte(rows)), id)
		if err != nil {
			t.Fatal(err)
		}
		for d.Next() {
			if z := d.Tokens(nil); d.Err() != nil && len(z) > 0 {
				t.Errorf("%q gives %d topics", rows, z)
			}
		}
		if !errors.Is(d.Err(), ErrDamaged) || !strings.Contains(d.Err().Error(), want) {
			t.Errorf("%q: %v, want %q", rows, d.Err(), want)
		}
	}
}
