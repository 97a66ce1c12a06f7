package records

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/store"
)

// Origin is the state of a job that continues from a checkpoint.
type Origin struct {
	Topics  func(part int) []uint32 // of a part's tokens
	Changes []Late                  // of the last rounds, as many as the staleness
}

// Late has the changes of a part in a round that others do not see yet.
type Late struct {
	Round, Part int
	Changes     blob.Decoder // of all words; nothing was changed if it is zero
}

// Create creates a job in the store. state is the one before any barrier. origin is nil for a job that begins at the
// beginning. frequencies are those of the words. m has pseudo-counts or is nil.
func Create(ctx context.Context, st *store.Store, name string, spec protocol.Spec, state protocol.State,
	origin *Origin, frequencies []uint64, m *counts.Pseudo,
) (*Job, error) {
	if err := protocol.CheckName(name); err != nil {
		return nil, err
	}
	j := &Job{Blobs: Blobs{protocol.NewLayout(name, spec), st, m}}
	if err := j.refuseLeftovers(ctx); err != nil {
		return nil, err
	}
	text, err := protocol.Seal(spec)
	if err != nil {
		return nil, err
	}
	j.Text = text
	_, err = j.ask(ctx, scriptCreate, append(j.controls("spec"), j.Key.Tombstones(j.IDText())...), text)
	if errors.Is(err, protocol.ErrLost) {
		err = j.taken()
	}
	if err == nil {
		err = j.MakeHeads(ctx, j.Floor(&state), strconv.FormatUint(rand.Uint64(), 16))
	}
	if err == nil {
		err = j.putPseudo(ctx)
	}
	if err == nil && origin != nil {
		err = j.putOrigin(ctx, origin, rows.NewCut(frequencies, j.Topics, j.Slices))
	}
	if err == nil {
		text, err = protocol.Seal(state)
	}
	if err != nil {
		return nil, err
	}
	_, err = j.Ask(ctx, scriptBegin, "spec state", state.Version(), text)
	return j, err
}

// taken returns the error about a name that is in use.
func (j *Job) taken() error {
	return protocol.Taken("store " + j.Store.Name() + " already holds a job called " + j.Name +
		": choose another name, or remove it with Job.Cancel")
}

// refuseLeftovers returns an error if the store holds keys under the job's name.
func (j *Job) refuseLeftovers(ctx context.Context) error {
	spec, err := j.Store.Get(ctx, j.Key.Spec())
	if err != nil {
		return err
	}
	if spec[0] != nil {
		return j.taken()
	}
	found, err := j.Keys(ctx)
	if err != nil {
		return err
	}
	// A worker that does not know yet that the store lost the job may still offer blobs, which nobody takes. Its lease
	// runs out by itself.
	found = slices.DeleteFunc(found, func(key string) bool {
		return strings.HasSuffix(key, protocol.Waiting) || strings.HasPrefix(key, j.Key.Control("lease:"))
	})
	if len(found) > 0 {
		return protocol.Taken(fmt.Sprintf("store %s holds %d keys of another job under the name %s, such as %s: "+
			"choose another name, or remove them with Job.Cancel", j.Store.Name(), len(found), j.Name, found[0]))
	}
	return nil
}

// putOrigin stores what the job begins with.
func (j *Job) putOrigin(ctx context.Context, origin *Origin, c *rows.Cut) error {
	for i := range j.Parts {
		z := origin.Topics(i)
		writes, err := j.SaveTopics(i, j.Start, j.OriginKey(i), len(z),
			func(f func(z []uint32) error) error { return f(z) })
		if err == nil {
			err = j.Put(ctx, writes)
		}
		if err != nil {
			return err
		}
	}
	encoders := make([]blob.Encoder, j.Slices)
	var changes []counts.Change
	for _, late := range origin.Changes {
		id := j.BlobID(blob.Changes, late.Round, late.Part)
		for i := range encoders {
			encoders[i].Begin(nil, id(i))
		}
		for d := late.Changes; d.Topics > 0 && d.Next(); {
			changes = d.Changes(changes[:0])
			encoders[c.Slice[d.Word()]].Changes(d.Word(), changes)
		}
		var writes []Write
		for i := range encoders {
			writes = append(writes, Write{j.Key.Changes(i, late.Round, late.Part), late.Round, encoders[i].Finish()})
		}
		if err := j.Put(ctx, writes); err != nil {
			return err
		}
	}
	return nil
}
