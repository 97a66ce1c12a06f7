// Package cvb implements zero-order collapsed variational Bayes (Asuncion, Welling, Smyth and Teh, "On
// smoothing and inference for topic models", UAI 2009) in eight bits.
//
// Every distinct word of a document, a pair, has a probability γ_k for each topic, which its tokens share:
// its responsibilities. A sweep computes every γ again from expected counts, from which one token of the pair
// is subtracted,
//
//	γ_k ∝ (n_dk - γ_k + α_k) (n_wk - γ_k + β) / (n_k + Vβ)
//
//	n_dk = Σ γ_k over the tokens of document d, n_wk over those of word w, n_k over all
//
// where n_dk and n_wk are always current and n_k is that of the beginning of an epoch. A responsibility is a byte, a
// count is an integer sum of bytes, and an update is float32 arithmetic in one written order (update.go). So any number
// of processors and any instruction set give the same bytes, and γ is the whole state.
//
// It costs O(K) a pair and sweep, so that a sweep takes about as long as one of batch, and K bytes of memory a pair.
// While α and β are fixed, a sweep is worth five to ten of sampling. If they are learnt, it works best after some
// sweeps of sampling: Start takes their topics, and Topics draws topics from which priors can be estimated.
package cvb

import (
	"bytes"
	"context"
	"unsafe"

	"github.com/topoi-lda/topoi/internal/alloc"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// State is a run in progress.
type State struct {
	c    *Corpus
	l    *layout
	kpad int

	gamma  []uint8 // pairs × kpad: responsibilities, in the layout's order
	docs   []int32 // D × kpad: n_dk in units of 1/One, by row
	words  []int32 // V × kpad: n_wk, likewise
	totals []int64 // P × kpad: n_k of each group of words

	alpha, inv []float32   // kpad: see tile
	scratch    [][]float32 // one per worker, 2·kpad
}

// New returns a state for the corpus. Call Start or Load next.
func New(c *Corpus) (*State, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	l := newLayout(c)
	kpad := padded(c.K)
	s := &State{
		c: c, l: l, kpad: kpad,
		gamma:  aligned[uint8](len(l.pairs) * kpad),
		docs:   aligned[int32](c.docs() * kpad),
		words:  aligned[int32](c.V * kpad),
		totals: make([]int64, l.p*kpad),
		alpha:  aligned[float32](kpad),
		inv:    aligned[float32](kpad),
	}
	alloc.HugePages(s.docs)
	alloc.HugePages(s.words)
	for range max(1, min(c.Threads, l.p)) {
		s.scratch = append(s.scratch, aligned[float32](2*kpad))
	}
	return s, nil
}

// Start sets the responsibilities of each pair to the shares of topics among its tokens in z, which is in
// corpus order. If z is nil, topics are random.
func (s *State) Start(z []uint32) {
	if z == nil {
		z = s.random()
	}
	s.clearCounts()
	empty := emptyRow(s.kpad)
	s.diagonals(func(m, n int) {
		begin, end := s.l.span(m, n)
		for j, p := range s.l.pairs[begin:end] {
			gamma := s.row(begin + j)
			copy(gamma, empty)
			s.startPair(p, gamma, z[p.token:p.token+p.count])
		}
	})
}

// clearCounts sets n_dk to 0, and n_wk to the pseudo-counts.
func (s *State) clearCounts() {
	clear(s.docs)
	clear(s.words)
	s.c.Pseudo.Cells(func(w int, e counts.Entry) {
		s.words[int(s.l.words.row[w])*s.kpad+int(e.Topic)] = One * int32(e.Count)
	})
}

// emptyRow returns a row of γ = 0.
func emptyRow(kpad int) []uint8 { return bytes.Repeat([]byte{none}, kpad) }

// diagonals calls f for every tile, epoch by epoch, and computes n_k.
func (s *State) diagonals(f func(m, n int)) {
	for epoch := range s.l.p {
		_ = parallel.Do(context.Background(), s.c.Threads, s.l.p, func(_, m int) {
			n := (m + epoch) % s.l.p
			f(m, n)
			if epoch == s.l.p-1 {
				s.sumGroup(n)
			}
		})
	}
}

// startPair sets the responsibilities of a pair from the topics of its tokens.
func (s *State) startPair(p pair, gamma []uint8, z []uint32) {
	for _, k := range z {
		if gamma[k] != none {
			continue
		}
		n := 0
		for _, other := range z {
			if other == k {
				n++
			}
		}
		gamma[k], _ = encode(float32(One*n) / float32(len(z)))
		s.add(p, int(k), gamma[k])
	}
}

// add adds the tokens of a pair to the counts of topic k.
func (s *State) add(p pair, k int, code uint8) {
	n := int32(p.count) * units[code]
	s.docs[int(p.doc)*s.kpad+k] += n
	s.words[int(p.word)*s.kpad+k] += n
}

// random returns a uniform random topic for every token.
func (s *State) random() []uint32 {
	z := make([]uint32, (s.c.tokens()+3)&^3)
	rng.NewKey(s.c.Seed).Fill(z, 0, 0, forStart)
	for i, x := range z {
		z[i] = rng.Below(x, uint32(s.c.K))
	}
	return z
}

// row returns the responsibilities of a pair.
func (s *State) row(pair int) []uint8 { return s.gamma[pair*s.kpad : (pair+1)*s.kpad] }

// recount computes all counts from the responsibilities.
func (s *State) recount() {
	s.clearCounts()
	s.diagonals(func(m, n int) {
		begin, end := s.l.span(m, n)
		for j, p := range s.l.pairs[begin:end] {
			for k, code := range s.row(begin + j) {
				if code != none {
					s.add(p, k, code)
				}
			}
		}
	})
}

// sumGroup computes n_k of the words of group n.
func (s *State) sumGroup(n int) {
	first := s.l.words.first
	sumRows(s.totals[n*s.kpad:(n+1)*s.kpad], s.words[first[n]*s.kpad:first[n+1]*s.kpad])
}

// easedSweeps is the number of first sweeps in which α is reduced. While α is as large as the counts of
// documents, topics that begin alike take long to separate. On documents of five words with Σα = 50 that took
// fifty sweeps, and takes ten with a reduced α. On longer documents it saves a few sweeps.
const easedSweeps = 15

// easedSum is the largest Σα in these sweeps.
const easedSum = 5

// eased returns the factor by which α is multiplied in a sweep.
func eased(alpha []float64, iteration int) float64 {
	sum := 0.0
	for _, a := range alpha {
		sum += a
	}
	if iteration > easedSweeps || sum <= easedSum {
		return 1
	}
	return easedSum / sum
}

// Sweep computes every responsibility once. Iterations are numbered from 1. If ctx ends in between, the state
// is incomplete and must not be used.
func (s *State) Sweep(ctx context.Context, iteration int, alpha []float64, beta float64) error {
	scale := eased(alpha, iteration)
	for k, a := range alpha {
		s.alpha[k] = prior(float64(a * scale))
	}
	for epoch := range s.l.p {
		s.invert(beta)
		err := parallel.Do(ctx, s.c.Threads, s.l.p, func(worker, m int) {
			n := (m + epoch) % s.l.p
			s.updateTile(m, n, s.scratch[worker], prior(beta))
			s.sumGroup(n)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// prior returns a prior in units of 1/One, plus the offset of responsibilities. A prior that float32 would
// lose beside the offset is raised to 1/256 unit.
func prior(x float64) float32 { return float32(max(One*x, 1.0/(1<<8)) + offset) }

// invert computes inv from n_k.
func (s *State) invert(beta float64) {
	vbeta := float64(One * float64(s.c.V) * beta)
	for k := range s.c.K {
		sum := int64(0)
		for n := range s.l.p {
			sum += s.totals[n*s.kpad+k]
		}
		s.inv[k] = float32(One / (float64(sum) + vbeta))
	}
}

// updateTile updates the pairs of tile (m, n).
func (s *State) updateTile(m, n int, scratch []float32, beta float32) {
	begin, end := s.l.span(m, n)
	update(&tile{
		pairs: s.l.pairs[begin:end], gamma: s.gamma[begin*s.kpad : end*s.kpad],
		docs: s.docs, words: s.words, alpha: s.alpha, beta: beta, inv: s.inv, kpad: s.kpad,
		old: scratch[:s.kpad], weights: scratch[s.kpad:],
	})
}

// aligned returns n zero values that begin at a cache line.
func aligned[T uint8 | int32 | float32](n int) []T {
	const line = 64
	var value T
	size := int(unsafe.Sizeof(value))
	buf := make([]T, n+line/size)
	skip := -int(uintptr(unsafe.Pointer(&buf[0]))) & (line - 1) / size
	return buf[skip : skip+n : skip+n]
}

// Suits reports whether the zero-order form accepts a problem and needs at most the given bytes for it. If
// so, it returns the number of pairs. It reads the problem's words.
func Suits(p *sampler.Problem, most uint64) (pairs int, ok bool) {
	c := zeroCorpus(p)
	if c.bytesOf(0) > most || c.check() != nil {
		return 0, false
	}
	pairs, _, _ = c.pairs()
	return pairs, c.bytesOf(pairs) <= most
}

// These purposes are the third word of every Philox counter.
const (
	forStart  = 0          // the first topic of a token, as in other samplers
	forTopics = 0x63766230 // a topic drawn from responsibilities
)
