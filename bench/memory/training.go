package main

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/topoi-lda/topoi/bench/internal/process"
)

// training is a run of the command.
type training struct {
	*exec.Cmd
	lines       *bufio.Scanner
	stop        chan bool // ends watch
	peak        int64     // largest resident memory, bytes; valid after wait
	fingerprint string    // valid after wait
}

// sweep is the end of one.
type sweep struct {
	iteration int
	at        time.Time
	cpu       time.Duration // of the process so far, the system's work for it included
	rate      float64       // tokens per second, as the command tells
}

// start runs the command.
func start(path string, args []string) *training {
	p := &training{Cmd: exec.Command(path, args...), stop: make(chan bool)}
	p.Stderr = os.Stderr
	out, err := p.StdoutPipe()
	check(err)
	check(p.Start())
	p.lines = bufio.NewScanner(out)
	p.lines.Buffer(nil, 1<<20)
	go watch(p.Process.Pid, &p.peak, p.stop)
	return p
}

// next waits for the end of a sweep. ok is false when there are no more.
func (p *training) next() (s sweep, ok bool) {
	for p.lines.Scan() {
		var event struct {
			Event           string
			Iteration       int
			TokensPerSecond float64 `json:"tokens_per_second"`
			Fingerprint     string
		}
		check(json.Unmarshal(p.lines.Bytes(), &event))
		if event.Fingerprint != "" {
			p.fingerprint = event.Fingerprint
		}
		if event.Event == "iteration" {
			return sweep{event.Iteration, time.Now(), process.CPU(p.Process.Pid), event.TokensPerSecond}, true
		}
	}
	return sweep{}, false
}

// wait waits for the end of the process.
func (p *training) wait() error {
	for {
		if _, ok := p.next(); !ok {
			break
		}
	}
	err := p.Wait()
	p.stop <- true
	return err
}

func (p *training) pause() { check(p.Process.Signal(syscall.SIGSTOP)) }
func (p *training) goOn()  { check(p.Process.Signal(syscall.SIGCONT)) }

// watch notes the largest resident memory of a process, as the system keeps it.
func watch(pid int, peak *int64, stop <-chan bool) {
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case <-stop:
			return
		case <-ticker.C:
			*peak = max(*peak, process.Peak(pid))
		}
	}
}
