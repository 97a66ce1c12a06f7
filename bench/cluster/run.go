package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/topoi-lda/topoi/bench/internal/process"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/cluster/simulate"
	"github.com/topoi-lda/topoi/internal/redisserver"
)

// bench holds what all runs share.
type bench struct {
	dir    string
	topoi  string // the binary
	corpus string // the corpus file
	name   string // what it is called
	tokens int    // of the corpus
	runs   int
}

// clusterRun is a run by workers alone, as they tell of it.
type clusterRun struct {
	sampling, coding, waiting float64 // shares of a worker's time
	sent, received            float64 // bytes of a worker in a sweep
	predicted                 float64 // seconds of a sweep, by package simulate
	predictedSent             float64
	tokenRate, codeRate       float64 // of a worker: tokens sampled and entries coded in a second of doing so
}

// trainFlags are the flags that determine the model.
func (p planned) trainFlags() []string {
	return []string{"-k", strconv.Itoa(topics), "--sampler", p.sampler, "--iterations", strconv.Itoa(p.iterations), "--tolerance", "0"}
}

// startThreads starts a run in one process. It has no staleness, which is of no use there.
func (b *bench) startThreads(p planned) (*contestant, error) {
	b.runs++
	model := filepath.Join(b.dir, fmt.Sprint("model", b.runs))
	args := append([]string{"train", b.corpus, "-o", model, "--threads", strconv.Itoa(workers), "--device", "cpu", "--checkpoint-every", "0", "--json"}, p.trainFlags()...)
	cmd := process.Command(b.topoi, args...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	c := &contestant{events: make(chan int, p.iterations), pids: []int{cmd.Process.Pid}, over: cmd.Wait}
	go func() {
		defer close(c.events)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			var event struct {
				Event     string `json:"event"`
				Iteration int    `json:"iteration"`
			}
			if err := json.Unmarshal(lines.Bytes(), &event); err == nil && event.Event == "iteration" {
				c.events <- event.Iteration
			}
		}
	}()
	return c, nil
}

// startWorkers starts a store and workers. others are the processes that are there already.
func (b *bench) startWorkers(p planned, others []int) (*contestant, error) {
	c := &contestant{events: make(chan int, workers*p.iterations)}
	logs, stop, err := b.work(p, c.events)
	if err != nil {
		return nil, err
	}
	c.pids = slices.DeleteFunc(children(), func(pid int) bool { return slices.Contains(others, pid) })
	c.over = func() error {
		defer stop()
		_, err := sumUp(logs)
		return err
	}
	return c, nil
}

// alone runs a job with workers and nothing beside it.
func (b *bench) alone(p planned) (clusterRun, error) {
	logs, stop, err := b.work(p, nil)
	if err != nil {
		return clusterRun{}, err
	}
	defer stop()
	return b.judge(p, logs)
}

// work starts a store and the workers of a job, whose logs come out of the channel when they have ended. Iterations
// are told to events, which is closed after the last log; it may be nil. stop ends the store.
func (b *bench) work(p planned, events chan int) (logs <-chan logged, stop func(), err error) {
	server, err := redisserver.Start(redisserver.Config{})
	if err != nil {
		return nil, nil, err
	}
	store := url.URL{Scheme: "unix", Path: server.Socket}
	env := append(os.Environ(), "TOPOI_STORE="+store.String())
	submit := process.Command(b.topoi, append([]string{"cluster", "submit", b.corpus, "--job", "bench", "--workers", strconv.Itoa(workers), "--quiet"}, p.submitFlags()...)...)
	submit.Env = env
	if err := submit.Run(); err != nil {
		server.Kill()
		return nil, nil, err
	}
	out := make(chan logged, workers)
	var group sync.WaitGroup
	for range workers {
		cmd := exec.Command(b.topoi, "cluster", "work", "--job", "bench", "--threads", "1", "--device", "cpu", "--log", "json")
		cmd.Env = env
		stderr, err := cmd.StderrPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			server.Kill()
			return nil, nil, err
		}
		group.Go(func() {
			l := readLog(stderr, events)
			l.err = cmd.Wait()
			out <- l
		})
	}
	go func() {
		group.Wait()
		close(out)
		if events != nil {
			close(events)
		}
	}()
	return out, server.Kill, nil
}

