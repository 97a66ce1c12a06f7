// Package draw32 is the canonical draw of a topic, by 32 lanes, for one token and for the
// tokens of a few words in a block at once: in portable Go, which is its definition, and
// in assembly. batch, grid and inference draw by it.
package draw32

// The canonical draw. An O(K) draw is defined once, for every engine, as a draw
// by 32 lanes, the width of a GPU's warp, of two AVX-512 registers or of four
// AVX2 registers. Lane l owns the topics k ≡ l (mod 32). With weights p_k:
//
//  1. Each lane sums its weights in increasing k: running sums c_gl over the
//     groups g = 0, 1, … of 32 topics.
//  2. The token's own contribution is taken out by subtracting
//     δ = p_z(own count in) - p_z(own count out) from every running sum that
//     contains topic z.
//  3. The 32 lane sums are made into prefix sums P_l: in each half of 16 lanes
//     by four doubling steps (shift by 1, 2, 4, 8), then the last value of the
//     lower half is added to the upper half.
//  4. With t = u·P_31, the lane is the number of l < L-1 with P_l ≤ t, where
//     L = min(K, 32).
//  5. With r = t - P_(lane-1), the group is the number of running sums of that
//     lane, its last one excepted, that are ≤ r.
//
// All arithmetic is float32 without fused multiply-add. No prefix sum over all K
// topics is ever made: the point of Steele and Tristan's butterfly sums.

// Lanes is the width of the canonical draw: W of the butterfly paper.
const Lanes = 32

// PaddedTopics returns K rounded up to whole groups of lanes.
func PaddedTopics(k int) int { return (k + Lanes - 1) &^ (Lanes - 1) }

// LaneMask has a bit for every lane but the last of the min(K, 32) in use.
func LaneMask(k int) uint32 { return 1<<(min(k, Lanes)-1) - 1 }

// Prefix replaces 32 lane sums by their prefix sums (step 3).
func Prefix(p *[Lanes]float32) {
	for half := 0; half < Lanes; half += 16 {
		h := p[half : half+16 : half+16]
		for _, s := range [4]int{1, 2, 4, 8} {
			for l := 15; l >= s; l-- {
				h[l] += h[l-s]
			}
		}
	}
	low := p[15]
	for l := 16; l < Lanes; l++ {
		p[l] += low
	}
}

// Draw draws a topic with weights p_k = d[k]·w[k], k < topics, by the random
// number u. The slices are padded to whole groups of lanes with d = 0. The
// weight of topic z is lowered by delta first (step 2); cum is scratch, at least
// as long as d.
func Draw(d, w, cum []float32, topics int, z uint32, delta, u float32) uint32 {
	var sums [Lanes]float32
	for g := 0; g < len(d); g += Lanes {
		dg, wg, cg := (*[Lanes]float32)(d[g:]), (*[Lanes]float32)(w[g:]), (*[Lanes]float32)(cum[g:]) // no checks inside
		for l := range sums {
			sum := sums[l] + float32(dg[l]*wg[l])
			sums[l], cg[l] = sum, sum
		}
	}
	own := int(z) % Lanes
	for k := int(z); k < len(d); k += Lanes {
		cum[k] -= delta
	}
	sums[own] -= delta

	Prefix(&sums)
	t := u * sums[Lanes-1]
	lane := 0
	for _, p := range sums[:min(topics, Lanes)-1] {
		if p <= t {
			lane++
		}
	}
	r := t
	if lane > 0 {
		r -= sums[lane-1]
	}
	k := lane
	for next := lane; next+Lanes < topics; next += Lanes {
		if cum[next] <= r {
			k += Lanes
		}
	}
	return uint32(k)
}
