// Package rank orders the words of topics by probability, by relevance (Sievert and Shirley, "LDAvis: a method for
// visualizing and interpreting topics", 2014, Eq. 1), by lift (Taddy, "On estimation and selection for topic models",
// AISTATS 2012), and by FREX (Bischof and Airoldi, "Summarizing topical content with word frequency and exclusivity",
// ICML 2012, as the R package stm computes it). It also computes how salient a word is (Chuang, Manning and Heer,
// "Termite", AVI 2012), how exclusive a topic is (Roberts et al., "Structural topic models for open-ended survey
// responses", AJPS 2014), how a word is distributed over topics, and which documents have the largest share of a topic.
//
// With K topics, V words and N tokens, n_wk the tokens of word w in topic k,
// n_w = Σ_k n_wk, n_k = Σ_w n_wk and the prior β,
//
//	φ_wk = (n_wk + β)/(n_k + Vβ)       probability of the word in the topic
//	p(w) = n_w/N                       its probability in the corpus
//	lift = φ_wk/p(w)
//	relevance(λ) = λ log φ_wk + (1−λ) log lift
//	e_wk = φ_wk/Σ_j φ_wj               exclusivity of the word
//	FREX(w) = 1/(w/R_fr + (1−w)/R_ex)
//
// where R_fr and R_ex are the ranks of φ_wk and e_wk among all V words of the topic, lowest first, divided
// by V. Equal values share the mean of their ranks, as in R. Logarithms are natural.
//
// # Words that do not occur in a topic
//
// Lists contain only words with n_wk > 0, so that nothing of size K × V is ever formed. The numbers are
// nevertheless those of the definitions with all zeros: every other word of a topic has the same φ, so
// ranks among all V words follow from the sorted Σ_j φ_wj. The list by probability is therefore the
// beginning of the list over all V words. The other lists are those over all V words without the words that
// do not occur in the topic. By relevance such a word v can come before a word w of the topic only if
//
//	(n_w/n_v)^(1−λ) > (n_wk + β)/β,
//
// that is, if it is rarer by a factor of at least 1 + 1/β.
package rank

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/lists"
	"github.com/topoi-lda/topoi/internal/portable"
	"github.com/topoi-lda/topoi/topic"
)

// Ranker ranks the words of one model. It is safe for use by many goroutines and takes 24 bytes for each
// word of the vocabulary.
type Ranker struct {
	model  topic.Model
	totals []uint64  // V: n_w
	tokens float64   // N
	sums   []float64 // V: Σ_j φ_wj
	sorted []float64 // sums in rising order
}

// New returns a ranker for a model. It reads the counts once: O(nnz + V log V).
func New(m topic.Model) *Ranker {
	v := m.NumWords()
	r := &Ranker{model: m, totals: make([]uint64, v), sums: make([]float64, v)}
	background := 0.0 // Σ_j φ_wj of a word that occurs nowhere
	for _, k := range sizeOrder(m.TopicTotals()) {
		background += r.Phi(0, k)
	}
	var row []topic.Count
	tokens := uint64(0)
	for w := range v {
		row = m.AppendRow(row[:0], w)
		sum := 0.0
		for _, e := range row {
			r.totals[w] += uint64(e.Count)
			sum += float64(e.Count) / r.scale(int(e.Topic))
		}
		tokens += r.totals[w]
		r.sums[w] = background + sum
	}
	r.tokens = float64(tokens)
	r.sorted = slices.Clone(r.sums)
	slices.Sort(r.sorted)
	return r
}

// sizeOrder returns the topics by rising size, so that a sum over them does not depend on their numbers.
func sizeOrder(totals []uint64) []int {
	order := lists.Upto(len(totals))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(totals[a], totals[b]) })
	return order
}

// coarse rounds to 40 binary digits, so that values which differ only by the order of summation are equal
// and share their ranks.
func coarse(x float64) float64 {
	const digits = 12 // number of dropped digits
	return math.Float64frombits((math.Float64bits(x) + 1<<(digits-1)) &^ (1<<digits - 1))
}