// submitFlags are those of the job. A worker that is stopped while it is not its turn keeps its lease.
func (p planned) submitFlags() []string {
	flags := append(p.trainFlags(), "--lease", "10m")
	if p.staleness > 0 {
		flags = append(flags, "--staleness", strconv.Itoa(p.staleness))
	}
	if p.parts > 0 {
		flags = append(flags, "--parts", strconv.Itoa(p.parts))
	}
	return flags
}

// logged is what a worker's log says.
type logged struct {
	total totals
	last  string // line
	err   error
}

// totals are a worker's own numbers at its end, in seconds and bytes.
type totals struct {
	Sampling float64 `json:"sampling_seconds"`
	Coding   float64 `json:"coding_seconds"`
	Waiting  float64 `json:"waiting_seconds"`
	Busy     float64 `json:"busy_seconds"`
	Tokens   float64 `json:"tokens"`
	Sent     float64 `json:"sent_bytes"`
	Received float64 `json:"received_bytes"`
}

func readLog(r io.Reader, events chan<- int) (l logged) {
	for lines := bufio.NewScanner(r); lines.Scan(); {
		var record struct {
			Message   string `json:"msg"`
			Iteration int    `json:"iteration"`
			totals
		}
		l.last = lines.Text()
		if err := json.Unmarshal(lines.Bytes(), &record); err != nil {
			continue
		}
		switch {
		case record.Message == "iteration" && events != nil: // the leader's
			events <- record.Iteration
		case record.Message == "the model is complete":
			l.total = record.totals
		}
	}
	return l
}

// sumUp waits for the workers and adds up what they did.
func sumUp(logs <-chan logged) (sum totals, err error) {
	for l := range logs {
		if l.err != nil {
			return sum, fmt.Errorf("a worker failed (%w): %s", l.err, l.last)
		}
		sum.Sampling += l.total.Sampling
		sum.Coding += l.total.Coding
		sum.Waiting += l.total.Waiting
		sum.Busy += l.total.Busy
		sum.Tokens += l.total.Tokens
		sum.Sent += l.total.Sent
		sum.Received += l.total.Received
	}
	return sum, nil
}

// judge waits for the workers and compares them with what is predicted.
func (b *bench) judge(p planned, logs <-chan logged) (r clusterRun, err error) {
	sum, err := sumUp(logs)
	if err != nil {
		return r, err
	}
	r.sampling, r.coding, r.waiting = sum.Sampling/sum.Busy, sum.Coding/sum.Busy, sum.Waiting/sum.Busy
	count := float64(workers * p.iterations)
	r.sent, r.received = sum.Sent/count, sum.Received/count
	return r, b.predict(p, sum, &r)
}

// predict asks package simulate, with the rates of sampling and coding of the run
// and all else as it assumes for two processes on one machine.
func (b *bench) predict(p planned, sum totals, r *clusterRun) error {
	c, err := corpus.Open(b.corpus)
	if err != nil {
		return err
	}
	defer c.Close()
	job := simulate.Job{
		Load:    simulate.Load{Tokens: float64(c.NumTokens()), Words: c.NumWords(), Topics: topics, Spread: 0.68, Changed: 0.35},
		Workers: workers, Shards: 1, Parts: b.parts(p), Staleness: p.staleness, Rounds: 1, Barriers: 10,
	}
	machines := simulate.Machines{
		TokenRate: sum.Tokens / sum.Sampling, CodeRate: 1, Bandwidth: 1e9, StoreRate: 1e9, Latency: 100 * time.Microsecond,
	}
	machines.CodeRate = simulate.Predict(job, machines).Coded * float64(workers*p.iterations) / sum.Coding
	f := simulate.Predict(job, machines)
	r.tokenRate, r.codeRate = machines.TokenRate, machines.CodeRate
	r.predicted, r.predictedSent = f.Iteration.Seconds(), f.Sent+f.BarrierSent
	return nil
}
