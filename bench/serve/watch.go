//go:build linux

package main

import (
	"os"
	"slices"
	"strings"
	"time"
)

// watch looks every tenth of a second whether the hypervisor took processors away. What is
// measured then says nothing about the server, nor what is until it has caught up.
type watch struct {
	disturbed []bool // per tenth of a second
	behind    bool   // something was taken away, and requests have been waiting ever since
	last      string // what was stolen so far
}

const watchStep = 100 * time.Millisecond

// look notes what was stolen, once in a step. waiting is the number of requests that are not
// answered.
func (w *watch) look(now time.Duration, waiting int) {
	step := int(now / watchStep)
	if step >= len(w.disturbed) {
		for len(w.disturbed) <= step {
			w.disturbed = append(w.disturbed, w.behind)
		}
		said := stealTicks()
		if w.last != "" && said != w.last {
			w.behind = true
			w.disturbed[max(0, step-1)] = true // it was before this moment
		}
		w.last = said
	}
	w.disturbed[step] = w.disturbed[step] || w.behind
	if waiting == 0 {
		w.behind = false
	}
}

// quiet says whether nothing disturbed a request that was due then.
func (w *watch) quiet(due time.Duration) bool { return !w.disturbed[int(due/watchStep)] }

// stealTicks returns, of every processor, for how long it had work and was given to others.
func stealTicks() string {
	b, err := os.ReadFile("/proc/stat")
	if err != nil {
		return "unknown"
	}
	said := ""
	for line := range strings.Lines(string(b)) {
		// cpu0 user nice system idle iowait irq softirq steal …
		if fields := strings.Fields(line); len(fields) > 8 && strings.HasPrefix(fields[0], "cpu") && fields[0] != "cpu" {
			said += fields[8] + " "
		}
	}
	return said
}

// times returns the sorted latencies and delays of requests that keep says yes to.
func times(list []asked, keep func(asked) bool) (latency, late []time.Duration) {
	for _, a := range list {
		if keep(a) {
			latency, late = append(latency, a.latency), append(late, a.late)
		}
	}
	slices.Sort(latency)
	slices.Sort(late)
	return latency, late
}

// at returns the time that a share of a sorted list is within.
func at(list []time.Duration, share float64) time.Duration {
	if len(list) == 0 {
		return 0
	}
	return list[min(len(list)-1, int(share*float64(len(list))))]
}
