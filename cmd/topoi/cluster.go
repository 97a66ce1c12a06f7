package main

import "github.com/spf13/cobra"

// The groups of commands that topoi cluster --help shows.
const (
	groupJob  = "job"
	groupPlan = "plan"
)

// addCluster adds the family of commands about training on many machines.
func addCluster(a *app) {
	c := &cobra.Command{
		Use:   "cluster COMMAND",
		Short: "Train on many machines",
		Long: `Train one model on many machines, with a Redis or Valkey between them. The model
has the same bytes as one machine would have made. Workers may join late, leave,
or die. See docs/cluster.md.`,
		Example: `  topoi cluster simulate --preset lightlda`,
	}
	c.AddGroup(
		&cobra.Group{ID: groupJob, Title: "A job from beginning to end:"},
		&cobra.Group{ID: groupPlan, Title: "Before it:"},
	)
	a.addFamily(groupTrain, c)
	addClusterSimulate(a, c)
}
