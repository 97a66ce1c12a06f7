package guide

import (
	"fmt"

	"github.com/topoi-lda/topoi"
)

// The weights between which seeded topics keep their seeds and still take up other words, on reviews and newsgroups.
const (
	leastWeight = 0.1
	largeWeight = 1
)

// mostFree bounds the documents whose largest topic has no seeds: those that the number of such topics lets expect, and
// this share of the others. More mean that seeded topics were displaced.
const mostFree = 0.5

// Displaced describes what a weight outside of the usual range has done, or that topics without seeds have displaced
// seeded ones whatever the weight; "" if all is well. A weight of 0 stands for the default.
func (s *Seeded) Displaced(m *topoi.Model, weight float64) (string, error) {
	if weight == 0 {
		weight = defaultWeight
	}
	free, err := s.freeDocs(m)
	if err != nil {
		return "", err
	}
	number := m.NumTopics() - len(s.Topics)
	expected := float64(number) / float64(m.NumTopics())
	displaced := number > 0 && free > expected+float64(mostFree*(1-expected))
	if !displaced && weight >= leastWeight && weight <= largeWeight {
		return "", nil
	}
	share := 0.0
	outcomes := s.Outcomes(m)
	for _, o := range outcomes {
		share += o.Share / float64(len(outcomes))
	}
	what := fmt.Sprintf("%.0f %% of documents have a topic without seeds as their largest, and seed words are %.0f %% of the words of seeded topics",
		100*free, 100*share)
	switch {
	case weight > largeWeight:
		what += ": topics with so many pseudo-counts take up few other words"
	case weight < leastWeight:
		what += ": so few pseudo-counts hardly hold topics to their seeds"
	default:
		what += ": seed more words for each topic, or ask for fewer topics"
	}
	return fmt.Sprintf("%s; weights from %g to %g usually work, and %g is the default", what, leastWeight, float64(largeWeight), defaultWeight), nil
}

// freeDocs returns the share of documents whose largest topic has no seeds.
func (s *Seeded) freeDocs(m *topoi.Model) (float64, error) {
	docs, z, err := m.Trained()
	if err != nil {
		return 0, err
	}
	free, counted, at := 0, 0, 0
	tokens := make([]int, m.NumTopics())
	for d := range docs.NumDocs() {
		clear(tokens)
		largest, length := 0, len(docs.Doc(d))
		for _, k := range z[at : at+length] {
			if tokens[k]++; tokens[k] > tokens[largest] {
				largest = int(k)
			}
		}
		if at += length; length == 0 {
			continue
		}
		if counted++; largest >= len(s.Topics) {
			free++
		}
	}
	return float64(free) / float64(max(1, counted)), nil
}
