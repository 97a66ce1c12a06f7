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
	"strconv"
	"time"

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
	runs   int
}

// clusterRun is one measured run by workers. Times are in seconds.
type clusterRun struct {
	sweep, cpu                float64 // a sweep, after the first ones: by the clock, and of all processors
	sampling, coding, waiting float64 // shares of a worker's time
	sent, received            float64 // bytes of a worker in a sweep
	predicted                 float64 // a sweep, by package simulate
	predictedSent             float64
	tokenRate, codeRate       float64 // of a worker: tokens sampled and entries coded in a second of doing so
}

// trainFlags are the flags that determine the model.
func (p planned) trainFlags() []string {
	flags := []string{"-k", strconv.Itoa(topics), "--sampler", p.sampler, "--iterations", strconv.Itoa(p.iterations), "--tolerance", "0"}
	if p.staleness > 0 {
		flags = append(flags, "--staleness", strconv.Itoa(p.staleness), "--parts", strconv.Itoa(workers))
	}
	return flags
}

// threads runs in one process and returns the seconds of a sweep, by the clock and of
// processors.
func (b *bench) threads(p planned) (sweep, cpu float64, err error) {
	b.runs++
	model := filepath.Join(b.dir, fmt.Sprint("model", b.runs))
	args := append([]string{"train", b.corpus, "-o", model, "--threads", strconv.Itoa(workers), "--device", "cpu", "--checkpoint-every", "0", "--json"}, p.trainFlags()...)
	cmd := command(b.topoi, args...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, 0, err
	}
	times := map[int]mark{}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		var event struct {
			Event     string  `json:"event"`
			Iteration int     `json:"iteration"`
			Wall      float64 `json:"wall_seconds"`
		}
		if err := json.Unmarshal(lines.Bytes(), &event); err == nil && event.Event == "iteration" {
			times[event.Iteration] = newMark(event.Wall)
		}
	}
	if err := cmd.Wait(); err != nil {
		return 0, 0, err
	}
	return perSweep(times, p)
}

// mark is when an iteration ended.
type mark struct {
	wall      float64 // seconds by the clock
	cpu       float64 // seconds of processors until then
	processes int     // that used them
}

func newMark(wall float64) mark {
	m := mark{wall: wall}
	m.cpu, m.processes = processorTime()
	return m
}

// perSweep divides the time after the first sweeps. Processors' time is that up to
// the last sweep at whose end all processes were still there; 0 if it is not known.
func perSweep(times map[int]mark, p planned) (sweep, cpu float64, err error) {
	first, last := times[warmup], times[p.iterations]
	if first.wall == 0 || last.wall <= first.wall {
		return 0, 0, fmt.Errorf("sweeps %d and %d were not seen", warmup, p.iterations)
	}
	sweep = (last.wall - first.wall) / float64(p.iterations-warmup)
	for t := p.iterations; t > warmup; t-- {
		if m := times[t]; m.processes == first.processes && m.cpu > first.cpu {
			return sweep, (m.cpu - first.cpu) / float64(t-warmup), nil
		}
	}
	return sweep, 0, nil
}

// cluster runs a job with workers.
func (b *bench) cluster(p planned) (clusterRun, error) {
	server, err := redisserver.Start(redisserver.Config{})
	if err != nil {
		return clusterRun{}, err
	}
	defer server.Kill()
	store := url.URL{Scheme: "unix", Path: server.Socket}
	env := append(os.Environ(), "TOPOI_STORE="+store.String())
	submit := command(b.topoi, append([]string{"cluster", "submit", b.corpus, "--job", "bench", "--workers", strconv.Itoa(workers), "--quiet"}, p.submitFlags()...)...)
	submit.Env = env
	if err := submit.Run(); err != nil {
		return clusterRun{}, err
	}
	logs := make(chan logged)
	for range workers {
		cmd := exec.Command(b.topoi, "cluster", "work", "--job", "bench", "--threads", "1", "--device", "cpu", "--log", "json")
		cmd.Env = env
		stderr, err := cmd.StderrPipe()
		if err != nil {
			return clusterRun{}, err
		}
		if err := cmd.Start(); err != nil {
			return clusterRun{}, err
		}
		go func() {
			l := readLog(stderr)
			l.err = cmd.Wait()
			logs <- l
		}()
	}
	return b.judge(p, logs)
}

func (p planned) submitFlags() []string {
	flags := p.trainFlags()
	if p.staleness == 0 {
		flags = append(flags, "--parts", strconv.Itoa(workers))
	}
	return flags
}

// logged is what a worker's log says.
type logged struct {
	times map[int]mark // by iteration: when the leader saw its end
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

func readLog(r io.Reader) logged {
	l := logged{times: map[int]mark{}}
	for lines := bufio.NewScanner(r); lines.Scan(); {
		var record struct {
			Time      time.Time `json:"time"`
			Message   string    `json:"msg"`
			Iteration int       `json:"iteration"`
			totals
		}
		l.last = lines.Text()
		if err := json.Unmarshal(lines.Bytes(), &record); err != nil {
			continue
		}
		switch record.Message {
		case "iteration":
			l.times[record.Iteration] = newMark(float64(record.Time.UnixNano()) / 1e9)
		case "the model is complete":
			l.total = record.totals
		}
	}
	return l
}

// judge waits for the workers and sums up.
func (b *bench) judge(p planned, logs <-chan logged) (clusterRun, error) {
	var r clusterRun
	var sum totals
	for range workers {
		l := <-logs
		if l.err != nil {
			return r, fmt.Errorf("a worker failed (%w): %s", l.err, l.last)
		}
		if len(l.times) > 0 {
			var err error
			if r.sweep, r.cpu, err = perSweep(l.times, p); err != nil {
				return r, err
			}
		}
		sum.Sampling += l.total.Sampling
		sum.Coding += l.total.Coding
		sum.Waiting += l.total.Waiting
		sum.Busy += l.total.Busy
		sum.Tokens += l.total.Tokens
		sum.Sent += l.total.Sent
		sum.Received += l.total.Received
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
		Workers: workers, Shards: 1, Parts: workers, Staleness: p.staleness, Rounds: 1, Barriers: 10,
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
