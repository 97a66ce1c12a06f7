package discrete

// Draw implements Many.
func (b *Butterfly[F]) Draw(dst []int, u []F) {
	if b.built == 0 {
		panic(faultUnbuilt)
	}
	if len(dst) != b.built || len(u) != b.built {
		panic(faultLanes)
	}
	for r := range dst {
		k := b.search(r, target(u[r], b.sum[r]))
		if b.positive[k]>>r&1 == 0 {
			k = nearestPositive(k, b.outcomes, func(k int) bool { return b.positive[k]>>r&1 != 0 })
		}
		dst[r] = k
	}
}

// search finds the outcome of lane r for u' = t: Algorithm 9. A lane on its own
// looks at the remnant first, where lanes in lock step must search a block
// together before any of them may find that its outcome is not there.
func (b *Butterfly[F]) search(r int, t F) int {
	w := b.width()
	remnant := b.outcomes % w
	if remnant > 0 && t < b.table[(remnant-1)*w+r] {
		for i := 0; ; i++ {
			if t < b.table[i*w+r] {
				return i
			}
		}
	}
	j, k := 0, b.outcomes/w-1
	for j < k {
		mid := (j + k) / 2
		if t < b.table[(remnant+mid*w+w-1)*w+r] {
			k = mid
		} else {
			j = mid + 1
		}
	}
	return b.searchBlock(r, remnant+j*w, t)
}

// searchBlock finds the outcome of lane r for u' = t in the block whose first
// outcome is base: Algorithm 10. It walks down the lane's tree, keeping
//
//	low  = the sum of all weights before the outcomes still possible
//	high = the sum of all weights up to the last of them
//
// flip ⊕ r holds the bits of the outcome found so far, and r's own bits below.
// A lane reads its node from the lane r ⊕ flip; a warp has each lane fetch for
// its readers in turn, which costs shuffles but gives the same numbers.
func (b *Butterfly[F]) searchBlock(r, base int, t F) int {
	w := b.width()
	var low F
	if base > 0 {
		low = b.table[(base-1)*w+r]
	}
	high := b.table[(base+w-1)*w+r]
	flip := 0
	for bit := w / 2; bit > 0; bit /= 2 {
		mask := (w - 1) &^ (2*bit - 1)
		d := bit - 1 + r&mask
		y := b.table[(base+d)*w+(r^flip)]
		compare := low + y
		if b.Form == AddSubtract && r&bit != 0 {
			compare = high - y
		}
		if t < compare {
			high = compare
			flip ^= bit & r
		} else {
			low = compare
			flip ^= bit &^ r
		}
	}
	return base + (flip ^ r)
}