// scale returns n_k + Vβ. The conversion prevents fused multiply-add, so that all machines give the same bits.
func (r *Ranker) scale(k int) float64 {
	return float64(r.model.TopicTotals()[k]) + float64(float64(r.model.NumWords())*r.model.Beta())
}

// Phi returns φ_wk of a word with n_wk = count in topic k.
func (r *Ranker) Phi(count uint32, k int) float64 {
	return (float64(count) + r.model.Beta()) / r.scale(k)
}

// The measures, with the names that users type.
const (
	probability = "probability" // φ_wk
	relevance   = "relevance"   // λ log φ_wk + (1−λ) log lift
	frex        = "frex"        // 1/(w/R_fr + (1−w)/R_ex)
	lift        = "lift"        // φ_wk/p(w)
)

// The usual weights.
const (
	usualLambda = 0.6 // for relevance, recommended by Sievert and Shirley
	usualFREX   = 0.5 // for FREX, as in stm's labelTopics
)

// Order is a measure with its weight. The zero value is the order by probability.
type Order struct {
	Measure string  // "relevance", "frex", "lift" or, by default, "probability"
	Weight  float64 // λ of relevance or w of FREX, from 0 to 1; ignored for other measures
}

// measures lists the names of all measures.
func measures() []string { return []string{relevance, frex, lift, probability} }

// Find returns the order with the given name and its usual weight. The error suggests the most similar name.
func Find(name string) (Order, error) {
	switch name {
	case probability, lift:
		return Order{Measure: name}, nil
	case relevance:
		return Order{name, usualLambda}, nil
	case frex:
		return Order{name, usualFREX}, nil
	}
	return Order{}, fmt.Errorf("unknown order of words %q%s", name, human.Hint(name, measures()))
}

// Validate returns the fault of the order, or nil.
func (o Order) Validate() error {
	if (o.Measure == relevance || o.Measure == frex) && !(o.Weight >= 0 && o.Weight <= 1) {
		return fmt.Errorf("the weight of %s is %v: it must be between 0 and 1", o.Measure, o.Weight)
	}
	_, err := Find(cmp.Or(o.Measure, probability))
	return err
}

// Word is a word that occurs in a topic.
type Word struct {
	Word      int     `json:"word"`  // id in the vocabulary
	Count     uint32  `json:"count"` // n_wk, as AppendRow of the model has it
	Phi       float64 `json:"phi"`   // φ_wk
	Lift      float64 `json:"lift"`  // φ_wk/p(w)
	Frequent  float64 `json:"r_fr"`  // R_fr, above 0 and at most 1
	Exclusive float64 `json:"r_ex"`  // R_ex, above 0 and at most 1
}

// Relevance returns λ log φ_wk + (1−λ) log lift, in nats.
func (w Word) Relevance(lambda float64) float64 {
	return float64(lambda*portable.Log(w.Phi)) + float64((1-lambda)*portable.Log(w.Lift))
}

// FREX returns 1/(weight/R_fr + (1−weight)/R_ex), above 0 and at most 1.
func (w Word) FREX(weight float64) float64 { return 1 / (weight/w.Frequent + (1-weight)/w.Exclusive) }

// Score returns the value by which the order sorts the word.
func (w Word) Score(o Order) float64 {
	switch o.Measure {
	case relevance:
		return w.Relevance(o.Weight)
	case frex:
		return w.FREX(o.Weight)
	case lift:
		return w.Lift
	}
	return w.Phi
}

// scored is a word by its place in a list.
type scored struct {
	score float64
	place int
}

// top returns the n words with the highest scores, highest first; ties are in order of falling count, then of id.
func top(words []Word, o Order, n int) []Word {
	first := lists.NewFirst(n, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(words[b.place].Count, words[a.place].Count))
	})
	for i, w := range words {
		first.Add(scored{w.Score(o), i})
	}
	return lists.Of(first.List(), func(s scored) Word { return words[s.place] })
}
