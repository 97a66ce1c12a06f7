package eval

import (
	"context"
	"math/bits"
	"runtime"
	"slices"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/coherence"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/portable"
)

// CoherenceResult holds measures of how well the words of each topic belong together, one value per topic. A topic of
// fewer than two words that occur in the reference text has NaN. Higher is better for all of them.
type CoherenceResult struct {
	UMass []float64 // ≤ 0 but for the smoothing
	NPMI  []float64 // between -1 and 1
	CV    []float64 // between -1 and 1
}

// Coherence measures topics, given by their top words in falling order, by how often these occur in the same
// documents of a reference corpus over the same vocabulary. With D(u) the number of documents that hold u, D(u, v) of
// those that hold both, and D the number of all,
//
//	UMass = mean over pairs i > j of log (D(w_i, w_j) + 1)/D(w_j)
//	NPMI  = mean over pairs i > j of log (p(i, j)/(p(i) p(j))) / −log p(i, j)
//	CV    = mean over i of cos(v_i, Σ_j v_j), v_ij = NPMI(w_i, w_j)
//
// (Mimno et al. 2011; Bouma 2009, as Lau, Newman and Baldwin 2014 use it; Röder, Both and Hinneburg 2015). Pairs that
// never occur together have NPMI −1, pairs that occur in every document have 1. Words that occur in no reference
// document are left out.
//
// A corpus keeps no order of words, so CV takes whole documents for its windows, with ε = 10⁻¹² as in gensim: the
// number that gensim's c_v has when its window is longer than every text.
//
// It works with all cores. Memory is at most 4 bytes for every document and distinct top word in it, 4 bytes a word
// of the vocabulary, and 60 and 4 a core a distinct top word.
func Coherence(ctx context.Context, reference *corpus.Corpus, topics [][]int) (CoherenceResult, error) {
	sets, err := newDocSets(ctx, reference, topics)
	if err != nil {
		return CoherenceResult{}, err
	}
	r := CoherenceResult{
		UMass: make([]float64, len(topics)), NPMI: make([]float64, len(topics)),
		CV: make([]float64, len(topics)),
	}
	for k, words := range topics {
		if err := ctx.Err(); err != nil {
			return CoherenceResult{}, err
		}
		r.UMass[k], r.NPMI[k], r.CV[k] = sets.measure(words)
	}
	return r, nil
}

// docSets holds the documents that contain each of some words: a bit for every document, or a list if that is smaller.
type docSets struct {
	docs int
	of   []uint32 // V: 1 + the word's place in sets; 0 for words that are not wanted
	sets []docSet
}

// docSet holds the documents that contain a word. One of its fields is nil.
type docSet struct {
	bits []uint64 // ⌈D/64⌉
	list []uint32 // rising
	n    int      // documents in it
}

// newDocSets first counts the documents of every wanted word, in order to choose the form and size of each set.
func newDocSets(ctx context.Context, reference *corpus.Corpus, topics [][]int) (*docSets, error) {
	s := &docSets{docs: reference.NumDocs(), of: make([]uint32, reference.NumWords())}
	for _, words := range topics {
		for _, w := range words {
			if s.of[w] == 0 {
				s.sets = append(s.sets, docSet{})
				s.of[w] = uint32(len(s.sets))
			}
		}
	}
	parts := s.parts()
	ends := make([][]uint32, len(parts)-1) // by part: documents of every set there, then where its next one goes
	err := s.eachPair(ctx, reference, parts, func(part int) func(set, d int) {
		ends[part] = make([]uint32, len(s.sets))
		return func(set, _ int) { ends[part][set]++ }
	})
	if err != nil {
		return nil, err
	}
	for i := range s.sets {
		s.sets[i].make(ends, i, s.docs)
	}
	return s, s.eachPair(ctx, reference, parts, func(part int) func(set, d int) {
		return func(set, d int) { s.sets[set].add(d, &ends[part][set]) }
	})
}

// make allocates a set. ends holds its number of documents by part; make replaces each by the place where the part's
// first document goes.
func (s *docSet) make(ends [][]uint32, set, docs int) {
	for _, part := range ends {
		n := part[set]
		part[set] = uint32(s.n)
		s.n += int(n)
	}
	if words := (docs + 63) / 64; 4*s.n < 8*words {
		s.list = make([]uint32, s.n)
	} else {
		s.bits = make([]uint64, words)
	}
}

