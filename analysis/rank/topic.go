package rank

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"sort"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/doctopics"
	"github.com/topoi-lda/topoi/internal/lists"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/prior"
	"github.com/topoi-lda/topoi/topic"
)

// Topic is one topic with all words that occur in it.
type Topic struct {
	Topic int    // its number
	Words []Word // by id

	// Exclusivity is Σ 1/(0.7/R_ex + 0.3/R_fr) over the ten most probable words, from 0 to 10; higher is
	// better. It is computed as stm's exclusivity() does: a topic with fewer than ten words is filled up
	// with the first words of the vocabulary that do not occur in it.
	Exclusivity float64
}

// Top returns the first n words of an order; ties are in order of falling count, then of id. It returns
// fewer if fewer words occur in the topic.
func (t *Topic) Top(o Order, n int) []Word { return top(t.Words, o, n) }

// The constants of stm's exclusivity().
const (
	exclusiveWords  = 10
	exclusiveWeight = 0.7
)

// Each yields the given topics in the given order, or all of them if topics is
// nil. It costs O(c log V) for a topic of c words.
func (r *Ranker) Each(topics []int) iter.Seq[*Topic] {
	return func(yield func(*Topic) bool) {
		for k, column := range r.model.Columns(topics) {
			if !yield(r.topic(k, column)) {
				return
			}
		}
	}
}

// All calls f with every topic, from as many goroutines as threads. It returns ctx's error early, with topics left out,
// when ctx ends.
func (r *Ranker) All(ctx context.Context, threads int, f func(*Topic)) error {
	k := r.model.NumTopics()
	parallel.Each(min(k, threads), func(first int) {
		var topics []int
		for t := first; t < k; t += threads {
			topics = append(topics, t)
		}
		for t := range r.Each(topics) {
			if ctx.Err() != nil {
				return
			}
			f(t)
		}
	})
	return ctx.Err()
}

// Topic returns one topic. [Ranker.Each] is faster for many.
func (r *Ranker) Topic(k int) *Topic {
	for t := range r.Each([]int{k}) {
		return t
	}
	return nil
}

func (r *Ranker) topic(k int, column []topic.WordCount) *Topic {
	t := &Topic{Topic: k, Words: make([]Word, len(column))}
	for i, e := range column {
		phi := r.Phi(e.Count, k)
		t.Words[i] = Word{
			Word: int(e.Word), Count: e.Count, Phi: phi,
			Lift: phi / (float64(r.totals[e.Word]) / r.tokens),
		}
	}
	s := r.standing(k, column)
	for i := range t.Words {
		w := &t.Words[i]
		w.Frequent, w.Exclusive = s.frequent(w.Count), s.exclusive(r.exclusivity(w.Phi, w.Word))
	}
	t.Exclusivity = t.exclusivity(r, s)
	return t
}

// exclusivity returns e_wk.
func (r *Ranker) exclusivity(phi float64, w int) float64 { return coarse(phi / r.sums[w]) }

// standing ranks a topic's values among those of all V words.
type standing struct {
	all    float64   // V
	absent int       // number of words that do not occur in the topic
	none   float64   // φ of these
	counts []uint32  // n_wk of the others, rising
	values []float64 // e_wk of the others, rising
	theirs []float64 // Σ_j φ_wj of the others, rising
	sorted []float64 // Σ_j φ_wj of all V words, rising
}

func (r *Ranker) standing(k int, column []topic.WordCount) *standing {
	v := r.model.NumWords()
	s := &standing{all: float64(v), absent: v - len(column), none: r.Phi(0, k), sorted: r.sorted}
	for _, e := range column {
		s.counts = append(s.counts, e.Count)
		s.values = append(s.values, r.exclusivity(r.Phi(e.Count, k), int(e.Word)))
		s.theirs = append(s.theirs, r.sums[e.Word])
	}
	slices.Sort(s.counts)
	slices.Sort(s.values)
	slices.Sort(s.theirs)
	return s
}

// frequent returns R_fr of a count.
func (s *standing) frequent(count uint32) float64 {
	if count == 0 {
		return s.share(0, s.absent)
	}
	below := sort.Search(len(s.counts), func(i int) bool { return s.counts[i] >= count })
	upTo := sort.Search(len(s.counts), func(i int) bool { return s.counts[i] > count })
	return s.share(s.absent+below, s.absent+upTo)
}

// exclusive returns R_ex of an exclusivity.
func (s *standing) exclusive(e float64) float64 {
	below := sort.SearchFloat64s(s.values, e)
	upTo := below
	for upTo < len(s.values) && s.values[upTo] == e {
		if upTo++; upTo-below > 8 { // many values are equal
			upTo = sort.Search(len(s.values), func(i int) bool { return s.values[i] > e })
			break
		}
	}
	lower, notHigher := s.absentBelow(s.sorted, e)
	present, presentNotHigher := s.absentBelow(s.theirs, e)
	return s.share(below+lower-present, upTo+notHigher-presentNotHigher)
}

