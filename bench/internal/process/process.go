// Package process tells what processes of a benchmark have used, and of topoi built for it. What the system does not tell is 0; Linux
// tells all of it.
package process

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// CPU returns the processor time of a process so far, the system's work for it included, in hundredths of a second.
func CPU(pid int) time.Duration {
	const tick = time.Second / 100
	var sum time.Duration
	if fields := Stat(pid); len(fields) > 12 {
		for _, field := range fields[11:13] {
			n, _ := strconv.ParseInt(field, 10, 64)
			sum += time.Duration(n) * tick
		}
	}
	return sum
}

// Stat returns what the system says of a process, from its state on.
func Stat(pid int) []string {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return nil
	}
	// The name of the program, in parentheses, may hold anything.
	return strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
}

// Peak returns the largest resident memory of a process so far, in bytes.
func Peak(pid int) int64 {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	for line := range strings.Lines(string(status)) {
		var kB int64
		if n, _ := fmt.Sscanf(line, "VmHWM: %d kB", &kB); n == 1 {
			return kB * 1024
		}
	}
	return 0
}

// Load returns the machine's load averages: above 0 somebody else was busy.
func Load() string {
	b, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	return strings.Join(strings.Fields(string(b))[:3], " ")
}

// Command is a command whose complaints are seen.
func Command(name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Stderr = os.Stderr
	return c
}

// Corpora builds topoi into a directory and makes corpus files there, from real data below another one or drawn from the model:
// see bench/corpora.sh. It returns the path of the program.
func Corpora(dir, data string, names ...string) (topoi string, err error) {
	c := Command("bench/corpora.sh", append([]string{dir}, names...)...)
	c.Env = append(os.Environ(), "DATA="+data)
	return filepath.Join(dir, "topoi"), c.Run()
}
