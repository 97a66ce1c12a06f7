package protocol

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/topoi-lda/topoi/internal/sampler"
)

// Priors are α and β in the form in which the store keeps them.
type Priors struct {
	Alpha []byte  `json:"alpha"` // K float64, little-endian, or one where all are the same
	Beta  float64 `json:"beta"`
}

// Stretch has the priors of some iterations.
type Stretch struct {
	Until int `json:"until"` // the last one
	Priors
}

// Decode returns α of so many topics, and β.
func (p *Priors) Decode(topics int) *sampler.Priors {
	d := &sampler.Priors{Alpha: make([]float64, topics), Beta: p.Beta}
	for k := range d.Alpha {
		d.Alpha[k] = math.Float64frombits(binary.LittleEndian.Uint64(p.Alpha[8*k%len(p.Alpha):]))
	}
	return d
}

// SetPriors sets α and β. If all α are equal, one is written: to read a million would take longer than n_k of a
// sweep.
func (p *Priors) SetPriors(from *sampler.Priors) {
	p.Alpha, p.Beta = nil, from.Beta // not in its old room: another state may show it
	list := from.Alpha
	if !slices.ContainsFunc(list, func(a float64) bool { return a != list[0] }) {
		list = list[:1]
	}
	for _, a := range list {
		p.Alpha = binary.LittleEndian.AppendUint64(p.Alpha, math.Float64bits(a))
	}
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
