// Package synthetic draws documents from a known topic model, which corpus.Generate describes.
package synthetic

import (
	"math"
	"math/bits"
	"slices"

	"github.com/topoi-lda/topoi/internal/portable"
	"github.com/topoi-lda/topoi/internal/radix"
	"github.com/topoi-lda/topoi/internal/rng"
)

// Purposes of random blocks. The counter is (document or topic, number of the token or ball, purpose).
const (
	forLength rng.Purpose = 0x67656e00 + iota
	forToken
	forBall
)

const (
	urnBits = 13 // 2^13 balls in the urn of a topic
	urnSize = 1 << urnBits
)

// Model is the model that documents are drawn from.
type Model struct {
	Words      int     // V
	Topics     int     // K, at most 65,536
	MeanLength float64 // of documents, in tokens
	AlphaSum   float64
	BetaSum    float64
	Seed       uint64
}

// Generator draws documents.
type Generator struct {
	model Model
	key   rng.Key
	words *Law
	sizes *lengths
	alpha uint64   // AlphaSum in units of 2^-16
	urns  []uint32 // K × urnSize words
}

// NewGenerator returns the generator of a model. FillUrn must be called for every topic before Draw.
func NewGenerator(m Model) *Generator {
	return &Generator{
		model: m,
		key:   rng.NewKey(m.Seed),
		words: NewLaw(m.Words),
		sizes: newLengths(m.MeanLength),
		alpha: fixed16(m.AlphaSum),
		urns:  make([]uint32, m.Topics*urnSize),
	}
}

// fixed16 returns x in units of 2^-16.
func fixed16(x float64) uint64 { return uint64(math.Round(65536 * x)) }

// urnStep decides one step of a Pólya urn that holds n balls and has the given concentration (in units of
// 2^-16). It returns whether to draw a new ball, else which ball to copy. rest holds unused random bits.
func urnStep(x, concentration, n uint64) (fresh bool, ball uint64, rest uint32) {
	r, lo := bits.Mul64(x, concentration+n<<16)
	if r < concentration {
		return true, 0, uint32(lo >> 32)
	}
	return false, (r - concentration) >> 16, 0
}

// FillUrn draws topic k.
func (g *Generator) FillUrn(k int) {
	urn := g.urns[k*urnSize : (k+1)*urnSize]
	beta := fixed16(g.model.BetaSum)
	for i := range urn {
		x := g.key.Block(uint32(k), 0, uint32(i), uint32(forBall))
		fresh, ball, _ := urnStep(uint64(x[0])<<32|uint64(x[1]), beta, uint64(i))
		if fresh {
			urn[i] = g.words.Draw(x[2], x[3])
		} else {
			urn[i] = urn[ball]
		}
	}
}

// Documents is a run of documents.
type Documents struct {
	First   int // number of its first document
	Docs    int
	Tokens  []uint32 // sorted inside documents
	Lengths []int
	topics  []uint16 // of the current document's tokens
	radix.Sorter
}

// Draw draws the documents.
func (g *Generator) Draw(b *Documents) {
	b.Tokens, b.Lengths = b.Tokens[:0], b.Lengths[:0]
	for d := b.First; d < b.First+b.Docs; d++ {
		lo, hi := uint32(d), uint32(uint64(d)>>32)
		n := g.sizes.draw(g.key.Block(lo, hi, 0, uint32(forLength))[0])
		b.topics = slices.Grow(b.topics[:0], n)[:n]
		b.Tokens = slices.Grow(b.Tokens, n)
		doc := b.Tokens[len(b.Tokens) : len(b.Tokens)+n]
		for i := range doc {
			doc[i] = g.place(b.topics, i, g.key.Block(lo, hi, uint32(i), uint32(forToken)))
		}
		g.look(doc)
		b.Sort(doc, g.model.Words)
		b.Tokens = b.Tokens[:len(b.Tokens)+n]
		b.Lengths = append(b.Lengths, n)
	}
}

// fromZipf marks a place that is already a word.
const fromZipf = 1 << 31

// place draws token i of a document whose topics so far are topics[:i]. It returns the position of the word
// in the urns, or the word itself with fromZipf set.
func (g *Generator) place(topics []uint16, i int, x [4]uint32) uint32 {
	fresh, ball, rest := urnStep(uint64(x[0])<<32|uint64(x[1]), g.alpha, uint64(i))
	if fresh {
		topics[i] = uint16(rng.Below(rest, uint32(g.model.Topics)))
	} else {
		topics[i] = topics[ball]
	}
	if x[2]>>28 == 0 { // one in sixteen is drawn from p itself
		return g.words.Draw(x[3], x[2]<<4) | fromZipf
	}
	return uint32(topics[i])<<urnBits | x[2]>>(28-urnBits)&(urnSize-1)
}

