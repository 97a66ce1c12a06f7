package cvb

// lanes is the number of running sums of a normaliser: a register of AVX-512, two
// of AVX2.
const lanes = 16

// pair is a word of a document, in the order in which pairs are updated.
type pair struct {
	doc, word uint32 // rows
	count     uint32 // how often the word occurs in the document
	token     uint32 // the first of its tokens, in corpus order; the others follow
	rank      uint32 // tokens of the word before this one, in corpus order
}

// tile is the work of one update: pairs of a group of documents and a group of
// words, and the counts that they share with other tiles.
type tile struct {
	pairs   []pair
	gamma   []uint8   // pairs × kpad: responsibilities as bytes, replaced
	docs    []int32   // rows × kpad: n_dk in units of 1/One, kept up to date
	words   []int32   // rows × kpad: n_wk, likewise
	alpha   []float32 // kpad: One·α_k + offset
	beta    float32   // One·β + offset
	inv     []float32 // kpad: One/(n_k + Vβ) before the epoch, 0 beyond K
	kpad    int       // K rounded up to whole groups of lanes
	old     []float32 // kpad: scratch, t of the old responsibilities
	weights []float32 // kpad: scratch
}

// updateGo computes the responsibilities of all pairs of a tile anew, one pair
// after the other. It is the specification of the assembly versions. With own
// responsibility g and counts in units,
//
//	x_k = (((n_dk - g_k) + One·α_k) · ((n_wk - g_k) + One·β)) · inv_k
//
// in float32, each operation rounded by itself. Lane l sums x_k of k ≡ l modulo
// 16 in increasing k; the lanes are then halved, l and l + 8 first. The new g_k
// is x_k · (One/Σx) as a byte, and the counts move by the number of tokens times
// the difference.
func updateGo(t *tile) {
	for i, p := range t.pairs {
		gamma := t.gamma[i*t.kpad : (i+1)*t.kpad]
		doc := t.docs[int(p.doc)*t.kpad : (int(p.doc)+1)*t.kpad]
		word := t.words[int(p.word)*t.kpad : (int(p.word)+1)*t.kpad]
		scale := One / t.weigh(gamma, doc, word)
		for k, x := range t.weights {
			code, now := encode(float32(x * scale))
			gamma[k] = code
			change := int32(p.count) * int32(now-t.old[k])
			doc[k] += change
			word[k] += change
		}
	}
}

// weigh fills weights with x_k and old with the t of gamma, and returns Σ x_k.
func (t *tile) weigh(gamma []uint8, doc, word []int32) float32 {
	var sums [lanes]float32
	for k, code := range gamma {
		old := decode(code)
		a := float32(float32(doc[k])-old) + t.alpha[k]
		b := float32(float32(word[k])-old) + t.beta
		x := float32(float32(a*b) * t.inv[k])
		t.old[k], t.weights[k] = old, x
		sums[k%lanes] += x
	}
	for n := lanes / 2; n > 0; n /= 2 {
		for l := range n {
			sums[l] += sums[l+n]
		}
	}
	return sums[0]
}

// sumRowsGo sets sums (kpad values) to the sums of all rows. It is the
// specification of the assembly versions.
func sumRowsGo(sums []int64, rows []int32) {
	clear(sums)
	for len(rows) > 0 {
		for k, n := range rows[:len(sums)] {
			sums[k] += int64(n)
		}
		rows = rows[len(sums):]
	}
}

// laneSumsGo sets sums to the sums over the lanes of a pair's responsibilities, in
// units: lane l has the topics k ≡ l modulo 16. It is the specification of the
// assembly versions.
func laneSumsGo(sums *[lanes]int32, gamma []uint8) {
	*sums = [lanes]int32{}
	for k, code := range gamma {
		sums[k%lanes] += units[code]
	}
}
