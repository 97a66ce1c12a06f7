package train

import (
	"errors"
	"fmt"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/engine"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/option"
	"github.com/topoi-lda/topoi/internal/prior"
	"github.com/topoi-lda/topoi/internal/sampler/batch"
	"github.com/topoi-lda/topoi/internal/sampler/registry"
	"github.com/topoi-lda/topoi/internal/topics"
)

// Validate returns all faults of options at once, joined, or nil.
func Validate(opts topoi.Options) error {
	o := opts.WithDefaults()
	_, fresh := batch.ParseFreshness(o.Tuning.Fresh) // Fresh has a grammar of its own
	place := engine.Where{Device: o.Device, Memory: o.DeviceMemory, Many: true}
	return errors.Join(validateTopics(o), option.Check(o), place.Validate(), fresh, contradictions(o))
}

// validateTopics checks the sampler's name and the number of topics.
func validateTopics(o topoi.Options) error {
	limit := topics.Most
	var fault error
	if o.Sampler != "auto" {
		info, ok := registry.Find(o.Sampler)
		if !ok {
			fault = fmt.Errorf("unknown sampler %q%s", o.Sampler, human.Hint(o.Sampler, samplers()))
		} else {
			limit = info.MaxK
		}
		if ok && o.Prior != "" && !info.Draws() {
			fault = fmt.Errorf("sampler %q draws no topics, which Options.Prior = %s needs: choose auto or batch",
				o.Sampler, o.Prior)
		}
	}
	switch {
	case o.Prior == prior.ByLabels: // the labels determine the number of topics
	case o.Topics < 1:
		fault = errors.Join(fault, fmt.Errorf("Options.Topics is %d: it must be at least 1", o.Topics))
	case o.Topics > limit:
		fault = errors.Join(fault, fmt.Errorf("Options.Topics is %d: sampler %q takes at most %d", o.Topics, o.Sampler,
			limit))
	}
	return fault
}

// contradictions returns the faults of options that exclude each other.
func contradictions(o topoi.Options) error {
	var faults []error
	fault := func(text string) { faults = append(faults, errors.New(text)) }
	if o.Holdout == 0 && (o.HoldoutLast || o.HoldoutSeed != 0) {
		fault("Options.Holdout is missing: it says how many documents to hold out, for example 0.1")
	}
	if o.HoldoutLast && o.HoldoutSeed != 0 {
		fault("Options.HoldoutSeed draws a sample of held-out documents, and Options.HoldoutLast asks for the last ones: choose one of the two")
	}
	if o.UntilHeldout != 0 && o.Holdout == 0 {
		fault("Options.UntilHeldout needs held-out documents: set Options.Holdout, for example to 0.1")
	}
	if o.Prior == prior.HDP && (o.OptimizeInterval < 0 || o.SymmetricAlpha || o.Pseudo != nil) {
		fault("Options.Prior = hdp learns α itself: leave out Options.SymmetricAlpha and Options.Pseudo, and keep Options.OptimizeInterval above 0")
	}
	if o.Prior == prior.ByLabels && (o.Topics > 0 || o.Pseudo != nil || o.Start != nil) {
		fault("Options.Prior = labels cannot be combined with Options.Topics, Options.Pseudo or Options.Start: leave these out")
	}
	if (o.Prior == prior.ByCovariates) != (o.Formula != "") {
		fault("Options.Prior = covariates and Options.Formula need each other: set both, for example Options.Formula = ~party, or neither")
	}
	if o.Free != 0 && o.Prior != prior.ByLabels {
		fault("Options.Free needs Options.Prior = labels")
	}
	if o.Resume && o.Checkpoint == "" {
		fault("Options.Resume needs the name of a file: set Options.Checkpoint")
	}
	return errors.Join(faults...)
}

// samplers lists the names that Options.Sampler takes, "auto" first.
func samplers() []string {
	names := []string{"auto"}
	for _, info := range registry.List() {
		names = append(names, info.Name)
	}
	return names
}
