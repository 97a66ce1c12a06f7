package cuda

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/discrete"
	"github.com/topoi-lda/topoi/internal/cuda/kernels/compile"
	"github.com/topoi-lda/topoi/internal/cuda/kernels/emulate"
	"github.com/topoi-lda/topoi/internal/rng"
)

// drawCase is a small corpus with weights.
type drawCase[T Float] struct {
	K, V           int
	offsets, words []uint32
	theta, phi     []T // M×K, V×K
}

// randomCase makes a case with empty and one-token documents, a word that is
// half of all tokens, and weights of which some are zero.
func randomCase[T Float](r *rand.Rand, M, K int) drawCase[T] {
	c := drawCase[T]{K: K, V: 1 + r.IntN(50), offsets: []uint32{0}}
	for range M {
		n := []int{0, 1, r.IntN(8), r.IntN(40)}[r.IntN(4)]
		for range n {
			w := uint32(r.IntN(c.V))
			if r.IntN(2) == 0 {
				w = 0
			}
			c.words = append(c.words, w)
		}
		c.offsets = append(c.offsets, uint32(len(c.words)))
	}
	weights := func(n int) []T {
		out := make([]T, n)
		for i := range out {
			if r.IntN(5) > 0 {
				out[i] = T(r.ExpFloat64())
			}
		}
		return out
	}
	c.theta, c.phi = weights(M*K), weights(c.V*K)
	return c
}

// products are θ_m · φ_w, each rounded.
func (c *drawCase[T]) products(m int, w uint32) []T {
	a := make([]T, c.K)
	for k := range a {
		a[k] = T(c.theta[m*c.K+k] * c.phi[int(w)*c.K+k])
	}
	return a
}

// number is the random number of a token.
func number[T Float](key rng.Key, token, iteration uint32, purpose rng.Purpose) T {
	x := key.Block(token, iteration, uint32(purpose), 0)
	if suffix[T]() == "_f64" {
		return T(rng.Float64(x[0], x[1]))
	}
	return T(rng.Float32(x[0]))
}

// want draws every topic in plain Go, with package discrete: Binary for each
// token alone, Butterfly for the tokens that a warp draws together.
func (c *drawCase[T]) want(method DrawMethod, key rng.Key, iteration uint32, purpose rng.Purpose) []uint32 {
	topics := make([]uint32, len(c.words))
	M := len(c.offsets) - 1
	for group := 0; group < M; group += warpLanes {
		for step := uint32(0); ; step++ {
			var lanes [][]T
			var u []T
			var tokens []uint32 // of the lanes, noToken where the document has ended
			busy := false
			for m := group; m < min(group+warpLanes, M); m++ {
				a, token := idleLane[T](c.K), noToken
				if i := c.offsets[m] + step; i < c.offsets[m+1] {
					busy = true
					if b := c.products(m, c.words[i]); hasWeight(b) {
						a, token = b, i
					} else {
						topics[i] = uint32(c.K - 1)
					}
				}
				lanes, tokens = append(lanes, a), append(tokens, token)
				u = append(u, number[T](key, token, iteration, purpose))
			}
			if !busy {
				break
			}
			for r, k := range drawLanes(method, lanes, u) {
				if tokens[r] != noToken {
					topics[tokens[r]] = uint32(k)
				}
			}
		}
	}
	return topics
}

const noToken uint32 = math.MaxUint32

// idleLane is what a lane without a token draws from; other lanes do not see it.
func idleLane[T Float](K int) []T { return slices.Repeat([]T{1}, K) }

func hasWeight[T Float](a []T) bool { return slices.Max(a) > 0 }

func drawLanes[T Float](method DrawMethod, lanes [][]T, u []T) []int {
	topics := make([]int, len(lanes))
	if method == Butterfly {
		var d discrete.Butterfly[T]
		d.Build(lanes)
		d.Draw(topics, u)
		return topics
	}
	for r, a := range lanes {
		var d discrete.Binary[T]
		d.Build(a)
		topics[r] = d.Draw(u[r])
	}
	return topics
}

