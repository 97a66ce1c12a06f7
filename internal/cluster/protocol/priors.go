package protocol

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/topoi-lda/topoi/internal/sampler"
)

// Priors are α and β in the form in which the store keeps them.
type Priors struct {
	Alpha  []byte  `json:"alpha"` // K float64, little-endian, or one where all are the same
	Beta   float64 `json:"beta"`
	Lambda []byte  `json:"lambda,omitempty"` // K rows of float64, if priors depend on columns of documents
}

// Stretch has the priors of some iterations.
type Stretch struct {
	Until int `json:"until"` // the last one
	Priors
}

// Decode returns α of so many topics, β and λ.
func (p *Priors) Decode(topics int) *sampler.Priors {
	d := &sampler.Priors{Alpha: make([]float64, topics), Beta: p.Beta}
	for k := range d.Alpha {
		d.Alpha[k] = math.Float64frombits(binary.LittleEndian.Uint64(p.Alpha[8*k%len(p.Alpha):]))
	}
	lambda := make([]float64, len(p.Lambda)/8)
	if _, err := binary.Decode(p.Lambda, binary.LittleEndian, lambda); err == nil && len(lambda) > 0 {
		d.Lambda = slices.Collect(slices.Chunk(lambda, len(lambda)/topics))
	}
	return d
}

// SetPriors sets α, β and λ. If all α are equal, one is written: to read a million would take longer than n_k of a
// sweep.
func (p *Priors) SetPriors(from *sampler.Priors) {
	p.Alpha, p.Beta, p.Lambda = nil, from.Beta, nil // not in its old room: another state may show it
	list := from.Alpha
	if !slices.ContainsFunc(list, func(a float64) bool { return a != list[0] }) {
		list = list[:1]
	}
	p.Alpha, _ = binary.Append(nil, binary.LittleEndian, list) // numbers of fixed size cannot fail
	p.Lambda, _ = binary.Append(nil, binary.LittleEndian, slices.Concat(from.Lambda...))
}
