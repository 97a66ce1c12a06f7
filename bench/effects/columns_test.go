package effects

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/analysis/effects"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/corpus/column"
	"github.com/topoi-lda/topoi/corpus/source"
	"github.com/topoi-lda/topoi/topic"
	"github.com/topoi-lda/topoi/train"
)

var data = flag.String("data", "", "`folder` of the corpora gadarian, m10 and poliblog5k")

// subject is a corpus with a number of topics.
type subject struct {
	name   string
	topics int
	share  float64 // of the studies that run on it
	read   func() (*corpus.Corpus, error)
}

func subjects() []subject {
	gadarian := func() (*corpus.Corpus, error) {
		return load("gadarian/gadarian.csv", source.Options{TextFields: []string{"text"}})
	}
	blogs := func(words int) func() (*corpus.Corpus, error) {
		return func() (*corpus.Corpus, error) {
			c, err := load("poliblog5k/docword.poliblog5k.txt.gz", source.Options{
				VocabPath: filepath.Join(*data, "poliblog5k", "vocab.poliblog5k.txt"),
			})
			if err != nil {
				return nil, err
			}
			return cut(c.Docs(0, 1500), words), nil
		}
	}
	titles := func() (*corpus.Corpus, error) {
		c, err := load("m10/corpus.tsv", source.Options{})
		if err != nil {
			return nil, err
		}
		return c.Docs(0, 2500), nil
	}
	return []subject{
		{"gadarian: 341 answers of 8 words", 3, 1, gadarian},
		{"gadarian", 5, 1, gadarian},
		{"titles of 2,500 papers, 6 words", 10, 0.3, titles},
		{"1,500 blog posts, 80 words of each", 10, 0.3, blogs(80)},
	}
}

// load reads a corpus below the folder of data.
func load(name string, o source.Options) (*corpus.Corpus, error) {
	c, _, err := corpus.Load(context.Background(), []string{filepath.Join(*data, name)}, corpus.ImportOptions{Source: o})
	return c, err
}

// cut keeps so many words of each document, drawn at random.
func cut(c *corpus.Corpus, words int) *corpus.Corpus {
	r := rand.New(rand.NewPCG(1, 1))
	lists := make([][]uint32, c.NumDocs())
	for d := range lists {
		list := slices.Clone(c.Doc(d))
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		lists[d] = list[:min(len(list), words)]
		slices.Sort(lists[d])
	}
	return corpus.FromIDs(c.Words().List(), lists)
}

// withColumns returns the corpus with a column of two groups and one of numbers. Groups depend on the shares, as far as
// strength says, and on nothing else; numbers depend on nothing.
func withColumns(c *corpus.Corpus, seed uint64, shares []float64, strength float64) (*corpus.Corpus, error) {
	r := rand.New(rand.NewPCG(seed, 9))
	group, number := make(values, c.NumDocs()), make(values, c.NumDocs())
	for d := range group {
		group[d] = "a"
		if r.Float64() < 0.5+strength*(shares[d]-0.5) {
			group[d] = "b"
		}
		number[d] = fmt.Sprintf("%.4f", r.NormFloat64())
	}
	return c.WithColumns([]column.Column{
		{Name: "group", Kind: column.Category, Values: group}, {Name: "number", Kind: column.Number, Values: number},
	})
}

// bare hides with which prior a model was trained, so that shares are tested as training left them.
type bare struct{ topic.Documents }

const bothColumns = "~ group + number"

// outcome adds the tests of a model to its rates: one of every topic and column. In the group column it finds something if
// a topic has p < 0.05 after Holm's correction.
func (s *seen) outcome(m topic.Documents, c *corpus.Corpus) error {
	r, err := effects.Compute(context.Background(), m, effects.Options{Formula: bothColumns, Columns: c.Columns(), Threads: 1})
	if err != nil {
		return err
	}
	smallest := 1.0
	for _, topic := range r.Effects {
		s.tests.add(topic[1], 0)
		s.tests.add(topic[2], 0)
		smallest = min(smallest, topic[1].P())
	}
	s.studies++
	if smallest*float64(len(r.Effects)) < 0.05 {
		s.found++
	}
	return nil
}

// seen counts what a way to test finds.
type seen struct {
	tests          rate
	studies, found int
}

func (s *seen) merge(o *seen) {
	s.tests.merge(o.tests)
	s.studies, s.found = s.studies+o.studies, s.found+o.found
}

// ways are the models that are tested: a plain one, and one trained with the columns, as it is and by Compute.
var ways = []string{"plain model", "trained with the columns, shares as they are", "trained with the columns"}

// trained tests the columns of a corpus in all ways.
func trained(c *corpus.Corpus, topics int, seed uint64) (all [3]seen, err error) {
	o := topoi.Options{Topics: topics, Seed: seed, Threads: 1}
	plain, err := train.Run(context.Background(), c, o)
	if err != nil {
		return all, err
	}
	o.Prior, o.Formula = "covariates", bothColumns
	shaped, err := train.Run(context.Background(), c, o)
	if err != nil {
		return all, err
	}
	return all, cmp.Or(all[0].outcome(plain, c), all[1].outcome(bare{shaped}, c), all[2].outcome(shaped, c))
}

// Columns that say nothing are found in 4 to 6 % of tests, also if the model was trained with them; and columns that
// say something are found as often as in a plain model.
func TestColumns(t *testing.T) {
	if *data == "" {
		t.Skip("-data names no folder")
	}
	if _, err := os.Stat(*data); err != nil {
		t.Fatal(err)
	}
	t.Log(line("documents", "topics", "model", "tests", "null rate", "power"))
	for _, s := range subjects() {
		c, err := s.read()
		if err != nil {
			t.Fatal(err)
		}
		shares := largestShares(t, c, s.topics)
		null, power := s.run(t, c, shares, 0), s.run(t, c, shares, 0.35)
		for i, way := range ways {
			t.Log(line(s.name, s.topics, way, null[i].tests.tests, null[i].tests.percent(),
				100*float64(power[i].found)/float64(max(1, power[i].studies))))
			if i != 1 {
				between(t, s.name+", "+way, &null[i].tests, 4, 6)
			}
		}
	}
}

// largestShares returns the share of each document in the largest topic of a plain model.
func largestShares(t *testing.T, c *corpus.Corpus, topics int) []float64 {
	m, err := train.Run(t.Context(), c, topoi.Options{Topics: topics, Seed: 1 << 40})
	if err != nil {
		t.Fatal(err)
	}
	largest, shares := m.LargestTopics(1)[0], make([]float64, c.NumDocs())
	var theta []float64
	for d := range shares {
		if theta, err = m.Theta(theta, d); err != nil {
			t.Fatal(err)
		}
		shares[d] = theta[largest]
	}
	mean := 0.0
	for _, x := range shares {
		mean += x / float64(len(shares))
	}
	for d := range shares {
		shares[d] += 0.5 - mean
	}
	return shares
}

// run runs the studies of a subject.
func (s *subject) run(t *testing.T, c *corpus.Corpus, shares []float64, strength float64) (sum [3]seen) {
	var lock sync.Mutex
	each(max(2, int(float64(*studies)*s.share)), func(number uint64) rate {
		with, err := withColumns(c, number, shares, strength)
		if err != nil {
			t.Error(err)
			return rate{}
		}
		one, err := trained(with, s.topics, number)
		if err != nil {
			t.Error(err)
		}
		lock.Lock()
		defer lock.Unlock()
		for i := range sum {
			sum[i].merge(&one[i])
		}
		return rate{}
	})
	return sum
}
