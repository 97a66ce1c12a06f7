package cuda

import "github.com/topoi-lda/topoi/internal/rng"

// Float is a precision of the kernels that draw.
type Float interface{ float32 | float64 }

// suffix ends the names of kernels in a precision.
func suffix[T Float]() string {
	var t T
	if _, ok := any(t).(float32); ok {
		return "_f32"
	}
	return "_f64"
}

// threadsPerBlock is the block size of kernels without shared memory, and the
// bound the kernels that draw are compiled for: four warps, small enough that a
// few long documents do not hold a multiprocessor.
const threadsPerBlock = 128

// spread is a shape that gives n items to threads, several to each when there
// are more than the device runs at once.
func (c *Context) spread(n int) Shape {
	blocks := (n + threadsPerBlock - 1) / threadsPerBlock
	return Shape{Blocks: min(blocks, 16*c.Device.SMs), Threads: threadsPerBlock}
}

// FillUniformAsync puts into the stream the filling of a with numbers in [0, 1):
// number i is made of the block of counter (i mod 2^32, i div 2^32, purpose,
// draw), as rng.Float32 and rng.Float64 do it.
func FillUniformAsync[T Float](s *Stream, a *Array[T], key rng.Key, purpose rng.Purpose, draw uint32) error {
	f, err := s.ctx.Kernel("philox", "philox_uniform"+suffix[T]())
	if err != nil {
		return err
	}
	return f.Launch(s, s.ctx.spread(a.n), a, uint64(a.n), key[0], key[1], uint32(purpose), draw)
}
