package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// process is a run of the command.
type process struct {
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
func start(path string, args []string) *process {
	p := &process{Cmd: exec.Command(path, args...), stop: make(chan bool)}
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
func (p *process) next() (s sweep, ok bool) {
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
			return sweep{event.Iteration, time.Now(), cpuTime(p.Process.Pid), event.TokensPerSecond}, true
		}
	}
	return sweep{}, false
}

// wait waits for the end of the process.
func (p *process) wait() error {
	for {
		if _, ok := p.next(); !ok {
			break
		}
	}
	err := p.Wait()
	p.stop <- true
	return err
}

func (p *process) pause() { check(p.Process.Signal(syscall.SIGSTOP)) }
func (p *process) goOn()  { check(p.Process.Signal(syscall.SIGCONT)) }

// cpuTime returns the processor time of a process so far, in hundredths of a second.
func cpuTime(pid int) time.Duration {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	check(err)
	_, rest, _ := strings.Cut(string(stat), ") ") // after the name
	fields := strings.Fields(rest)
	var user, system int64
	_, err = fmt.Sscan(fields[11]+" "+fields[12], &user, &system)
	check(err)
	return time.Duration(user+system) * time.Second / 100
}

// watch notes the largest resident memory of a process, as the system keeps it.
func watch(pid int, peak *int64, stop <-chan bool) {
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case <-stop:
			return
		case <-ticker.C:
			status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
			if err != nil {
				continue
			}
			for _, line := range strings.Split(string(status), "\n") {
				var kB int64
				if _, err := fmt.Sscanf(line, "VmHWM: %d kB", &kB); err == nil {
					*peak = max(*peak, kB*1024)
				}
			}
		}
	}
}