// compare draws the case by every method with draw, which leaves in topics what
// it does not write, and compares with plain Go.
func (c *drawCase[T]) compare(r *rand.Rand, draw func(method DrawMethod, topics []uint32, key rng.Key, iteration uint32, purpose rng.Purpose) error) error {
	key, iteration, purpose := rng.NewKey(r.Uint64()), r.Uint32(), rng.Purpose(r.Uint32())
	for _, method := range DrawMethods {
		got := slices.Repeat([]uint32{math.MaxUint32}, len(c.words)) // a token not written shows
		if err := draw(method, got, key, iteration, purpose); err != nil {
			return err
		}
		want := c.want(method, key, iteration, purpose)
		for i := range want {
			if got[i] != want[i] {
				return fmt.Errorf("%v%s, K = %d, M = %d: token %d of %d has topic %d, plain Go draws %d",
					method, suffix[T](), c.K, len(c.offsets)-1, i, len(want), got[i], want[i])
			}
		}
	}
	return nil
}

// checkOnDevice compares what the device draws.
func (c *drawCase[T]) checkOnDevice(r *rand.Rand, s *Stream) error {
	d, err := NewDraws[T](s, c.K, c.V, c.offsets, c.words)
	if err != nil {
		return err
	}
	defer d.Free()
	if err := errors.Join(d.Theta.Upload(s, c.theta), d.Phi.Upload(s, c.phi)); err != nil {
		return err
	}
	return c.compare(r, func(method DrawMethod, topics []uint32, key rng.Key, iteration uint32, purpose rng.Purpose) error {
		return errors.Join(d.Topics.Upload(s, topics), d.DrawAsync(s, method, key, iteration, purpose), d.Topics.Download(s, topics))
	})
}

// checkEmulated compares what the kernels draw when they run on the CPU. One
// block of two warps walks over all groups of documents.
func (c *drawCase[T]) checkEmulated(r *rand.Rand, e *emulate.Emulator) error {
	const warps = 2
	M := (len(c.offsets) - 1 + warpLanes - 1) / warpLanes * warpLanes
	offsets := slices.Clone(c.offsets)
	for len(offsets) < M+1 {
		offsets = append(offsets, uint32(len(c.words)))
	}
	theta := slices.Concat(c.theta, make([]T, M*c.K-len(c.theta)))
	return c.compare(r, func(method DrawMethod, topics []uint32, key rng.Key, iteration uint32, purpose rng.Purpose) error {
		return e.Launch("draw_"+method.String()+suffix[T](), 1, warps*warpLanes,
			theta, c.phi, make([]T, warps*warpLanes*c.K), offsets, c.words, topics,
			uint32(M/warpLanes), uint32(c.K), key[0], key[1], iteration, uint32(purpose))
	})
}

var awkwardK = []int{1, 2, 3, 31, 32, 33, 63, 64, 65, 96, 100, 127, 255, 1000, 1024}

