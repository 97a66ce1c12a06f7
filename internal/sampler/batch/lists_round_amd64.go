//go:build amd64 && !noasm

package batch

import (
	"unsafe"

	"github.com/topoi-lda/topoi/internal/simd"
)

// rowCall is what prepareRow works on, as the assembly reads it.
type rowCall struct {
	row    unsafe.Pointer
	groups int
	bits   *[maskWords]uint32
	sums   *float32
	smooth *float32
	base   *float32
	list   *uint32 // where to list the topics; nil: nowhere
	length int     // found: topics listed
	log2   uint32
	beta   float32
}

// prepareRowAVX512 is prepareRow with AVX-512.
//
//go:noescape
func prepareRowAVX512(c *rowCall)

// prepare makes the bits, sums and list of a word, which may begin at the given place. It returns
// where the next one may.
func (f *listRound) prepare(w int, list uint64) uint64 {
	if !simd.AVX512 {
		f.prepareGo(w)
		return list
	}
	c := rowCall{
		groups: f.groups, bits: &f.bits[w], sums: &f.sums[w*f.groups],
		smooth: unsafe.SliceData(f.smooth), base: unsafe.SliceData(f.base), beta: f.beta,
	}
	c.row, c.log2, _ = f.rows.pointer(f.words[w].rowPlace)
	if c.log2 < 2 {
		c.list = &f.lists[list]
	}
	prepareRowAVX512(&c)
	word := &f.words[w]
	word.total, word.list, word.length = f.sums[(w+1)*f.groups-1], list, uint32(c.length)
	return list + uint64(c.length)
}
