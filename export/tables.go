package export

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"github.com/parquet-go/parquet-go"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/analysis/eval"
	"github.com/topoi-lda/topoi/analysis/rank"
	"github.com/topoi-lda/topoi/internal/doctopics"
	"github.com/topoi-lda/topoi/internal/portable"
	"github.com/topoi-lda/topoi/internal/rows"
	"github.com/topoi-lda/topoi/topic"
)

// Rows of the tables, the same in Parquet and CSV. Tags name the columns.

// topicRow describes a topic.
type topicRow struct {
	Topic        int32    `parquet:"topic"`
	TopicLabel   *string  `parquet:"topic_label,optional"` // the name that people gave to it
	Alpha        float64  `parquet:"alpha"`
	Tokens       int64    `parquet:"tokens"`               // n_k
	DocsDominant int64    `parquet:"docs_dominant"`        // documents in which it has the largest θ
	Prevalence   float64  `parquet:"prevalence"`           // n_k/N
	NPMI         *float64 `parquet:"npmi,optional"`        // of the top ten words in the training documents
	UMass        *float64 `parquet:"umass,optional"`       // of the top ten words in the training documents
	Exclusivity  *float64 `parquet:"exclusivity,optional"` // of the top ten words, as package rank defines it
	Entropy      float64  `parquet:"entropy"`              // −Σ_w φ_wk log φ_wk, nats
	TopTerms     []termP  `parquet:"top_terms,list"`
}

type termP struct {
	Term string  `parquet:"term,dict"`
	P    float32 `parquet:"p"` // φ_wk
}

// topicWordRow is a word of a topic.
type topicWordRow struct {
	Topic      int32   `parquet:"topic"`
	TopicLabel *string `parquet:"topic_label,optional,dict"`
	Rank       int32   `parquet:"rank"` // from 0, by falling count
	TermID     int32   `parquet:"term_id"`
	Term       string  `parquet:"term,dict"`
	Count      int64   `parquet:"count"`        // n_wk
	Phi        float32 `parquet:"phi"`          // φ_wk
	Lift       float32 `parquet:"lift"`         // φ_wk/p(w), p(w) = n_w/N
	Relevance  float32 `parquet:"relevance_06"` // 0.6 log φ_wk + 0.4 log lift (Sievert and Shirley 2014)
}

// docTopicRow is a topic of a document.
type docTopicRow struct {
	Doc        int64   `parquet:"doc"`
	ID         string  `parquet:"id,dict"`
	Label      *string `parquet:"label,optional,dict"` // as in the input
	Time       *string `parquet:"time,optional,dict"`
	Rank       int32   `parquet:"rank"` // from 0, by falling θ
	Topic      int32   `parquet:"topic"`
	Theta      float32 `parquet:"theta"`
	Tokens     float32 `parquet:"tokens"`     // n_dk, averaged over sweeps if topics were inferred
	DocTokens  int64   `parquet:"doc_tokens"` // N_d
	TopicLabel *string `parquet:"topic_label,optional,dict"`
}

// change turns the row of another topic of the same document into that of r. It is much faster than deconstructing r.
func (r *docTopicRow) change(row parquet.Row) {
	row[4], row[5] = parquet.Int32Value(r.Rank).Level(0, 0, 4), parquet.Int32Value(r.Topic).Level(0, 0, 5)
	row[6], row[7] = parquet.FloatValue(r.Theta).Level(0, 0, 6), parquet.FloatValue(r.Tokens).Level(0, 0, 7)
	if row[9] = parquet.NullValue().Level(0, 0, 9); r.TopicLabel != nil {
		row[9] = parquet.ByteArrayValue([]byte(*r.TopicLabel)).Level(0, 1, 9)
	}
}

// docRow is a document with its topics as lists.
type docRow struct {
	Doc       int64     `parquet:"doc"`
	ID        string    `parquet:"id"`
	Label     *string   `parquet:"label,optional,dict"`
	Time      *string   `parquet:"time,optional,dict"`
	DocTokens int64     `parquet:"doc_tokens"`
	Topics    []int32   `parquet:"topics,list"` // by falling θ
	Thetas    []float32 `parquet:"thetas,list"`
}

// vocabRow is a word of the vocabulary.
type vocabRow struct {
	TermID int32  `parquet:"term_id"`
	Term   string `parquet:"term"`
	CF     int64  `parquet:"cf"` // tokens
	DF     int64  `parquet:"df"` // documents
}

// assignmentRow is a token.
type assignmentRow struct {
	Doc    int64 `parquet:"doc"`
	Pos    int32 `parquet:"pos"`
	TermID int32 `parquet:"term_id"`
	Topic  int32 `parquet:"topic"`
}