func TestDrawsEqualGoAtAwkwardSizes(t *testing.T) {
	s := gpuStream(t)
	r := rand.New(rand.NewPCG(1, 2))
	for _, K := range append(slices.Clone(awkwardK), 65535) {
		for _, M := range []int{1, 31, 32, 33, 70} {
			if K > 5000 && M > 1 {
				continue // plain Go would take long
			}
			c32, c64 := randomCase[float32](r, M, K), randomCase[float64](r, M, K)
			if err := errors.Join(c32.checkOnDevice(r, s), c64.checkOnDevice(r, s)); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestDrawsEqualGoOnRandomCases(t *testing.T) {
	s, cases := gpuStream(t), uint64(1000)
	if testing.Short() {
		cases = 10 // for tools that make every access slow
	}
	for seed := range cases {
		r := rand.New(rand.NewPCG(seed, 7))
		M, K := 1+r.IntN(100), 1+r.IntN(200)
		c32, c64 := randomCase[float32](r, M, K), randomCase[float64](r, M, K)
		if err := errors.Join(c32.checkOnDevice(r, s), c64.checkOnDevice(r, s)); err != nil {
			t.Fatalf("case %d: %v", seed, err)
		}
	}
}

// emulator runs a module's kernels on the CPU for a test, which is skipped where
// that cannot be done.
func emulator(t *testing.T, module string) *emulate.Emulator {
	t.Helper()
	compile.Need(t, emulate.Available())
	program, err := emulate.Compile("kernels", module)
	must(t, err)
	e, err := emulate.Start(program)
	must(t, err)
	t.Cleanup(func() { must(t, e.Close()) })
	return e
}

// The same comparison without a GPU, on fewer and smaller cases.
func TestEmulatedDrawsEqualGo(t *testing.T) {
	e := emulator(t, "draw")
	t.Run("random", func(t *testing.T) { emulateRandomCases(t, e) })
	t.Run("tiny", func(t *testing.T) { emulateTinyWeights(t, e) })
}

func emulateRandomCases(t *testing.T, e *emulate.Emulator) {
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 9))
		M, K := 1+r.IntN(70), awkwardK[seed]
		c32, c64 := randomCase[float32](r, M, K), randomCase[float64](r, M, K)
		if err := errors.Join(c32.checkEmulated(r, e), c64.checkEmulated(r, e)); err != nil {
			t.Fatalf("case %d: %v", seed, err)
		}
	}
}

// Sums so small that sum·u rounds to the sum, and weights that are all zero.
func emulateTinyWeights(t *testing.T, e *emulate.Emulator) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, scale := range []float32{0, math.SmallestNonzeroFloat32, 5 * math.SmallestNonzeroFloat32} {
		for _, K := range []int{5, 32, 40} {
			c := randomCase[float32](r, 40, K)
			for i := range c.theta {
				c.theta[i] = scale
			}
			for i := range c.phi {
				c.phi[i] = float32(r.IntN(2))
			}
			must(t, c.checkEmulated(r, e))
		}
	}
}

func TestEmulatedPhiloxEqualsGo(t *testing.T) {
	e := emulator(t, "philox")
	key := rng.NewKey(0xfedcba9876543210)
	const n = 1000
	out := make([]uint32, 4*n)
	must(t, e.Launch("philox_blocks", 2, 64, out, uint32(n), key[0], key[1], uint32(1), uint32(2), uint32(3)))
	for i := range n {
		if want := key.Block(uint32(i), 1, 2, 3); [4]uint32(out[4*i:]) != want {
			t.Fatalf("block %d is %08x, want %08x", i, out[4*i:4*i+4], want)
		}
	}
	counts, want := make([]uint32, 100), make([]uint32, 100)
	must(t, e.Launch("philox_histogram", 3, 64, counts, uint32(100), uint32(n), key[0], key[1]))
	for i := range uint32(n) {
		want[rng.Below(key.Block(i, 0, 0, 0)[0], 100)]++
	}
	if !slices.Equal(counts, want) {
		t.Errorf("got %v, want %v", counts, want)
	}
}

func TestDrawsRefuseBadInput(t *testing.T) {
	for name, err := range map[string]error{
		"no topics":     checkDraws(0, 1, []uint32{0}, nil),
		"no offsets":    checkDraws(1, 1, nil, nil),
		"short offsets": checkDraws(1, 1, []uint32{0, 1}, []uint32{0, 0}),
		"backwards":     checkDraws(1, 1, []uint32{0, 2, 1, 3}, []uint32{0, 0, 0}),
		"unknown word":  checkDraws(1, 1, []uint32{0, 1}, []uint32{1}),
	} {
		if err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if err := checkDraws(1, 1, []uint32{0, 0, 1}, []uint32{0}); err != nil {
		t.Error(err)
	}
}
