// Package cluster trains one model with many workers, on one machine or on many, through a Redis or Valkey store. The
// model has the bytes that [train.Run] gives it with the same options, however many workers there are and whenever
// they join, leave or die.
//
// A job is one training run in a store. Somebody submits it:
//
//	job := cluster.Job{Store: "redis://hub:6379", Name: "news"}
//	err := job.Submit(ctx, c, topoi.Options{Topics: 1000}, cluster.SubmitOptions{Workers: 3})
//
// On every machine a program works on it until the model is complete:
//
//	err := job.Work(ctx, c, cluster.WorkOptions{})
//
// Anybody can watch the job. In the end somebody collects the model and removes the job:
//
//	err := job.Watch(ctx, time.Second, func(s *cluster.Status) (more bool, err error) { … })
//	m, err := job.Collect(ctx, c)
//	keys, err := job.Cancel(ctx)
//
// [Local] does all of it on one machine: it starts a store and worker processes, and returns the model.
//
// Everything that a worker writes is a function of corpus, options and seed. So work that is done twice, or by two
// workers, has the same result. docs/cluster.md says what to expect of sizes, speeds and faults.
package cluster
