package export

import (
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

	"github.com/topoi-lda/topoi/internal/portable"
)

// Limits of the diagnostics: the number of top words, all pairs of which are counted, and the number of
// pairs that are counted at a time, which takes 16 MB.
const (
	diagnosedWords = 2000
	diagnosedPairs = 1 << 22
)

// malletDiagnostics writes MALLET's topic diagnostics as XML: a topic element with its measures for every
// topic, and in it a word element for each of its top words. docs/formats.md has the formulas.
func malletDiagnostics(j *job, w io.Writer) error {
	n := min(j.words(20), j.model.NumWords())
	if n > diagnosedWords {
		return fmt.Errorf("diagnostics compare all pairs of %d top words: ask for %d words or fewer", n, diagnosedWords)
	}
	d := &diagnosis{job: j, words: n, totals: wordTotals(j.model), exclusive: newExclusivity(j)}
	if err := d.countDocs(); err != nil {
		return err
	}
	d.compare()
	if _, err := io.WriteString(w, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<model>\n"); err != nil {
		return err
	}
	size := max(1, diagnosedPairs/(n*n))
	for first := 0; first < j.model.NumTopics(); first += size {
		if err := d.writeGroup(w, first, min(first+size, j.model.NumTopics())); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, "</model>\n")
	return err
}

// diagnosis holds the measures of all topics.
type diagnosis struct {
	*job
	words     int      // largest number of top words of a topic
	totals    []uint64 // V: n_w
	exclusive *exclusivity

	docs    []docCounts // K
	uniform []float64   // K: Σ_w p log (p V), the distance from equally frequent words
	corpus  []float64   // K: Σ_w p log (p N/n_w), the distance from all documents
	squares []float64   // K: Σ_w p², with p = n_wk/n_k
}

// docCounts counts documents of a topic.
type docCounts struct {
	some    int     // with n_dk > 0
	rank1   int     // in which it is the largest topic; the lowest of equal topics counts
	percent [3]int  // with θ_dk of at least 2, 30 and 50 per cent, among those with n_dk > 0
	entropy float64 // Σ_d n_dk log n_dk
}

// countDocs counts the documents of all topics.
func (d *diagnosis) countDocs() error {
	d.docs = make([]docCounts, d.model.NumTopics())
	return d.eachDoc(func(v *docView) error {
		best := -1
		for _, k := range v.topics {
			c, n := &d.docs[k], v.counts[k]
			c.some++
			c.entropy += float64(n * portable.Log(n))
			for i, least := range [...]float64{0.02, 0.3, 0.5} {
				if v.theta(int(k)) >= least {
					c.percent[i]++
				}
			}
			if best < 0 || n > v.counts[best] {
				best = int(k)
			}
		}
		if best >= 0 {
			d.docs[best].rank1++
		}
		return nil
	})
}

// compare measures the words of all topics.
func (d *diagnosis) compare() {
	k := d.model.NumTopics()
	d.uniform, d.corpus, d.squares = make([]float64, k), make([]float64, k), make([]float64, k)
	for w := range d.model.NumWords() {
		for _, e := range d.model.Row(w) {
			u, c := d.distances(int(e.Topic), w, e.Count)
			p := float64(e.Count) / float64(d.model.TopicTotals()[e.Topic])
			d.uniform[e.Topic] += u
			d.corpus[e.Topic] += c
			d.squares[e.Topic] += float64(p * p)
		}
	}
}

// distances returns the contribution of a word to the distances of topic k.
func (d *diagnosis) distances(k, word int, count uint32) (uniform, corpus float64) {
	p := float64(count) / float64(d.model.TopicTotals()[k])
	all := float64(d.totals[word]) / float64(d.model.Manifest().Counted())
	return p * portable.Log(p*float64(d.model.NumWords())), p * portable.Log(p/all)
}

// writeGroup writes the topics first, …, last-1.
func (d *diagnosis) writeGroup(w io.Writer, first, last int) error {
	ids := make([]int, 0, last-first)
	for k := first; k < last; k++ {
		ids = append(ids, k)
	}
	var topics []*diagnosed
	for t := range d.model.Summary(ids, d.words) {
		pairs := make([]uint32, len(t.Words)*len(t.Words))
		topics = append(topics, &diagnosed{topicWords: topicWords{t.Topic, t.Words}, pairs: pairs})
	}
	if err := d.countPairs(topics); err != nil {
		return err
	}
	var l line
	for _, t := range topics {
		l = l[:0]
		d.write(&l, t)
		if _, err := w.Write(l); err != nil {
			return err
		}
	}
	return nil
}

// diagnosed is a topic with its top words and how often these occur together.
type diagnosed struct {
	topicWords
	pairs []uint32 // words × words: documents that have both in this topic; on the diagonal, that have the one
}

// together returns the number of documents that have the words of two ranks.
func (t *diagnosed) together(i, j int) float64 { return float64(t.pairs[i*len(t.words)+j]) }

