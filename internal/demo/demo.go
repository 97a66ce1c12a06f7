// Package demo has a small corpus that a person can read: short texts on six everyday themes, written for it. A topic
// model that sees the words alone should find the themes again, and [Match] shows which topic is which theme.
package demo

import (
	"context"
	_ "embed"
	"os"
	"path/filepath"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/corpus/source"
)

// CSV is the texts with title, theme and date.
//
//go:embed texts.csv
var CSV []byte

// Topics is the number of themes, which is the number of topics to look for.
const Topics = 6

// Corpus reads the texts as 'topoi import' would. The themes become labels, which training does not see.
func Corpus(ctx context.Context) (*corpus.Corpus, error) {
	dir, err := os.MkdirTemp("", "topoi-demo-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "texts.csv")
	if err := os.WriteFile(path, CSV, 0o600); err != nil {
		return nil, err
	}
	o := corpus.ImportOptions{Snippet: -1}
	o.Source = source.Options{
		Format: "csv", TextFields: []string{"text"}, TitleField: "title", LabelField: "theme",
		TimeField: "date",
	}
	c, _, err := corpus.Load(ctx, []string{path}, o)
	return c, err
}

// Pair describes which theme a topic has found.
type Pair struct {
	Theme string  // that most of the topic's words are from
	Share float64 // of the topic's words that are from it
}

// Match returns for every topic the theme that most of its words are from.
func Match(m *topoi.Model) ([]Pair, error) {
	docs, err := m.Docs()
	if err != nil {
		return nil, err
	}
	counts := make([]map[string]int, m.NumTopics())
	for k := range counts {
		counts[k] = map[string]int{}
	}
	var z []uint32
	for d := range docs.NumDocs() {
		z = m.AppendTopics(z[:0], int(docs.Offsets()[d]), int(docs.Offsets()[d+1]))
		for _, k := range z {
			counts[k][docs.Label(d)]++
		}
	}
	pairs := make([]Pair, len(counts))
	for k, themes := range counts {
		for theme, n := range themes {
			share := float64(n) / float64(m.TopicTotals()[k])
			if share > pairs[k].Share || share == pairs[k].Share && theme < pairs[k].Theme {
				pairs[k] = Pair{theme, share}
			}
		}
	}
	return pairs, nil
}

// Options returns options that suit so few and short texts: each is about one theme, which a
// small α says. A larger β than usual keeps topics of so few words from splitting a theme. The counts of
// sparse are always fresh, which tells the themes apart.
func Options() topoi.Options {
	return topoi.Options{Topics: Topics, AlphaSum: 0.6, Beta: 0.1, OptimizeInterval: -1, Sampler: "sparse", Seed: 1}
}
