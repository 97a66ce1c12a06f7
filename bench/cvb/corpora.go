package main

import (
	"context"
	"log"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/corpus/text"
)

// named is a corpus to compare on.
type named struct {
	name string
	docs *corpus.Corpus
}

// file is how a corpus is read.
type file struct {
	path string
	opts corpus.ImportOptions
}

// files are the corpora, below the data directory.
func files() map[string]file {
	plain := text.Options{Languages: text.DefaultLanguages(), KeepMarkup: true}
	return map[string]file{
		"kos":    {"kos/docword.kos.txt.gz", corpus.ImportOptions{}},
		"20news": {"20news/20news.tsv.zst", corpus.ImportOptions{Text: plain, MinDF: 5, MaxDF: 0.5, DropEmpty: true}},
		"bbc":    {"bbc", corpus.ImportOptions{}},
		"dblp":   {"dblp", corpus.ImportOptions{}},
		"m10":    {"m10", corpus.ImportOptions{}},
		"titles": {"titles-zh/titles.tsv.zst", corpus.ImportOptions{DropEmpty: true}},
		"elife":  {"elife/docword.elife20.txt.zst", corpus.ImportOptions{DropEmpty: true}},
	}
}

// load reads the corpora.
func load(data string, names []string) []named {
	var list []named
	for _, name := range names {
		base, most, thinned := strings.Cut(name, "-")
		f, ok := files()[base]
		if !ok {
			log.Fatalf("no corpus is called %q", base)
		}
		c, _, err := corpus.Load(context.Background(), []string{filepath.Join(data, f.path)}, f.opts)
		if err != nil {
			log.Fatal(err)
		}
		if thinned {
			n, err := strconv.Atoi(most)
			if err != nil {
				log.Fatalf("%q: the number of tokens to keep is not one", name)
			}
			c = thin(c, n)
		}
		list = append(list, named{name, c})
	}
	return list
}

// thin keeps n tokens of every longer document, drawn at random with a fixed seed.
func thin(c *corpus.Corpus, n int) *corpus.Corpus {
	random := rand.New(rand.NewPCG(1, 2))
	docs := make([][]uint32, c.NumDocs())
	for d := range docs {
		docs[d] = slices.Clone(c.Doc(d))
		if len(docs[d]) <= n {
			continue
		}
		random.Shuffle(len(docs[d]), func(i, j int) { docs[d][i], docs[d][j] = docs[d][j], docs[d][i] })
		docs[d] = docs[d][:n]
		slices.Sort(docs[d])
	}
	return corpus.FromIDs(c.Words().List(), docs)
}
