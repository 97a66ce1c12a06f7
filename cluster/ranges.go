package cluster

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/cluster/records"
)

// A corpus that was opened by corpus.OpenRanges has its tokens elsewhere: the submitter counts the words once, and
// workers get the counts from the store and read the tokens of their own parts only.

// ErrRanged is returned for a corpus that was opened by corpus.OpenRanges where all of it is needed.
var ErrRanged = errors.New("held-out documents cannot be scored by workers that read parts of the corpus only: " +
	"set Options.Holdout to 0, or give the corpus as a file")

// countWords returns how often each word occurs.
func countWords(c *corpus.Corpus) ([]uint64, error) {
	const piece = 1 << 23
	counted := make([]uint64, c.NumWords())
	for lo := 0; lo < c.NumTokens(); lo += piece {
		tokens, err := c.ReadTokens(lo, min(lo+piece, c.NumTokens()))
		if err != nil {
			return nil, err
		}
		for _, w := range tokens {
			counted[w]++
		}
	}
	return counted, nil
}

// packed returns frequencies as they are shipped, with their checksum.
func packed(frequencies []uint64) io.ReadCloser {
	b, _ := binary.Append(nil, binary.LittleEndian, frequencies)
	return io.NopCloser(bytes.NewReader(binary.LittleEndian.AppendUint64(b, xxh3.Hash(b))))
}

// receiveFrequencies fetches the frequencies that the submitter has shipped. It returns nil if the job was submitted
// with a file.
func (j Job) receiveFrequencies(ctx context.Context, job *records.Job) ([]uint64, error) {
	if !strings.Contains(job.CorpusPath, "://") {
		return nil, nil
	}
	var b bytes.Buffer
	frequencies := make([]uint64, job.Words)
	err := job.Receive(ctx, &b, cmp.Or(j.Patience, time.Minute))
	if end := b.Len() - 8; err == nil && end >= 0 {
		_, err = binary.Decode(b.Bytes()[:end], binary.LittleEndian, frequencies)
		if err == nil && binary.LittleEndian.Uint64(b.Bytes()[end:]) != xxh3.Hash(b.Bytes()[:end]) {
			err = errors.New("they are damaged")
		}
	}
	if err != nil {
		return nil, fmt.Errorf("the store does not give the frequencies of the words of job %s: %w", j.Name, err)
	}
	return frequencies, nil
}
