package flips

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/cluster"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/redistest"
)

// A store keeps the job as it was when its worker stopped in its second database.
const (
	keepJob = `for _, k in ipairs(redis.call('KEYS', '*')) do redis.call('COPY', k, k, 'DB', 1) end`
	takeJob = `redis.call('FLUSHDB') redis.call('SELECT', 1)
		for _, k in ipairs(redis.call('KEYS', '*')) do redis.call('COPY', k, k, 'DB', 0) end`
)

// state returns a maker of the directory in which the workers of a cluster job keep the topics of tokens. The
// job was stopped; a worker brings it to its end. There is no checkpoint to go on from instead.
func state(t *testing.T) func(dir, small, large string) (*subject, error) {
	return func(dir, _, large string) (*subject, error) {
		c, err := corpus.Open(large) // it stays open: it is no subject here
		if err != nil {
			return nil, err
		}
		server := redistest.Start(t, redistest.Config{})
		dir = filepath.Join(dir, "state")
		used := dir + ".used"
		job := cluster.Job{Store: server.SocketURL(), Name: "flips"}
		o := topoi.Options{Topics: 6, Sampler: "light", Iterations: sweeps, EvaluateEvery: 1, Tolerance: -1, Seed: trainSeed, Device: "cpu"}
		o.Tuning = topoi.Tuning{Staleness: 1, Parts: 2}
		if err := job.Submit(t.Context(), c, o, cluster.SubmitOptions{Workers: 1, Lease: time.Second, Layout: cluster.Layout{Slices: 2, Topics: used}}); err != nil {
			return nil, err
		}
		first, stop := context.WithCancel(t.Context())
		defer stop()
		how := cluster.WorkOptions{Threads: 1}
		how.Events.Iteration = func(i topoi.IterationInfo) {
			if i.Iteration == stopAt {
				stop()
			}
		}
		if err := job.Work(first, c, how); first.Err() == nil {
			return nil, fmt.Errorf("the worker did not stop: %w", err)
		}
		server.Do("EVAL", keepJob, "0")
		if err := os.Rename(used, dir); err != nil {
			return nil, err
		}
		return newSubject("topics of a cluster", dir, func(string) (string, error) {
			server.Do("EVAL", takeJob, "0")
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			if err := job.Work(ctx, c, cluster.WorkOptions{Threads: 1}); err != nil {
				return "", errors.Join(err, ctx.Err())
			}
			m, err := job.Collect(ctx, c)
			if err != nil {
				return "", err
			}
			defer m.Close()
			return m.Fingerprint(), nil
		})
	}
}

// renamed gives the files of a twin the names that they have in s: those of another job have a directory of their own.
func (s *subject) renamed(twin map[string][]byte) map[string][]byte {
	files := map[string][]byte{}
	for name := range s.content {
		_, file, _ := strings.Cut(name, string(filepath.Separator))
		for other, b := range twin {
			if other == name || file != "" && strings.HasSuffix(other, string(filepath.Separator)+file) {
				files[name] = b
			}
		}
	}
	return files
}
