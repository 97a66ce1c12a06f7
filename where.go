package topoi

import (
	"fmt"

	"github.com/topoi-lda/topoi/column"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/modelfile"
)

// Where returns the model as seen in the training documents that satisfy a condition on
// their columns ([column.Parse]): documents, counts, shares and words of topics are those
// of these documents alone, and held-out documents are chosen likewise. The topics stay
// those of m: numbers, α, β, labels and fingerprint do not change, and inference uses the
// counts of m. An empty condition returns m.
//
// It reads every token of the documents once. The result cannot be saved; closing it closes m.
func (m *Model) Where(condition string) (*Model, error) {
	if condition == "" {
		return m, nil
	}
	all, err := m.Docs()
	if err != nil {
		return nil, err
	}
	docs, numbers, err := choose(all, condition)
	if err != nil {
		return nil, err
	}
	if docs.NumDocs() == 0 {
		return nil, fmt.Errorf("no document satisfies the condition %q", condition)
	}
	part := &Model{manifest: m.manifest, docs: docs, of: m}
	part.has = &modelfile.Content{Words: m.has.Words, Alpha: m.has.Alpha, Totals: make([]uint64, m.NumTopics())}
	part.manifest.Docs, part.manifest.Tokens = docs.NumDocs(), docs.NumTokens()
	table := counts.NewTable(m.NumTopics(), modelfile.Frequencies(docs))
	z := make([]uint32, 0, docs.NumTokens())
	for i, d := range numbers {
		begin := len(z)
		z = m.AppendTopics(z, int(all.Offsets()[d]), int(all.Offsets()[d+1]))
		for j, w := range docs.Doc(i) {
			k := z[begin+j]
			part.has.Totals[k]++
			table.Add(int(w), int(k), 1)
		}
	}
	part.has.Topics.Wide = z
	part.has.Entries, part.has.Ends = counts.Gather(table, m.NumWords(), 0)
	heldout, err := m.Heldout()
	if err == nil && heldout != nil {
		part.heldout, _, err = choose(heldout, condition)
	}
	return part, err
}

// choose returns the documents that satisfy a condition, with their numbers in docs. The
// columns are read for the whole corpus, so that dates are read as in all documents.
func choose(docs *corpus.Corpus, condition string) (chosen *corpus.Corpus, numbers []uint32, err error) {
	if docs.NumDocs() > corpus.MaxSelect {
		return nil, nil, fmt.Errorf("a condition can choose from at most %d documents", int64(corpus.MaxSelect))
	}
	keep, err := column.Parse(condition, docs.Whole().Columns())
	if err != nil {
		return nil, nil, err
	}
	for d := range docs.NumDocs() {
		if keep(docs.Number(d)) {
			numbers = append(numbers, uint32(d))
		}
	}
	return docs.Select(numbers), numbers, nil
}
