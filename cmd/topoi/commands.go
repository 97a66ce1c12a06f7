package main

import (
	"github.com/topoi-lda/topoi/cmd/topoi/internal/apply"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/look"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/training"
)

// commands adds every command; --help shows them in this order within their
// groups. A new command is a file and a line here.
var commands = []func(*cli.App){
	addDemo,
	addImport,
	addGenerate,
	training.AddTrain,
	training.AddSweep,
	addSamplers,
	addPartition,
	addReproduce,
	training.AddCluster,
	addMallet,
	addBench,
	look.AddTopics,
	look.AddPrevalence,
	look.AddEffects,
	look.AddJoin,
	look.AddCompare,
	look.AddStability,
	look.AddExplore,
	look.AddLabel,
	look.AddInfo,
	look.AddFingerprint,
	look.AddVerify,
	apply.AddInfer,
	apply.AddServe,
	apply.AddEval,
	apply.AddExport,
	addDevices,
	addCompletion,
	addMan,
	addVersion,
}
