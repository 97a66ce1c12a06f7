package eval

//go:generate go run ../../tools/kernels .

// lanes is the number of partial sums of a dot product: lane l adds up the elements k ≡ l (mod lanes) in increasing k.
const lanes = 16

// dotGo is the specification of dot: Σ_k a_k b_k over vectors of equal length, a multiple of lanes. It fixes the
// order of operations for every machine: products are rounded before they are added (the conversions forbid fused
// multiply-add), and lanes are folded in halves.
func dotGo(a, b []float32) float32 {
	var lane [lanes]float32
	for k := 0; k+lanes <= len(a); k += lanes {
		x, y := (*[lanes]float32)(a[k:]), (*[lanes]float32)(b[k:])
		for l := range lane {
			lane[l] += float32(x[l] * y[l])
		}
	}
	for half := lanes / 2; half > 0; half /= 2 {
		for l := range half {
			lane[l] += lane[l+half]
		}
	}
	return lane[0]
}

// responsibilitiesGo is the specification of responsibilities: for every row φ_u of phi, one after the other,
//
//	next += (counts_u / dotGo(theta, φ_u)) φ_u
//
// phi has len(counts) rows of len(theta) elements, a multiple of lanes.
func responsibilitiesGo(next, theta, phi, counts []float32) {
	k := len(theta)
	next = next[:k]
	for u, count := range counts {
		row := phi[u*k : u*k+k]
		g := count / dotGo(theta, row)
		for i, p := range row {
			next[i] += float32(g * p)
		}
	}
}

// reestimateGo is the specification of reestimate: θ_k ∝ α_k + Σ_i r_ik, whose factor cancels in the next step. The
// vectors have equal lengths, a multiple of lanes.
//
//	theta = alpha + theta·next
func reestimateGo(theta, next, alpha []float32) {
	for k, g := range next {
		theta[k] = alpha[k] + float32(theta[k]*g)
	}
}

// reduceGo is the specification of reduce, which takes expected counts out of a row of φ: g θ_k φ_k of them are in
// topic k, and each adds inverse_k to φ_k. What is left is not less than the background. The vectors have equal
// lengths, a multiple of lanes.
//
//	row = max(background, row - g·theta·row·inverse)
func reduceGo(row, theta, background, inverse []float32, g float32) {
	for k, phi := range row {
		expected := float32(float32(g*theta[k]) * phi)
		row[k] = max(background[k], phi-float32(expected*inverse[k]))
	}
}
