package cluster_test

import (
	"context"
	"fmt"
	"log"
	"strings"
	"testing"
	"time"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/cluster"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/redistest"
)

// hub is the store of the examples.
var hub = "redis://hub:6379"

// A job from submission to model. Usually workers run on machines of their own; here
// two share a process.
func Example() {
	ctx := context.Background()
	c := corpus.FromTokens([][]string{
		strings.Fields("cat kitten purr whisker cat kitten"),
		strings.Fields("dog puppy bark leash dog puppy"),
	})
	job := cluster.Job{Store: hub, Name: "pets"}
	opts := topoi.Options{Topics: 2, Sampler: "warp", Iterations: 20}
	if err := job.Submit(ctx, c, opts, cluster.SubmitOptions{Workers: 2}); err != nil {
		log.Fatal(err)
	}
	for range 2 {
		go func() {
			if err := job.Work(ctx, c, cluster.WorkOptions{Threads: 1}); err != nil {
				log.Print(err)
			}
		}()
	}
	err := job.Watch(ctx, 100*time.Millisecond, func(s *cluster.Status) (more bool, err error) {
		return !s.Complete, nil
	})
	if err != nil {
		log.Fatal(err)
	}
	m, err := job.Collect(ctx, c)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := job.Cancel(ctx); err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Fingerprint())
}

// The example runs, where there is a store.
func TestExample(t *testing.T) {
	hub = redistest.Start(t, redistest.Config{}).URL()
	Example()
}
