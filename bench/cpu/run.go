package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/topoi-lda/topoi/bench/internal/process"
)

// reference is the yardstick's speed when the peers were measured, in tokens/s.
const reference = 22.4e6

// bench holds what all runs share.
type bench struct {
	dir   string // for binaries and corpora
	data  string // real corpora
	quick bool
	topoi string // the binary
	yard  string // the yardstick's binary; empty when there is none
}

// result is one measured run.
type result struct {
	Name          string
	Corpus        string
	Topics        int
	Sampler       string
	Threads       int
	Tokens        float64 // in training
	Rate          float64 // tokens per second, median over sweeps
	Whole         float64 // seconds from the command to its end, the model saved
	Training      float64 // seconds of it spent in sweeps
	Yardstick     float64 // tokens per second of the yardstick, mean of before and after; 0 without it
	PeakBytes     int64   // while training, the corpus's pages included
	BytesPerToken float64 // of peak memory, the word-topic table and 40 MB of program aside
	Targets       []reached
	Curve         []point
}

// reached is when a target was reached.
type reached struct {
	Score     string
	Value     float64
	Iteration int
	Seconds   float64 // of training; 0 when not reached
	Scaled    float64 // Seconds × yardstick / reference
	Peer      float64
}

// point is one evaluation.
type point struct {
	Iteration int
	Seconds   float64 // of training
	Joint     float64
	Heldout   float64 // 0 without held-out documents
}

// build compiles topoi, and the yardstick when its source is there.
func (b *bench) build(yard string) error {
	var err error
	if b.topoi, err = process.Corpora(b.dir, b.data); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(yard, "main.go")); err != nil {
		return nil
	}
	b.yard = filepath.Join(b.dir, "yardstick")
	build := process.Command("go", "build", "-o", b.yard, ".")
	build.Dir = yard
	return build.Run()
}

// corpus returns the path of a corpus file, made when first asked for; empty
// when its source is not there.
func (b *bench) corpus(name string) string {
	if _, err := process.Corpora(b.dir, b.data, name); err != nil {
		return ""
	}
	return filepath.Join(b.dir, name+".topoi")
}

// run does one run between two of the yardstick; nil when the corpus is not there.
func (b *bench) run(p planned) (*result, error) {
	path := b.corpus(p.corpus)
	if path == "" {
		return nil, nil
	}
	before, err := b.yardstick(p.threads)
	if err != nil {
		return nil, err
	}
	r, err := b.train(p, path)
	if err != nil {
		return nil, err
	}
	after, err := b.yardstick(p.threads)
	if err != nil {
		return nil, err
	}
	r.Yardstick = (before + after) / 2
	for _, t := range p.targets {
		r.Targets = append(r.Targets, r.reach(t))
	}
	return r, nil
}

var rate = regexp.MustCompile(`([0-9.]+) Mtok/s`)

// yardstick returns its speed in tokens per second, or 0 when it or its corpus
// is not there. It reads plain text.
func (b *bench) yardstick(threads int) (float64, error) {
	source := filepath.Join(b.data, "elife/docword.elife20.txt.zst")
	if _, err := os.Stat(source); b.yard == "" || b.quick || err != nil {
		return 0, nil
	}
	text := filepath.Join(b.dir, "elife20.txt")
	if _, err := os.Stat(text); err != nil {
		if err := process.Command("zstd", "-q", "-d", source, "-o", text).Run(); err != nil {
			return 0, fmt.Errorf("unpacking the yardstick's corpus: %w", err)
		}
	}
	out, err := process.Command(b.yard, "-in", text, "-k", "1000", "-n", "5", "-p", strconv.Itoa(threads), "-b", "65536").Output()
	if err != nil {
		return 0, err
	}
	all := rate.FindAllSubmatch(out, -1)
	if all == nil {
		return 0, fmt.Errorf("the yardstick printed no rate: %s", out)
	}
	m, err := strconv.ParseFloat(string(all[len(all)-1][1]), 64)
	return m * 1e6, err
}

// event is a line that topoi train --json prints.
type event struct {
	Event     string   `json:"event"`
	Sampler   string   `json:"sampler"`
	Tokens    float64  `json:"tokens"`
	Words     float64  `json:"words"`
	Iteration int      `json:"iteration"`
	Seconds   float64  `json:"seconds"`
	Rate      float64  `json:"tokens_per_second"`
	Joint     *float64 `json:"log_likelihood_per_token"`
	Heldout   *float64 `json:"heldout_per_token"`
}

// every returns the number of sweeps between evaluations: fewer where they are
// cheap beside the sweeps.
func (p planned) every() string {
	if p.corpus == "elife20" && p.targets == nil {
		return "10"
	}
	return "5"
}

// train runs topoi train and reads its events.
func (b *bench) train(p planned, corpus string) (*result, error) {
	model := filepath.Join(b.dir, "model")
	args := append([]string{"train", corpus, "-k", strconv.Itoa(p.topics), "-o", model, "--overwrite", "--json", "--evaluate-every", p.every(), "--threads", strconv.Itoa(p.threads)}, p.args...)
	c := process.Command(b.topoi, args...)
	out, err := c.StdoutPipe()
	if err != nil {
		return nil, err
	}
	begin := time.Now()
	if err := c.Start(); err != nil {
		return nil, err
	}
	r := &result{Name: p.name, Corpus: p.corpus, Topics: p.topics, Threads: p.threads}
	var rates []float64
	words := 0.0
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		var e event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return nil, fmt.Errorf("%w in %s", err, lines.Bytes())
		}
		switch e.Event {
		case "start":
			r.Sampler, r.Tokens, words = e.Sampler, e.Tokens, e.Words
		case "iteration":
			rates = append(rates, e.Rate)
			r.Training = e.Seconds
			r.PeakBytes = max(r.PeakBytes, process.Peak(c.Process.Pid))
			if e.Joint != nil {
				at := point{Iteration: e.Iteration, Seconds: e.Seconds, Joint: *e.Joint}
				if e.Heldout != nil {
					at.Heldout = *e.Heldout
				}
				r.Curve = append(r.Curve, at)
			}
		}
	}
	if err := c.Wait(); err != nil {
		return nil, err
	}
	r.Whole = time.Since(begin).Seconds()
	if len(r.Curve) == 0 {
		return nil, fmt.Errorf("no evaluated iteration in what topoi printed")
	}
	slices.Sort(rates)
	r.Rate = rates[len(rates)/2]
	const program = 40e6 // the Go runtime, code and buffers
	table := 4 * words * float64((p.topics+15)&^15)
	if r.Sampler == "warp" { // which has none
		table = 0
	}
	r.BytesPerToken = (float64(r.PeakBytes) - table - program) / r.Tokens
	return r, nil
}

// reach finds the first evaluation at which a target was met.
func (r *result) reach(t target) reached {
	for _, p := range r.Curve {
		score := p.Joint
		if t.score == "held-out" {
			score = p.Heldout
		}
		if score != 0 && score >= t.value {
			return reached{t.score, t.value, p.Iteration, p.Seconds, p.Seconds * r.Yardstick / reference, t.peer}
		}
	}
	return reached{Score: t.score, Value: t.value, Peer: t.peer}
}
