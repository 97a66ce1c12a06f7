package sampler

// Tuning holds the choices inside an algorithm that change its result. Its fields are those of topoi.Tuning, which says
// what they mean: one is converted into the other, so that a field of one alone does not compile.
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
	StartLift   int
	AliasEvery  int
	Partitions  int
	CVB         string
	Step        float64
	ExactSweeps int
	Adapt       bool
	Uncollapsed bool
	Draw        string
	Precision   string
}