// measuredWords is the number of top words for coherence and exclusivity.
const measuredWords = 10

// eachTopicRow yields the rows of the table of topics.
func (j *job) eachTopicRow(yield func(*topicRow) error) error {
	m := j.model
	dominant := doctopics.Dominant(m, j.docs, m.Alpha())
	shown := j.words(10)
	words := make([][]int, m.NumTopics())
	for t := range m.Summary(nil, measuredWords) {
		for _, w := range t.Words {
			words[t.Topic] = append(words[t.Topic], w.Word)
		}
	}
	coherence, err := eval.Coherence(j.ctx, j.docs, words)
	if err != nil {
		return err
	}
	exclusive, err := j.exclusivities()
	if err != nil {
		return err
	}
	entropy := topicEntropy(m)
	for s := range m.Summary(nil, max(shown, measuredWords)) {
		k := s.Topic
		if err := j.step(k, m.NumTopics()); err != nil {
			return err
		}
		row := topicRow{
			Topic: int32(k), TopicLabel: j.topicLabel(k), Alpha: s.Alpha, Tokens: int64(s.Tokens),
			DocsDominant: int64(dominant[k]), Prevalence: s.Share,
			NPMI: rows.Finite(coherence.NPMI[k]), UMass: rows.Finite(coherence.UMass[k]),
			Exclusivity: rows.Finite(exclusive[k]), Entropy: entropy[k],
		}
		for _, w := range s.Words[:min(shown, len(s.Words))] {
			row.TopTerms = append(row.TopTerms, termP{w.Term, float32(w.Phi)})
		}
		if err := yield(&row); err != nil {
			return err
		}
	}
	return j.step(m.NumTopics(), m.NumTopics())
}

// topicEntropy returns −Σ_w φ_wk log φ_wk of every topic. It needs one pass over the non-zero counts,
// because all other words have the same φ.
func topicEntropy(m *topoi.Model) []float64 {
	j := modelJob{model: m}
	entropy := make([]float64, m.NumTopics())
	occurring := make([]int, m.NumTopics())
	for w := range m.NumWords() {
		for _, e := range m.Row(w) {
			p := j.phi(e.Count, int(e.Topic))
			entropy[e.Topic] -= float64(p * portable.Log(p))
			occurring[e.Topic]++
		}
	}
	for k := range entropy {
		p := j.phi(0, k)
		entropy[k] -= float64(float64(m.NumWords()-occurring[k]) * p * portable.Log(p))
	}
	return entropy
}

// exclusivities returns the exclusivity of every topic.
func (j *job) exclusivities() ([]float64, error) {
	list := make([]float64, j.model.NumTopics())
	for t := range rank.New(j.model).Each(nil) {
		if err := j.ctx.Err(); err != nil {
			return nil, err
		}
		list[t.Topic] = t.Exclusivity
		if len(t.Words) == 0 {
			list[t.Topic] = math.NaN()
		}
	}
	return list, nil
}

// exclusivity computes MALLET's exclusivity: the share of words that belongs to a topic.
type exclusivity struct {
	*job
	background float64   // Σ_j φ_wj of a word that never occurs
	sums       []float64 // V: Σ_j φ_wj; 0 where not yet computed
}

func newExclusivity(j *job) *exclusivity {
	e := &exclusivity{job: j, sums: make([]float64, j.model.NumWords())}
	for i := range j.model.NumTopics() {
		e.background += j.phi(0, i)
	}
	return e
}

// of returns the mean of φ_wk/Σ_j φ_wj over the words that occur in topic k, or NaN if there are none.
func (x *exclusivity) of(k int, words []int) float64 {
	mean := 0.0
	for _, w := range words {
		row := x.model.Row(w)
		if x.sums[w] == 0 {
			x.sums[w] = x.background
			for _, e := range row {
				p := x.phi(e.Count, int(e.Topic))
				x.sums[w] += p - x.phi(0, int(e.Topic))
			}
		}
		i, _ := slices.BinarySearchFunc(row, uint32(k),
			func(e topic.Count, k uint32) int { return cmp.Compare(e.Topic, k) })
		mean += x.phi(row[i].Count, k) / x.sums[w]
	}
	return mean / float64(len(words))
}

// topicLabel returns the name of a topic, or nil if it has none.
func (j *modelJob) topicLabel(k int) *string {
	name, ok := j.labels.Names[k]
	if !ok {
		return nil
	}
	return &name
}

