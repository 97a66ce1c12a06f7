package blob

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/topoi-lda/topoi/internal/counts"
)

// Topics and histograms come back as they were, and damage is noticed.
func TestTopicsAndHistograms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.SampledFrom([]int{1, 7, 1 << 16, 1<<16 + 1}).Draw(t, "K")
		z := rapid.SliceOf(rapid.Uint32Max(uint32(k-1))).Draw(t, "z")
		id := PartID{Job: rapid.Uint64().Draw(t, "job"), Part: rapid.IntRange(0, 9).Draw(t, "part"), Round: rapid.IntRange(0, 99).Draw(t, "round")}
		b := EncodeTopics(id, z, k)
		got := make([]uint32, len(z))
		if err := DecodeTopics(got, b, id, k); err != nil || !slices.Equal(got, z) {
			t.Fatalf("%v, %v; want %v", got, err, z)
		}
		check := func(b []byte, id PartID) error { return DecodeTopics(got, b, id, k) }
		if err := errors.Join(check(b[:len(b)-1], id), check(nil, id)); !errors.Is(err, ErrDamaged) {
			t.Fatalf("a part of it gives %v", err)
		}
		if err := check(b, PartID{id.Job, id.Part, id.Round + 1}); !errors.Is(err, ErrDamaged) {
			t.Fatalf("another gives %v", err)
		}
		damaged := slices.Clone(b)
		damaged[rapid.IntRange(0, len(b)-1).Draw(t, "at")] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
		if err := check(damaged, id); !errors.Is(err, ErrDamaged) {
			t.Fatalf("damage gives %v", err)
		}

		h := &counts.Histograms{
			DocLengths: rapid.SliceOf(rapid.Uint64()).Draw(t, "lengths"),
			Topic:      rapid.SliceOfN(rapid.SliceOf(rapid.Uint32()), 3, 3).Draw(t, "topics"),
		}
		for _, n := range rapid.SliceOf(rapid.Uint32Range(1, 1<<30)).Draw(t, "bins") {
			h.Groups = append(h.Groups, counts.Bin{Cell: n, N: n / 7, Times: 1 + n%5})
		}
		b = EncodeHistograms(id, h)
		back, err := DecodeHistograms(b, id, 3)
		if err != nil || !slices.Equal(back.DocLengths, h.DocLengths) || !slices.EqualFunc(back.Topic, h.Topic, slices.Equal[[]uint32]) ||
			!slices.Equal(back.Groups, h.Groups) {
			t.Fatalf("%+v, %v; want %+v", back, err, h)
		}
		b[rapid.IntRange(0, len(b)-1).Draw(t, "at")] ^= 1
		if _, err := DecodeHistograms(b, id, 3); !errors.Is(err, ErrDamaged) {
			t.Fatalf("damage gives %v", err)
		}
	})
}
