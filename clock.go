package topoi

import "time"

// clock says when a run began and what its time was spent on.
type clock struct {
	began    time.Time
	training time.Duration // in sweeps and prior estimation
	starting time.Duration // before the first sweep
	scoring  time.Duration // on scores
	saving   time.Duration // waiting for checkpoints
	finished time.Time     // when the last sweep and its checkpoint were done
	late     bool          // the time limit has passed: the last sweep was the last one
}

// past reports whether the run has lasted as long as it may; 0 is no limit.
func (c *clock) past(limit time.Duration) bool { return limit > 0 && time.Since(c.began) >= limit }

// timed adds the time f takes to spent.
func timed(spent *time.Duration, f func() error) error {
	begin := time.Now()
	defer func() { *spent += time.Since(begin) }()
	return f()
}
