// Package serve answers HTTP requests with the topics of documents.
//
// A [Server] has one or more models, each of them in versions: a directory that is
// replaced on disk becomes the next version, and the one before is closed when its last
// request is done. Requests put their documents into one queue, from which a few workers
// take those that wait together. What is answered depends on the model, the options and the
// document alone, so neither the queue nor the batches nor the device can change it.
//
// docs/serving.md describes the protocol, openapi.yaml has it for programs.
package serve
