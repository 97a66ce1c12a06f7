package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/corpus/source"
)

// real are corpora in the data directory.
var real = map[string]struct {
	file, vocabulary string
	minDF            int
	maxDF            float64
}{
	"kos":     {file: "kos/docword.kos.txt.gz", vocabulary: "kos/vocab.kos.txt"},
	"20news":  {file: "20news/20news.tsv.zst", minDF: 5, maxDF: 0.5},
	"bbc":     {file: "bbc/corpus.tsv"},
	"reuters": {file: "reuters395/docword.reuters395.txt.gz", vocabulary: "reuters395/vocab.reuters395.txt"},
	"dblp":    {file: "dblp/corpus.tsv"},
	"papers":  {file: "elife/papers600.tsv.zst", minDF: 3, maxDF: 0.5},
	"elife":   {file: "elife/docword.elife20.txt.zst", vocabulary: "elife/vocab.elife20.txt"},
}

// generated are corpora drawn from the model.
var generated = map[string]corpus.GenerateOptions{
	"short": {Docs: 5000, Words: 5000, MeanLength: 60, Topics: 100, Seed: 1},
	"long":  {Docs: 3000, Words: 8000, MeanLength: 300, Topics: 20, Seed: 2},
	"wide":  {Docs: 20000, Words: 20000, MeanLength: 100, Topics: 500, Seed: 3},
}

// open makes the corpus file of the given name if it is not there, and opens it.
func open(name string) (*corpus.Corpus, error) {
	dir := *work
	if dir == "" {
		dir = os.TempDir()
	}
	path := filepath.Join(dir, "topoi-stop-"+name+".topoi")
	if c, err := corpus.Open(path); err == nil {
		return c, nil
	}
	var err error
	if g, ok := generated[name]; ok {
		_, err = corpus.Generate(background, path, g)
	} else if r, ok := real[name]; ok {
		opts := corpus.ImportOptions{MinDF: r.minDF, MaxDF: r.maxDF, DropEmpty: true}
		if r.vocabulary != "" {
			opts.Source = source.Options{VocabPath: filepath.Join(*data, r.vocabulary)}
		}
		_, err = corpus.Import(background, []string{filepath.Join(*data, r.file)}, path, opts)
	} else {
		err = fmt.Errorf("no corpus is called %q", name)
	}
	if err != nil {
		return nil, err
	}
	return corpus.Open(path)
}
