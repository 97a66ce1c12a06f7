package topoi

import (
	"errors"

	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/ondisk"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/registry"
	"github.com/topoi-lda/topoi/internal/training"
)

// keepBudget finds out how to keep within Options.Memory. It returns the sampler to use, which differs from chosen only
// if "auto" chose it and it does not fit. The budget is nil if tokens stay in memory.
func keepBudget(o *Options, docs *training.Documents, chosen registry.Choice, p *sampler.Problem) (registry.Choice, *ondisk.Budget, error) {
	if o.Memory == 0 {
		return chosen, nil, nil
	}
	budget, err := fit(o, docs, chosen, p)
	if o.Sampler == "auto" {
		for _, smaller := range chosen.Smaller(p) {
			if !errors.Is(err, ondisk.ErrBudget) {
				break
			}
			chosen = smaller
			chosen.Reason += " in " + human.Bytes(o.Memory)
			budget, err = fit(o, docs, chosen, p)
		}
	}
	switch {
	case err != nil || budget.InMemory:
		return chosen, nil, err
	case p.Tuning.Staleness > 0:
		return chosen, nil, errors.New("a run with staleness cannot be trained from files: leave out the memory budget")
	case o.Device != "auto" && o.Device != "cpu":
		return chosen, nil, errors.New("training from files works on the CPU only: train with device cpu, or limit the GPU's memory instead")
	}
	return chosen, budget, nil
}

// fit divides the memory of Options.Memory for a sampler.
func fit(o *Options, docs *training.Documents, chosen registry.Choice, p *sampler.Problem) (*ondisk.Budget, error) {
	tuned := *p
	tuned.Tuning = chosen.Tuning
	need := ondisk.Run{Sampler: chosen.Sampler, Problem: &tuned, Memory: uint64(o.Memory), Release: docs.Train.Release}
	need.Split = o.split().Bytes(docs.All.NumDocs())
	if docs.Heldout != nil {
		need.HeldOut = docs.Heldout.Tokens()
	}
	if o.Start != nil { // its topics are in memory, and those of training documents a second time
		need.Split += 8 * uint64(len(o.Start.Topics))
	}
	return fitBudget(need)
}

// fitBudget is ondisk.Fit. Tests replace it to give small corpora a budget.
var fitBudget = ondisk.Fit
