package portable

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"testing"

	"github.com/topoi-lda/topoi/internal/rng"
)

// The standard library is the independent source; its functions are right to
// the last bit or two.
func TestPortableExp(t *testing.T) {
	for x := -699.0; x <= 700; x += 0.37 {
		if got, want := Exp(x), math.Exp(x); math.Abs(got-want) > 1e-13*want {
			t.Fatalf("exp(%v) = %v, want %v", x, got, want)
		}
	}
	if Exp(0) != 1 || Exp(math.Inf(-1)) != 0 || Exp(-701) != 0 {
		t.Error("special values")
	}
	if x := Exp(math.Inf(1)); math.IsInf(x, 0) || x < 1e304 {
		t.Errorf("exp(∞) = %v must be large and finite", x)
	}
}

func TestPortableLog(t *testing.T) {
	for x := 1e-300; x < 1e300; x *= 1.37 {
		if got, want := Log(x), math.Log(x); math.Abs(got-want) > 1e-13*max(1, math.Abs(want)) {
			t.Fatalf("log(%v) = %v, want %v", x, got, want)
		}
	}
	if Log(1) != 0 {
		t.Error("log 1 is not 0")
	}
}

// near reports whether got is want, up to a share of its size.
func near(got, want, relative float64) bool {
	return got == want || math.IsNaN(got) && math.IsNaN(want) || math.Abs(got-want) <= relative*math.Abs(want)
}

func TestPortableSpecialValues(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"exp NaN", Exp(nan), nan},
		{"log 0", Log(0), -inf},
		{"log -1", Log(-1), nan},
		{"log NaN", Log(nan), nan},
		{"log ∞", Log(inf), inf},
		{"log1p 0", Log1p(0), 0},
		{"log1p -1", Log1p(-1), -inf},
		{"log1p ∞", Log1p(inf), inf},
		{"expm1 0", Expm1(0), 0},
		{"expm1 -∞", Expm1(-inf), -1},
		{"log2 1/8", Log2(0.125), -3},
		{"log10 1000", Log10(1000), 3},
		{"log10 1e-5", Log10(1e-5), -5},
		{"log10 0", Log10(0), -inf},
		{"lgamma 0", Lgamma(0), nan},
		{"lgamma ∞", Lgamma(inf), inf},
		{"erfc NaN", Erfc(nan), nan},
		{"erfc ∞", Erfc(inf), 0},
		{"erfc -∞", Erfc(-inf), 2},
		{"erfinv 0", Erfinv(0), 0},
		{"erfinv 1", Erfinv(1), inf},
		{"erfinv 1.5", Erfinv(1.5), nan},
	} {
		if !near(c.got, c.want, 0) {
			t.Errorf("%s is %v, want %v", c.name, c.got, c.want)
		}
	}
}

func TestPortableLogs(t *testing.T) {
	for x := 1e-18; x < 1e18; x *= 1.7 {
		if got, want := Log1p(x), math.Log1p(x); !near(got, want, 1e-14) {
			t.Errorf("log1p(%v) = %v, want %v", x, got, want)
		}
		if got, want := Log2(x), math.Log2(x); !near(got, want, 1e-13) {
			t.Errorf("log2(%v) = %v, want %v", x, got, want)
		}
		if got, want := Log10(x), math.Log10(x); !near(got, want, 1e-13) {
			t.Errorf("log10(%v) = %v, want %v", x, got, want)
		}
	}
	for x := -20.0; x < 20; x = x*0.9 + 0.001 {
		if got, want := Expm1(x), math.Expm1(x); !near(got, want, 1e-12) {
			t.Errorf("expm1(%v) = %v, want %v", x, got, want)
		}
		if x > -1e-12 {
			break
		}
	}
	for x := 1e-18; x < 600; x *= 1.7 {
		if got, want := Expm1(x), math.Expm1(x); !near(got, want, 1e-12) {
			t.Errorf("expm1(%v) = %v, want %v", x, got, want)
		}
	}
	for x := -0.999; x < 0; x += 0.01 {
		if got, want := Log1p(x), math.Log1p(x); !near(got, want, 1e-13) {
			t.Errorf("log1p(%v) = %v, want %v", x, got, want)
		}
	}
}

func TestPortableLgamma(t *testing.T) {
	for x := 1e-9; x < 1e12; x *= 1.03 {
		got := Lgamma(x)
		want, _ := math.Lgamma(x)
		if math.Abs(got-want) > 2e-14*max(1, math.Abs(want)) {
			t.Errorf("log Γ(%v) = %v, want %v", x, got, want)
		}
	}
}

func TestPortableErf(t *testing.T) {
	for x := -6.0; x < 26; x += 0.013 {
		if got, want := Erfc(x), math.Erfc(x); !near(got, want, 1e-12) {
			t.Errorf("erfc(%v) = %v, want %v", x, got, want)
		}
		if got, want := Erf(x), math.Erf(x); !near(got, want, 1e-13) {
			t.Errorf("erf(%v) = %v, want %v", x, got, want)
		}
	}
	for _, y := range []float64{1e-12, 0.001, 0.1, 0.3, 0.5, 0.6827, 0.8, 0.9, 0.95, 0.99, 0.999, 1 - 1e-6, 1 - 1e-12} {
		if got, want := Erfinv(y), math.Erfinv(y); !near(got, want, 1e-12) {
			t.Errorf("erfinv(%v) = %v, want %v", y, got, want)
		}
		if Erfinv(-y) != -Erfinv(y) {
			t.Errorf("erfinv(-%v) is not -erfinv(%v)", y, y)
		}
	}
}

// The bits are frozen, so that a machine on which a compiler or library computes otherwise is found.
func TestPortableBits(t *testing.T) {
	h := fnv.New64a()
	for i := range 4000 {
		x := Exp(float64(i-2000) / 37)
		for _, y := range []float64{x, Log(x), Log1p(x), Log2(x), Log10(x), Lgamma(x), Erfc(x), Erfinv(1 / (1 + x))} {
			_ = binary.Write(h, binary.LittleEndian, math.Float64bits(y))
		}
	}
	g := Gammas{Key: rng.NewKey(3), Iteration: 2}
	for i := range 4000 {
		_ = binary.Write(h, binary.LittleEndian, math.Float64bits(g.Draw(uint64(i), Exp(float64(i%17-8)))))
	}
	if got := h.Sum64(); got != frozen {
		t.Errorf("the bits have the fingerprint %#x, want %#x", got, uint64(frozen))
	}
}

const frozen = 0x793a177c587580ed
