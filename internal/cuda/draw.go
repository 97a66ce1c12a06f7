package cuda

import (
	"errors"
	"fmt"
	"math"

	"github.com/topoi-lda/topoi/internal/rng"
)

// DrawMethod is how one topic per token is drawn from θ_m · φ_w (Steele and
// Tristan, "Using butterfly-patterned partial sums to draw from discrete
// distributions", PPoPP 2017). All cost O(K) per token and differ in how a warp
// reads memory and makes partial sums.
type DrawMethod int

const (
	// Baseline: a thread works alone (Algorithm 1, binary search).
	Baseline DrawMethod = iota
	// Transposed: the warp reads together and transposes in registers
	// (Algorithm 4). The same topics as Baseline, bit for bit.
	Transposed
	// Butterfly: the warp reads together and makes butterfly-patterned partial
	// sums (Algorithm 7).
	Butterfly
)

// DrawMethods lists all methods in the paper's order.
var DrawMethods = []DrawMethod{Baseline, Transposed, Butterfly}

func (m DrawMethod) String() string {
	return [...]string{"baseline", "transposed", "butterfly"}[m]
}

// warpLanes is W, the lanes of a warp.
const warpLanes = 32

// Draws holds on the device what is needed to draw a topic for each token of a
// corpus of M documents over V words, with K topics.
type Draws[T Float] struct {
	K      int
	Theta  *Array[T]      // M×K, M rounded up to a multiple of 32: topic weights of documents
	Phi    *Array[T]      // V×K: topic weights of words
	Topics *Array[uint32] // one per token: the result

	ctx            *Context
	groups         int // documents / 32, rounded up
	warps          int // at work at a time, each with its part of the table
	offsets, words *Array[uint32]
	table          *Array[T] // warps × K × 32: partial sums
	functions      []*Function
}

// NewDraws allocates for a corpus: document m has the tokens words[offsets[m]:
// offsets[m+1]]. Theta, Phi and Topics are allocated and not filled, except the
// rows of Theta beyond M, which are zero.
func NewDraws[T Float](s *Stream, K, V int, offsets, words []uint32) (*Draws[T], error) {
	if err := checkDraws(K, V, offsets, words); err != nil {
		return nil, err
	}
	d := &Draws[T]{K: K, ctx: s.ctx, groups: (len(offsets) - 1 + warpLanes - 1) / warpLanes}
	if err := d.allocate(s, V, offsets, words); err != nil {
		return nil, errors.Join(err, d.Free())
	}
	return d, nil
}

// checkDraws says what is wrong with the input, before the device reads beyond
// some array's end.
func checkDraws(K, V int, offsets, words []uint32) error {
	switch {
	case K < 1 || K > math.MaxInt32:
		return fmt.Errorf("cuda: cannot draw from %d topics", K)
	case len(offsets) == 0 || offsets[0] != 0 || int(offsets[len(offsets)-1]) != len(words):
		return fmt.Errorf("cuda: the offsets of documents must go from 0 to the number of tokens, %d", len(words))
	}
	for m := range len(offsets) - 1 {
		if offsets[m] > offsets[m+1] {
			return fmt.Errorf("cuda: document %d ends before it begins", m)
		}
	}
	for i, w := range words {
		if int(w) >= V {
			return fmt.Errorf("cuda: token %d is word %d of a vocabulary of %d", i, w, V)
		}
	}
	return nil
}

func (d *Draws[T]) allocate(s *Stream, V int, offsets, words []uint32) error {
	if err := d.chooseWarps(); err != nil {
		return err
	}
	padded := make([]uint32, d.groups*warpLanes+1) // empty documents at the end
	for i := range padded {
		padded[i] = offsets[min(i, len(offsets)-1)]
	}
	var fault error
	whole, real := noting[uint32](&fault), noting[T](&fault)
	d.offsets = whole(NewArrayFrom(s, padded))
	d.words = whole(NewArrayFrom(s, words))
	d.Topics = whole(NewArray[uint32](d.ctx, len(words)))
	d.Theta = real(NewArray[T](d.ctx, d.groups*warpLanes*d.K))
	d.Phi = real(NewArray[T](d.ctx, V*d.K))
	d.table = real(NewArray[T](d.ctx, d.warps*warpLanes*d.K))
	if fault != nil {
		return fault
	}
	documents := len(offsets) - 1
	return d.Theta.View(documents*d.K, d.Theta.Len()).ZeroAsync(s) // read by lanes without a document
}

// noting lets an array through and keeps the first fault.
func noting[T Number](fault *error) func(*Array[T], error) *Array[T] {
	return func(a *Array[T], err error) *Array[T] {
		if *fault == nil {
			*fault = err
		}
		return a
	}
}

// chooseWarps finds the kernels and how many warps the device holds at once;
// more would only need a larger table.
func (d *Draws[T]) chooseWarps() error {
	const warpsPerBlock = threadsPerBlock / warpLanes
	for _, method := range DrawMethods {
		f, err := d.ctx.Kernel("draw", "draw_"+method.String()+suffix[T]())
		if err != nil {
			return err
		}
		blocks, err := f.Occupancy(threadsPerBlock, 0)
		if err != nil {
			return err
		}
		d.functions = append(d.functions, f)
		d.warps = max(d.warps, blocks*d.ctx.Device.SMs*warpsPerBlock)
	}
	d.warps = min(d.warps, (d.groups+warpsPerBlock-1)/warpsPerBlock*warpsPerBlock)
	return nil
}

// DrawAsync puts the drawing of all topics into the stream. The number of token
// i is that of counter (i, iteration, purpose, 0).
func (d *Draws[T]) DrawAsync(s *Stream, method DrawMethod, key rng.Key, iteration uint32, purpose rng.Purpose) error {
	shape := Shape{Blocks: d.warps * warpLanes / threadsPerBlock, Threads: threadsPerBlock}
	return d.functions[method].Launch(s, shape, d.Theta, d.Phi, d.table, d.offsets, d.words, d.Topics,
		uint32(d.groups), uint32(d.K), key[0], key[1], iteration, uint32(purpose))
}

// Free gives the device memory back.
func (d *Draws[T]) Free() error {
	return errors.Join(d.offsets.Free(), d.words.Free(), d.Topics.Free(), d.Theta.Free(), d.Phi.Free(), d.table.Free())
}
