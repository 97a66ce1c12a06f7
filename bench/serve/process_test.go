//go:build linux

package serve

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// cpuTime returns the processor time of a process so far, the system's work for it included, in hundredths of a second.
func cpuTime(pid int) time.Duration {
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

// machineLoad returns the machine's load averages: above 0 somebody else was busy.
func machineLoad() string {
	b, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	return strings.Join(strings.Fields(string(b))[:3], " ")
}
