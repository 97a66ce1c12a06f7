package explore

import (
	"github.com/topoi-lda/topoi/internal/webpage"
	"github.com/topoi-lda/topoi/revise"
)

// driftWords is the number of words of a topic in a slice of time.
const driftWords = 8

// driftInfo says what the words of topics over time are.
type driftInfo struct {
	Unit    string   `json:"unit"` // of a slice: day, week, month, quarter, year or decade
	Carry   float64  `json:"carry"`
	Periods []string `json:"periods"`
}

// findDrift finds the words of topics over time, if the model was trained by slices of time and the page has room for them.
func (b *builder) findDrift() error {
	bins, carry, ok := revise.SlicesOf(b.model)
	if !ok {
		return nil
	}
	list, err := revise.Drift(b.model, bins, carry, nil, driftWords)
	if err != nil || len(list)*driftWords > cellBudget {
		return err
	}
	b.drift, b.info.Drift = list, &driftInfo{Unit: string(bins), Carry: carry}
	for i, x := range list {
		if i%b.model.NumTopics() == 0 {
			b.info.Drift.Periods = append(b.info.Drift.Periods, x.Period)
		}
		for _, w := range x.Top {
			b.words.has[w.Word] = true
		}
	}
	return nil
}

// packDrift adds the words of topics over time.
func (b *builder) packDrift() {
	var sizes []int
	var words []uint32
	var tokens []uint64
	var phi []float32
	for _, x := range b.drift {
		sizes, tokens = append(sizes, len(x.Top)), append(tokens, x.Tokens)
		for _, w := range x.Top {
			words, phi = append(words, b.words.place[w.Word]), append(phi, float32(w.Phi))
		}
	}
	webpage.Varint(b.pack, "driftSizes", sizes)
	webpage.Varint(b.pack, "driftTokens", tokens)
	webpage.Varint(b.pack, "driftWords", words)
	b.pack.F32("driftPhi", phi)
}
