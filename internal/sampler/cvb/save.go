package cvb

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/topoi-lda/topoi/internal/parallel"
)

// Save returns the responsibilities, which are the whole state: pair after pair in the order of the layout, K bytes
// each. A run of γ = 0 is stored as its byte and its length as a varint, because most γ are 0 after some sweeps.
func (s *State) Save() []byte { return s.c.pack(nil, s.gamma) }

// pack appends the responsibilities of some pairs, kpad bytes each. It computes the length of runs of pairs
// first, so that all runs are packed in parallel and in place: they may be as large as the rest of the state.
func (c *Corpus) pack(dst, gamma []uint8) []byte {
	const run = 1 << 14 // pairs
	kpad := padded(c.K)
	n := len(gamma) / kpad
	ends := make([]int, (n+run-1)/run)
	each := func(f func(task int, gamma []uint8)) {
		_ = parallel.Do(context.Background(), c.Threads, len(ends), func(_, task int) {
			for i := task * run; i < min(n, (task+1)*run); i++ {
				f(task, gamma[i*kpad:i*kpad+c.K])
			}
		})
	}
	each(func(task int, gamma []uint8) { ends[task] += packedLen(gamma) })
	first := len(dst)
	for i, size := range ends {
		ends[i], first = first, first+size
	}
	dst = extended(dst, first)
	each(func(task int, gamma []uint8) { ends[task] = len(appendPacked(dst[:ends[task]], gamma)) })
	return dst
}

// extended returns dst with length n. New memory is not touched here, so that the goroutines that write it
// fault its pages in parallel.
func extended(dst []byte, n int) []byte {
	if n <= cap(dst) {
		return dst[:n]
	}
	longer := make([]byte, n, max(n, 2*cap(dst)))
	copy(longer, dst)
	return longer
}

// eightNone is eight bytes of γ = 0.
const eightNone = none * 0x0101010101010101

// packedLen returns the length of a packed pair.
func packedLen(gamma []uint8) (n int) {
	var room [binary.MaxVarintLen64]byte
	for len(gamma) > 0 {
		zeroes := leadingNone(gamma)
		if n++; zeroes == 0 {
			zeroes = 1
		} else {
			n += binary.PutUvarint(room[:], uint64(zeroes))
		}
		gamma = gamma[zeroes:]
	}
	return n
}

func appendPacked(dst, gamma []uint8) []byte {
	for len(gamma) > 0 {
		dst = append(dst, gamma[0])
		zeroes := leadingNone(gamma)
		if zeroes == 0 {
			gamma = gamma[1:]
			continue
		}
		dst = binary.AppendUvarint(dst, uint64(zeroes))
		gamma = gamma[zeroes:]
	}
	return dst
}

// leadingNone returns the number of γ = 0 before the first other one.
func leadingNone(gamma []uint8) (n int) {
	if gamma[0] != none {
		return 0
	}
	for n+8 <= len(gamma) && binary.LittleEndian.Uint64(gamma[n:]) == eightNone {
		n += 8
	}
	for n < len(gamma) && gamma[n] == none {
		n++
	}
	return n
}

// unpack fills gamma, which must be all γ = 0, and returns the rest of saved.
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

// Load restores a saved state. It returns an error for bytes of another corpus or K, and for values that no
// sweep can produce.
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

// unpackPairs sets the responsibilities of some pairs, kpad bytes each, and returns the rest of saved. first
// is the number of the first pair, all the number of pairs.
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
			return nil, fmt.Errorf("cvb: the responsibilities of pair %d sum to %.2f, not 1", first+i,
				float64(total)/One)
		}
	}
	return saved, nil
}

// nothingLeft returns an error if there are bytes after the responsibilities of all pairs.
func nothingLeft(rest []byte, all int) error {
	if len(rest) == 0 {
		return nil
	}
	return fmt.Errorf("cvb: %d bytes after the responsibilities of all %d pairs: saved from another corpus or number of topics", len(rest), all)
}
