package export

import (
	"fmt"

	"github.com/topoi-lda/topoi/internal/human"
)

// dense describes a matrix of which a format writes every element, zero or not.
type dense struct {
	rows, cols string // "documents", "topics" or "words"
	bytes      int    // about so many for an element
	instead    string // formats that write what is not zero
	unless     func(o Options) bool
}

// denseMost is the largest matrix that is written with its zeros, in bytes before
// compression. A model of a million topics by a million words has 4 TB of them at
// the least, of which one in ten thousand tells anything. Tests make it smaller.
var denseMost float64 = 256 << 30

var (
	denseDocTopics  = dense{"documents", "topics", 20, "csv-doc-topics or parquet-doc-topics with Options.Top or Options.MinTheta, or npz-doc-topics", nil}
	denseTheta      = dense{"documents", "topics", 4, "parquet-doc-topics with Options.Top or Options.MinTheta, or npz-doc-topics", nil}
	denseTopicWords = dense{"topics", "words", 24, "mallet-word-topic-counts, csv-topic-words or npz-topic-words", nil}
	densePhi        = dense{"topics", "words", 4, "npz-topic-words or parquet-topic-words", nil}
	denseLambda     = dense{"topics", "words", 4, "npz-topic-words", nil}

	// With a threshold or a limit the absent topics are left out, or few.
	denseShares = dense{"documents", "topics", 25, "Options.Top or Options.MinTheta", limited}
	denseLists  = dense{"documents", "topics", 8, "Options.Top or Options.MinTheta", limited}
)

func limited(o Options) bool { return o.Top > 0 || o.MinTheta > 0 }

// check refuses a matrix that is too large.
func (d dense) check(format string, j *job) error {
	return d.checkSize(format, j.model.Manifest().Docs, j)
}

// checkSize is check for another number of documents.
func (d dense) checkSize(format string, docs int, j *job) error {
	if d.unless != nil && d.unless(j.options) {
		return nil
	}
	manifest := j.model.Manifest()
	size := map[string]int{"documents": docs, "topics": manifest.Topics, "words": manifest.Words}
	elements := float64(size[d.rows]) * float64(size[d.cols])
	if elements*float64(d.bytes) <= denseMost {
		return nil
	}
	return fmt.Errorf("%s has a number for each of %s %s × %s %s, zeros included: %.3g numbers of about %d bytes make %.3g TB, and topoi writes at most %.3g TB so; choose %s instead",
		format, human.Count(size[d.rows]), d.rows, human.Count(size[d.cols]), d.cols,
		elements, d.bytes, elements*float64(d.bytes)/1e12, denseMost/1e12, d.instead)
}
