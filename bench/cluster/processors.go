package main

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// children returns the numbers of the processes that this one has started and that are
// still there. It is known on Linux alone.
func children() (pids []int) {
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range files {
		if fields := statOf(name); len(fields) > 1 && fields[1] == strconv.Itoa(os.Getpid()) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
			pids = append(pids, pid)
		}
	}
	slices.Sort(pids)
	return pids
}

// processorTime returns how much time of processors some processes have used, in the
// program and in the kernel.
func processorTime(pids []int) (sum time.Duration) {
	const tick = time.Second / 100
	for _, pid := range pids {
		fields := statOf(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
		if len(fields) < 13 {
			continue // it has ended
		}
		for _, field := range fields[11:13] {
			n, _ := strconv.ParseInt(field, 10, 64)
			sum += time.Duration(n) * tick
		}
	}
	return sum
}

// statOf returns what the system says of a process, from its state on.
func statOf(name string) []string {
	stat, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	// The name of the program, in parentheses, may hold anything.
	return strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
}
