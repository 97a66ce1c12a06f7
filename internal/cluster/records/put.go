package records

import (
	"context"
	"errors"
	"strconv"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/store"
)

// Write is a blob to be put under a key.
type Write struct {
	Key   string
	Round int
	Blob  []byte
}

// Put writes blobs. It drops those of rounds that are over without an error: a worker that was frozen may still write
// them.
func (j *Job) Put(ctx context.Context, writes []Write) error {
	blobs := make([]store.Blob, len(writes))
	for i, w := range writes {
		keys := []string{w.Key + protocol.Waiting, protocol.HeadOf(w.Key), w.Key}
		blobs[i] = store.Blob{Value: w.Blob, Call: store.Call{
			Keys: keys,
			Args: []string{j.HeadID(), strconv.Itoa(w.Round)},
		}}
	}
	answers, err := j.Store.Offer(ctx, scriptAccept, blobs)
	if err != nil {
		return err
	}
	for i, a := range answers {
		answer, err := j.understand(a)
		if errors.Is(err, errLate) {
			err = j.checkLate(ctx, protocol.HeadOf(writes[i].Key), answer)
		} else {
			err = headFault(protocol.HeadOf(writes[i].Key), err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
