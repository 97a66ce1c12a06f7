package training

import (
	"github.com/spf13/cobra"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
)

// AddCluster adds the family of commands about training on many machines.
func AddCluster(a *cli.App) {
	c := cli.Describe("cluster")
	c.AddGroup(
		&cobra.Group{ID: groupJob, Title: "A job from beginning to end:"},
		&cobra.Group{ID: groupPlan, Title: "Before it:"},
	)
	a.AddFamily(cli.GroupTrain, c)
	addClusterSubmit(a, c)
	addClusterWork(a, c)
	addClusterRuns(a, c)
	addClusterStatus(a, c)
	addClusterTop(a, c)
	addClusterResult(a, c)
	addClusterCancel(a, c)
}
