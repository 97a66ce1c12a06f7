package main

// commands adds every command; --help shows them in this order within their
// groups. A new command is a file and a line here.
var commands = []func(*app){
	addDemo,
	addImport,
	addGenerate,
	addTrain,
	addSweep,
	addSamplers,
	addPartition,
	addReproduce,
	addCluster,
	addMallet,
	addBench,
	addTopics,
	addPrevalence,
	addCompare,
	addStability,
	addExplore,
	addLabel,
	addInfo,
	addFingerprint,
	addVerify,
	addInfer,
	addServe,
	addEval,
	addExport,
	addDevices,
	addCompletion,
	addVersion,
}
