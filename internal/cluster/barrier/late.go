package barrier

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/counts"
)

// Late changes are part of a checkpoint: what each part changed in the last
// rounds, as many as the staleness, which others do not see yet. They are written
// as the sampler of one process writes them (see sampler.Capabilities): the number of
// rounds, then for every round and part the length of a blob and the blob.

var errLateChanges = errors.New("the checkpoint's late changes are not those of this job")

// lateID names a blob of late changes by its place.
func lateID(round, part, topics int) blob.ID {
	return blob.ID{Kind: blob.Changes, Round: uint32(round), Part: uint32(part), Topics: uint32(topics)}
}

// ReadLate reads the late changes of a checkpoint whose last round is given.
func ReadLate(extra []byte, last, staleness, parts, topics, words int) ([]records.Late, error) {
	rounds, n := binary.Uvarint(extra)
	if n <= 0 || rounds != uint64(min(staleness, last)) {
		return nil, errLateChanges
	}
	extra = extra[n:]
	var late []records.Late
	for r := range int(rounds) {
		for part := range parts {
			length, n := binary.Uvarint(extra)
			if n <= 0 || length > uint64(len(extra)-n) {
				return nil, errLateChanges
			}
			b := extra[n:][:length]
			extra = extra[n:][length:]
			d, err := blob.Open(b, lateID(r, part, topics))
			if err != nil {
				return nil, fmt.Errorf("%w: %w", errLateChanges, err)
			}
			for d.Next() {
				if int(d.Word()) >= words {
					return nil, errLateChanges
				}
			}
			if d.Err() != nil {
				return nil, fmt.Errorf("%w: %w", errLateChanges, d.Err())
			}
			late = append(late, records.Late{Round: last - int(rounds) + r + 1, Part: part, Each: func(f func(w uint32, changes []counts.Change)) {
				d, _ := blob.Open(b, lateID(r, part, topics)) // as before
				var changes []counts.Change
				for d.Next() {
					changes = d.Changes(changes[:0])
					f(d.Word(), changes)
				}
			}})
		}
	}
	if len(extra) > 0 {
		return nil, errLateChanges
	}
	return late, nil
}

// FetchLate returns the late changes of a barrier as a checkpoint has them. takes says whether a part has any changes in a round.
func (r *Reader) FetchLate(round int, takes func(part, round int) bool) ([]byte, error) {
	j := r.job
	if j.Staleness == 0 {
		return nil, nil
	}
	first := max(round-j.Staleness, 0) + 1
	out := binary.AppendUvarint(nil, uint64(round-first+1))
	for at := first; at <= round; at++ {
		for part := range j.Parts {
			b, err := r.joinSlices(at, part, lateID(at-first, part, j.Topics), takes(part, at))
			if err != nil {
				return nil, err
			}
			out = append(binary.AppendUvarint(out, uint64(len(b))), b...)
		}
	}
	return out, nil
}

// joinSlices makes one blob of a part's changes in all slices.
func (r *Reader) joinSlices(round, part int, id blob.ID, takes bool) ([]byte, error) {
	j := r.job
	var decoders []blob.Decoder
	if takes {
		names := make([]string, j.Slices)
		for i := range names {
			names[i] = j.Key.Changes(i, round, part)
		}
		blobs, err := j.Store.Get(r.ctx, names...)
		if err != nil {
			return nil, err
		}
		if err := protocol.FirstMissing(names, blobs); err != nil {
			return nil, err
		}
		for i, b := range blobs {
			d, err := blob.Open(b, j.BlobID(blob.Changes, round, part)(i))
			if err != nil {
				return nil, protocol.Damaged(names[i], err)
			}
			decoders = append(decoders, d)
		}
	}
	var sum blob.Summer
	return sum.Merge(nil, id, decoders)
}
