package sampler

// Tuning holds the choices inside an algorithm that change its result, within the
// bounds that topoi.Tuning has; see there for what they mean. The zero value of a field
// means the algorithm's own default; samplers ignore fields that do not concern them.
type Tuning struct {
	MiniBatches int
	OwnCount    string
	Fresh       string
	MHSteps     int
	Proposal    string
	Rounds      int
	Staleness   int
	Parts       int
	StartTopics int
	AliasEvery  int
	Partitions  int
	CVB         string
	Step        float64
	ExactSweeps int
	Uncollapsed bool
	Draw        string
	Precision   string
}

// BatchesIn returns the number of mini-batches of one of batch's sweeps.
func (t Tuning) BatchesIn(iteration int) int {
	switch {
	case t.MiniBatches > 0:
		return t.MiniBatches
	case iteration <= 10:
		return 8
	}
	return 1
}
