// Package cluster trains one model with many workers around a store (see package
// store) that holds the model.
//
// The corpus is cut into parts by documents and the vocabulary into slices by
// words. Rounds follow each other as in one process; in a round every part is
// sampled once, by whichever worker has it, and what it changed in each slice is
// written as one blob whose key names round, slice and part. Everything is a
// function of corpus, options and seed, so a blob written twice, or by two
// workers, is the same blob: who does what decides how fast a job goes, never
// what comes out.
//
// Workers either keep the rows of all words and add everybody's changes to them, or, in a job
// whose rows are apart, keep none: whoever has a slice adds the changes of a round to its rows
// and writes them to the store as the next version, and everybody fetches a version slice by slice as it
// samples. Then a model may be larger than any worker's memory.
//
// Rounds run freely from one barrier to the next. At a barrier the topics of all
// parts and the rows of all slices are in the store, or topics in files, where package barrier reads them; the leader (package lead), one of the
// workers, does what training does between iterations and opens the rounds up to
// the next one. A worker that dies is noticed when its lease runs out; its parts
// go to others, who take up the last barrier's topics and repeat the rounds since.
// A leader that dies is replaced in the same way. Once a barrier is complete,
// everything older is deleted: the store holds the rows, twice the topics, and
// the changes of the rounds between two barriers. A store that lost something of that is put right by package mend.
//
// What is in the store, and under which keys, is said by package protocol.
package cluster
