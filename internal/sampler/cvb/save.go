package cvb

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/topoi-lda/topoi/internal/parallel"
)

// Save returns the responsibilities, which are the whole state: pair after pair in
// the order of the layout, K bytes each, but a run of γ = 0 is its byte and, as
// a varint, its length. Most of them are 0 once topics have settled.
func (s *State) Save() []byte {
	const run = 1 << 14 // pairs
	packed := make([][]byte, (len(s.l.pairs)+run-1)/run)
	_ = parallel.Do(context.Background(), s.c.Threads, len(packed), func(_, task int) {
		pairs := min(run, len(s.l.pairs)-task*run)
		saved := make([]byte, 0, 16*pairs)
		for i := range pairs {
			saved = appendPacked(saved, s.row(task*run + i)[:s.c.K])
		}
		packed[task] = saved
	})
	return slices.Concat(packed...)
}

// eightNone is the bytes of eight γ = 0.
const eightNone = none * 0x0101010101010101

func appendPacked(dst, gamma []uint8) []byte {
	for i := 0; i < len(gamma); {
		dst = append(dst, gamma[i])
		if gamma[i] != none {
			i++
			continue
		}
		end := i + 1
		for end+8 <= len(gamma) && binary.LittleEndian.Uint64(gamma[end:]) == eightNone {
			end += 8
		}
		for end < len(gamma) && gamma[end] == none {
			end++
		}
		dst = binary.AppendUvarint(dst, uint64(end-i))
		i = end
	}
	return dst
}

// unpack fills gamma, all of whose bytes are those of γ = 0, and returns what is left of
// saved.
func unpack(gamma []uint8, saved []byte) ([]byte, error) {
	for i := 0; i < len(gamma); {
		if len(saved) == 0 {
			return nil, errors.New("they are cut short")
		}
		code := saved[0]
		saved = saved[1:]
		if code != none {
			gamma[i] = code
			i++
			continue
		}
		run, n := binary.Uvarint(saved)
		if n <= 0 || run == 0 || run > uint64(len(gamma)-i) {
			return nil, errors.New("a run of zeroes does not fit")
		}
		i, saved = i+int(run), saved[n:]
	}
	return saved, nil
}

// Load sets the state to a saved one. It refuses bytes of another corpus or K, and
// such as no sweep can leave.
func (s *State) Load(saved []byte) (err error) {
	empty := emptyRow(s.kpad)
	var sums [lanes]int32
	for i := range s.l.pairs {
		gamma := s.row(i)
		copy(gamma, empty)
		if saved, err = unpack(gamma[:s.c.K], saved); err != nil {
			return fmt.Errorf("cvb: the responsibilities of pair %d of %d: %w: saved from another corpus or number of topics", i, len(s.l.pairs), err)
		}
		if total := totalOf(&sums, gamma); total < One/2 || total > 2*One {
			return fmt.Errorf("cvb: the responsibilities of pair %d sum to %.2f, not 1", i, float64(total)/One)
		}
	}
	if len(saved) > 0 {
		return fmt.Errorf("cvb: %d bytes after the responsibilities of all %d pairs: saved from another corpus or number of topics", len(saved), len(s.l.pairs))
	}
	s.recount()
	return nil
}
