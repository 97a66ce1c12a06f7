package flips

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/export"
	"github.com/topoi-lda/topoi/internal/checksums"
	"github.com/topoi-lda/topoi/internal/labelsfile"
	"github.com/topoi-lda/topoi/internal/ondisk"
	"github.com/topoi-lda/topoi/internal/redisserver"
	"github.com/topoi-lda/topoi/sweep"
	"github.com/topoi-lda/topoi/topic"
	"github.com/topoi-lda/topoi/train"
)

// sweeps is how long runs are; they are stopped after stopAt.
const sweeps, stopAt = 4, 2

// fromFiles is a budget that lets samplers work from files, in several pieces.
var fromFiles = &ondisk.Budget{PartTokens: 40_000, SliceBytes: 200_000, Stage: 2000, RowsInMemory: true}

// trainSeed is the seed of all runs. Another gives files of the same kinds that belong elsewhere.
var trainSeed uint64 = 1

// makeSubjects makes all kinds of files that stay on a disk.
func makeSubjects(t *testing.T, dir string) ([]*subject, error) {
	small, large := filepath.Join(dir, "small.topoi"), filepath.Join(dir, "large.topoi")
	for path, o := range map[string]corpus.GenerateOptions{
		small: {Docs: 60, Words: 80, MeanLength: 25, Topics: 5},
		large: {Docs: 1500, Words: 300, MeanLength: 60, Topics: 5}, // more tokens than a block of warp
	} {
		if _, err := corpus.Generate(context.Background(), path, o); err != nil {
			return nil, err
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "twin"), 0o777); err != nil {
		return nil, err
	}
	makers := []func(dir, small, large string) (*subject, error){
		corpusFile, model,
		checkpoint("checkpoint", topoi.Options{Sampler: "gibbs"}, false),
		checkpoint("checkpoint with late changes", topoi.Options{Sampler: "light", Tuning: topoi.Tuning{Staleness: 1}}, false),
		checkpoint("work directory of warp", topoi.Options{Sampler: "warp"}, true),
		checkpoint("work directory of light", topoi.Options{Sampler: "light"}, true),
		exports, sweepDir, labels,
	}
	if _, err := redisserver.Find(); err == nil || os.Getenv("TOPOI_REQUIRE_REDIS") == "1" {
		makers = append(makers, state(t))
	}
	var list []*subject
	for _, make := range makers {
		s, err := make(dir, small, large)
		if err != nil {
			return nil, err
		}
		list = append(list, s)
		if s.kind == "corpus file" || strings.HasPrefix(s.kind, "exports") {
			continue // another file there is another corpus, or export
		}
		trainSeed = 2
		twin, err := make(filepath.Join(dir, "twin"), small, large)
		if trainSeed = 1; err != nil {
			return nil, err
		}
		s.twin = s.renamed(twin.content)
	}
	return list, nil
}

// corpusFile is a corpus with ids, labels and times, which is trained on.
func corpusFile(dir, _, _ string) (*subject, error) {
	dir = filepath.Join(dir, "corpus")
	text := "id,label,date,text\n"
	for i := range 40 {
		text += fmt.Sprintf("d%d,l%d,2024-01-%02d,the %s quick brown fox %s jumps over lazy dogs\n", i, i%3, 1+i%28, []string{"sea", "ship", "sail"}[i%3], []string{"bread", "butter"}[i%2])
	}
	input := dir + ".csv"
	if err := errors.Join(os.MkdirAll(dir, 0o777), os.WriteFile(input, []byte(text), 0o666)); err != nil {
		return nil, err
	}
	if _, err := corpus.Import(context.Background(), []string{input}, filepath.Join(dir, "c.topoi"), corpus.ImportOptions{}); err != nil {
		return nil, err
	}
	return newSubject("corpus file", dir, func(dir string) (string, error) {
		c, err := corpus.Open(filepath.Join(dir, "c.topoi"))
		if err != nil {
			return "", err
		}
		defer c.Close()
		return trained(c, topoi.Options{Topics: 3, Sampler: "gibbs", Iterations: 2})
	})
}

// trained trains and returns the fingerprints of model and corpus.
func trained(c *corpus.Corpus, o topoi.Options) (string, error) {
	o.Seed, o.Threads, o.Tolerance = trainSeed, 2, 1e-12
	m, err := train.Run(context.Background(), c, o)
	if err != nil {
		return "", err
	}
	defer m.Close()
	return m.Fingerprint() + c.Fingerprint(), nil
}

// smallModel trains on the small corpus, which stays open until it is closed.
func smallModel(small string) (m *topoi.Model, closeDocs func() error, err error) {
	c, err := corpus.Open(small)
	if err != nil {
		return nil, nil, err
	}
	m, err = train.Run(context.Background(), c, topoi.Options{Topics: 4, Iterations: 3, Seed: trainSeed})
	if err != nil {
		_ = c.Close() // the fault of training is the one to tell
		return nil, nil, err
	}
	return m, c.Close, nil
}

// model is a model, of which topics, words and documents are exported.
func model(dir, small, _ string) (*subject, error) {
	m, closeDocs, err := smallModel(small)
	if err != nil {
		return nil, err
	}
	defer closeDocs()
	dir = filepath.Join(dir, "model")
	if err := m.Save(dir, topoi.SaveOptions{Run: []byte(`{"host":"x"}`)}); err != nil {
		return nil, err
	}
	return newSubject("model", dir, func(dir string) (string, error) {
		m, err := topoi.Open(dir)
		if err != nil {
			return "", err
		}
		defer m.Close()
		out := filepath.Join(dir, "state")
		if err := export.Write(context.Background(), m, "mallet-state", out, export.Options{}); err != nil {
			return "", err
		}
		b, err := os.ReadFile(out)
		return m.Fingerprint() + hash(b), err
	})
}