// absentBelow considers the words with the given Σ_j φ_wj that do not occur in the topic. It counts those whose
// exclusivity is below e, and those for which it is at most e. Exclusivity falls as the sum rises, and reaches
// e at the sum none/e, so that one search finds the place, unless a sum is so near that rounding decides.
func (s *standing) absentBelow(sums []float64, e float64) (below, upTo int) {
	const near = 1e-11
	limit := s.none / e
	i := sort.SearchFloat64s(sums, limit*(1+near))
	if i == 0 || sums[i-1] < limit*(1-near) {
		return len(sums) - i, len(sums) - i
	}
	below = len(sums) - sort.Search(len(sums), func(i int) bool { return coarse(s.none/sums[i]) < e })
	upTo = len(sums) - sort.Search(len(sums), func(i int) bool { return coarse(s.none/sums[i]) <= e })
	return below, upTo
}

// share returns the mean of the ranks below+1, …, upTo, divided by V.
func (s *standing) share(below, upTo int) float64 { return float64(below+upTo+1) / 2 / s.all }

// exclusivity computes the field Exclusivity.
func (t *Topic) exclusivity(r *Ranker, s *standing) float64 {
	sum := 0.0
	add := func(fr, ex float64) { sum += 1 / (exclusiveWeight/ex + (1-exclusiveWeight)/fr) }
	best := t.Top(Order{}, exclusiveWords)
	for _, w := range best {
		add(w.Frequent, w.Exclusive)
	}
	missing := min(exclusiveWords, r.model.NumWords()) - len(best)
	for w, i := 0, 0; missing > 0; w++ {
		if i < len(t.Words) && t.Words[i].Word == w {
			i++
			continue
		}
		add(s.frequent(0), s.exclusive(r.exclusivity(s.none, w)))
		missing--
	}
	return sum
}

// Doc is a document that has tokens of a topic.
type Doc struct {
	Doc    int     `json:"doc"`              // its number
	Theta  float64 `json:"theta"`            // θ_dk = (n_dk + α_k)/(N_d + Σα)
	Tokens uint32  `json:"tokens"`           // n_dk
	Copies int     `json:"copies,omitempty"` // other documents of its group of copies
}

// TopDocs returns the n documents with the largest share θ_dk of each of the given topics, or of all topics if topics
// is nil, largest first; ties are in order of falling n_dk, then of number. Documents without tokens of the topic are
// left out, and so are copies of another document, which counts them. TopDocs reads the documents once and holds 2n
// of them for each topic.
func TopDocs(ctx context.Context, m topic.Documents, topics []int, n int) ([][]Doc, error) {
	docs, err := m.Docs()
	if err != nil {
		return nil, err
	}
	if topics == nil {
		topics = lists.Upto(m.NumTopics())
	}
	place := slices.Repeat([]int{-1}, m.NumTopics()) // of one that is named twice the last
	for i, k := range topics {
		place[k] = i
	}
	first := lists.Of(topics, func(int) *lists.First[Doc] { return lists.NewFirst(n, byTheta) })
	alphaSum := prior.Sum(m.Alpha())
	reader := doctopics.NewReader(m, docs)
	copies := copiesOf(docs)
	for d := range docs.NumDocs() {
		if d%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		counts := reader.Read(d)
		if docs.CopyOf(d) != d {
			continue
		}
		for _, e := range counts {
			if i := place[e.Topic]; i >= 0 {
				theta := (float64(e.Count) + m.Alpha()[e.Topic]) / (float64(reader.Tokens()) + alphaSum)
				first[i].Add(Doc{d, theta, e.Count, copies[d]})
			}
		}
	}
	return lists.Of(topics, func(k int) []Doc { return slices.Clone(first[place[k]].List()) }), nil
}

// copiesOf returns the number of copies of every document that is the first of its group.
func copiesOf(docs *corpus.Corpus) map[int]int {
	if !docs.HasCopies() {
		return nil
	}
	copies := make(map[int]int)
	for d := range docs.NumDocs() {
		if first := docs.CopyOf(d); first != d {
			copies[first]++
		}
	}
	return copies
}

// byTheta orders documents by falling θ_dk, then by falling n_dk, then by number.
func byTheta(a, b Doc) int {
	return cmp.Or(cmp.Compare(b.Theta, a.Theta), cmp.Compare(b.Tokens, a.Tokens), cmp.Compare(a.Doc, b.Doc))
}
