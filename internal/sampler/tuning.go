package sampler

// Tuning holds the choices inside an algorithm that change its result. The zero
// value of a field means the algorithm's own default; samplers ignore fields
// that do not concern them. It is stored in model manifests as JSON.
type Tuning struct{}

// Validate returns all faults at once, joined, or nil.
func (t Tuning) Validate() error { return nil }