// countPairs counts the pairs of some topics in one pass over all documents.
func (d *diagnosis) countPairs(topics []*diagnosed) error {
	type place struct{ topic, rank uint32 } // the topic is an index into topics
	ranks := make(map[place]uint32)         // rank by topic and word
	top := make([]bool, d.model.NumWords())
	for i, t := range topics {
		for rank, word := range t.words {
			ranks[place{uint32(i), uint32(word.Word)}] = uint32(rank)
			top[word.Word] = true
		}
	}
	var found []place
	return d.eachDoc(func(v *docView) error {
		found = found[:0]
		for i, word := range v.words {
			k := int(v.z[i]) - topics[0].topic
			if !top[word] || k < 0 || k >= len(topics) {
				continue
			}
			if rank, ok := ranks[place{uint32(k), word}]; ok {
				found = append(found, place{uint32(k), rank})
			}
		}
		slices.SortFunc(found, func(a, b place) int {
			return int(int64(a.topic)<<32|int64(a.rank)) - int(int64(b.topic)<<32|int64(b.rank))
		})
		found = slices.Compact(found)
		for i, a := range found {
			for _, b := range found[i:] {
				if b.topic != a.topic {
					break
				}
				t := topics[a.topic]
				t.pairs[int(b.rank)*len(t.words)+int(a.rank)]++
			}
		}
		return nil
	})
}

// write appends the element of a topic.
func (d *diagnosis) write(l *line, t *diagnosed) {
	k, manifest, sums := t.topic, d.model.Manifest(), float64(d.model.TopicTotals()[t.topic])
	n := float64(manifest.PerDraw(d.model.TopicTotals()[k]))
	docs := d.docs[k]
	words := make([]wordMeasures, len(t.words))
	sum := t.measure(d, words)
	*l = fmt.Appendf(*l, "<topic id='%d' tokens='%.4f' document_entropy='%.4f' word-length='%.4f' coherence='%.4f' "+
		"uniform_dist='%.4f' corpus_dist='%.4f' eff_num_words='%.4f' token-doc-diff='%.4f' rank_1_docs='%.4f' "+
		"allocation_ratio='%.4f' allocation_count='%.4f' exclusivity='%.4f'>\n",
		k, n, portable.Log(n)-docs.entropy/n, sum.length/float64(len(words)), sum.coherence, d.uniform[k], d.corpus[k],
		1/d.squares[k], sum.difference,
		float64(docs.rank1)/float64(docs.some), float64(docs.percent[2])/float64(docs.percent[0]),
		float64(docs.percent[1])/float64(docs.some), sum.exclusivity/float64(len(words)))
	cumulative := 0.0
	for rank, word := range t.words {
		m := words[rank]
		p := float64(word.Count) / sums
		cumulative += p
		u, c := d.distances(k, word.Word, word.Count)
		*l = fmt.Appendf(*l, "<word rank='%d' count='%d' prob='%.5f' cumulative='%.5f' docs='%.0f' word-length='%.4f' "+
			"coherence='%.4f' uniform_dist='%.4f' corpus_dist='%.4f' token-doc-diff='%.4f' exclusivity='%.4f'>",
			rank+1, manifest.PerDraw(uint64(word.Count)), p, cumulative, t.together(rank, rank), m.length, m.coherence,
			u, c, m.difference, m.exclusivity)
		l.xml(word.Term)
		l.str("</word>\n")
	}
	l.str("</topic>\n")
}

// wordMeasures are measures of a top word, or their sums.
type wordMeasures struct {
	length      float64 // characters
	coherence   float64 // for a word, the smallest with a more frequent word; for a topic, the sum of all
	difference  float64 // contribution to the Jensen-Shannon divergence of tokens and documents
	exclusivity float64 // φ_wk/Σ_j φ_wj
}

// measure fills the measures of the top words and returns their sums.
func (t *diagnosed) measure(d *diagnosis, words []wordMeasures) (sum wordMeasures) {
	tokens, docs, beta := 0.0, 0.0, d.model.Manifest().BetaPerDraw()
	for i, w := range t.words {
		tokens += float64(w.Count)
		docs += t.together(i, i)
	}
	for i, w := range t.words {
		m := &words[i]
		m.length = float64(utf8.RuneCountInString(w.Term))
		for j := range i {
			score := portable.Log((t.together(i, j) + beta) / (t.together(j, j) + beta))
			m.coherence = min(m.coherence, score)
			sum.coherence += score
		}
		m.difference = halfDivergence(float64(w.Count)/tokens, t.together(i, i)/docs)
		m.exclusivity = d.exclusive.of(t.topic, []int{w.Word})
		sum.length += m.length
		sum.difference += m.difference
		sum.exclusivity += m.exclusivity
	}
	return sum
}

// halfDivergence returns one term of the Jensen-Shannon divergence.
func halfDivergence(p, q float64) float64 {
	mean, sum := (p+q)/2, 0.0
	for _, x := range [...]float64{p, q} {
		if x > 0 {
			sum += float64(x * portable.Log(x/mean) / 2)
		}
	}
	return sum
}
