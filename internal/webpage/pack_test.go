package webpage

import (
	"bytes"
	"math"
	"testing"
)

// What is no number has the same bytes whatever processor divided by zero, and the caller's numbers stay.
func TestOneNaN(t *testing.T) {
	short := []float32{1, math.Float32frombits(0xffc00000), math.Float32frombits(0x7fc00001), 2}
	long := []float64{1, math.Float64frombits(0xfff8000000000000), 2}
	kept := math.Float32bits(short[1])
	var got, want Pack
	for pack, values := range map[*Pack]struct {
		short []float32
		long  []float64
	}{
		&got: {short, long},
		&want: {
			[]float32{1, math.Float32frombits(0x7fc00000), math.Float32frombits(0x7fc00000), 2},
			[]float64{1, math.NaN(), 2},
		},
	} {
		pack.arrays = map[string]Place{}
		pack.F32("short", values.short)
		pack.F64("long", values.long)
	}
	a, err := got.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	b, err := want.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a, b) {
		t.Errorf("got\n%x, want\n%x", a, b)
	}
	if math.Float32bits(short[1]) != kept {
		t.Error("the numbers of the caller were changed")
	}
}
