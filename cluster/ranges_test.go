package cluster

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/internal/tier"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/redistest"
)

// elsewhere has the places of a corpus file that were read.
type elsewhere struct {
	mutex sync.Mutex
	read  map[int64]int // offset to bytes
}

func openElsewhere(t *testing.T, file []byte) (*corpus.Corpus, *elsewhere) {
	t.Helper()
	e := &elsewhere{read: map[int64]int{}}
	c, err := corpus.OpenRanges("elsewhere", int64(len(file)), func(b []byte, offset int64) error {
		e.mutex.Lock()
		defer e.mutex.Unlock()
		e.read[offset] = len(b)
		copy(b, file[offset:])
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	clear(e.read)
	return c, e
}

// Workers that read only the tokens of their own parts give the model of one process.
func TestWorkersReadTheirParts(t *testing.T) {
	tier.Long(t, "TestParts reads parts")
	t.Parallel()
	server := redistest.Start(t, redistest.Config{})
	path := filepath.Join(t.TempDir(), "x.topoi")
	if err := blocks(6).Save(path); err != nil {
		t.Fatal(err)
	}
	whole, err := corpus.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer whole.Close()
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, rows := range []string{rowsWhole, rowsApart} {
		opts := topoi.Options{Topics: 20, Sampler: "warp", Iterations: 6, EvaluateEvery: 3}
		how := SubmitOptions{CorpusPath: "s3://elsewhere", Workers: 2, Lease: 5 * time.Second}
		how.Layout = Layout{Parts: 4, Rows: rows}
		job := testJob{Job{Store: server.SocketURL(), Name: "ranges-" + rows}, how}
		c, _ := openElsewhere(t, file)
		if c.Fingerprint() != whole.Fingerprint() {
			t.Fatal("the fingerprints differ")
		}
		if err := job.submit(t.Context(), c, opts); err != nil {
			t.Fatal(err)
		}
		var group sync.WaitGroup
		all := int64(0)
		for range 2 {
			group.Go(func() {
				c, e := openElsewhere(t, file)
				if err := job.Work(t.Context(), c, WorkOptions{Threads: 1}); err != nil {
					t.Error(err)
				}
				n := int64(0)
				for _, bytes := range e.read {
					n += int64(bytes)
				}
				if atomic.AddInt64(&all, n); n > 3*int64(whole.NumTokens()) {
					t.Errorf("a worker of two read %d bytes of %d tokens", n, whole.NumTokens())
				}
			})
		}
		group.Wait()
		if all < 4*int64(whole.NumTokens()) {
			t.Errorf("workers read %d bytes of %d tokens", all, whole.NumTokens())
		}
		m, err := job.Collect(t.Context(), whole)
		if err != nil {
			t.Fatal(err)
		}
		sameBytes(t, m, mustTrain(t, whole, opts))
	}
	c, _ := openElsewhere(t, file)
	job := testJob{Job{Store: server.SocketURL(), Name: "held"}, SubmitOptions{}}
	if err := job.submit(t.Context(), c, topoi.Options{Topics: 5, Sampler: "warp", Holdout: 0.1}); err == nil || !strings.Contains(err.Error(), "Options.Holdout") {
		t.Errorf("held-out documents: %v", err)
	}
	if err := job.submit(t.Context(), whole, topoi.Options{Topics: 5, Sampler: "warp", Iterations: 2}); err != nil {
		t.Fatal(err)
	}
	if err := job.Work(t.Context(), c, WorkOptions{}); err != nil { // it counts words itself
		t.Errorf("a job about a file: %v", err)
	}
}
