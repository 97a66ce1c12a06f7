package training

import "time"

// Clock records when a run began and how it spent its time.
type Clock struct {
	Began    time.Time
	Training time.Duration // in sweeps and prior estimation
	Starting time.Duration // before the first sweep
	Scoring  time.Duration // on scores
	Saving   time.Duration // waiting for checkpoints
	Finished time.Time     // when the last sweep and its checkpoint were done

	scored      int           // iteration of the last score, or at which the run began
	scoredAfter time.Duration // training time up to then
}

// Past reports whether the run has reached its time limit; 0 means no limit.
func (c *Clock) Past(limit time.Duration) bool { return limit > 0 && time.Since(c.Began) >= limit }

// Scored records that a score belongs to an iteration, and returns the mean time of a sweep since the last score.
// Sweeps may overlap, as they do on a device; then only a mean is meaningful. took is what the last sweep seemed to
// take.
func (c *Clock) Scored(iteration int, took time.Duration) time.Duration {
	if n := iteration - c.scored; n > 0 { // a job may go back to an earlier iteration
		took = (c.Training - c.scoredAfter) / time.Duration(n)
	}
	c.scored, c.scoredAfter = iteration, c.Training
	return took
}

// Timed adds the time f takes to spent.
func Timed(spent *time.Duration, f func() error) error {
	begin := time.Now()
	defer func() { *spent += time.Since(begin) }()
	return f()
}
