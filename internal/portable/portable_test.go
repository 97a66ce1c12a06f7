package portable

import (
	"math"
	"testing"
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
