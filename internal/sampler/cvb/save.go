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
	return slices.Concat(s.c.pack(s.gamma)...)
}

// pack packs the responsibilities of some pairs, kpad bytes each, in runs of them.
func (c *Corpus) pack(gamma []uint8) [][]byte {
	const run = 1 << 14 // pairs
	kpad := padded(c.K)
	n := len(gamma) / kpad
	packed := make([][]byte, (n+run-1)/run)
	_ = parallel.Do(context.Background(), c.Threads, len(packed), func(_, task int) {
		saved := make([]byte, 0, 16*min(run, n-task*run))
		for i := task * run; i < min(n, (task+1)*run); i++ {
			saved = appendPacked(saved, gamma[i*kpad:i*kpad+c.K])
		}
		packed[task] = saved
	})
	return packed
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
func (s *State) Load(saved []byte) error {
	rest, err := s.c.unpackPairs(s.gamma, 0, len(s.l.pairs), saved)
	if err == nil {
		err = nothingLeft(rest, len(s.l.pairs))
	}
	if err == nil {
		s.recount()
	}
	return err
}

// unpackPairs sets the responsibilities of some pairs, kpad bytes each, of which first is
// the number among all, and returns what is left of saved.
func (c *Corpus) unpackPairs(gamma []uint8, first, all int, saved []byte) (rest []byte, err error) {
	kpad := padded(c.K)
	empty := emptyRow(kpad)
	var sums [lanes]int32
	for i := range len(gamma) / kpad {
		row := gamma[i*kpad : (i+1)*kpad]
		copy(row, empty)
		if saved, err = unpack(row[:c.K], saved); err != nil {
			return nil, fmt.Errorf("cvb: the responsibilities of pair %d of %d: %w: saved from another corpus or number of topics", first+i, all, err)
		}
		if total := totalOf(&sums, row); total < One/2 || total > 2*One {
			return nil, fmt.Errorf("cvb: the responsibilities of pair %d sum to %.2f, not 1", first+i, float64(total)/One)
		}
	}
	return saved, nil
}

// nothingLeft refuses bytes after the responsibilities of all pairs.
func nothingLeft(rest []byte, all int) error {
	if len(rest) == 0 {
		return nil
	}
	return fmt.Errorf("cvb: %d bytes after the responsibilities of all %d pairs: saved from another corpus or number of topics", len(rest), all)
}
