// Package cluster trains one model by many workers, on one machine or on many, around
// a Redis or Valkey store. The model has the bytes that [topoi.Train] gives it with the
// same options, however many workers there are, whenever they come, leave or die.
//
// A job is one training run in a store. Somebody submits it:
//
//	job := cluster.Job{Store: "redis://hub:6379", Name: "news"}
//	err := job.Submit(ctx, c, topoi.Options{Topics: 1000}, cluster.SubmitOptions{Workers: 3})
//
// On every machine that is to take part, a program works on it until the model is
// complete:
//
//	err := job.Work(ctx, c, cluster.WorkOptions{})
//
// Anybody can watch it, and in the end collect the model and remove the job:
//
//	err := job.Watch(ctx, time.Second, func(s *cluster.Status) (more bool, err error) { … })
//	m, err := job.Collect(ctx, c)
//	keys, err := job.Cancel(ctx)
//
// [Local] does all of it on one machine: it starts a store and worker processes, and
// returns the model.
//
// Everything that a worker writes is a function of corpus, options and seed, so that
// work done twice, or by two workers, is the same work. docs/cluster.md says what to
// expect of sizes, speeds and faults.
package cluster
