package main

import (
	"context"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/internal/human"
)

func addDevices(a *cli.App) {
	c := cli.Describe("devices")
	var asJSON bool
	cli.Section(c, "Output", func(fs *pflag.FlagSet) { fs.BoolVar(&asJSON, "json", false, "write JSON") })
	run := func(context.Context, []string) error {
		list, reason := topoi.Devices()
		if asJSON {
			return a.WriteJSON(list)
		}
		w := tabwriter.NewWriter(a.Stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "device\tmodel\tmemory\tusable\tdetails")
		for _, d := range list {
			memory, usable := "–", "yes"
			if d.Memory > 0 {
				memory = human.Bytes(d.Memory)
			}
			if !d.Usable {
				usable = "no"
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", d.Name, d.Model, memory, usable, d.Details)
		}
		if err := w.Flush(); err != nil || reason == nil {
			return err
		}
		_, err := fmt.Fprintf(a.Stdout, "\nno GPU: %v\n", reason)
		return err
	}
	a.Add(cli.GroupAbout, c, cli.NoArguments(c), run)
}

func addSamplers(a *cli.App) {
	c := cli.Describe("samplers")
	var asJSON bool
	cli.Section(c, "Output", func(fs *pflag.FlagSet) { fs.BoolVar(&asJSON, "json", false, "write JSON") })
	run := func(context.Context, []string) error {
		list := topoi.DescribeSamplers()
		if asJSON {
			return a.WriteJSON(list)
		}
		w := tabwriter.NewWriter(a.Stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "name\tcost per token\tlargest K\ton a GPU\tsource\twhat it is")
		for _, s := range list {
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", s.Name, s.Cost, human.Count(s.MaxTopics), s.GPU, s.Source, s.Summary)
		}
		return w.Flush()
	}
	a.Add(cli.GroupTrain, c, cli.NoArguments(c), run)
}
