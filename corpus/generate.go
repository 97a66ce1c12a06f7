package corpus

import (
	"context"
	"io"
	"math"
	"math/bits"
	"path/filepath"
	"slices"
	"time"

	"github.com/topoi-lda/topoi/corpus/internal/zipf"
	"github.com/topoi-lda/topoi/internal/conveyor"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/radix"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/wholefile"
)

// Generate draws a corpus from a known LDA model and writes it to the corpus
// file out, whole or not at all. The same options give the same bytes on every
// machine and for any number of threads.
//
// The model, with Zipf's law p over words:
//
//	φ_k ~ Dirichlet(BetaSum · p), then smoothed with 1/16 of p
//	θ_d ~ Dirichlet(AlphaSum/K, …, AlphaSum/K)
//	n_d ~ log-normal with the given mean
//	z ~ θ_d and w ~ φ_z for each of the n_d tokens
//
// Neither φ nor θ is ever formed. Each is drawn from by its Pólya urn
// (Blackwell and MacQueen 1973), one integer operation a token: a topic is an
// urn of 8192 balls, and a token takes a new topic or that of an earlier token
// of its document. Memory is 32 KB a topic and a few megabytes a thread; the
// corpus goes straight to disk.
func Generate(ctx context.Context, out string, opts GenerateOptions) (*Report, error) {
	if err := opts.Validate(); err != nil {
		return nil, err
	}
	if err := opts.WithDefaults().fits(filepath.Dir(out)); err != nil {
		return nil, err
	}
	f, err := wholefile.Create(out)
	if err != nil {
		return nil, err
	}
	defer f.Abort()
	g := newGenerator(opts.WithDefaults())
	report, err := g.write(ctx, f, filepath.Dir(out))
	if err != nil {
		return nil, explainWrite(out, err)
	}
	return report, nil
}

// What a random block is for; the counter is (document or topic, number of the
// token or ball, purpose).
const (
	forLength rng.Purpose = 0x67656e00 + iota
	forToken
	forBall
)

const (
	urnBits = 13 // 2^13 balls in the urn of a topic
	urnSize = 1 << urnBits
)

// generator is one run of Generate.
type generator struct {
	opts  GenerateOptions
	key   rng.Key
	words *zipf.Law
	sizes *lengths
	alpha uint64   // AlphaSum in units of 2^-16
	urns  []uint32 // K × urnSize words
}

func newGenerator(opts GenerateOptions) *generator {
	g := &generator{
		opts:  opts,
		key:   rng.NewKey(opts.Seed),
		words: zipf.New(opts.Words),
		sizes: newLengths(opts.MeanLength),
		alpha: fixed16(opts.AlphaSum),
		urns:  make([]uint32, opts.Topics*urnSize),
	}
	return g
}

// fixed16 returns x in units of 2^-16.
func fixed16(x float64) uint64 { return uint64(math.Round(65536 * x)) }

// urnStep decides a step of a Pólya urn with the given concentration (in units
// of 2^-16) that holds n balls: whether to draw afresh, else which ball to
// copy. rest are random bits left over.
func urnStep(x, concentration, n uint64) (fresh bool, ball uint64, rest uint32) {
	r, lo := bits.Mul64(x, concentration+n<<16)
	if r < concentration {
		return true, 0, uint32(lo >> 32)
	}
	return false, (r - concentration) >> 16, 0
}

