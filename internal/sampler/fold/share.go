package fold

// lanes is the number of running sums of a normaliser: two registers of AVX2.
const lanes = 16

// shares are the words of a document and the topics that it may have, in slots: as many
// as there are topics, and further ones without weight up to a multiple of lanes.
type shares struct {
	width  int       // slots
	counts []float32 // words: c_w
	rows   []float32 // φ_wk: of a word all slots from rowAt on
	rowAt  []int     // words
	gamma  []float32 // words × slots: γ_wk
	alpha  []float32 // slots: α_k
	n      []float32 // slots: n_dk = Σ_w c_w γ_wk, kept up to date
	x      []float32 // slots: scratch
	moved  float32   // Σ c_w |change of γ_wk| of the last round
}

// roundGo computes γ_wk of all words anew, one word after the other. It is the
// specification of the assembly version. With
//
//	x_k = (max(0, n_dk − γ_wk) + α_k) · φ_wk
//
// in float32, each operation rounded by itself, lane l sums x_k of k ≡ l modulo 16 in increasing k, and the lanes are
// then halved, l and l + 8 first; γ_wk is x_k · (1/Σx). The bound keeps rounding from making a weight negative.
func roundGo(s *shares) {
	var moved [lanes]float32
	for j, count := range s.counts {
		phi, gamma := s.rows[s.rowAt[j]:s.rowAt[j]+s.width], s.gamma[j*s.width:(j+1)*s.width]
		var sums [lanes]float32
		for i, p := range phi {
			x := float32(float32(max(0, s.n[i]-gamma[i])+s.alpha[i]) * p)
			s.x[i] = x
			sums[i%lanes] += x
		}
		scale := 1 / halved(&sums)
		for i, x := range s.x[:s.width] {
			g := float32(x * scale)
			change := float32(count * float32(g-gamma[i]))
			gamma[i] = g
			s.n[i] += change
			moved[i%lanes] += max(change, -change)
		}
	}
	s.moved = halved(&moved)
}

// halved adds lanes up.
func halved(sums *[lanes]float32) float32 {
	for n := lanes / 2; n > 0; n /= 2 {
		for l := range n {
			sums[l] += sums[l+n]
		}
	}
	return sums[0]
}
