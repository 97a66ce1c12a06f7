package cvb

import "math"

// A responsibility γ is kept in one byte, as a floating-point number with five
// bits after the leading one, after an offset has made it positive (the μ-law of
// telephony). In units of 1/One, y = One·γ:
//
//	t = y + offset, rounded half up to six significant bits      32 ≤ t ≤ 8064
//
// so that steps are 1/One where γ is small and 1/64 of γ where it is large, and
// both 0 and 1 are exact. Counts are sums of such γ in units of 1/One, hence
// integers: they do not depend on the order of summation, and never drift from
// the γ that they sum.
const (
	// One is γ = 1 in units of the counts.
	One = 8032

	offset    = 32      // t of γ = 0
	dropped   = 18      // bits of a float32's mantissa that a byte has no room for
	roundHalf = 1 << 17 // one half of the last bit kept
)

// codeBase is the bit pattern of the float32 whose byte is 0; bytes count up and
// down from there, as signed numbers.
const codeBase = 0x44000000

// none is the byte of γ = 0.
const none = 0x80

// encode rounds y ≥ 0 to a byte, and returns the t that the byte stands for.
func encode(y float32) (code uint8, t float32) {
	bits := math.Float32bits(y+offset) + roundHalf
	return uint8(bits >> dropped), math.Float32frombits(bits &^ (1<<dropped - 1))
}

// decode returns the t of a byte.
func decode(code uint8) float32 {
	return math.Float32frombits(uint32(int32(int8(code))<<dropped) + codeBase)
}

// units are the values One·γ of all bytes.
var units = func() (table [256]int32) {
	for code := range table {
		table[code] = int32(decode(uint8(code))) - offset
	}
	return table
}()