// topicWordRow returns the row of a word of a topic; totals holds n_w of all words.
func (j *modelJob) topicWordRow(t topicWords, rank int, totals []uint64) topicWordRow {
	w := t.words[rank]
	lift := w.Phi / (float64(totals[w.Word]) / float64(j.model.Manifest().Counted()))
	return topicWordRow{
		Topic: int32(t.topic), TopicLabel: j.topicLabel(t.topic), Rank: int32(rank), TermID: int32(w.Word),
		Term:  w.Term,
		Count: int64(w.Count),
		Phi:   float32(w.Phi), Lift: float32(lift), Relevance: float32(float64(0.6*portable.Log(w.Phi)) +
			float64(0.4*portable.Log(lift))),
	}
}

// wordTotal returns n_w, the sum of all counts of word w.
func wordTotal(m *topoi.Model, w int) uint64 {
	total := uint64(0)
	for _, e := range m.Row(w) {
		total += uint64(e.Count)
	}
	return total
}

// wordTotals returns n_w of all words.
func wordTotals(m *topoi.Model) []uint64 {
	totals := make([]uint64, m.NumWords())
	for w := range totals {
		totals[w] = wordTotal(m, w)
	}
	return totals
}

// topicsListed returns the largest number of topics that tables list for a document.
func (j *modelJob) topicsListed() int {
	n := j.model.NumTopics()
	if j.options.Top > 0 {
		n = min(n, j.options.Top)
	}
	if j.options.MinTheta > 0 { // shares add up to 1
		n = int(min(float64(n), max(1, 1/j.options.MinTheta)))
	}
	return n
}

// rowsOf returns about how many rows a document makes: at most its topics, and the topics whose α is large
// enough to pass without tokens.
func (j *modelJob) rowsOf(item docItem) int {
	n := j.topicsListed()
	if j.options.MinTheta == 0 {
		return n
	}
	p, tokens := j.priors(), len(item.docs.Doc(item.doc))
	least := j.options.MinTheta * (float64(tokens) + p.alphaSum) // absent topics with this α or more are listed
	absent := sort.Search(len(p.byAlpha), func(i int) bool { return p.alpha[p.byAlpha[i]] < least })
	return max(1, min(n, tokens+absent))
}

// docTopicRows yields the rows of a document by falling θ: the largest share for every document, and more
// as far as the options allow.
func (j *modelJob) docTopicRows(v *docView, yield func(*docTopicRow) error) error {
	row := docTopicRow{Doc: int64(v.doc), ID: v.id, Label: v.label, Time: v.time, DocTokens: int64(v.tokens)}
	for rank, s := range j.shares(v, 1) {
		row.Rank, row.Topic, row.TopicLabel = int32(rank), int32(s.topic), j.topicLabel(s.topic)
		row.Theta, row.Tokens = float32(s.theta), float32(v.counts[s.topic])
		if err := yield(&row); err != nil {
			return err
		}
	}
	return nil
}

// docRow yields the row of a document with its topics.
func (j *modelJob) docRow(v *docView, yield func(*docRow) error) error {
	row := docRow{Doc: int64(v.doc), ID: v.id, Label: v.label, Time: v.time, DocTokens: int64(v.tokens)}
	for _, s := range j.shares(v, 1) {
		row.Topics, row.Thetas = append(row.Topics, int32(s.topic)), append(row.Thetas, float32(s.theta))
	}
	return yield(&row)
}

// eachVocabRow yields every word with its frequencies in the training documents.
func (j *job) eachVocabRow(yield func(*vocabRow) error) error {
	m := j.model
	frequency := j.docFrequency()
	for w := range m.NumWords() {
		if err := j.step(w, m.NumWords()); err != nil {
			return err
		}
		row := vocabRow{int32(w), m.Words().At(w), int64(m.Manifest().PerDraw(wordTotal(m, w))), int64(frequency[w])}
		if err := yield(&row); err != nil {
			return err
		}
	}
	return j.step(m.NumWords(), m.NumWords())
}

// docFrequency returns the number of documents that contain each word.
func (j *job) docFrequency() []uint64 {
	frequency := make([]uint64, j.model.NumWords())
	for d := range j.docs.NumDocs() {
		doc := j.docs.Doc(d)
		for i, w := range doc {
			if i == 0 || doc[i-1] != w {
				frequency[w]++
			}
		}
	}
	return frequency
}

// assignmentRows yields the tokens of a document.
func assignmentRows(v *docView, yield func(*assignmentRow) error) error {
	for i, w := range v.words {
		row := assignmentRow{int64(v.doc), int32(i), int32(w), int32(v.z[i])}
		if err := yield(&row); err != nil {
			return err
		}
	}
	return nil
}
