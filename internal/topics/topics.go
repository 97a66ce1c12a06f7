// Package topics holds z, the topic of every token.
package topics

import (
	"errors"
	"fmt"
	"runtime"
	"slices"

	"github.com/topoi-lda/topoi/internal/guard"
	"github.com/topoi-lda/topoi/internal/mapfile"
	"github.com/topoi-lda/topoi/internal/parallel"
)

// List holds z, the topic of every token in corpus order, as 16-bit numbers or as
// 32-bit ones. One of the two slices is nil.
type List struct {
	Narrow []uint16 // N, where topics fit
	Wide   []uint32 // N
}

// Most is the largest K that any sampler supports.
const Most = 1 << 20

// MostNarrow is the largest K whose topics fit into 16 bits.
const MostNarrow = 1 << 16

// Len returns the number of tokens.
func (l List) Len() int { return len(l.Narrow) + len(l.Wide) }

// At returns the topic of token i.
func (l List) At(i int) uint32 {
	if l.Wide != nil {
		return l.Wide[i]
	}
	return uint32(l.Narrow[i])
}

// Append appends z of the tokens lo, …, hi-1 to dst.
func (l List) Append(dst []uint32, lo, hi int) []uint32 {
	if l.Wide != nil {
		return append(dst, l.Wide[lo:hi]...)
	}
	dst = slices.Grow(dst, hi-lo)
	for _, k := range l.Narrow[lo:hi] {
		dst = append(dst, uint32(k))
	}
	return dst
}

// chunk is the number of topics that EachChunk hands over at a time.
const chunk = 1 << 20

// EachChunk calls f with the little-endian bytes of z, piece by piece, in the width that files use for k topics.
func (l List) EachChunk(k int, f func([]byte) error) error {
	if k > MostNarrow || l.Narrow != nil {
		return f(l.bytes())
	}
	buffer := make([]uint16, min(len(l.Wide), chunk))
	for rest := l.Wide; len(rest) > 0; {
		n := min(len(rest), len(buffer))
		narrow(buffer, rest[:n])
		if err := f(mapfile.Bytes(buffer[:n])); err != nil {
			return err
		}
		rest = rest[n:]
	}
	return nil
}

// narrow makes topics narrower, with several goroutines where there are many.
func narrow(dst []uint16, z []uint32) {
	const run = 1 << 17
	parallel.Each((len(z)+run-1)/run, func(i int) {
		from := z[i*run : min(len(z), (i+1)*run)]
		to := dst[i*run:][:len(from)]
		for j, k := range from {
			to[j] = uint16(k)
		}
	})
}

func (l List) bytes() []byte {
	if l.Wide != nil {
		return mapfile.Bytes(l.Wide)
	}
	return mapfile.Bytes(l.Narrow)
}

// Bytes returns the bytes that one topic takes in files.
func Bytes(k int) int {
	if k > MostNarrow {
		return 4
	}
	return 2
}

// View returns the bytes of z in a file as topics.
func View(b []byte, k int) List {
	if k > MostNarrow {
		return List{Wide: mapfile.View[uint32](b)}
	}
	return List{Narrow: mapfile.View[uint16](b)}
}

// Decode checks and copies z of n tokens with topics below k, as EachChunk gives it.
func Decode(b []byte, n, k int) ([]uint32, error) {
	if n < 0 || len(b)%Bytes(k) != 0 || len(b)/Bytes(k) != n {
		return nil, fmt.Errorf("it holds %d bytes of topics, which is not %d tokens", len(b), n)
	}
	z := View(b, k).Append(make([]uint32, 0, n), 0, n)
	for i, t := range z {
		if int(t) >= k {
			return nil, fmt.Errorf("token %d has topic %d of %d", i, t, k)
		}
	}
	return z, nil
}

// Count counts the tokens of each of k topics, with all cores.
func (l List) Count(k int) ([]uint64, error) {
	n := l.Len()
	parts := min(runtime.GOMAXPROCS(0), 1+n>>20)
	sums, faults := make([][]uint64, parts), make([]error, parts)
	var group guard.Group
	for p := range parts {
		group.Go(func() {
			lo, hi := n*p/parts, n*(p+1)/parts
			sums[p] = make([]uint64, k)
			if l.Wide != nil {
				faults[p] = countInto(sums[p], l.Wide[lo:hi], lo)
			} else {
				faults[p] = countInto(sums[p], l.Narrow[lo:hi], lo)
			}
		})
	}
	group.Wait()
	for _, sum := range sums[1:] {
		for k, n := range sum {
			sums[0][k] += n
		}
	}
	return sums[0], errors.Join(faults...)
}

// countInto adds the topics of tokens, of which the first has the given number.
func countInto[T uint16 | uint32](sums []uint64, z []T, first int) error {
	for i, k := range z {
		if int(k) >= len(sums) {
			return fmt.Errorf("token %d has topic %d of %d", first+i, k, len(sums))
		}
		sums[k]++
	}
	return nil
}
