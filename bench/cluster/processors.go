package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// processorTime returns how many seconds of processors the processes that this one
// has started, and that are still there, have used, and how many they are. It is
// known on Linux alone.
func processorTime() (seconds float64, processes int) {
	const ticks = 100 // a second, of the fields below
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range files {
		stat, err := os.ReadFile(name)
		if err != nil {
			continue // it has ended
		}
		// The name of the program, in parentheses, may hold anything.
		fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
		if len(fields) < 13 || fields[1] != strconv.Itoa(os.Getpid()) {
			continue
		}
		for _, field := range fields[11:13] { // in the program, in the kernel
			n, _ := strconv.ParseFloat(field, 64)
			seconds += n / ticks
		}
		processes++
	}
	return seconds, processes
}
