package protocol

import (
	"encoding/json"
	"fmt"
	"slices"
)

// State is the last barrier of a job and the next meeting. A meeting may be brief, for an estimation of priors alone:
// then neither topics nor rows are kept. What must be repeated is repeated from the barrier, with the priors of that
// time.
type State struct {
	Round      int  `json:"round"`      // the barrier's round; -1 before there is any
	Iteration  int  `json:"iteration"`  // the iteration that it ends
	Since      int  `json:"since"`      // the iteration after which workers met last: that of the barrier, or a later one
	Until      int  `json:"until"`      // the iteration after which they meet next
	Histograms bool `json:"histograms"` // priors are estimated there, or the model is scored
	Brief      bool `json:"brief"`      // it is no barrier

	Priors
	Before []Stretch `json:"before,omitempty"` // priors of the iterations between the barrier and Since

	// Training is the state of package train after Since.
	Training json.RawMessage `json:"training,omitempty"`

	Finished bool `json:"finished"` // the model is complete: nothing more is to be sampled
}

// PriorsOf returns the priors of an iteration after the barrier.
func (s *State) PriorsOf(iteration int) *Priors {
	for i := range s.Before {
		if iteration <= s.Before[i].Until {
			return &s.Before[i].Priors
		}
	}
	return &s.Priors
}

// Meet updates the state after workers met at iteration Until, which ends with the given round.
func (s *State) Meet(round int) {
	if s.Since = s.Until; s.Brief {
		s.Before = append(slices.Clip(s.Before), Stretch{s.Until, s.Priors})
		return
	}
	s.Round, s.Iteration, s.Before = round, s.Until, nil
}

// LaterThan reports whether a state is later than another of the same job.
func (s *State) LaterThan(other *State) bool {
	if s.Round != other.Round || s.Finished != other.Finished {
		return s.Round > other.Round || s.Round == other.Round && s.Finished
	}
	return s.Until > other.Until
}

// Version returns a text that differs between any two states of a job.
func (s *State) Version() string { return fmt.Sprintf("%d/%d/%v", s.Round, s.Until, s.Finished) }
