package fold

//go:generate go run ../../../tools/kernels .

// lanes is the number of running sums of a normaliser: two registers of AVX2.
const lanes = 16

// listed holds a document with the topics in which its words occur. Every word has the weight b_k = β/(n_k + Vβ) in any
// topic, and s_wk = n_wk/(n_k + Vβ) comes on top of it where the word occurs. The γ of a word is therefore a sum:
//
//	γ_wk = (n_dk − γ_wk + α_k) · s_wk/z_w     in the topics in which the word occurs
//	r_wk = (n_dk − r_wk + α_k) · b_k/z_w      in all topics
//
// The first part is kept for each word. Only the sum over all words is kept of the second. It is computed once a round,
// with the r_wk of an average token, n_dk/N_d, taken out. The cost of a round does not depend on the number of topics,
// but on those in which words occur.
//
// Each word has a multiple of lanes entries. The last ones may stand for no topic: they have no weight, and the slot
// behind all others.
type listed struct {
	counts []float32 // words: c_w
	sizes  []int     // words: number of entries
	topics []uint32  // entries
	s      []float32 // entries: s_wk
	gamma  []float32 // entries: γ_wk
	sums   []float32 // words: Σ_k γ_wk
	x, was []float32 // scratch for the entries of a word

	held  []float32 // slots and one more: n_dk + α_k
	rest  []float32 // slots: Σ_w c_w r_wk
	alpha []float32 // slots: α_k
	b     []float32 // slots: b_k

	keep  float32 // 1 − 1/N_d
	own   float32 // Σ_k (n_dk · keep + α_k)
	mean  float32 // Σ_k (n_dk · keep + α_k) b_k/own
	scale float32 // Σ_w c_w/z_w of a round
	moved float32 // Σ c_w |change of γ_wk| of a round
}

// wordsGo computes γ_wk of all words anew, one word after the other. It is the specification of the assembly versions.
// All numbers are float32, each operation rounded by itself. Lane l sums entries i ≡ l modulo 16 in increasing i, and
// the lanes are then halved, l and l + 8 first. The bound keeps rounding from making a weight negative.
func wordsGo(l *listed) {
	var moved [lanes]float32
	begin := 0
	l.scale = 0
	for j, size := range l.sizes {
		topics, s, gamma := l.topics[begin:begin+size], l.s[begin:begin+size], l.gamma[begin:begin+size]
		x, was := l.x[:size], l.was[:size]
		var sums [lanes]float32
		for i, k := range topics {
			was[i] = l.held[k]
			x[i] = float32(max(0, was[i]-gamma[i]) * s[i])
			sums[i%lanes] += x[i]
		}
		count, sum := l.counts[j], halved(&sums)
		scale := 1 / (float32(l.own*l.mean) + sum)
		l.scale += float32(count * scale)
		sum = float32(sum * scale)
		l.own += float32(float32(float32(sum-l.sums[j])*count) * l.keep)
		l.sums[j] = sum
		for i, k := range topics {
			g := float32(x[i] * scale)
			change := float32(float32(g-gamma[i]) * count)
			gamma[i] = g
			l.held[k] = was[i] + change
			moved[i%lanes] += max(change, -change)
		}
		begin += size
	}
	l.moved = halved(&moved)
}

// spreadGo computes what all words have in any topic, and then own and mean for the next round. It is the specification
// of the assembly versions.
func spreadGo(l *listed) {
	var moved, own, weight [lanes]float32
	for k, b := range l.b {
		rest := float32(float32(l.ownAt(k)*b) * l.scale)
		change := rest - l.rest[k]
		l.rest[k] = rest
		l.held[k] += change
		moved[k%lanes] += max(change, -change)
		now := l.ownAt(k)
		own[k%lanes] += now
		weight[k%lanes] += float32(now * b)
	}
	l.own = halved(&own)
	l.mean = halved(&weight) / l.own
	l.moved += halved(&moved)
}

// ownAt returns n_dk · keep + α_k.
func (l *listed) ownAt(k int) float32 {
	return float32(max(0, l.held[k]-l.alpha[k])*l.keep) + l.alpha[k]
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
