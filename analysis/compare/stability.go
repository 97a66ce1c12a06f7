package compare

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/lists"
	"github.com/topoi-lda/topoi/topic"
)

// Stability describes how well several runs agree. Runs are numbered in the order in which they were given.
type Stability struct {
	Measure   string
	Threshold float64     // the similarity from which a topic counts as the same
	Words     int         // top words that were compared
	Agreement [][]float64 // R × R: mean similarity of matched topics; 1 on the diagonal
	Runs      []float64   // R: mean agreement with the other runs
	Mean      float64     // mean agreement of all pairs
	Typical   int         // the run with the highest mean; the first of equal ones
	Topics    [][]float64 // R × K: mean similarity of a topic to its partners in the other runs; 0 without partners
	Families  []Family    // by falling number of runs, then by similarity
}

// Family is a topic that one or more runs have found.
type Family struct {
	Run, Topic int      // the topic that founded it
	Members    []Member // R: one for each run
	Runs       int      // number of runs that have it, including that of the founder
	Similarity float64  // mean similarity of the founder to the other members; 0 if there are none
}

// Member is the topic of a run in a family.
type Member struct {
	Topic      int     // −1 if the run has none
	Similarity float64 // similarity to the founder; 1 for the founder itself
}

// Runs compares all pairs of at least two models, to find which topics come back when a model is trained again: with
// another seed, on other documents, or with another number of topics. Where the options name no measure it is
// "words". Greene, O'Callaghan and Cunningham, "How many topics? Stability analysis for topic models" (ECML PKDD
// 2014), choose the number of topics by it.
//
// The mean similarity of matched topics is the agreement of two runs. The most typical run is the one that agrees best
// with all others. Its topics found the first families. A topic of another run belongs to the family of its partner if
// they are similar enough. The remaining topics found families of their own, run by run in the order of their agreement
// with the others.
func Runs(ctx context.Context, models []topic.Model, o Options) (*Stability, error) {
	if len(models) < 2 {
		return nil, fmt.Errorf("stability compares runs and needs at least two models, not %d", len(models))
	}
	o.Measure = cmp.Or(o.Measure, topWords)
	r := &Stability{
		Agreement: make([][]float64, len(models)), Runs: make([]float64, len(models)),
		Topics: make([][]float64, len(models)),
	}
	partners := make([][][]Member, len(models)) // by run, other run and topic
	for i, m := range models {
		r.Agreement[i], r.Topics[i], partners[i] = make([]float64, len(models)), make([]float64, m.NumTopics()),
			make([][]Member, len(models))
		r.Agreement[i][i] = 1
		for j := range models {
			partners[i][j] = slices.Repeat([]Member{{Topic: -1}}, m.NumTopics())
		}
	}
	for i := range models {
		for j := range i {
			c, err := Models(ctx, models[j], models[i], o)
			if err != nil {
				return nil, err
			}
			r.Measure, r.Threshold, r.Words = c.Measure, c.Threshold, c.Words
			r.Agreement[i][j], r.Agreement[j][i] = c.Mean, c.Mean
			for _, p := range c.Matches {
				partners[j][i][p.A], partners[i][j][p.B] = Member{p.B, p.Similarity}, Member{p.A, p.Similarity}
			}
		}
	}
	r.summarize(partners)
	r.families(partners)
	return r, nil
}

// summarize computes the means of the agreements.
func (r *Stability) summarize(partners [][][]Member) {
	n := float64(len(r.Runs) - 1)
	for i, row := range r.Agreement {
		for j, a := range row {
			if i == j {
				continue
			}
			r.Runs[i] += a / n
			for k, p := range partners[i][j] {
				r.Topics[i][k] += p.Similarity / n
			}
		}
		r.Mean += r.Runs[i] / float64(len(r.Runs))
		if r.Runs[i] > r.Runs[r.Typical] {
			r.Typical = i
		}
	}
}

// families collects the topics of all runs, those of the most typical run first.
func (r *Stability) families(partners [][][]Member) {
	order := lists.Upto(len(r.Runs))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(r.Runs[b], r.Runs[a]) })
	taken := make([][]bool, len(r.Runs))
	for i := range taken {
		taken[i] = make([]bool, len(r.Topics[i]))
	}
	for at, run := range order {
		for k := range r.Topics[run] {
			if taken[run][k] {
				continue
			}
			f := Family{Run: run, Topic: k, Runs: 1, Members: slices.Repeat([]Member{{Topic: -1}}, len(r.Runs))}
			f.Members[run] = Member{k, 1}
			for _, other := range order[at+1:] {
				p := partners[run][other][k]
				if p.Topic < 0 || p.Similarity < r.Threshold || taken[other][p.Topic] {
					continue
				}
				f.Members[other], taken[other][p.Topic] = p, true
				f.Similarity += p.Similarity
				f.Runs++
			}
			if f.Runs > 1 {
				f.Similarity /= float64(f.Runs - 1)
			}
			r.Families = append(r.Families, f)
		}
	}
	slices.SortStableFunc(r.Families, func(a, b Family) int {
		return cmp.Or(cmp.Compare(b.Runs, a.Runs), cmp.Compare(b.Similarity, a.Similarity))
	})
}

// FromWords returns a model for topics of which only the top words are known, most probable first. It can be
// matched by "words". Use it for models that were not kept.
func FromWords(topics [][]string) topic.Model {
	l := &listed{rows: counts.SparseRows{Topics: len(topics)}, totals: make([]uint64, len(topics))}
	number := map[string]int{}
	var words []string
	var counts [][]topic.Count // by word
	for k, list := range topics {
		for i, word := range list {
			n, known := number[word]
			if !known {
				n = len(words)
				number[word], words, counts = n, append(words, word), append(counts, nil)
			}
			c := uint32(len(list) - i) // only the order matters
			counts[n] = append(counts[n], topic.Count{Topic: uint32(k), Count: c})
			l.totals[k] += uint64(c)
		}
	}
	for _, row := range counts {
		l.rows.Entries = append(l.rows.Entries, row...)
		l.rows.Ends = append(l.rows.Ends, uint64(len(l.rows.Entries)))
	}
	l.words = corpus.MakeStrings(words)
	return l
}

// listed is a model whose counts give only the order of words.
type listed struct {
	rows   counts.SparseRows
	words  corpus.Strings
	totals []uint64
}

func (l *listed) Alpha() []float64      { return make([]float64, l.rows.Topics) }
func (l *listed) NumTopics() int        { return l.rows.Topics }
func (l *listed) NumWords() int         { return l.words.Len() }
func (l *listed) Beta() float64         { return 0.01 }
func (l *listed) TopicTotals() []uint64 { return l.totals }
func (l *listed) Words() corpus.Strings { return l.words }

func (l *listed) Columns(topics []int) iter.Seq2[int, []topic.WordCount] {
	return l.rows.Columns(topics)
}

func (l *listed) AppendRow(dst []topic.Count, w int) []topic.Count {
	return append(dst, l.rows.Row(w)...)
}
