package guiding

import (
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
)

// Prior is the flag that names a kind of prior, with the flags that belong to it.
type Prior struct {
	name       string
	mostTopics int
	free       int
	formula    string
}

// Add adds the flags; help says what --prior takes.
func (p *Prior) Add(fs *pflag.FlagSet, help string) {
	fs.StringVar(&p.name, "prior", "", help)
	fs.IntVar(&p.mostTopics, "max-topics", topoi.MaxTopicsHDP, "largest `number` of topics for --prior hdp")
	fs.IntVar(&p.free, "free", 0, "`number` of topics without a label that all documents share, for --prior labels")
	fs.StringVar(&p.formula, "formula", "", "columns on which topics depend, for --prior covariates, such as '~ party + s(date)'")
}

// reserved reports whether the flag names a kind of prior. A model of such a name is given as ./hdp.
func (p *Prior) reserved() bool { return slices.Contains(topoi.Priors(), p.name) }

// Settle gives options the prior, and returns the faults of the flags.
func (p *Prior) Settle(fs *pflag.FlagSet, o *topoi.Options) error {
	for flag, needs := range map[string]string{"max-topics": topoi.PriorHDP, "free": topoi.PriorLabels, "formula": topoi.PriorCovariates} {
		if fs.Changed(flag) && p.name != needs {
			return fmt.Errorf("--%s needs --prior %s", flag, needs)
		}
	}
	if !p.reserved() {
		return nil
	}
	o.Prior, o.Formula = p.name, p.formula
	switch {
	case p.name == topoi.PriorCovariates:
	case fs.Changed("topics") && p.name == topoi.PriorHDP:
		return fmt.Errorf("--prior hdp finds the number of topics itself: leave out -k %d; --max-topics limits it", o.Topics)
	case fs.Changed("topics"):
		return fmt.Errorf("--prior labels has one topic per label: leave out -k %d; --free adds topics without a label", o.Topics)
	case p.name == topoi.PriorLabels:
		o.Free = p.free
	case p.mostTopics < 1:
		return fmt.Errorf("--max-topics is %d: it must be at least 1", p.mostTopics)
	default:
		o.Topics = p.mostTopics
	}
	return nil
}
