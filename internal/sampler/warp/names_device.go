package warp

import "fmt"

// warpVariant says which variants of the resident kernels serve a problem.
type warpVariant struct {
	topics, steps int  // K and M
	far           bool // rows of words and long documents do not fit shared memory
	nearest       bool // shared memory also holds inv and a stash of tokens
	hashed        bool // rows of short documents are hash tables
}

func newWarpVariant(k, m int, limits warpLimits) warpVariant {
	return warpVariant{
		topics: k, steps: m, hashed: k > limits.dense,
		far:     k > 1<<16 || 4*(k+1+warpCarries) > limits.shared/2,
		nearest: m <= 2 && 4*(2*(k+1)+warpCarries+warpGuide)+warpStash <= limits.shared/4,
	}
}

// stride returns how many numbers a token has on the device.
func (s warpVariant) stride() int { return warpStride(s.steps, s.topics) }

// layout returns M and stride as the kernels take them.
func (s warpVariant) layout() uint32 { return warpLayoutOn(s.steps, s.topics) }

// name returns the suffix of kernel names for the type of topics.
func (s warpVariant) name(fixedSteps bool) string {
	switch {
	case s.topics > 1<<16:
		return "_32"
	case fixedSteps && s.steps <= 2:
		return fmt.Sprintf("_16x%d", s.steps)
	}
	return "_16"
}

func (s warpVariant) wordName() string {
	switch {
	case s.far:
		return s.name(false) + "_far"
	case s.nearest:
		return s.name(true)
	}
	return s.name(true) + "_near"
}

func (s warpVariant) rowName() string {
	if s.far {
		return s.name(false) + "_far"
	}
	return s.name(false)
}

func (s warpVariant) docName() string {
	if s.hashed {
		return s.name(true) + "_hashed"
	}
	return s.name(false)
}

// wordBytes returns the shared memory of a word's row with its tables, and of the stash of a word that is not
// hot.
func (s warpVariant) wordBytes() (row, rest int) {
	row = 4 * (s.topics + 1)
	switch {
	case s.far:
		return 0, 0
	case s.nearest:
		return row + 4*(s.topics+1+warpGuide), warpStash
	}
	return row, 0
}

// warpStride returns how many numbers a token with m proposals has on a device. With one or two proposals of
// 16 bits a token is one number that is read and written at once.
func warpStride(m, k int) int {
	if m == 2 && k <= 1<<16 {
		return 4
	}
	return m + 1
}

func warpLayoutOn(m, k int) uint32 { return uint32(m) | uint32(warpStride(m, k))<<16 }
