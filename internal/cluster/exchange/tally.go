package exchange

import (
	"bytes"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
)

// Tally collects what a worker reports of itself. Its methods may be called from any goroutine.
type Tally struct {
	mutex  sync.Mutex
	report protocol.Report // under mutex
}

// NewTally returns the tally of a worker that joins now.
func NewTally(name, device string, threads int) *Tally {
	return &Tally{report: protocol.Report{Name: name, Device: device, Threads: threads, Joined: time.Now().UTC()}}
}

// Report returns the numbers as of now, given the bytes moved and the slices that the worker has.
func (t *Tally) Report(sent, received uint64, slices int) (now protocol.Report) {
	t.update(func(r *protocol.Report) {
		r.Sent, r.Received, r.Slices = sent, received, slices
		r.Busy = time.Since(r.Joined)
		r.Memory, r.Peak = resident()
		now = *r
	})
	return now
}

// update calls f with the report, which nobody else sees meanwhile.
func (t *Tally) update(f func(r *protocol.Report)) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	f(&t.report)
}

// Waited adds time in which the worker had nothing to do.
func (t *Tally) Waited(d time.Duration) {
	t.update(func(r *protocol.Report) { r.Waiting += d })
}

// spend adds the time since begin to a counter of the report.
func (t *Tally) spend(counter *time.Duration, begin time.Time) {
	t.update(func(*protocol.Report) { *counter += time.Since(begin) })
}

// awaits notes the parts and slices that the worker waits for, such as p7 or s3.
func (t *Tally) awaits(offices ...string) {
	t.update(func(r *protocol.Report) { r.Awaits = offices })
}

// resident returns the current and the largest memory of this process in bytes, or 0 if the system does not tell.
func resident() (now, most uint64) {
	text, _ := os.ReadFile("/proc/self/status")
	for line := range bytes.Lines(text) {
		_, _ = fmt.Sscanf(string(line), "VmRSS: %d kB", &now)
		_, _ = fmt.Sscanf(string(line), "VmHWM: %d kB", &most)
	}
	return now << 10, most << 10
}