// fillUrn draws topic k.
func (g *generator) fillUrn(k int) {
	urn := g.urns[k*urnSize : (k+1)*urnSize]
	beta := fixed16(g.opts.BetaSum)
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

// generated is a run of documents.
type generated struct {
	first   int // number of its first document
	docs    int
	tokens  []uint32
	lengths []int
	topics  []uint16 // of the current document's tokens
	radix.Sorter
}

// fill draws the documents.
func (g *generator) fill(b *generated) {
	b.tokens, b.lengths = b.tokens[:0], b.lengths[:0]
	for d := b.first; d < b.first+b.docs; d++ {
		lo, hi := uint32(d), uint32(uint64(d)>>32)
		n := g.sizes.draw(g.key.Block(lo, hi, 0, uint32(forLength))[0])
		b.topics = slices.Grow(b.topics[:0], n)[:n]
		b.tokens = slices.Grow(b.tokens, n)
		doc := b.tokens[len(b.tokens) : len(b.tokens)+n]
		for i := range doc {
			doc[i] = g.place(b.topics, i, g.key.Block(lo, hi, uint32(i), uint32(forToken)))
		}
		g.look(doc)
		b.Sort(doc, g.opts.Words)
		b.tokens = b.tokens[:len(b.tokens)+n]
		b.lengths = append(b.lengths, n)
	}
}

// fromZipf marks a place that is a word already.
const fromZipf = 1 << 31

// place draws token i of a document, whose topics so far are topics[:i]. It
// returns where in the urns the word is, or the word itself with fromZipf set.
func (g *generator) place(topics []uint16, i int, x [4]uint32) uint32 {
	fresh, ball, rest := urnStep(uint64(x[0])<<32|uint64(x[1]), g.alpha, uint64(i))
	if fresh {
		topics[i] = uint16(rng.Below(rest, uint32(g.opts.Topics)))
	} else {
		topics[i] = topics[ball]
	}
	if x[2]>>28 == 0 { // one in sixteen is drawn from p itself
		return g.words.Draw(x[3], x[2]<<4) | fromZipf
	}
	return uint32(topics[i])<<urnBits | x[2]>>(28-urnBits)&(urnSize-1)
}

// look replaces places by words. The urns do not fit in any cache; with nothing
// else in this loop many of their misses are under way at once.
func (g *generator) look(places []uint32) {
	for i, p := range places {
		if p&fromZipf == 0 {
			places[i] = g.urns[p]
		} else {
			places[i] = p &^ fromZipf
		}
	}
}

// write makes topics, then documents, in parallel, and writes them in order.
func (g *generator) write(ctx context.Context, f *wholefile.File, tempDir string) (*Report, error) {
	m := &meter{tell: g.opts.Progress}
	defer m.run(PhaseGenerate)()
	m.total.Store(int64(g.opts.Docs))
	if err := parallel.Do(ctx, g.opts.Threads, g.opts.Topics, func(_, k int) { g.fillUrn(k) }); err != nil {
		return nil, err
	}
	words := inventWords(g.opts.Words)
	out := newSink(f, sinkOptions{tempDir: tempDir, words: words})
	defer out.Close()
	perJob := min(max(1<<18/int(g.opts.MeanLength), 1), 4096)
	next := 0
	c := conveyor.Conveyor[*generated]{
		Threads: g.opts.Threads,
		Fill: func(b *generated) error {
			b.first, b.docs = next, min(perJob, g.opts.Docs-next)
			next += b.docs
			if b.docs == 0 {
				return io.EOF
			}
			return nil
		},
		Work: func(_ int, b *generated) error { g.fill(b); return nil },
		Drain: func(b *generated) error {
			m.advance(b.docs, int64(len(b.tokens)))
			return writing(out.add(b.tokens, b.lengths, nil))
		},
	}
	for range 2*c.Threads + 2 {
		c.Jobs = append(c.Jobs, new(generated))
	}
	if err := c.Run(ctx); err != nil {
		return nil, err
	}
	if err := writing(out.finish()); err != nil {
		return nil, err
	}
	if err := f.Commit(); err != nil {
		return nil, err
	}
	return &Report{
		Docs: int64(out.docs), Words: int64(words.Len()), Tokens: int64(out.tokens),
		Seconds: time.Since(m.start).Seconds(),
	}, nil
}

// inventWords makes n words of three syllables or more, a consonant and a
// vowel each: pronounceable, distinct, and never a stop word.
func inventWords(n int) Strings {
	const consonants, vowels = "bcdfghjklmnpqrstvwxz", "aeiou"
	const syllables = len(consonants) * len(vowels)
	var words Strings
	for i := range n {
		var reversed [2 * 8]byte
		size := 0
		for rest := i + syllables*syllables; rest > 0 || size < 6; rest /= syllables {
			s := rest % syllables
			reversed[size], reversed[size+1] = vowels[s%len(vowels)], consonants[s/len(vowels)]
			size += 2
		}
		slices.Reverse(reversed[:size])
		words.add(string(reversed[:size]))
	}
	return words
}
