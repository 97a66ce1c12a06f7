package bench

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// measured holds the measurements of one run of a command.
type measured struct {
	sampler     string
	tokens      float64 // in training
	sweeps      int
	wall, cpu   float64 // seconds of the whole command; of processors, those of its workers and store included
	sweep       float64 // seconds of a sweep, the first left out
	scoring     float64 // seconds spent scoring
	peak        int64   // bytes of the largest process
	curve       []point
	fingerprint string
}

// point is an evaluation.
type point struct {
	iteration      int
	seconds        float64 // of training so far
	joint, heldout float64 // nats per token; 0 without held-out documents
}

// event is a line of topoi train --json.
type event struct {
	Event       string
	Sampler     string
	Tokens      float64
	Iteration   int
	Seconds     float64
	Scoring     float64  `json:"scoring_seconds"`
	Joint       *float64 `json:"log_likelihood_per_token"`
	Heldout     *float64 `json:"heldout_per_token"`
	Fingerprint string
}

// run runs a command line "[NAME=VALUE]… [PROGRAM] train CORPUS FLAG…" to its end. The values are put into its
// environment.
func (l *lab) run(line string) (*measured, error) {
	program, args := filepath.Join(l.dir, "topoi"), strings.Fields(line)
	environment := os.Environ()
	for strings.Contains(args[0], "=") {
		environment, args = append(environment, args[0]), args[1:]
	}
	if strings.Contains(args[0], "/") {
		program, args = args[0], args[1:]
	}
	var err error
	if args[1], err = l.corpus(args[1]); err != nil {
		return nil, err
	}
	if _, err := os.Stat(program); err != nil {
		if program, err = corpora(l.dir, *data); err != nil {
			return nil, err
		}
	}
	model := filepath.Join(l.dir, "model")
	c := command(program, append(args, "-o", model, "--overwrite", "--force", "--json")...)
	c.Env = environment
	out, err := c.StdoutPipe()
	if err != nil {
		return nil, err
	}
	begin := time.Now()
	if err := c.Start(); err != nil {
		return nil, err
	}
	m := &measured{}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 16<<20)
	var first event
	for lines.Scan() {
		var e event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return nil, fmt.Errorf("%w in %s", err, lines.Bytes())
		}
		m.take(e, &first)
	}
	if err := c.Wait(); err != nil {
		return nil, err
	}
	m.wall, m.cpu = time.Since(begin).Seconds(), (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds()
	m.peak = int64(c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss) * 1024
	return m, os.RemoveAll(model)
}

// take takes an event in. first is the first iteration that is told: workers tell of some only.
func (m *measured) take(e event, first *event) {
	if e.Fingerprint != "" {
		m.fingerprint = e.Fingerprint
	}
	switch e.Event {
	case "start":
		m.sampler, m.tokens = e.Sampler, e.Tokens
	case "iteration":
		if m.sweeps == 0 {
			*first, m.sweep = e, e.Seconds/float64(e.Iteration)
		} else {
			m.sweep = (e.Seconds - first.Seconds) / float64(e.Iteration-first.Iteration)
		}
		m.sweeps = e.Iteration
		if e.Joint != nil {
			p := point{iteration: e.Iteration, seconds: e.Seconds, joint: *e.Joint}
			if e.Heldout != nil {
				p.heldout = *e.Heldout
			}
			m.curve = append(m.curve, p)
		}
	case "done":
		m.scoring = e.Scoring
	}
}

var rate = regexp.MustCompile(`([0-9.]+) Mtok/s`)

// speed returns the yardstick's tokens per second, 0 without one. It reads plain text.
func (l *lab) speed() (float64, error) {
	if l.yardstick == "" {
		return 0, nil
	}
	text, program := filepath.Join(l.dir, "elife20.txt"), filepath.Join(l.dir, "yardstick")
	if _, err := os.Stat(text); err != nil {
		packed := filepath.Join(*data, "elife/docword.elife20.txt.zst")
		if err := command("zstd", "-q", "-d", packed, "-o", text).Run(); err != nil {
			return 0, err
		}
		build := command("go", "build", "-o", program, ".")
		build.Dir = l.yardstick
		if err := build.Run(); err != nil {
			return 0, err
		}
	}
	out, err := command(program, "-in", text, "-k", "1000", "-n", "5", "-p", "2", "-b", "65536").Output()
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

// median returns the upper one of an even number.
func median(list []float64) float64 { return slices.Sorted(slices.Values(list))[len(list)/2] }
