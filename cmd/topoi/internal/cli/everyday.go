package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// everyday lists by command the flags that most people need. Their help fits on a screen and shows these, in
// this order; --help-all shows all flags, and so do the man pages. Commands that are not listed have few flags.
var everyday = map[string]string{
	"train": "topics output text-field label-field time-field id-field language stopwords phrases seeds metadata pieces snippet " +
		"holdout iterations seed threads device resume overwrite verbose quiet",
	"sweep":          "topics output seeds sample keep text-field label-field time-field language stopwords iterations seed threads resume verbose quiet",
	"import":         "output text-field label-field time-field id-field title-field sheet format language stopwords phrases snippet min-df max-df overwrite quiet",
	"partition":      "partitions distinct seed json text-field format language",
	"infer":          "output as top min-theta excel decimal overwrite text-field id-field label-field format seed threads device quiet",
	"serve":          "listen threads device tokens new-token tls-cert tls-key no-documents reload metrics log quiet",
	"eval":           "estimator heldout text-field format words seed threads json quiet",
	"cluster submit": "store job topics workers ship iterations holdout sampler seed memory checkpoint resume quiet",
}

// everydayFlags returns the flags that the help of a command shows, nil for all.
func everydayFlags(c *cobra.Command) []*pflag.Flag {
	list, known := everyday[strings.TrimPrefix(c.CommandPath(), c.Root().Name()+" ")]
	if !known {
		return nil
	}
	var flags []*pflag.Flag
	for _, name := range strings.Fields(list) {
		if f := c.Flags().Lookup(name); f != nil {
			flags = append(flags, f)
		}
	}
	return flags
}

// addHelpAll adds the flag that shows all others.
func addHelpAll(c *cobra.Command) {
	c.Flags().Bool("help-all", false, "show all flags")
	c.Flags().Lookup("help-all").Hidden = everydayFlags(c) == nil
}

// wantsAll says whether the command line asks for all flags.
func wantsAll(c *cobra.Command) bool {
	f := c.Flags().Lookup("help-all")
	return f != nil && f.Changed
}
