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
	if fields := stat(pid); len(fields) > 12 {
		for _, field := range fields[11:13] {
			n, _ := strconv.ParseInt(field, 10, 64)
			sum += time.Duration(n) * tick
		}
	}
	return sum
}

// stat returns what the system says of a process, from its state on.
func stat(pid int) []string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return nil
	}
	// The name of the program, in parentheses, may hold anything.
	return strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
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