// look replaces places by words. The urns do not fit in any cache. Because this loop does nothing else,
// many cache misses are in progress at once.
func (g *Generator) look(places []uint32) {
	for i, p := range places {
		if p&fromZipf == 0 {
			places[i] = g.urns[p]
		} else {
			places[i] = p &^ fromZipf
		}
	}
}

// lengths draws document lengths from a log-normal law. Quantiles are tabulated and rounded to 2^-16.
type lengths struct {
	mean     float64
	quantile [lengthSteps]uint64 // in units of 2^-16 of the mean
}

const (
	lengthSteps  = 4096
	lengthSpread = 0.6 // standard deviation of the logarithm, as in collections of papers or news
)

func newLengths(mean float64) *lengths {
	l := &lengths{mean: mean}
	for i := range l.quantile {
		p := float64((float64(i) + 0.5) / lengthSteps)
		z := math.Sqrt2 * portable.Erfinv(float64(2*p)-1) // normal quantile
		l.quantile[i] = uint64(math.Round(65536 * portable.Exp(float64(lengthSpread*z)-lengthSpread*lengthSpread/2)))
	}
	return l
}

// draw returns a length of at least 1 for a random word: its upper 12 bits choose the quantile, its lower
// 20 bits round it up or down.
func (l *lengths) draw(x uint32) int {
	// the conversion rounds in the same way on every machine
	exact := float64(float64(l.quantile[x>>20]) * (l.mean / 65536))
	whole := math.Floor(exact)
	if float64(x&(1<<20-1)) < float64(exact-whole)*(1<<20) {
		whole++
	}
	return max(1, int(whole))
}

// InventWords makes n words of three syllables or more, a consonant and a
// vowel each: pronounceable, distinct, and never a stop word.
func InventWords(n int) []string {
	const consonants, vowels = "bcdfghjklmnpqrstvwxz", "aeiou"
	const syllables = len(consonants) * len(vowels)
	words := make([]string, n)
	for i := range words {
		var reversed [2 * 8]byte
		size := 0
		for rest := i + syllables*syllables; rest > 0 || size < 6; rest /= syllables {
			s := rest % syllables
			reversed[size], reversed[size+1] = vowels[s%len(vowels)], consonants[s/len(vowels)]
			size += 2
		}
		slices.Reverse(reversed[:size])
		words[i] = string(reversed[:size])
	}
	return words
}

// Law draws ranks 0, …, V-1 from the law of Zipf and Mandelbrot,
//
//	p(r) ∝ 1 / (r + 1 + shift),
//
// by an alias table (Vose, "A linear algorithm for generating random numbers with a given distribution", 1991) in
// integers throughout, so that every machine builds the same table and draws the same ranks.
type Law struct {
	stay  []uint32 // probability of staying in a column, in units of 2^-32
	alias []uint32 // where to go otherwise
}

// shift flattens the head of the law as removing stop words does: the most frequent word takes about 1 % of the tokens.
const shift = 10

// Weight returns the unnormalised probability of a rank.
func Weight(rank int) uint64 { return max(1, (1<<30)/uint64(rank+1+shift)) }

// NewLaw returns the law for a vocabulary of the given size.
func NewLaw(words int) *Law {
	z := &Law{stay: make([]uint32, words), alias: make([]uint32, words)}
	height := make([]uint64, words) // weight × V, so that the mean height is total
	total := uint64(0)
	for r := range height {
		height[r] = Weight(r) * uint64(words)
		total += Weight(r)
	}
	var low, high []uint32
	for r, h := range height {
		if h < total {
			low = append(low, uint32(r))
		} else {
			high = append(high, uint32(r))
		}
	}
	for len(low) > 0 {
		l, h := low[len(low)-1], high[len(high)-1]
		low = low[:len(low)-1]
		q, _ := bits.Div64(height[l]>>32, height[l]<<32, total)
		z.stay[l], z.alias[l] = uint32(q), h
		height[h] -= total - height[l]
		if height[h] < total {
			high = high[:len(high)-1]
			low = append(low, h)
		}
	}
	for _, r := range high { // exactly as high as the mean
		z.stay[r], z.alias[r] = math.MaxUint32, r
	}
	return z
}

// Draw returns the rank for two random words.
func (z *Law) Draw(column, toss uint32) uint32 {
	r := rng.Below(column, uint32(len(z.stay)))
	if toss < z.stay[r] {
		return r
	}
	return z.alias[r]
}
