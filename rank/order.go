package rank

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/topoi-lda/topoi/internal/human"
)

// Measure names what words are ordered by.
type Measure string

// The measures, by the names that users type.
const (
	Probability Measure = "probability" // φ_wk
	Relevance   Measure = "relevance"   // λ log φ_wk + (1−λ) log lift
	FREX        Measure = "frex"        // 1/(w/R_fr + (1−w)/R_ex)
	Lift        Measure = "lift"        // φ_wk/p(w)
)

// The usual weights.
const (
	UsualLambda = 0.6 // of relevance: what Sievert and Shirley found to serve readers best
	UsualFREX   = 0.5 // of FREX: that of stm's labelTopics
)

// Order is a measure with its weight. The zero value is the order by probability.
type Order struct {
	Measure Measure // default Probability
	Weight  float64 // λ of relevance or w of FREX, from 0 to 1; the others have none
}

// Measures lists the names of all measures.
func Measures() []string {
	return []string{string(Relevance), string(FREX), string(Lift), string(Probability)}
}

// Find returns the order called name with its usual weight, or an error that names the
// nearest one.
func Find(name string) (Order, error) {
	switch m := Measure(name); m {
	case Probability, Lift:
		return Order{Measure: m}, nil
	case Relevance:
		return Order{m, UsualLambda}, nil
	case FREX:
		return Order{m, UsualFREX}, nil
	}
	return Order{}, fmt.Errorf("unknown order of words %q%s", name, human.Hint(name, Measures()))
}

// Validate returns the fault of the order, or nil.
func (o Order) Validate() error {
	switch o.Measure {
	case "", Probability, Lift:
		return nil
	case Relevance, FREX:
		if !(o.Weight >= 0 && o.Weight <= 1) {
			return fmt.Errorf("the weight of %s is %v: it must be between 0 and 1", o.Measure, o.Weight)
		}
		return nil
	}
	_, err := Find(string(o.Measure))
	return err
}

// Word is a word of a topic, in which it occurs.
type Word struct {
	Word      int     `json:"word"`  // id in the vocabulary
	Count     uint32  `json:"count"` // n_wk
	Phi       float64 `json:"phi"`   // φ_wk
	Lift      float64 `json:"lift"`  // φ_wk/p(w)
	Frequent  float64 `json:"r_fr"`  // R_fr, above 0 and at most 1
	Exclusive float64 `json:"r_ex"`  // R_ex, likewise
}

// Relevance returns λ log φ_wk + (1−λ) log lift, in nats.
func (w Word) Relevance(lambda float64) float64 {
	return float64(lambda*math.Log(w.Phi)) + float64((1-lambda)*math.Log(w.Lift))
}

// FREX returns 1/(weight/R_fr + (1−weight)/R_ex), above 0 and at most 1.
func (w Word) FREX(weight float64) float64 {
	return 1 / (weight/w.Frequent + (1-weight)/w.Exclusive)
}

// Score returns what the order sorts the word by.
func (w Word) Score(o Order) float64 {
	switch o.Measure {
	case Relevance:
		return w.Relevance(o.Weight)
	case FREX:
		return w.FREX(o.Weight)
	case Lift:
		return w.Lift
	}
	return w.Phi
}

// scored is a word by its place in a list.
type scored struct {
	score float64
	place int
}

// top returns the n words of the highest score, highest first, equal ones by falling
// count, then by id. It gathers up to 2n of them, then throws the lesser half away.
func top(words []Word, o Order, n int) []Word {
	if n <= 0 {
		return nil
	}
	before := func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(words[b.place].Count, words[a.place].Count), cmp.Compare(a.place, b.place))
	}
	var list []scored
	least := math.Inf(-1) // a lower score has n better ones
	for i, w := range words {
		score := w.Score(o)
		if score < least {
			continue
		}
		if list = append(list, scored{score, i}); len(list)/2 >= n {
			slices.SortFunc(list, before)
			list = list[:n]
			least = list[n-1].score
		}
	}
	slices.SortFunc(list, before)
	best := make([]Word, min(n, len(list)))
	for i := range best {
		best[i] = words[list[i].place]
	}
	return best
}
