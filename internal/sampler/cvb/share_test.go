package cvb

import (
	"math"
	"testing"
)

// Every byte comes back, in order, and 0 and 1 are exact.
func TestBytesComeBack(t *testing.T) {
	last := int32(-1)
	for i := range 256 {
		want := uint8(i + none) // γ = 0 is the first of the increasing order
		n := units[want]
		if n <= last {
			t.Fatalf("byte %#x stands for %d units, the one before for %d", want, n, last)
		}
		last = n
		if got, value := encode(float32(n)); got != want || value != float32(n+offset) {
			t.Fatalf("%d units become byte %#x, want %#x", n, got, want)
		}
	}
	if units[none] != 0 || last != One {
		t.Errorf("bytes go from %d to %d units", units[none], last)
	}
}

// Rounding is to the nearest byte: half a unit near 0, a sixty-fourth of γ beyond.
func TestRoundingError(t *testing.T) {
	for y := float32(0); y <= One; y += 0.37 {
		code, _ := encode(y)
		bound := math.Max(0.5, float64(y+offset)/64)
		if e := math.Abs(float64(float32(units[code]) - y)); e > bound {
			t.Fatalf("%v units become %d, off by more than %v", y, units[code], bound)
		}
	}
}

// A weight may exceed the sum of which it is the only part by some rounding.
func TestOneIsTheLargest(t *testing.T) {
	if code, _ := encode(math.Nextafter32(math.Nextafter32(One, 2*One), 2*One)); units[code] != One {
		t.Errorf("a little more than 1 becomes %d units", units[code])
	}
}
