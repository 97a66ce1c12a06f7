package export

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/portable"
	"github.com/topoi-lda/topoi/topic"
)

// visData is the prepared data of pyLDAvis, with its keys.
type visData struct {
	Topics     visTopics         `json:"mdsDat"`
	Terms      visTerms          `json:"tinfo"`
	Tokens     visTokens         `json:"token.table"`
	R          int               `json:"R"`
	LambdaStep float64           `json:"lambda.step"`
	Plot       map[string]string `json:"plot.opts"`
	Order      []int             `json:"topic.order"`
}

type visTopics struct {
	X       []float64 `json:"x"`
	Y       []float64 `json:"y"`
	Topics  []int     `json:"topics"` // from 1: topic k is k + 1 here; never re-sorted
	Cluster []int     `json:"cluster"`
	Freq    []float64 `json:"Freq"` // percent of the tokens
}

type visTerms struct {
	Term     []string  `json:"Term"`
	Freq     []float64 `json:"Freq"`
	Total    []float64 `json:"Total"`
	Category []string  `json:"Category"`
	LogProb  []float64 `json:"logprob"`
	LogLift  []float64 `json:"loglift"`
}

type visTokens struct {
	Topic []int     `json:"Topic"`
	Freq  []float64 `json:"Freq"` // share of the term's tokens
	Term  []string  `json:"Term"`
}

const (
	visLambdaSteps = 100  // number of steps: λ = 0, 0.01, …, 1
	visMaxTopics   = 1000 // more circles than anyone can distinguish, and K³ work
)

// pyLDAvis writes the data of a pyLDAvis picture. All numbers come from the model's counts, so they agree with every
// other output; topics keep their order.
func pyLDAvis(j *job, w io.Writer) error {
	m := j.model
	k := m.NumTopics()
	if k > visMaxTopics {
		return fmt.Errorf("pyLDAvis can show at most %d topics and the model has %d", visMaxTopics, k)
	}
	c := allColumns(m)
	v := visData{
		R: min(j.words(30), m.NumWords()), LambdaStep: 1.0 / visLambdaSteps,
		Plot: map[string]string{"xlab": "PC1", "ylab": "PC2"},
	}
	var err error
	if v.Topics.X, v.Topics.Y, err = j.coordinates(c); err != nil {
		return err
	}
	tokens := float64(max(m.Manifest().Counted(), 1))
	for i, n := range m.TopicTotals() {
		v.Topics.Topics = append(v.Topics.Topics, i+1)
		v.Topics.Cluster = append(v.Topics.Cluster, 1)
		v.Topics.Freq = append(v.Topics.Freq, 100*float64(n)/tokens)
		v.Order = append(v.Order, i+1)
	}
	shown := map[uint32]bool{}
	v.addSalient(j, shown)
	for topic := range k {
		if err := j.ctx.Err(); err != nil {
			return err
		}
		if err := j.step(topic, k); err != nil {
			return err
		}
		v.addRelevant(j, topic, c[topic], shown)
	}
	v.addTokens(j, shown)
	return json.NewEncoder(w).Encode(v)
}

// allColumns holds the non-zero n_wk by topic, then by word.
func allColumns(m *topoi.Model) [][]topic.WordCount {
	all := make([][]topic.WordCount, m.NumTopics())
	for k, column := range m.Columns(nil) {
		all[k] = slices.Clone(column)
	}
	return all
}

func (v *visData) addTerm(term string, freq, total uint64, category string, logProb, logLift float64) {
	t := &v.Terms
	t.Term = append(t.Term, term)
	t.Freq = append(t.Freq, float64(freq))
	t.Total = append(t.Total, float64(total))
	t.Category = append(t.Category, category)
	t.LogProb = append(t.LogProb, logProb)
	t.LogLift = append(t.LogLift, logLift)
}

