package cvb

import (
	"math"

	"github.com/topoi-lda/topoi/internal/rng"
)

//go:generate go run ../../../tools/kernels .

// lanes is the number of running sums of a normaliser: one register of AVX-512, or two of AVX2.
const lanes = 16

// pair is a word of a document, in the order in which pairs are updated.
type pair struct {
	doc, word uint32 // rows
	count     uint32 // how often the word occurs in the document
	token     uint32 // its first token in the corpus; the others follow it
	rank      uint32 // tokens of the word before this one, in corpus order
}

// tile is the input of one update: the pairs of a group of documents and a group of words, and the counts
// that they share with other tiles.
type tile struct {
	pairs   []pair
	gamma   []uint8   // pairs × kpad: responsibilities as bytes, replaced
	docs    []int32   // rows × kpad: n_dk in units of 1/One, kept up to date
	words   []int32   // rows × kpad: n_wk, likewise
	alpha   []float32 // kpad: One·α_k + offset
	beta    float32   // One·β + offset
	inv     []float32 // kpad: One/(n_k + Vβ) before the epoch, 0 beyond K
	kpad    int       // K rounded up to whole groups of lanes
	old     []float32 // kpad: scratch of the assembly, t of the old responsibilities
	weights []float32 // kpad: scratch
}

// updateGo computes the responsibilities of all pairs of a tile, one pair after the other. It is the
// specification of the assembly versions. With own responsibility g and counts in units,
//
//	x_k = (((n_dk - g_k) + One·α_k) · ((n_wk - g_k) + One·β)) · inv_k
//
// in float32, each operation rounded by itself. Lane l sums x_k of k ≡ l modulo 16 in increasing k. Then the
// lanes are summed by halving: l and l + 8 first. The new g_k is x_k · (One/Σx) as a byte, and the counts
// change by the number of tokens times the difference.
func updateGo(t *tile) {
	for i, p := range t.pairs {
		gamma := t.gamma[i*t.kpad : (i+1)*t.kpad]
		doc := t.docs[int(p.doc)*t.kpad : (int(p.doc)+1)*t.kpad]
		word := t.words[int(p.word)*t.kpad : (int(p.word)+1)*t.kpad]
		scale := One / t.weigh(gamma, doc, word)
		t.settle(gamma, doc, word, int32(p.count), scale)
	}
}

// weigh fills weights with x_k, and returns Σ x_k. Here and in settle all slices get the same length first, so that the
// compiler checks no index.
func (t *tile) weigh(gamma []uint8, doc, word []int32) float32 {
	var sums [lanes]float32
	doc, word = doc[:len(gamma)], word[:len(gamma)]
	alpha, beta, inv, weights := t.alpha[:len(gamma)], t.beta, t.inv[:len(gamma)], t.weights[:len(gamma)]
	for k, code := range gamma {
		old := decode(code)
		a := float32(float32(doc[k])-old) + alpha[k]
		b := float32(float32(word[k])-old) + beta
		x := float32(float32(a*b) * inv[k])
		weights[k] = x
		sums[k%lanes] += x
	}
	for n := lanes / 2; n > 0; n /= 2 {
		for l := range n {
			sums[l] += sums[l+n]
		}
	}
	return sums[0]
}

// settle makes responsibilities of the weights, and changes the counts by count times the difference.
func (t *tile) settle(gamma []uint8, doc, word []int32, count int32, scale float32) {
	doc, word, weights := doc[:len(gamma)], word[:len(gamma)], t.weights[:len(gamma)]
	for k, was := range gamma {
		code, now := encode(float32(weights[k] * scale))
		change := count * int32(now-decode(was))
		gamma[k] = code
		doc[k] += change
		word[k] += change
	}
}

// sumRowsGo sets sums (kpad values) to the sums of all rows. It is the specification of the assembly versions.
func sumRowsGo(sums []int64, rows []int32) {
	clear(sums)
	for len(rows) > 0 {
		for k, n := range rows[:len(sums)] {
			sums[k] += int64(n)
		}
		rows = rows[len(sums):]
	}
}

// laneSumsGo sets sums to the sums of a pair's responsibilities, in units, by lane: lane l has the topics k ≡
// l modulo 16. It is the specification of the assembly versions.
func laneSumsGo(sums *[lanes]int32, gamma []uint8) {
	*sums = [lanes]int32{}
	for k, code := range gamma {
		sums[k%lanes] += units[code]
	}
}

// A responsibility γ is stored in one byte: an offset makes it positive, then it is rounded to a floating-point number
// with five bits after the leading one (the μ-law of telephony). In units of 1/One, y = One·γ:
//
//	t = y + offset, rounded half up to six significant bits      32 ≤ t ≤ 8064
//
// So steps are 1/One for small γ and 1/64 of γ for large ones, and both 0 and 1 are exact. Counts are sums of such γ in
// units of 1/One, hence integers: they do not depend on the order of summation, and always equal the sum of their γ.
const (
	// One is γ = 1 in units of the counts.
	One = 8032

	offset    = 32      // t of γ = 0
	dropped   = 18      // bits of a float32's mantissa that a byte does not store
	roundHalf = 1 << 17 // one half of the last bit kept
)

// codeBase is the bit pattern of the float32 whose byte is 0. Other bytes, as signed numbers, count up and
// down from it.
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

// drawGo draws the topics of a pair's tokens with random numbers u, u + golden, … It is the definition.
func drawGo(z []uint32, gamma []uint8, u uint32) {
	var sums [lanes]int32
	total := totalOf(&sums, gamma)
	for i := range z {
		z[i] = inverse(gamma, &sums, int32(rng.Below(u, total)))
		u += golden
	}
}
