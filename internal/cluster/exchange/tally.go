package exchange

import (
	"bytes"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
)

// Tally is what a worker says of itself. Its methods may be called from any goroutine.
type Tally struct {
	mutex  sync.Mutex
	report protocol.Report
}

// NewTally returns the tally of a worker that joins now.
func NewTally(name, device string, threads int) *Tally {
	return &Tally{report: protocol.Report{Name: name, Device: device, Threads: threads, Joined: time.Now().UTC()}}
}

// Report returns the numbers as of now, given the bytes moved and the slices that the worker has.
func (t *Tally) Report(sent, received uint64, slices int) protocol.Report {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	r := &t.report
	r.Sent, r.Received, r.Slices = sent, received, slices
	r.Busy = time.Since(r.Joined)
	r.Memory, r.Peak = resident()
	return *r
}

// Waited adds time in which the worker had nothing to do.
func (t *Tally) Waited(d time.Duration) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.report.Waiting += d
}

// spend adds the time since begin to a counter of the report.
func (t *Tally) spend(counter *time.Duration, begin time.Time) {
	t.mutex.Lock()
	*counter += time.Since(begin)
	t.mutex.Unlock()
}

// round counts a round.
func (t *Tally) round() {
	t.mutex.Lock()
	t.report.Rounds++
	t.mutex.Unlock()
}

// await notes the parts and slices that the worker waits for, p7 or s3.
func (t *Tally) await(offices ...string) {
	t.mutex.Lock()
	t.report.Awaits = offices
	t.mutex.Unlock()
}

// resident returns the memory that this process has now and had at most, in bytes; 0 where the system does not tell.
func resident() (now, most uint64) {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, 0
	}
	for line := range bytes.Lines(text) {
		var kB uint64
		if n, _ := fmt.Sscanf(string(line), "VmRSS: %d kB", &kB); n == 1 {
			now = kB << 10
		} else if n, _ := fmt.Sscanf(string(line), "VmHWM: %d kB", &kB); n == 1 {
			most = kB << 10
		}
	}
	return now, most
}
