package topoi

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/corpus"
)

// A model that does not add up is never returned: the checkpoint that it was made from is still there to go on from.
func TestModelsThatDoNotAddUp(t *testing.T) {
	docs := make([][]string, 20)
	for d := range docs {
		for i := range 30 {
			docs[d] = append(docs[d], fmt.Sprint("w", (d*d+i*i)%17))
		}
	}
	m := assign(corpus.FromTokens(docs), 4, func(i int) uint32 { return uint32(i * 7 % 5 % 4) })
	spoiled := func() Made {
		has := *m.has
		has.Entries, has.Totals, has.Topics.Wide = slices.Clone(has.Entries), slices.Clone(has.Totals), slices.Clone(has.Topics.Wide)
		return Made{Manifest: m.manifest, Content: &has, Docs: m.docs}
	}
	if _, err := NewModel(spoiled()); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(made Made){
		"a total":          func(made Made) { made.Content.Totals[1]++ },
		"a row":            func(made Made) { made.Content.Entries[0].Count++ },
		"a topic":          func(made Made) { made.Content.Topics.Wide[5] = (made.Content.Topics.Wide[5] + 1) % 4 },
		"a topic beyond K": func(made Made) { made.Content.Topics.Wide[5] = 4 },
	} {
		bad := spoiled()
		spoil(bad)
		if m, err := NewModel(bad); m != nil || !errors.Is(err, ErrInconsistent) {
			t.Errorf("%s: %v, %v", name, m, err)
		}
	}
	// Rows that add up by topic, but not by word, are found with the documents.
	bad := spoiled().Content
	other := 1 + slices.IndexFunc(bad.Entries[1:], func(e TopicCount) bool {
		return e.Topic == bad.Entries[0].Topic && e.Count > 1
	})
	bad.Entries[0].Count++
	bad.Entries[other].Count--
	if err := bad.Check(); err != nil {
		t.Error(err)
	}
	if err := bad.CheckWords(m.docs.Train); err == nil || m.has.CheckWords(m.docs.Train) != nil {
		t.Error("rows that do not fit the documents were not noticed")
	}
}
