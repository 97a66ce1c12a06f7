package main

import (
	"context"
	"encoding/json"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/human"
)

func addSamplers(a *app) {
	c := &cobra.Command{
		Use:   "samplers [--json]",
		Short: "List the training algorithms",
		Long: `List the algorithms that 'topoi train --sampler' takes, with their cost per token
and where they come from. K is the number of topics, K_d and K_w are the numbers
of topics present in a document and among the tokens of a word. A GPU gives the
same bytes as the CPU, or it is said that it does not.`,
		Example: `  topoi samplers
  topoi train kos.topoi -k 100 -o kos.model --sampler sparse`,
	}
	var asJSON bool
	section(c, "Output", func(fs *pflag.FlagSet) { fs.BoolVar(&asJSON, "json", false, "write JSON") })
	run := func(context.Context, []string) error {
		list := topoi.DescribeSamplers()
		if asJSON {
			return a.writeJSON(list)
		}
		w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "name\tcost per token\tlargest K\ton a GPU\tsource\twhat it is")
		for _, s := range list {
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", s.Name, s.Cost, human.Count(s.MaxTopics), s.GPU, s.Source, s.Summary)
		}
		return w.Flush()
	}
	a.add(groupTrain, c, noArguments(c), run)
}

// noArguments refuses arguments.
func noArguments(c *cobra.Command) func([]string) error {
	return func(args []string) error {
		if len(args) > 0 {
			return fmt.Errorf("%s takes no arguments, but got %q", c.CommandPath(), args[0])
		}
		return nil
	}
}

// writeJSON writes v for people and programs alike.
func (a *app) writeJSON(v any) error {
	encoder := json.NewEncoder(a.stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}
