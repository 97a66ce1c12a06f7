package simulate

import "math"

// Load describes a corpus and the state of its model by five numbers.
//
// Words are taken to follow the law of Zipf and Mandelbrot without its stop words:
// the r-th most frequent of V words occurs
//
//	n_r = N / (r + 10) / Σ_i 1/(i + 10)
//
// times. Among n tokens of a word there are
//
//	t(n) = K (1 - exp(-n^b / K))
//
// topics: n^b while they are few, never more than K. The exponent b, Spread, is 1
// while topics are random and falls as they settle. On 20 million tokens with
// K = 1000 it is 0.91, 0.83, 0.78, 0.65 and 0.62 after 1, 5, 10, 40 and 60
// sweeps of warp; and the 2 billion non-zeros that LightLDA reports for 200
// billion tokens, K = V = 10^6, after 100 sweeps mean 0.67.
//
// A round in which a share c of n tokens of a word change their topic touches
// t(2 c n) of its entries, with an exponent 1 - 0.7 (1 - b) instead of b, because
// the tokens that still move are the unsettled ones, and at most 1.07 t(n), because
// they were in a topic of the word before and are in one now. On the same runs this
// is within 3 % of what was counted for an eighth of the corpus, 36 % for half of it
// and 18 % for all.
type Load struct {
	Tokens  float64 // N
	Words   int     // V
	Topics  int     // K
	Spread  float64 // b
	Changed float64 // c: share of the tokens whose topic a sweep changes
}

const (
	zipfShift    = 10  // the words before the first one are stop words
	changeSpread = 0.7 // how 1 - b differs between changes and rows
	mostChanges  = 1.07
	mostDense    = 16 // mean change up to which hardly one in a row is above 127
)

// eachWord calls f with the frequency of every word.
func (l Load) eachWord(f func(n float64)) {
	norm := 0.0
	for r := range l.Words {
		norm += 1 / float64(r+1+zipfShift)
	}
	for r := range l.Words {
		f(l.Tokens / norm / float64(r+1+zipfShift))
	}
}

// distinct is t(n): the expected number of topics among n tokens.
func (l Load) distinct(n, b float64) float64 {
	if n > 1 {
		n = math.Pow(n, b)
	}
	k := float64(l.Topics)
	return -k * math.Expm1(-n/k)
}

// rows returns the entries of all rows, and their size as a blob.
func (l Load) rows() (entries, bytes float64) {
	l.eachWord(func(n float64) {
		t := l.distinct(n, l.Spread)
		entries += t
		bytes += t * l.entryBytes(t, n/t)
	})
	return entries, bytes
}

// model returns the entries of the rows that a worker keeps sparse, those of words
// with fewer than K tokens, and the bytes of all rows in its memory: 4 K of a dense
// one, and two copies, old and new, of 8 bytes an entry of the others.
func (l Load) model() (sparse, bytes float64) {
	l.eachWord(func(n float64) {
		if n >= float64(l.Topics) {
			bytes += 4 * float64(l.Topics)
			return
		}
		t := l.distinct(n, l.Spread)
		sparse += t
		bytes += 2 * 8 * t
	})
	return sparse, bytes
}

// changes returns the entries that a share of all tokens changes in a round, and
// their size.
func (l Load) changes(share float64) (entries, bytes float64) {
	b := 1 - changeSpread*(1-l.Spread)
	l.eachWord(func(n float64) {
		moved := 2 * l.Changed * share * n
		t := min(l.distinct(moved, b), mostChanges*l.distinct(n, l.Spread))
		entries += t
		bytes += t * l.changeBytes(t, max(1, moved/t))
	})
	return entries, bytes
}

// changeBytes is entryBytes for changes: with enough small ones in a row, each is a byte
// and every topic has a bit.
func (l Load) changeBytes(t, m float64) float64 {
	bits := float64(l.Topics) / 8
	if t >= bits && m <= mostDense {
		return 1 + bits/t
	}
	return l.entryBytes(t, m)
}

// entryBytes is the expected size of an entry as package blob writes it, in a row
// of t entries whose mean value is m, if gaps and values are geometric.
func (l Load) entryBytes(t, m float64) float64 {
	gap := float64(l.Topics) / max(t, 1)
	size := 1 + math.Exp(-32/gap) + math.Exp(-4096/gap)
	above := func(v float64) float64 { return math.Pow(1-1/max(m, 1), v) }
	return size + above(3) + above(131) + above(16387)
}

// topicBytes is the size of a token's topic in the store.
func (l Load) topicBytes() float64 {
	if l.Topics <= 1<<16 {
		return 2
	}
	return 4
}
