package rng

import "testing"

// The known-answer vectors of the Random123 distribution (kat_vectors) for philox4x32-10.
func TestKnownAnswers(t *testing.T) {
	const ones = 0xffffffff
	for _, c := range []struct {
		key     Key
		counter [4]uint32
		want    [4]uint32
	}{
		{Key{0, 0}, [4]uint32{0, 0, 0, 0}, [4]uint32{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
		{Key{ones, ones}, [4]uint32{ones, ones, ones, ones}, [4]uint32{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
		{Key{0xa4093822, 0x299f31d0}, [4]uint32{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, [4]uint32{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
	} {
		if got := c.key.Block(c.counter[0], c.counter[1], c.counter[2], c.counter[3]); got != c.want {
			t.Errorf("key %x counter %x: got %08x, want %08x", c.key, c.counter, got, c.want)
		}
	}
}

func TestFloatsStayBelowOne(t *testing.T) {
	if f := Float32(0xffffffff); f >= 1 {
		t.Errorf("Float32 of all ones is %v", f)
	}
	if f := Float64(0xffffffff, 0xffffffff); f >= 1 {
		t.Errorf("Float64 of all ones is %v", f)
	}
	if Float32(0) != 0 || Float64(0, 0) != 0 {
		t.Error("zero bits must map to 0")
	}
}

func TestBelowReachesEnds(t *testing.T) {
	for _, n := range []uint32{1, 2, 3, 1000, 1 << 31} {
		if Below(0, n) != 0 || Below(0xffffffff, n) != n-1 {
			t.Errorf("n = %d: %d … %d", n, Below(0, n), Below(0xffffffff, n))
		}
	}
}

var sink [4]uint32

func BenchmarkBlock(b *testing.B) {
	k := NewKey(1)
	for i := range b.N {
		sink = k.Block(uint32(i), 0, 0, 0)
	}
}
