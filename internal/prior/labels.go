// Package prior has the priors by which documents of different groups have different topics: which group a document is
// in, and what topics a group may have.
package prior

import (
	"errors"
	"slices"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/hyper"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/tablecell"
)

// Labels gives each document the topics of its labels, and the free topics that all documents share. A document
// without labels may have all topics:
//
//	α_dk = α_k if k is free or of a label of document d, else 0
//
// Ramage, Hall, Nallapati and Manning, "Labeled LDA", EMNLP 2009; Ramage, Manning and Dumais, "Partially labeled topic
// models", KDD 2011, with one topic a label.
type Labels struct {
	Names  []string   // of the topics of labels, which come first
	Groups []uint32   // D: the group of each document
	Topics int        // K, free topics included
	sets   [][]uint32 // the topics of each group
}

// LabelsOf returns the labels in a text, sorted. A document with several labels has them as a column has lists.
func LabelsOf(text string) []string {
	list := tablecell.Items(text)
	slices.Sort(list)
	return slices.Compact(list)
}

// NewLabels reads the labels of so many documents.
func NewLabels(docs int, label func(d int) string, free int) (*Labels, error) {
	l, groups := &Labels{}, map[string]uint32{}
	var texts []string // of the groups
	for d := range docs {
		text := label(d)
		if _, known := groups[text]; !known {
			groups[text], texts = uint32(len(texts)), append(texts, text)
			l.Names = append(l.Names, LabelsOf(text)...)
		}
		l.Groups = append(l.Groups, groups[text])
	}
	slices.Sort(l.Names)
	l.Names = slices.Compact(l.Names)
	if len(l.Names) == 0 {
		return nil, errors.New("no document has a label: say where labels are when you import the documents")
	}
	l.Topics = len(l.Names) + free
	for _, text := range texts {
		l.sets = append(l.sets, l.set(LabelsOf(text)))
	}
	return l, nil
}

// set returns the topics of a set of labels.
func (l *Labels) set(names []string) []uint32 {
	var set []uint32
	for _, name := range names {
		k, _ := slices.BinarySearch(l.Names, name)
		set = append(set, uint32(k))
	}
	from := len(l.Names) // free topics
	if len(names) == 0 {
		from = 0
	}
	for k := from; k < l.Topics; k++ {
		set = append(set, uint32(k))
	}
	return set
}

// Of returns the groups for an α of all topics.
func (l *Labels) Of(alpha []float64) []sampler.Group {
	groups := make([]sampler.Group, len(l.sets))
	for i, set := range l.sets {
		groups[i].Topics = set
		for _, k := range set {
			groups[i].Alpha = append(groups[i].Alpha, alpha[k])
		}
	}
	return groups
}

// DocTerms returns log p(z | α) of documents in groups, from histograms by group.
func DocTerms(documents []counts.Bin, topics int, groups []sampler.Group) float64 {
	total := 0.0
	for g, bins := range counts.ByGroup(documents, len(groups), topics) {
		total += hyper.DocTerms(bins, topics, groups[g].Topics, groups[g].Alpha)
	}
	return total
}
