package topoi

import (
	"encoding/json"
	"fmt"
)

// JobProgress is how far the training of a job is.
type JobProgress struct {
	Iteration  int        // the last one at which all workers met
	Iterations int        // the most there will be
	History    []Score    // evaluations so far
	Stopped    StopReason // why training ended, "" while it has not
	Warning    string     // why the last checkpoint could not be written, "" if it could
}

// ProgressOfJob reads how far training is from the status of a job.
func ProgressOfJob(s *JobStatus) (JobProgress, error) {
	var o jobOptions
	if err := json.Unmarshal(s.Options, &o); err != nil {
		return JobProgress{}, fmt.Errorf("the options of job %s cannot be read: %w", s.Name, err)
	}
	p := JobProgress{Iterations: o.Run.Iterations}
	if s.State == nil {
		return p, nil
	}
	var t trainingState
	if err := json.Unmarshal(s.State.Training, &t); err != nil {
		return JobProgress{}, fmt.Errorf("the history of job %s cannot be read: %w", s.Name, err)
	}
	p.Iteration, p.History, p.Stopped, p.Warning = s.State.Iteration, t.History, t.Stopped, t.Warning
	return p, nil
}
