package wholefile

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/zeebo/xxh3"
)

// What is hashed beside the writing has the sum of the whole, in whatever pieces it comes.
func TestSumsWhileWriting(t *testing.T) {
	whole := make([]byte, 5<<20+77)
	for i := range whole {
		whole[i] = byte(i * i >> 8)
	}
	for _, piece := range []int{1000, 1 << 16, 1<<16 + 1, 3<<20 + 5, len(whole)} {
		file := bytes.Buffer{}
		s := NewSummed(&file)
		for b := range slices.Chunk(whole, piece) {
			if err := s.Put(b); err != nil {
				t.Fatal(err)
			}
		}
		if want := xxh3.Hash128(whole).Bytes(); !bytes.Equal(s.Sum(), want[:]) || s.Size != int64(len(whole)) || !bytes.Equal(file.Bytes(), whole) {
			t.Errorf("in pieces of %d bytes: %d bytes with sum %x, want %x", piece, s.Size, s.Sum(), want)
		}
	}
	if err := NewSummed(&failing{}).Put(whole); err == nil {
		t.Error("a fault of the disk was not told")
	}
}

// failing is a disk that is full after some bytes.
type failing struct{ written int }

func (f *failing) Write(b []byte) (int, error) {
	if f.written += len(b); f.written > 2<<20 {
		return 0, errors.New("full")
	}
	return len(b), nil
}