func hash(b []byte) string {
	sum := xxh3.Hash128(b).Bytes()
	return hex.EncodeToString(sum[:])
}

// checkpoint is the state of a run that stopped, from which it goes on.
func checkpoint(kind string, o topoi.Options, files bool) func(dir, small, large string) (*subject, error) {
	return func(dir, small, large string) (*subject, error) {
		dir = filepath.Join(dir, kind)
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return nil, err
		}
		path := small
		if files {
			path = large
			o.Memory = 1 << 20
		}
		c, err := corpus.Open(path) // it stays open: it is no subject here
		if err != nil {
			return nil, err
		}
		o.Topics, o.Iterations, o.EvaluateEvery, o.CheckpointEvery = 6, sweeps, 2, 1
		use := func(dir string) (string, error) {
			ondisk.Forced = nil
			if files {
				ondisk.Forced = fromFiles
			}
			resumed := o
			resumed.Checkpoint, resumed.Resume = filepath.Join(dir, "checkpoint"), true
			return trained(c, resumed)
		}
		stopped := o
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		stopped.Events.Iteration = func(i topoi.IterationInfo) {
			if i.Iteration == stopAt {
				cancel()
			}
		}
		ondisk.Forced = nil
		if files {
			ondisk.Forced = fromFiles
		}
		stopped.Checkpoint, stopped.Seed, stopped.Threads, stopped.Tolerance = filepath.Join(dir, "checkpoint"), trainSeed, 2, 1e-12
		if _, err := train.Run(ctx, c, stopped); !errors.Is(err, train.ErrInterrupted) {
			return nil, fmt.Errorf("%s: the run did not stop: %w", kind, err)
		}
		return newSubject(kind, dir, use)
	}
}

// exports are exports that carry checksums, which are verified and read.
func exports(dir, small, _ string) (*subject, error) {
	m, closeDocs, err := smallModel(small)
	if err != nil {
		return nil, err
	}
	defer closeDocs()
	dir = filepath.Join(dir, "exports")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	for _, name := range []string{"state.gz", "state.zst"} {
		if err := export.Write(context.Background(), m, "mallet-state", filepath.Join(dir, name), export.Options{}); err != nil {
			return nil, err
		}
	}
	return newSubject("exports (gzip, zstd)", dir, func(dir string) (string, error) {
		a, err := unpacked(filepath.Join(dir, "state.gz"), func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) })
		if err != nil {
			return "", err
		}
		b, err := unpacked(filepath.Join(dir, "state.zst"), func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r) })
		return a + b, err
	})
}

// unpacked verifies a file and returns the hash of what is in it.
func unpacked(path string, open func(io.Reader) (io.Reader, error)) (string, error) {
	if _, err := checksums.Verify(path); err != nil {
		return "", err
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	r, err := open(f)
	if err != nil {
		return "", err
	}
	b, err := io.ReadAll(r)
	return hash(b), err
}

// sweepDir is a sweep that is done, of which the tables are made again from its records.
func sweepDir(dir, small, _ string) (*subject, error) {
	dir = filepath.Join(dir, "sweep")
	use := func(dir string) (string, error) {
		c, err := corpus.Open(sweep.Dir(dir).Corpus())
		if err != nil {
			return "", err
		}
		defer c.Close()
		o := sweep.Options{Topics: []int{2, 3}, Seeds: 2, Keep: "none", Pages: "none"}
		o.Train = topoi.Options{Iterations: 5, Holdout: 0.2, Seed: trainSeed, Sampler: "gibbs"}
		s, err := sweep.Begin(dir, c, o, true)
		if err != nil {
			return "", err
		}
		if _, err := s.Run(context.Background()); err != nil {
			return "", err
		}
		var all string
		for _, name := range []string{"sweep.csv", "topics.csv", "stability.csv", "recommendation.json"} {
			b, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				return "", err
			}
			all += hash(b)
		}
		return all, nil
	}
	c, err := corpus.Open(small)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	if err := sweep.Dir(dir).PutCorpus(c); err != nil {
		return nil, err
	}
	if _, err := use(dir); err != nil {
		return nil, err
	}
	for _, pattern := range []string{"*.csv", "*.parquet", "*.html", "recommendation.json", "runs/*.time"} { // are made anew
		files, err := filepath.Glob(filepath.Join(dir, pattern))
		for _, path := range files {
			err = errors.Join(err, os.Remove(path))
		}
		if err != nil {
			return nil, err
		}
	}
	return newSubject("sweep directory", dir, use)
}

// labels are the names of a model's topics.
func labels(dir, small, _ string) (*subject, error) {
	m, closeDocs, err := smallModel(small)
	if err != nil {
		return nil, err
	}
	defer closeDocs()
	names := topic.Labels{Names: map[int]string{0: "energy and climate", 2: "sports"}, Hidden: []int{1}}
	dir = filepath.Join(dir, "labelled")
	if err := errors.Join(m.SetLabels(names), m.Save(dir, topoi.SaveOptions{})); err != nil {
		return nil, err
	}
	s, err := newSubject("labels", dir, func(dir string) (string, error) {
		m, err := topoi.Open(dir)
		if err != nil {
			return "", err
		}
		defer m.Close()
		l, err := m.Labels()
		return fmt.Sprint(l.Names, l.Hidden), err
	})
	if err == nil {
		s.names = []string{labelsfile.Name}
	}
	return s, err
}
