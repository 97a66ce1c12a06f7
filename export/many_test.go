package export

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/analysis/rank"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/train"
)

// manyTopics is a model of K topics by V words, K = V, from few tokens.
func manyTopics(t testing.TB, docs, k int) *topoi.Model {
	t.Helper()
	path := filepath.Join(t.TempDir(), "many.topoi")
	if _, err := corpus.Generate(t.Context(), path, corpus.GenerateOptions{Docs: docs, Words: k, MeanLength: 3, Topics: 10}); err != nil {
		t.Fatal(err)
	}
	c, err := corpus.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	m, err := train.Run(t.Context(), c, topoi.Options{Topics: k, Iterations: 1, Sampler: "warp", EvaluateEvery: 10})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// With very many topics every format must be written without a table of any two of
// documents, words and topics, or be refused in a sentence. Such a table would take
// 100 MB even at a byte each (documents by topics) or at a bit (topics by words);
// 60 MB are allowed, which is what the list of topics in memory takes.
func TestManyTopics(t *testing.T) {
	defer func(most float64, rows int) { denseMost, parquetRowGroup = most, rows }(denseMost, parquetRowGroup)
	denseMost, parquetRowGroup = 1<<28, 4096
	const docs, k, limit = 2500, 40_000, 60 << 20
	m := manyTopics(t, docs, k)
	refused := []string{
		"mallet-doc-topics", "mallet-doc-topics-threshold", "mallet-topic-word-weights", "gibbslda", "gensim", "pyldavis",
		"csv-doc-topics", "csv-doc-topics-wide", "xlsx", "npy-doc-topics", "npy-topic-words", "parquet", "parquet-doc-topics", "parquet-doc-topics-wide", "parquet-doc-topics-list",
	}
	limited := Options{Top: 3} // under which those that list topics are not refused
	lists := []string{"mallet-doc-topics-threshold", "csv-doc-topics", "parquet", "parquet-doc-topics", "parquet-doc-topics-list"}
	type attempt struct {
		format  string
		options Options
		refused bool
	}
	var attempts []attempt
	for _, f := range formatNames() {
		attempts = append(attempts, attempt{f, Options{}, slices.Contains(refused, f)})
	}
	for _, f := range lists {
		attempts = append(attempts, attempt{f, limited, false})
	}
	for _, a := range attempts {
		f, o := a.format, a.options
		var before, now runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		peak, calls := uint64(0), 0
		path := filepath.Join(t.TempDir(), "out")
		o.Progress = func(done, total int64) {
			if calls++; calls%8 != 0 {
				return
			}
			runtime.GC() // what is left is in use
			runtime.ReadMemStats(&now)
			peak = max(peak, now.HeapAlloc)
		}
		err := Write(t.Context(), m, f, path, o)
		if a.refused {
			if _, there := os.Stat(path); err == nil || there == nil || !strings.Contains(err.Error(), "40,000") && !strings.Contains(err.Error(), "40000 topics") && f != "pyldavis" {
				t.Errorf("%s: not refused, or not clearly: %v", f, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", f, err)
		}
		if peak > before.HeapAlloc+limit {
			t.Errorf("%s: the heap grew by %d MB", f, (peak-before.HeapAlloc)>>20)
		}
	}
}

// A refusal says what is too large, by how much, and what to choose.
func TestRefusal(t *testing.T) {
	defer func(most float64) { denseMost = most }(denseMost)
	denseMost = 1 << 30
	m := manyTopics(t, 10, 20_000)
	err := Write(t.Context(), m, "gensim", filepath.Join(t.TempDir(), "out"), Options{})
	const want = "gensim has a number for each of 20,000 topics × 20,000 words, zeros included: 4e+08 numbers of about 4 bytes make 0.0016 TB, and topoi writes at most 0.00107 TB so; choose npz-topic-words instead"
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// Shares of all topics are found without looking at all of them: Top and MinTheta
// must give what sorting everything gives.
func TestSharesAgreeWithSorting(t *testing.T) {
	m := goldenModel(t)
	docs, err := m.Docs()
	if err != nil {
		t.Fatal(err)
	}
	for top := range m.NumTopics() + 2 {
		for _, least := range []float64{0, 0.01, 0.1, 0.3, 1} {
			j := &job{modelJob: modelJob{ctx: t.Context(), model: m, options: Options{Top: top, MinTheta: least}}, docs: docs}
			err := j.eachDoc(func(v *docView) error {
				var all []share
				for k := range v.counts {
					all = append(all, share{k, v.theta(k)})
				}
				slices.SortFunc(all, byTheta)
				for fewest := range 2 {
					want := slices.Clone(all)
					for len(want) > fewest && want[len(want)-1].theta < least {
						want = want[:len(want)-1]
					}
					if top > 0 {
						want = want[:min(top, len(want))]
					}
					if got := j.shares(v, fewest); !slices.Equal(got, want) {
						t.Errorf("top %d, least %v and %d, document %d: %v, want %v", top, least, fewest, v.doc, got, want)
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}

// The documents of topics must not depend on how many topics a pass serves.
func TestTopicDocsInParts(t *testing.T) {
	m := goldenModel(t)
	docs, err := m.Docs()
	if err != nil {
		t.Fatal(err)
	}
	j := &job{modelJob: modelJob{ctx: t.Context(), model: m}, docs: docs}
	gather := func(most int) (all [][]rank.Doc) {
		err := j.eachTopicDocs(2, most, func(k int, best []rank.Doc) error {
			if k != len(all) {
				t.Errorf("topic %d came as number %d", k, len(all))
			}
			all = append(all, slices.Clone(best))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	want := gather(1 << 20)
	for _, most := range []int{0, 1, 3} {
		for k, best := range gather(most) {
			if !slices.Equal(best, want[k]) {
				t.Errorf("most %d, topic %d: %v, want %v", most, k, best, want[k])
			}
		}
	}
}
