package counts

import (
	"encoding/binary"
	"math"
	"math/bits"
	"strconv"

	"github.com/topoi-lda/topoi/corpus/source/internal/input"
)

// isWhole tells whether the values are whole numbers.
func (a *npyArray) isWhole() bool { return a.kind == 'i' || a.kind == 'u' || a.kind == 'b' }

// isNumber tells whether the values can be counts.
func (a *npyArray) isNumber() bool { return a.isWhole() || a.kind == 'f' }

// whole returns the first value of b, which must be a whole number. What is
// larger than an int64 becomes the largest one.
func (a *npyArray) whole(b []byte) int64 {
	signed := a.kind == 'i'
	switch a.size {
	case 1:
		if signed {
			return int64(int8(b[0]))
		}
		return int64(b[0])
	case 2:
		v := binary.LittleEndian.Uint16(b)
		if a.big {
			v = bits.ReverseBytes16(v)
		}
		if signed {
			return int64(int16(v))
		}
		return int64(v)
	case 4:
		v := a.bits32(b)
		if signed {
			return int64(int32(v))
		}
		return int64(v)
	}
	v := a.bits64(b)
	if !signed && v > math.MaxInt64 {
		return math.MaxInt64
	}
	return int64(v)
}

// real returns the first value of b, which must be a real number.
func (a *npyArray) real(b []byte) float64 {
	if a.size == 4 {
		return float64(math.Float32frombits(a.bits32(b)))
	}
	return math.Float64frombits(a.bits64(b))
}

func (a *npyArray) bits32(b []byte) uint32 {
	v := binary.LittleEndian.Uint32(b)
	if a.big {
		v = bits.ReverseBytes32(v)
	}
	return v
}

func (a *npyArray) bits64(b []byte) uint64 {
	v := binary.LittleEndian.Uint64(b)
	if a.big {
		v = bits.ReverseBytes64(v)
	}
	return v
}

// count returns the first value of b as a number of occurrences.
func (a *npyArray) count(b []byte, round bool) (uint32, *input.Error) {
	if a.isWhole() {
		v := a.whole(b)
		if uint64(v) <= math.MaxUint32 {
			return uint32(v), nil
		}
		return wholeCount(float64(v), strconv.AppendInt(nil, v, 10), round)
	}
	v := a.real(b)
	if c := uint32(int64(v)); float64(c) == v { // a fast way for whole numbers
		return c, nil
	}
	return wholeCount(v, strconv.AppendFloat(nil, v, 'g', -1, 8*a.size), round)
}

// wholes reads a small array of whole numbers.
func (a *npyArray) wholes() ([]int64, error) {
	if !a.isWhole() || a.left > 1024 {
		return nil, a.errorf("expected a few whole numbers")
	}
	var list []int64
	for a.left > 0 {
		b, err := a.block(1)
		if err != nil {
			return nil, err
		}
		list = append(list, a.whole(b))
	}
	return list, nil
}

// text reads the only value, a short text.
func (a *npyArray) text() (string, error) {
	if a.isNumber() || a.left != 1 || a.size == 0 {
		return "", a.errorf("expected a text")
	}
	b, err := a.block(1)
	if err != nil {
		return "", err
	}
	var text []byte // of ASCII characters; others are not expected
	for _, c := range b {
		if c != 0 {
			text = append(text, c)
		}
	}
	return string(text), nil
}
