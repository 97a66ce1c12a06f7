package sampler

import (
	"errors"
	"fmt"
)

// Tuning holds the choices inside an algorithm that change its result. The zero
// value of a field means the algorithm's own default; samplers ignore fields
// that do not concern them. It is stored in model manifests as JSON.
type Tuning struct {
	// Partitions is P of grid and cvb: documents and words are cut into P groups
	// each, and P tiles are worked on at once. More than the number of threads
	// balances better and keeps topic counts fresher; every document is counted
	// P times a sweep. 1 to 4096. Default 16.
	Partitions int `json:"partitions,omitempty"`
}

// Validate returns all faults at once, joined, or nil.
func (t Tuning) Validate() error {
	return errors.Join(
		between("partitions", t.Partitions, 1, 4096),
	)
}

// between checks that a whole number that has been set lies in its range.
func between(name string, value, lo, hi int) error {
	if value != 0 && (value < lo || value > hi) {
		return fmt.Errorf("%s must be between %d and %d, not %d", name, lo, hi, value)
	}
	return nil
}

// or returns value, or the default when value is not set.
func or[T comparable](value, otherwise T) T {
	var zero T
	if value == zero {
		return otherwise
	}
	return value
}
