package training

import "time"

// Pace describes when it is time for the next checkpoint.
type Pace struct {
	Kept  time.Time     // when the state of the last one was taken; before the first one, when the run began
	Tried time.Time     // when one was last tried
	Cost  time.Duration // how long writing the last one took
}

// KeepAfter is the time between checkpoints, and retryAfter that after which one that failed is tried again. Tests
// change KeepAfter; with 0, a checkpoint is always due.
var KeepAfter = time.Minute

const retryAfter = 10 * time.Second

// keepShare bounds the share of the time that goes into checkpoints: one second in keepShare, 2 %.
const keepShare = 50

// Fresh reports whether a checkpoint would be too early: the last one is recent, or the run has just begun. A kill
// costs a minute of work at most, or keepShare times as long as writing a checkpoint takes.
func (p *Pace) Fresh() bool {
	return KeepAfter > 0 && time.Since(p.Kept) < max(KeepAfter, keepShare*p.Cost)
}

// Due reports whether to write a checkpoint now.
func (p *Pace) Due() bool {
	return !p.Fresh() && time.Since(p.Tried) >= min(KeepAfter, retryAfter)
}
