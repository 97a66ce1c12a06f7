package training

import (
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
)

// RunFlags adds the flags that say what is trained and when it stops; output adds those
// of the same heading that say where to.
func RunFlags(c *cobra.Command, o *topoi.Options, output func(fs *pflag.FlagSet)) {
	cli.OptionFlags(c, "What to train", o, output)
	cli.OptionFlags(c, "When to stop", o, nil)
	cli.Complete(c, "sampler", samplerNames)
}

// tuningFlags adds the switches inside the samplers.
func tuningFlags(c *cobra.Command, o *topoi.Options) {
	cli.OptionFlags(c, "Inside the samplers", o, nil)
}

// zeros gives meaning to flags that were set to 0, and returns the faults of flags that
// were not set or may not be 0.
func zeros(c *cobra.Command, o *topoi.Options) error {
	var missing error
	if !c.Flags().Changed("topics") {
		o.Topics = 1 // one fault for the missing flag is enough
		missing = errors.New("the number of topics is missing: add -k NUMBER, for example -k 50")
	}
	return errors.Join(missing, cli.SettleZeros(c, o))
}

func samplerNames() []string {
	names := []string{"auto\tchosen from the corpus and the number of topics"}
	for _, s := range topoi.DescribeSamplers() {
		names = append(names, s.Name+"\t"+s.Summary)
	}
	return names
}