// parts cuts the documents into parts for the cores. It returns the first document of every part, a multiple of 64, and
// then the number of documents.
func (s *docSets) parts() []int {
	words := (s.docs + 63) / 64
	n := max(1, min(runtime.GOMAXPROCS(0), words/2))
	list := make([]int, n+1)
	for i := range list {
		list[i] = min(s.docs, i*words/n*64)
	}
	return list
}

// eachPair calls begin for every part, each in a goroutine, and the function that it returns for every document of the
// part and wanted word in it, in increasing order of documents.
func (s *docSets) eachPair(ctx context.Context, reference *corpus.Corpus, parts []int,
	begin func(part int) func(set, d int),
) error {
	parallel.Each(len(parts)-1, func(part int) {
		f := begin(part)
		for d := parts[part]; d < parts[part+1]; d++ {
			if d%4096 == 0 && ctx.Err() != nil {
				return
			}
			doc := reference.Doc(d)
			for i, w := range doc {
				if set := s.of[w]; set > 0 && (i == 0 || doc[i-1] != w) {
					f(int(set-1), d)
				}
			}
		}
	})
	return ctx.Err()
}

// add adds a document to the set: to a list at place, which it increments.
func (s *docSet) add(d int, place *uint32) {
	if s.bits != nil {
		s.bits[d/64] |= 1 << (d % 64)
		return
	}
	s.list[*place] = uint32(d)
	*place++
}

// both returns the number of documents that contain u and v.
func (s *docSets) both(u, v int) int {
	a, b := &s.sets[s.of[u]-1], &s.sets[s.of[v]-1]
	if u == v {
		return a.n
	}
	if a.n > b.n {
		a, b = b, a
	}
	n := 0
	switch {
	case a.bits != nil:
		for i := range a.bits {
			n += bits.OnesCount64(a.bits[i] & b.bits[i])
		}
	case b.bits != nil:
		for _, d := range a.list {
			n += int(b.bits[d/64] >> (d % 64) & 1)
		}
	default:
		n = common(a.list, b.list)
	}
	return n
}

// common returns how many elements two increasing lists share. Every search in the long list begins where the last one
// ended and doubles its steps.
func common(short, long []uint32) int {
	n := 0
	for _, d := range short {
		step := 1
		for step < len(long) && long[step] < d {
			step *= 2
		}
		at, found := slices.BinarySearch(long[step/2:min(step+1, len(long))], d)
		if found {
			n++
		}
		long = long[step/2+at:]
		if len(long) == 0 {
			break
		}
	}
	return n
}

func (s *docSets) measure(words []int) (umass, npmi, cv float64) {
	words = slices.DeleteFunc(slices.Clone(words), func(w int) bool { return s.both(w, w) == 0 })
	single, table := make([]float64, len(words)), make(coherence.Pairs, len(words))
	for i, w := range words {
		single[i], table[i] = float64(s.both(w, w)), make([]float64, len(words))
		table[i][i] = single[i] / float64(s.docs)
	}
	pairs := 0
	for i := range words {
		for j := range i {
			together := float64(s.both(words[i], words[j]))
			umass += portable.Log((together + 1) / single[j])
			npmi += normalizedPMI(together, single[i], single[j], float64(s.docs))
			table[i][j] = together / float64(s.docs)
			table[j][i] = table[i][j]
			pairs++
		}
	}
	return umass / float64(pairs), npmi / float64(pairs), table.Cosine() // NaN when there are no pairs
}

// normalizedPMI returns the NPMI of two words, given the numbers of documents that contain both, each, and all.
func normalizedPMI(together, i, j, docs float64) float64 {
	switch together {
	case 0:
		return -1
	case docs:
		return 1
	}
	return portable.Log(together*docs/(i*j)) / -portable.Log(together/docs)
}

// Diversity returns the share of distinct words among all top words of all topics (Dieng, Ruiz and Blei 2020): 1 when
// no word is shared, NaN when there are no words.
func Diversity(topics [][]int) float64 {
	distinct, all := make(map[int]bool), 0
	for _, words := range topics {
		for _, w := range words {
			distinct[w] = true
			all++
		}
	}
	return float64(len(distinct)) / float64(all)
}