// addSalient adds the R terms of highest saliency
func (v *visData) addSalient(j *job, shown map[uint32]bool) {
	m := j.model
	tokens := float64(m.Manifest().Counted())
	list := make([]weighted, 0, m.NumWords())
	for w := range m.NumWords() {
		total, saliency := float64(wordTotal(m, w)), 0.0
		for _, e := range m.Row(w) {
			p := float64(e.Count) / total
			saliency += float64(float64(e.Count) / tokens * portable.Log(p*tokens/float64(m.TopicTotals()[e.Topic])))
		}
		list = append(list, weighted{uint32(w), saliency})
	}
	for rank, s := range best(list, v.R) {
		shown[s.word] = true
		total, order := m.Manifest().PerDraw(wordTotal(m, int(s.word))), float64(v.R-rank)
		v.addTerm(m.Words().At(int(s.word)), total, total, "Default", order, order)
	}
}

// addRelevant adds the union over λ of the R terms of highest relevance
func (v *visData) addRelevant(j *job, topic int, words []topic.WordCount, shown map[uint32]bool) {
	m := j.model
	logProb, logLift := make([]float64, len(words)), make([]float64, len(words))
	for i, e := range words {
		p := j.phi(e.Count, topic)
		logProb[i] = portable.Log(p)
		logLift[i] = portable.Log(p * float64(m.Manifest().Counted()) / float64(wordTotal(m, int(e.Word))))
	}
	chosen := make([]bool, len(words))
	list := make([]weighted, len(words))
	for step := range visLambdaSteps + 1 {
		lambda := float64(step) / visLambdaSteps
		for i := range words {
			list[i] = weighted{uint32(i), float64(lambda*logProb[i]) + float64((1-lambda)*logLift[i])}
		}
		for _, s := range best(list, v.R) {
			chosen[s.word] = true
		}
	}
	for i, e := range words {
		if chosen[i] {
			shown[e.Word] = true
			v.addTerm(m.Words().At(int(e.Word)), m.Manifest().PerDraw(uint64(e.Count)),
				m.Manifest().PerDraw(wordTotal(m, int(e.Word))),
				"Topic"+strconv.Itoa(topic+1), round4(logProb[i]), round4(logLift[i]))
		}
	}
}

// addTokens adds how the tokens of every shown term are distributed over topics.
func (v *visData) addTokens(j *job, shown map[uint32]bool) {
	m := j.model
	words := slices.SortedFunc(maps.Keys(shown),
		func(a, b uint32) int { return cmp.Compare(m.Words().At(int(a)), m.Words().At(int(b))) })
	for _, w := range words {
		total := float64(wordTotal(m, int(w)))
		for _, e := range m.Row(int(w)) {
			v.Tokens.Topic = append(v.Tokens.Topic, int(e.Topic)+1)
			v.Tokens.Freq = append(v.Tokens.Freq, float64(e.Count)/total)
			v.Tokens.Term = append(v.Tokens.Term, m.Words().At(int(w)))
		}
	}
}

func round4(x float64) float64 { return math.Round(x*1e4) / 1e4 }

// weighted is a word with the weight by which it is ranked.
type weighted struct {
	word   uint32
	weight float64
}

// before reports whether a ranks before b: by falling weight, then by word.
func (a weighted) before(b weighted) bool {
	return a.weight > b.weight || a.weight == b.weight && a.word < b.word
}

// best returns the n best of a list in order. Most elements are worse than the worst one kept, so insertions are rare.
func best(list []weighted, n int) []weighted {
	kept := make([]weighted, 0, n+1)
	for _, x := range list {
		if len(kept) == n && (n == 0 || !x.before(kept[n-1])) {
			continue
		}
		i, _ := slices.BinarySearchFunc(kept, x, func(a, b weighted) int {
			if a.before(b) {
				return -1
			}
			return 1
		})
		kept = slices.Insert(kept, i, x)
		kept = kept[:min(len(kept), n)]
	}
	return kept
}
