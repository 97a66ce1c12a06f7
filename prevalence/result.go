package prevalence

import "github.com/topoi-lda/topoi/corpus"

// Share is the share of one topic in a group, in a period, or in both.
type Share struct {
	Tokens uint64  // Σ_d n_dk
	Share  float64 // share of the group's tokens; NaN if it has none
	Low    float64 // the interval's ends; NaN if there is none
	High   float64
}

// Change is the share in one group minus that in another.
type Change struct {
	Difference float64 // NaN if a group has no tokens
	Low        float64 // the interval's ends; NaN if there is none
	High       float64
}

// Difference is the difference between two groups, over all time or in a period.
type Difference struct {
	Period  *Period  // nil if documents are not grouped by time
	Changes []Change // one for each of Result.Topics
}

// Result holds the shares of topics.
type Result struct {
	*Grouping
	Topics      []int
	Shares      [][]Share    // of each cell and topic
	Differences []Difference // empty unless requested
	Interval    float64      // c; 0 if there are no intervals
	Replicates  int
	Seed        uint64
}

// job is one call of Compute.
type job struct {
	model   Model
	docs    *corpus.Corpus
	options Options
	slots   []int32 // K: the place of a topic in Options.Topics, or −1
	result  *Result
}
